import '../volunteer-messages.ts';
import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { hasStoredLogCode } from '#features/activities/log-codes/web/stored-log-code.ts';
import { activitiesQuery } from '#features/activities/web/api.ts';
import type { District } from '#features/schools/district-settings/contract.ts';
import { mostActiveQuery, recentEntriesQuery } from '#features/time-entries/web/api.ts';
import type { User } from '#features/users/contract.ts';
import type { Id } from '#shared/id.ts';
import { selectSchool } from '#web/api/session.ts';
import { leavePage } from '#web/forms/unsaved-changes.ts';
import { lazyScreen } from '#web/ui/lazy-screen.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { skipTarget } from '#web/ui/skip-link.tsx';
import { notify } from '#web/ui/toasts.ts';
import { type AdminTab, hasPanel, type Tab } from '../navigation.ts';
import { Offline, Signal, showCachedDataWhenOffline, signOut } from '../offline/offline.tsx';
import { Shortcuts, useShortcuts } from '../shortcuts.tsx';
import type { Shortcut } from '../shortcuts-dialog.tsx';
import { useSchools } from './current-school.ts';
import { DashboardHeader } from './dashboard-header.tsx';
import { DashboardNotices } from './dashboard-notices.tsx';
import { DashboardTabs, useVisits } from './dashboard-tabs.tsx';
import { MilestoneThanks, Settings, Suggestions } from './lazy-screens.tsx';

const OpenLogCode = lazyScreen(
  async () => (await import('#features/activities/log-codes/web/open-log-code.tsx')).OpenLogCode,
  ({ given, failed }) => failed !== undefined && <WithoutCode {...given} />,
);

/** Shows this device's cached lists if the profile request gets no response. */
export function prepareTimetracker(client: QueryClient, token: string): void {
  showCachedDataWhenOffline(client, token);
}

/** Starts loading a school's lists before the profile has loaded. */
export function prepareLists(client: QueryClient, schoolId: Id | undefined): void {
  if (schoolId === undefined) return;
  void client.prefetchQuery(activitiesQuery(schoolId));
  void client.prefetchInfiniteQuery(recentEntriesQuery(schoolId));
  void client.prefetchQuery(mostActiveQuery(schoolId));
}

type TimetrackerViewProps = {
  token: string;
  user: User;
  district: District;
  tab: Tab;
  /** Opens a tab; `then` runs in the same state update. */
  onTab: (tab: Tab, then: () => void) => void;
  /** Signs out immediately. */
  onLogout: () => void;
  /** Whether the user comes from the Admin Panel or a sign-in form, so the heading takes the focus. */
  isBack: boolean;
  /** Opens the Admin Panel at a given tab. */
  onAdmin: (startAt: AdminTab) => void;
};

// The fallback if the code fails to load: ignores the log code, so the list of activities shows.
function WithoutCode({ onKnown }: { onKnown: () => void }) {
  const known = useEffectEvent(onKnown);
  useEffect(() => known(), []);
  return null;
}

const SHORTCUTS: readonly Shortcut[] = [
  [['/'], 'web:shortcutSearch'],
  [['n'], 'web:shortcutNew'],
  [['1', '2', '3'], 'web:shortcutTabs'],
  [['Enter'], 'web:shortcutLog'],
  [['u'], 'web:shortcutUndo'],
  [['?'], 'web:shortcutList'],
];
const ADMIN_SHORTCUT: Shortcut = [['g', 'a'], 'web:shortcutAdmin'];

/** The volunteer's dashboard: log hours and see logged hours. */
export function TimetrackerView(props: TimetrackerViewProps) {
  const { token, user, district, tab, onTab, onLogout, isBack, onAdmin } = props;
  const schools = useSchools(user);
  const visits = useVisits(tab, onTab, isBack ? 'heading' : 'none');
  const [dialog, setDialog] = useState<'suggestions' | 'settings' | 'shortcuts'>();
  const [suggested, setSuggested] = useState<string>();
  const [hasCode] = useState(hasStoredLogCode);
  const [isLooking, setIsLooking] = useState(hasCode);
  const logForm = useRef<HTMLFormElement>(null);
  const { visitTo } = visits;
  const { current: school } = schools;
  const isAdmin = user.role === 'admin';
  const toPanel = hasPanel(user) ? () => onAdmin('users') : undefined;
  const close = () => setDialog(undefined);
  const shortcuts = useShortcuts({
    '/': () => visitTo('log', { focus: 'search' }),
    n: () => visitTo('log', { focus: 'first' }),
    '1': () => visitTo('log'),
    '2': () => visitTo('recent'),
    '3': () => visitTo('photos'),
    Enter: () => logForm.current?.requestSubmit(),
    u: notify.undoLast,
    '?': () => setDialog('shortcuts'),
    ...(toPanel && { 'g a': toPanel }),
  });

  function suggest(name?: string) {
    setSuggested(name);
    setDialog('suggestions');
  }

  function logFor(activity: { id: Id; schoolId: Id }) {
    visitTo('log', { activityId: activity.id }, () => selectSchool(activity.schoolId));
  }

  return (
    <>
      <DashboardHeader
        district={district}
        firstName={user.firstName}
        schools={schools.all}
        school={school}
        onSuggest={() => suggest()}
        onSettings={() => setDialog('settings')}
        onAdmin={toPanel}
        onLogout={() => leavePage(() => signOut(onLogout))}
        onShortcuts={() => setDialog('shortcuts')}
      />
      <main
        {...skipTarget}
        className="mx-auto w-full grow max-w-288 px-4 pt-1 pb-6 outline-none sm:pt-2 print:p-0"
      >
        {/* Rendered before its text, so screen readers announce it. */}
        <div role="status" className="print:hidden">
          <Signal zone={district.timeZone} />
        </div>
        <Offline token={token} user={user} district={district} />
        <DashboardNotices
          user={user}
          schools={schools}
          onChooseSchool={() => setDialog('settings')}
          onAddSchool={() => onAdmin('schools')}
          onFirstSteps={() => onAdmin('users')}
          onAdmin={toPanel}
        />
        {hasCode && (
          <OpenLogCode
            schoolIds={schools.all?.map(({ id }) => id)}
            today={district.today}
            onActivity={logFor}
            onSettings={() => setDialog('settings')}
            onKnown={() => setIsLooking(false)}
          />
        )}
        {/* The list would be replaced by the activity a moment later. */}
        {school !== undefined && isLooking && <SkeletonRows rows={6} isTall />}
        {school !== undefined && !isLooking && (
          <DashboardTabs
            {...visits}
            user={user}
            school={school}
            district={district}
            logForm={logForm}
            onSuggest={suggest}
          />
        )}
        {school !== undefined && !isLooking && <MilestoneThanks />}
      </main>
      {school !== undefined && schools.all !== undefined && (
        <Suggestions
          school={school}
          schoolIds={schools.all.map(({ id }) => id)}
          district={district}
          isOpen={dialog === 'suggestions'}
          startName={suggested}
          onClose={close}
          onActivity={logFor}
        />
      )}
      <Settings
        user={user}
        district={district}
        isOpen={dialog === 'settings'}
        onClose={close}
        onAddSchool={isAdmin ? () => onAdmin('schools') : undefined}
        shortcuts={shortcuts}
      />
      <Shortcuts
        list={toPanel ? [...SHORTCUTS, ADMIN_SHORTCUT] : SHORTCUTS}
        isOpen={dialog === 'shortcuts'}
        onClose={close}
        isOn={shortcuts.isOn}
        onToggle={shortcuts.toggle}
      />
    </>
  );
}
