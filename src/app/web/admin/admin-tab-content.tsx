import type { BulkActivitiesProps } from '#features/activities/bulk/web/admin-bulk-activities.tsx';
import { usePendingCount } from '#features/activities/suggestions/web/admin-api.ts';
import type { Subject } from '#features/audit/web/admin-audit-events.tsx';
import type { OpenEntries } from '#features/reports/analytics/web/admin-analytics.tsx';
import type { District } from '#features/schools/district-settings/contract.ts';
import type { Step } from '#features/schools/first-run-checklist/contract.ts';
import { type SchoolChoice, SchoolFilter } from '#features/schools/web/admin-school-filter.tsx';
import { usePrintSheet } from '#features/time-entries/sign-in-sheets/web/admin-print-sign-in-sheet-button.tsx';
import type { User } from '#features/users/contract.ts';
import type { AdminUsersProps } from '#features/users/web/admin-users-props.ts';
import type { CalendarDate } from '#shared/calendar-date.ts';
import type { Id } from '#shared/id.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { lazyScreen, rows } from '#web/ui/lazy-screen.tsx';
import type { AdminTab } from '../navigation.ts';
import { FirstRun } from './admin-first-run.tsx';
import type { Entry } from './admin-tabs.ts';
import { TimeEntries } from './admin-time-entries.tsx';
import { AdminUsers } from './admin-users.tsx';
import { filtersOf, PhotoSync, Suggestions } from './lazy-screens.tsx';

type TabContentProps = {
  entry: Entry<AdminTab>;
  user: User;
  district: District;
  /** The school whose verification queue an email linked to. */
  desk: Id | undefined;
  /** The school that school tabs show, or all schools. */
  choice: SchoolChoice | undefined;
  onChoice: (choice: SchoolChoice | undefined) => void;
  /** Whether the tab shows only what its badge counts. */
  isFromNumber: boolean;
  /** Shows only what the badge counts. */
  onWaiting: () => void;
  /** The Analytics figure whose entries were opened, if any. */
  trace: OpenEntries | undefined;
  onTraceEnd: () => void;
  onAddSchool: () => void;
  onStep: (step: Step) => void;
  /** The section of Users that a first-run step opened. */
  usersSection: AdminUsersProps['startAt'];
  onHistory: (subject: Subject) => void;
};

/**
 * The content of a tab. Users and Schools cover the district; every other tab is about one school, or all. Analytics is a
 * separate page.
 */
export function TabContent({
  entry,
  user,
  district,
  desk,
  onAddSchool,
  onStep,
  usersSection,
  onHistory,
  ...choice
}: TabContentProps) {
  const { t } = useTranslation();
  const { key: tab, title, needs } = entry;
  const printing = usePrintSheet();
  const historyOf = (kind: Subject['kind']) => (row: { id: Id; name: string }) =>
    onHistory({ kind, id: row.id, name: row.name });
  if (tab === 'analytics') return null;
  if (tab === 'schools') {
    return (
      <>
        <FirstRun onStep={onStep} />
        <AdminSchools onHistory={historyOf('school')} />
      </>
    );
  }
  if (tab === 'users') {
    return (
      <>
        <FirstRun onStep={onStep} />
        <AdminUsers
          key={usersSection}
          startAt={usersSection}
          viewer={user}
          district={district}
          onAddSchool={onAddSchool}
          onHistory={historyOf('user')}
        />
      </>
    );
  }
  const { trace, onTraceEnd, isFromNumber, onWaiting, ...chosen } = choice;
  return (
    <>
      <SchoolFilter
        title={t(title)}
        needs={needs}
        hasAll={tab !== 'photo-sync'}
        {...chosen}
        onAddSchool={onAddSchool}
        instead={tab === 'suggestions' && <ShowPending onPress={onWaiting} />}
        whenNone={(notice) => <FirstRun onStep={onStep} otherwise={notice} />}
      >
        {(school, filter) => {
          const shared = { school, filter, district };
          const key = school?.id ?? 'all';
          switch (tab) {
            case 'categories':
              return (
                <AdminCategories
                  key={key}
                  school={school}
                  filter={filter}
                  onHistory={historyOf('category')}
                />
              );
            case 'activities':
              return (
                <AdminActivities
                  key={key}
                  school={school}
                  filter={filter}
                  today={district.today}
                  zone={district.timeZone}
                  renderBulk={(given) => <BulkActivities {...given} />}
                  onPrintSheet={({ activeFrom, ...activity }) =>
                    printing.open({ activity, date: dayOfSheet(activeFrom, district.today) })
                  }
                  onHistory={historyOf('activity')}
                />
              );
            case 'suggestions':
              return <Suggestions key={key} startsPending={isFromNumber} {...shared} />;
            case 'photo-sync':
              return school && <PhotoSync key={key} {...shared} school={school} />;
            case 'school-photos':
              return (
                <AdminPhotos
                  key={`${key} ${isFromNumber}`}
                  user={user}
                  school={school}
                  filter={filter}
                  timeZone={district.timeZone}
                  startsWaiting={isFromNumber}
                />
              );
            case 'time-entries':
              return (
                <TimeEntries
                  key={key}
                  {...shared}
                  viewerId={user.id}
                  onPrintSheet={(activity, date) => printing.open({ activity, date })}
                  isQueueFirst={school !== undefined && school.id === desk}
                  startAt={
                    trace !== undefined && trace.schoolId === school?.id ? filtersOf(trace) : undefined
                  }
                  onFiltered={onTraceEnd}
                  onHistory={({ id, activity, createdAt }) =>
                    onHistory({ kind: 'time-entry', id, name: activity.name, createdAt })
                  }
                />
              );
          }
        }}
      </SchoolFilter>
      {printing.dialog}
    </>
  );
}

// A button from the school prompt to the suggestions that the badge counts.
function ShowPending({ onPress }: { onPress: () => void }) {
  const { t } = useTranslation();
  const count = usePendingCount();
  if (count === 0) return null;
  return (
    <div>
      <Button onPress={onPress}>{t('suggestions:showWaiting', { count })}</Button>
    </div>
  );
}

// Returns today or, for an event that has not started, its first day.
function dayOfSheet(activeFrom: CalendarDate | null, today: CalendarDate): CalendarDate {
  return activeFrom !== null && activeFrom > today ? activeFrom : today;
}

/** The Schools tab, loaded in the background while another is open, like the next three. */
export const AdminSchools = lazyScreen(
  async () => (await import('#features/schools/web/admin-schools.tsx')).AdminSchools,
  rows(8),
);
/** The Categories tab. */
export const AdminCategories = lazyScreen(
  async () => (await import('#features/activities/categories/web/admin-categories.tsx')).AdminCategories,
  rows(8),
);
/** The Activities tab. */
export const AdminActivities = lazyScreen(
  async () => (await import('#features/activities/web/admin-activities.tsx')).AdminActivities,
  rows(8),
);
/** The School Photos tab. */
export const AdminPhotos = lazyScreen(
  async () => (await import('#features/photos/web/admin-photos.tsx')).AdminPhotos,
  rows(8),
);
const BulkActivities = lazyScreen<BulkActivitiesProps>(
  async () => (await import('#features/activities/bulk/web/admin-bulk-activities.tsx')).BulkActivities,
  rows(6),
);
