import type { QueryClient } from '@tanstack/react-query';
import { Lightbulb, LogOut, Settings as SettingsIcon, ShieldCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import { deviceNow, utcDayOf } from '#base/calendar-date.ts';
import type { Id } from '#base/id.ts';
import type { PickerFocus } from '#rooms/activities/web/activity-picker.tsx';
import { activitiesOf } from '#rooms/activities/web/api.ts';
import type { District } from '#rooms/district/contract.ts';
import { messages as schoolMessages } from '#rooms/schools/contract.ts';
import { usePublicSchools } from '#rooms/schools/web/api.ts';
import { NoSchoolYet } from '#rooms/schools/web/no-school-yet.tsx';
import { mostActiveOf, recentEntriesOf } from '#rooms/time-entries/web/api.ts';
import { LogTime } from '#rooms/time-entries/web/log-time.tsx';
import type { Draft } from '#rooms/time-entries/web/log-time-form.tsx';
import { MostActiveTasks } from '#rooms/time-entries/web/most-active-tasks.tsx';
import type { User } from '#rooms/users/contract.ts';
import { WaitingForApproval } from '#rooms/users/web/waiting-for-approval.tsx';
import { notify } from '#web/lib/notify.ts';
import { selectSchool, useSelectedSchoolId } from '#web/lib/session.ts';
import { useText } from '#web/lib/text.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorBox, Notice } from '#web/ui/notice.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import type { AdminTab } from './admin.tsx';
import { currentSchool } from './current-school.ts';
import { Header } from './header.tsx';
import { Photos } from './photos.tsx';
import { RecentActivity } from './recent-activity.tsx';
import { Settings } from './settings.tsx';
import { type Shortcut, ShortcutsDialog, useShortcuts } from './shortcuts.tsx';
import { Suggestions } from './suggestions.tsx';

/** Starts loading a school's lists while it is not yet known who is signed in. */
export function prefetchTimetracker(client: QueryClient, schoolId: Id): void {
  void client.prefetchQuery(activitiesOf(schoolId));
  void client.prefetchInfiniteQuery(recentEntriesOf(schoolId));
  void client.prefetchQuery(mostActiveOf(schoolId));
}

type TimetrackerViewProps = {
  user: User;
  district: District;
  onLogout: () => void;
  /** It comes after the admin view: the focus goes to its heading. */
  isBack: boolean;
  /** Opens the admin view at a tab. */
  onAdmin: (startAt: AdminTab) => void;
};

type Tab = 'log' | 'recent' | 'photos';

const SHORTCUTS: readonly Shortcut[] = [
  [['/'], 'web:shortcutSearch'],
  [['n'], 'web:shortcutNew'],
  [['1', '2', '3'], 'web:shortcutTabs'],
  [['Enter'], 'web:shortcutLog'],
  [['u'], 'web:shortcutUndo'],
  [['?'], 'web:shortcutList'],
];
const ADMIN_SHORTCUT: Shortcut = [['g', 'a'], 'web:shortcutAdmin'];

/** The volunteer's dashboard: log hours, and what was logged. */
export function TimetrackerView(props: TimetrackerViewProps) {
  const { user, district, onLogout, isBack, onAdmin } = props;
  const { t, say } = useText();
  const { schools, school, retry } = useSchools(user);
  const [tab, setTab] = useState<Tab>('log');
  // Each visit to Log Time starts with the list; its number makes a fresh one.
  const [visit, setVisit] = useState<{ number: number; focus: PickerFocus; activityId?: Id }>({
    number: 0,
    focus: isBack ? 'heading' : 'none',
  });
  const [unsent, setUnsent] = useState<Draft>();
  const [isListOpen, setIsListOpen] = useState(false);
  const [isSettingsOpen, setIsSettingsOpen] = useState(false);
  const [isSuggesting, setIsSuggesting] = useState(false);
  const days = { today: district.today, utcDay: utcDayOf(deviceNow()) };
  const isAdmin = user.role === 'admin';

  function show(next: Tab, focus: PickerFocus = 'none') {
    setTab(next);
    setVisit((before) => ({ number: before.number + 1, focus }));
  }

  function showPhotos(activityId?: Id) {
    setTab('photos');
    setVisit(({ number }) => ({
      number: number + 1,
      focus: 'none',
      ...(activityId === undefined ? {} : { activityId }),
    }));
  }

  function logFor(activity: { id: Id; schoolId: Id }) {
    selectSchool(activity.schoolId);
    setTab('log');
    setVisit(({ number }) => ({ number: number + 1, focus: 'none', activityId: activity.id }));
  }

  const shortcuts = useShortcuts({
    '/': () => show('log', 'search'),
    n: () => show('log', 'first'),
    '1': () => show('log'),
    '2': () => show('recent'),
    '3': () => showPhotos(),
    Enter: () => document.querySelector<HTMLFormElement>('form[data-log-form]')?.requestSubmit(),
    u: notify.undoLast,
    '?': () => setIsListOpen(true),
    ...(isAdmin ? { 'g a': () => onAdmin('users') } : {}),
  });

  return (
    <>
      <Header
        firstName={user.firstName}
        schools={schools}
        school={school}
        onSchool={selectSchool}
        actions={[
          ...(school === undefined
            ? []
            : [
                {
                  key: 'suggest',
                  title: t('suggestions:open'),
                  icon: <Lightbulb aria-hidden="true" className="size-5" />,
                  onPress: () => setIsSuggesting(true),
                },
              ]),
          {
            key: 'settings',
            title: t('users:settings'),
            icon: <SettingsIcon aria-hidden="true" className="size-5" />,
            onPress: () => setIsSettingsOpen(true),
          },
          ...(isAdmin
            ? [
                {
                  key: 'admin',
                  title: t('web:admin'),
                  icon: <ShieldCheck aria-hidden="true" className="size-5" />,
                  onPress: () => onAdmin('users'),
                },
              ]
            : []),
          {
            key: 'logout',
            title: t('users:logout'),
            icon: <LogOut aria-hidden="true" className="size-5" />,
            onPress: onLogout,
          },
        ]}
        onShortcuts={() => setIsListOpen(true)}
      />
      <main className="mx-auto w-full max-w-288 px-4 pt-1 pb-24 sm:pt-2 print:p-0">
        {school === undefined && schools === undefined && retry === undefined && (
          <SkeletonRows rows={6} isTall />
        )}
        {retry !== undefined && <ErrorBox text={say(schoolMessages.failedToLoadRefresh)} onRetry={retry} />}
        {user.pendingSchools.length > 0 && (
          <div className="my-4">
            <WaitingForApproval user={user} />
          </div>
        )}
        {schools?.length === 0 && isAdmin && (
          <div className="my-4">
            <NoSchoolYet onAddSchool={() => onAdmin('schools')} />
          </div>
        )}
        {schools?.length === 0 && !isAdmin && user.pendingSchools.length === 0 && (
          <NoSchool onChoose={() => setIsSettingsOpen(true)} />
        )}
        {school !== undefined && (
          <Tabs<Tab>
            label={t('web:tabs')}
            selected={tab}
            onSelect={(next) => show(next)}
            tabs={[
              {
                key: 'log',
                title: t('web:logTime'),
                content: (
                  <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_340px] lg:gap-8">
                    <LogTime
                      key={`${school.id} ${visit.number}`}
                      user={user}
                      school={school}
                      days={days}
                      supportEmail={district.supportEmail}
                      focus={visit.focus}
                      startActivityId={visit.activityId}
                      unsent={unsent}
                      onUnsent={setUnsent}
                      onPhotos={({ id }) => showPhotos(id)}
                    />
                    <MostActiveTasks key={school.id} schoolId={school.id} isAdmin={isAdmin} />
                  </div>
                ),
              },
              {
                key: 'recent',
                title: t('web:recentActivity'),
                content: (
                  <RecentActivity
                    key={school.id}
                    user={user}
                    school={school}
                    district={district}
                    onLogFirst={() => show('log', 'heading')}
                  />
                ),
              },
              {
                key: 'photos',
                title: t('web:managePhotos'),
                content: (
                  <Photos
                    key={`${school.id} ${visit.number}`}
                    school={school}
                    isAdmin={isAdmin}
                    timeZone={district.timeZone}
                    startAt={visit.activityId}
                    onBack={() => show('log', 'heading')}
                  />
                ),
              },
            ]}
          />
        )}
      </main>
      {school !== undefined && schools !== undefined && (
        <Suggestions
          school={school}
          schoolIds={schools.map(({ id }) => id)}
          district={district}
          isOpen={isSuggesting}
          onClose={() => setIsSuggesting(false)}
          onActivity={logFor}
        />
      )}
      <Settings
        user={user}
        district={district}
        isOpen={isSettingsOpen}
        onClose={() => setIsSettingsOpen(false)}
        onAddSchool={isAdmin ? () => onAdmin('schools') : undefined}
        shortcuts={shortcuts}
      />
      <ShortcutsDialog
        list={isAdmin ? [...SHORTCUTS, ADMIN_SHORTCUT] : SHORTCUTS}
        isOpen={isListOpen}
        onClose={() => setIsListOpen(false)}
        isOn={shortcuts.isOn}
        onTurn={shortcuts.turn}
      />
    </>
  );
}

function NoSchool({ onChoose }: { onChoose: () => void }) {
  const { t } = useText();
  return (
    <div className="my-4">
      <Notice>
        <p>{t('users:noSchool')}</p>
        <Button onPress={onChoose}>{t('users:chooseSchool')}</Button>
      </Notice>
    </div>
  );
}

/** The schools of a person; of an administrator who belongs to none, all of them. */
function useSchools(user: User) {
  const isEverywhere = user.role === 'admin' && user.schools.length === 0;
  const all = usePublicSchools(isEverywhere);
  const schools = isEverywhere ? all.data : user.schools;
  const selectedId = useSelectedSchoolId();
  const school = currentSchool(schools ?? [], selectedId);
  const id = school?.id;
  useEffect(() => {
    if (id !== undefined && id !== selectedId) selectSchool(id);
  }, [id, selectedId]);
  return { schools, school, retry: all.isError ? () => void all.refetch() : undefined };
}
