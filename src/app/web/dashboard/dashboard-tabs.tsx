import { type RefObject, useState } from 'react';
import type { PickerFocus } from '#features/activities/web/activity-picker.tsx';
import type { PublicSchool } from '#features/schools/contract.ts';
import type { District } from '#features/schools/district-settings/contract.ts';
import { LOG_DRAFT } from '#features/time-entries/web/log-hours-handler.ts';
import { LogTime } from '#features/time-entries/web/log-time.tsx';
import type { Draft } from '#features/time-entries/web/log-time-form.tsx';
import { MostActiveTasks } from '#features/time-entries/web/most-active-tasks.tsx';
import type { User } from '#features/users/contract.ts';
import { deviceNow, utcDayOf } from '#shared/calendar-date.ts';
import type { Id } from '#shared/id.ts';
import { draftOf } from '#web/forms/drafts.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { usePreload } from '#web/ui/lazy-screen.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { TAB_TITLES, type Tab } from '../navigation.ts';
import { PendingHoursNote } from '../offline/offline.tsx';
import { Photos, RecentActivity } from './lazy-screens.tsx';

/** The current tab and its initial state. `number` is part of the screen's key, so every visit mounts a new screen. */
type Visit = Readonly<{ tab: Tab; number: number; focus: PickerFocus; activityId?: Id }>;

/** Returns the current tab and a function that opens another. */
export function useVisits(tab: Tab, onTab: (tab: Tab, then: () => void) => void, focus: PickerFocus) {
  const [last, setVisit] = useState<Visit>({ tab, number: 0, focus });
  // Back can change the tab too; that tab then starts with its defaults.
  const visit: Visit = last.tab === tab ? last : { tab, number: last.number, focus: 'none' };
  function visitTo(to: Tab, begins: { focus?: PickerFocus; activityId?: Id } = {}, then?: () => void) {
    onTab(to, () => {
      setVisit(({ number }) => ({ focus: 'none', ...begins, tab: to, number: number + 1 }));
      then?.();
    });
  }
  return { visit, visitTo };
}

export type Visits = ReturnType<typeof useVisits>;

type DashboardTabsProps = Visits & {
  user: User;
  school: PublicSchool;
  district: District;
  /** Suggests an activity with this name. */
  onSuggest: (name: string) => void;
  /** The Log Time form while it is mounted. */
  logForm: RefObject<HTMLFormElement | null>;
};

/** Log Time, Recent Activity and Manage Photos at one school. */
export function DashboardTabs(props: DashboardTabsProps) {
  const { visit, visitTo, user, school, district, logForm, onSuggest } = props;
  const { t } = useTranslation();
  usePreload(RecentActivity);
  const [unsent, setUnsent] = useState(() => draftOf<Draft>(LOG_DRAFT));
  const days = { today: district.today, utcDay: utcDayOf(deviceNow()) };
  const isAdmin = user.role === 'admin';
  const log = (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_340px] lg:gap-8">
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
        onSuggest={onSuggest}
        onPhotos={({ id }) => visitTo('photos', { activityId: id })}
        formRef={logForm}
      />
      <MostActiveTasks
        key={school.id}
        schoolId={school.id}
        isAdmin={isAdmin}
        notCounted={<PendingHoursNote />}
      />
    </div>
  );
  const recent = (
    <RecentActivity
      key={school.id}
      user={user}
      school={school}
      district={district}
      onLogFirst={() => visitTo('log', { focus: 'heading' })}
      onLogAgain={({ activityId }) => visitTo('log', { activityId })}
    />
  );
  const photos = (
    <Photos
      key={`${school.id} ${visit.number}`}
      user={user}
      school={school}
      startAt={visit.activityId}
      onBack={() => visitTo('log', { focus: 'heading' })}
    />
  );
  return (
    <Tabs<Tab>
      label={t('web:tabs')}
      selected={visit.tab}
      onSelect={(tab) => visitTo(tab)}
      tabs={[
        { key: 'log', title: t(TAB_TITLES.log), content: log },
        { key: 'recent', title: t(TAB_TITLES.recent), content: recent },
        { key: 'photos', title: t(TAB_TITLES.photos), content: photos },
      ]}
    />
  );
}
