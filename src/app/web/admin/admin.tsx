import '../staff-messages.ts';
import '#web/ui/admin/admin.css';
import { useQueryClient } from '@tanstack/react-query';
import { Keyboard, type LucideIcon } from 'lucide-react';
import { memo, type ReactNode, useEffect, useMemo, useState } from 'react';
import type { BulkActivitiesProps } from '#features/activities/bulk/web/admin-bulk-activities.tsx';
import { usePendingCount } from '#features/activities/suggestions/web/admin-api.ts';
import type { Subject } from '#features/audit/web/admin-audit-events.tsx';
import { usePendingPhotoCount } from '#features/photos/web/admin-pending-count.ts';
import type { OpenEntries } from '#features/reports/analytics/web/admin-analytics.tsx';
import { FIRST_CHOICE } from '#features/reports/analytics/web/admin-analytics-filter.ts';
import type { PublicSchool } from '#features/schools/contract.ts';
import type { District } from '#features/schools/district-settings/contract.ts';
import type { Step } from '#features/schools/first-run-checklist/contract.ts';
import type { FirstStepsProps } from '#features/schools/first-run-checklist/web/admin-first-run-checklist.tsx';
import {
  type SchoolChoice,
  SchoolFilter,
  useSchoolChoice,
} from '#features/schools/web/admin-school-filter.tsx';
import { usePrintSheet } from '#features/time-entries/sign-in-sheets/web/admin-print-sign-in-sheet-button.tsx';
import type { User } from '#features/users/contract.ts';
import { roleNames } from '#features/users/roles/web/admin-role-names.ts';
import { useWaiting } from '#features/users/web/admin-api.ts';
import type { AdminUsersProps } from '#features/users/web/admin-users-props.ts';
import { usePendingVerificationCount } from '#features/verification/web/admin-pending-count.ts';
import type { CalendarDate } from '#shared/calendar-date.ts';
import type { Id } from '#shared/id.ts';
import { trimUnusedLists } from '#web/api/list-cache.ts';
import { PermissionsContext, permissionsOf, useCan } from '#web/api/permissions.ts';
import { useLeaveArea } from '#web/forms/unsaved-changes.ts';
import { type MessageKey, useTranslation } from '#web/i18n/translate.ts';
import { listAdd, listSearch } from '#web/ui/admin/list-focus-targets.ts';
import { moveInQueue, pressInQueue } from '#web/ui/admin/queue-keys.ts';
import { RailTabs } from '#web/ui/admin/rail-tabs.tsx';
import { Button, IconButton } from '#web/ui/button.tsx';
import { lazyScreen, rows, usePreload } from '#web/ui/lazy-screen.tsx';
import { usePageTitle } from '#web/ui/page-title.ts';
import { skipTarget } from '#web/ui/skip-link.tsx';
import { notify } from '#web/ui/toasts.ts';
import { type AdminLocation, type AdminTab, isSecondaryTab } from '../navigation.ts';
import { Shortcuts, useShortcuts } from '../shortcuts.tsx';
import type { Shortcut } from '../shortcuts-dialog.tsx';
import { usePermissionRefresh } from '../use-permission-refresh.ts';
import { AdminHeader } from './admin-header.tsx';
import { needOf, secondaryTabsFor, tabsFor, titleOf } from './admin-tabs.ts';
import { AdminTimeEntries, TimeEntries } from './admin-time-entries.tsx';
import { AdminUsers } from './admin-users.tsx';
import { AnalyticsPage, filtersOf, PhotoSync, Suggestions } from './lazy-screens.tsx';

export type AdminViewProps = {
  user: User;
  district: District;
  /** The school whose verification queue an email linked to. */
  desk: Id | undefined;
  screen: AdminLocation;
  /** Opens a screen; `then` runs in the same state update. */
  onScreen: (screen: AdminLocation, then?: () => void) => void;
  /** Goes back to the previous screen. */
  onPreviousScreen: () => void;
  onBack: () => void;
};

const shortcutsFor = (tabs: number): readonly Shortcut[] => [
  [['/'], 'web:shortcutFind'],
  [['n'], 'web:shortcutAdd'],
  [Array.from({ length: tabs }, (_, at) => String(at + 1)), 'web:shortcutAdminTabs'],
  [['j', 'k', 'v', 'd'], 'web:shortcutDesk'],
  [['u'], 'web:shortcutUndo'],
  [['g', 't'], 'web:shortcutBack'],
  [['?'], 'web:shortcutList'],
];

/** The Admin Panel, with one tab for each area the user has access to. */
export function AdminView(props: AdminViewProps) {
  const { user, onBack } = props;
  const can = useMemo(() => permissionsOf(user), [user]);
  usePermissionRefresh(user, onBack);
  usePreload(Suggestions, AdminTimeEntries, AdminActivities, AdminCategories, AdminSchools, AdminPhotos);
  const client = useQueryClient();
  useEffect(() => trimUnusedLists(client), [client]);
  return (
    <PermissionsContext value={can}>
      <Panel {...props} onScreen={atTop(props.onScreen)} />
    </PermissionsContext>
  );
}

// Scrolls up first, however far the previous screen was scrolled.
function atTop(onScreen: AdminViewProps['onScreen']): AdminViewProps['onScreen'] {
  return (screen, then) =>
    onScreen(screen, () => {
      scrollTo(0, 0);
      then?.();
    });
}

// Returns the current screen, which also names the page. It differs from the requested one if the user may not open
// that, as after a role change or for another user of this computer.
function useCurrentScreen(
  wanted: AdminLocation,
  open: readonly Readonly<{ key: AdminLocation; title: MessageKey }>[],
): AdminLocation {
  const { t } = useTranslation();
  const shown = open.find(({ key }) => key === wanted) ?? open[0];
  usePageTitle(shown && t(shown.title));
  return shown?.key ?? 'users';
}

// Long because it lists every tab.
function Panel(props: AdminViewProps) {
  const { user, district, desk, screen: wanted, onScreen, onPreviousScreen, onBack } = props;
  const { t } = useTranslation();
  const can = useCan();
  const tabs = tabsFor(can);
  const beside = secondaryTabsFor(can);
  const screen = useCurrentScreen(wanted, [...tabs, ...beside]);
  const role = roleNames(user, t);
  const leave = useLeaveArea();
  const [subject, setSubject] = useState<Subject>();
  const schools = useSchoolChoice(user.id, desk);
  const [isListOpen, setIsListOpen] = useState(false);
  const pendingCountOf = usePendingCounts();
  const [analytics, setAnalytics] = useState(FIRST_CHOICE);
  const [trace, setTrace] = useState<OpenEntries>();
  const [usersSection, setUsersSection] = useState<AdminUsersProps['startAt']>();
  const open = (next: AdminLocation) =>
    onScreen(next, () => {
      setTrace(undefined);
      // Suggestions require selecting a school first (specification section 2).
      schools.openFromNumber(next === 'school-photos' && (pendingCountOf(next)?.count ?? 0) > 0);
    });
  const shortcuts = usePanelShortcuts(
    tabs.map(({ key }) => key),
    { open, onBack, onList: () => setIsListOpen(true) },
  );
  if (screen === 'analytics') {
    return (
      <AnalyticsPage
        district={district}
        role={role}
        choice={analytics}
        onChoice={setAnalytics}
        onTrace={(found) =>
          onScreen('time-entries', () => {
            schools.show(found.schoolId);
            setTrace(found);
          })
        }
        onBack={onPreviousScreen}
      />
    );
  }
  return (
    <>
      <AdminTop
        district={district}
        role={role}
        beside={beside}
        screen={screen}
        onScreen={open}
        onShortcuts={() => setIsListOpen(true)}
        onBack={onBack}
      />
      <main
        {...skipTarget}
        className="mx-auto w-full grow max-w-360 px-4 pt-1 pb-6 outline-none lg:pt-6 print:p-0"
      >
        <RailTabs<AdminTab>
          label={t('web:adminTabs')}
          selected={isSecondaryTab(screen) ? undefined : screen}
          onSelect={open}
          foot={beside.map(({ key, title, Icon }) => ({
            title: t(title),
            icon: <TabIcon Icon={Icon} />,
            isOpen: screen === key,
            onPress: () => open(key),
          }))}
          instead={
            screen === 'system' ? (
              <SystemScreen
                district={district}
                email={user.email}
                onFirstSteps={() => open('users')}
                onSettings={() => open('district-settings')}
              />
            ) : screen === 'district-settings' ? (
              <DistrictSettingsScreen email={user.email} onSystem={() => open('system')} />
            ) : (
              <AuditLog timeZone={district.timeZone} onHistory={setSubject} />
            )
          }
          tabs={tabs.map(({ key, title, Icon }) => ({
            key,
            title: t(title),
            icon: <TabIcon Icon={Icon} />,
            badge: pendingCountOf(key),
            content: (
              <TabContent
                tab={key}
                user={user}
                district={district}
                desk={desk}
                choice={schools.choice}
                onChoice={(next) => leave(() => schools.choose(next))}
                isFromNumber={schools.isFromNumber}
                onWaiting={() => schools.openFromNumber(true)}
                trace={trace}
                onTraceEnd={() => setTrace(undefined)}
                onAddSchool={() => open('schools')}
                usersSection={usersSection}
                onStep={goToStep(open, setUsersSection)}
                onHistory={setSubject}
              />
            ),
          }))}
        />
      </main>
      {subject !== undefined && (
        <HistoryPanel subject={subject} timeZone={district.timeZone} onClose={() => setSubject(undefined)} />
      )}
      <Shortcuts
        list={shortcutsFor(tabs.length)}
        isOpen={isListOpen}
        onClose={() => setIsListOpen(false)}
        isOn={shortcuts.isOn}
        onTurn={shortcuts.turn}
      />
    </>
  );
}

// Memoized, so it doesn't render again with every change of tab.
const TabIcon = memo(function TabIcon({ Icon }: { Icon: LucideIcon }) {
  return <Icon aria-hidden="true" className="size-5 shrink-0" />;
});

/** Returns the number of pending items of a tab. A count the user can't reduce would only nag, so it is left out. */
function usePendingCounts() {
  const { t } = useTranslation();
  const can = useCan();
  const suggestions = usePendingCount();
  const requests = useWaiting(can('see requests')).data;
  const photos = usePendingPhotoCount(undefined, can('manage photos'));
  const hours = usePendingVerificationCount(can('verify hours'));
  return (tab: AdminLocation) => {
    if (tab === 'suggestions' && can('decide suggestions')) {
      return { count: suggestions, says: t('suggestions:waiting', { count: suggestions }) };
    }
    if (tab === 'users' && can('decide requests')) {
      const count = requests?.memberships ?? 0;
      return { count, says: t('web:requestsToDecide', { count }) };
    }
    if (tab === 'time-entries' && can('verify hours')) {
      return { count: hours, says: t('web:hoursToVerify', { count: hours }) };
    }
    return tab === 'school-photos' && can('manage photos')
      ? { count: photos, says: t('web:photosToReview', { count: photos }) }
      : undefined;
  };
}

type PanelKeys = { open: (tab: AdminTab) => void; onBack: () => void; onList: () => void };

function usePanelShortcuts(tabs: readonly AdminTab[], { open, onBack, onList }: PanelKeys) {
  return useShortcuts({
    '/': listSearch.focus,
    n: listAdd.press,
    ...Object.fromEntries(tabs.map((tab, at) => [String(at + 1), () => open(tab)])),
    j: () => moveInQueue(1),
    k: () => moveInQueue(-1),
    v: () => pressInQueue('v'),
    d: () => pressInQueue('d'),
    u: notify.undoLast,
    'g t': onBack,
    '?': onList,
  });
}

type AdminTopProps = {
  district: District;
  role: string | undefined;
  beside: ReturnType<typeof secondaryTabsFor>;
  screen: AdminLocation;
  onScreen: (screen: AdminLocation) => void;
  onShortcuts: () => void;
  onBack: () => void;
};

// The header, with secondary tabs where there is no rail, and shortcuts where there is a keyboard.
function AdminTop({ district, role, beside, screen, onScreen, onShortcuts, onBack }: AdminTopProps) {
  const { t } = useTranslation();
  return (
    <AdminHeader
      title={t('web:adminTitle')}
      district={district}
      role={role}
      backText={t('web:backToTimeTracker')}
      onBack={onBack}
      isWide
    >
      {beside.filter(isInPhoneHeader).map(({ key, title, Icon }) => (
        <span key={key} className="lg:hidden">
          <IconButton
            label={t(title)}
            icon={<TabIcon Icon={Icon} />}
            isPressed={screen === key}
            onPress={() => onScreen(key)}
          />
        </span>
      ))}
      <span className="hidden lg:pointer-fine:block">
        <IconButton
          label={t('web:shortcuts')}
          icon={<Keyboard aria-hidden="true" className="size-5" />}
          onPress={onShortcuts}
        />
      </span>
    </AdminHeader>
  );
}

// Phones have room for two buttons; District Settings opens from System there.
const isInPhoneHeader = ({ key }: { key: AdminLocation }) => key !== 'district-settings';

type TabContentProps = Pick<AdminViewProps, 'user' | 'district' | 'desk'> & {
  tab: AdminTab;
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

// Users and Schools cover the district; every other tab is about one school, or all. Analytics is a separate page.
function TabContent({
  tab,
  user,
  district,
  desk,
  onAddSchool,
  onStep,
  usersSection,
  onHistory,
  ...choice
}: TabContentProps) {
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
      <SchoolTab
        tab={tab}
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
                  isDeskFirst={school !== undefined && school.id === desk}
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
      </SchoolTab>
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

// For an event that has not started, its first day.
function dayOfSheet(activeFrom: CalendarDate | null, today: CalendarDate): CalendarDate {
  return activeFrom !== null && activeFrom > today ? activeFrom : today;
}

type SchoolTabProps = Pick<TabContentProps, 'tab' | 'choice' | 'onChoice' | 'onAddSchool'> & {
  instead: ReactNode;
  whenNone: (notice: ReactNode) => ReactNode;
  children: (school: PublicSchool | undefined, filter: ReactNode) => ReactNode;
};

// The school select, then the tab's content for that school, or for all.
function SchoolTab({ tab, children, ...choice }: SchoolTabProps) {
  const { t } = useTranslation();
  const title = titleOf(tab);
  return (
    <SchoolFilter
      title={title === undefined ? '' : t(title)}
      needs={needOf(tab)}
      hasAll={tab !== 'photo-sync'}
      {...choice}
    >
      {children}
    </SchoolFilter>
  );
}

const AdminSchools = lazyScreen(
  async () => (await import('#features/schools/web/admin-schools.tsx')).AdminSchools,
  rows(8),
);
const AdminCategories = lazyScreen(
  async () => (await import('#features/activities/categories/web/admin-categories.tsx')).AdminCategories,
  rows(8),
);
const AdminActivities = lazyScreen(
  async () => (await import('#features/activities/web/admin-activities.tsx')).AdminActivities,
  rows(8),
);
const AdminPhotos = lazyScreen(
  async () => (await import('#features/photos/web/admin-photos.tsx')).AdminPhotos,
  rows(8),
);
const BulkActivities = lazyScreen<BulkActivitiesProps>(
  async () => (await import('#features/activities/bulk/web/admin-bulk-activities.tsx')).BulkActivities,
  rows(6),
);
const AuditLog = lazyScreen(
  async () => (await import('#features/audit/web/admin-audit-log.tsx')).AuditLog,
  rows(8),
);
const HistoryPanel = lazyScreen(
  async () => (await import('#features/audit/web/admin-history-panel.tsx')).HistoryPanel,
);
const SystemScreen = lazyScreen(async () => (await import('./admin-system.tsx')).SystemScreen, rows(8));
const DistrictSettingsScreen = lazyScreen(
  async () =>
    (await import('#features/schools/district-settings/web/admin-district-settings.tsx'))
      .DistrictSettingsScreen,
  rows(8),
);

const SCREEN_OF_STEP: Readonly<Record<Step, AdminLocation>> = {
  you: 'users',
  district: 'district-settings',
  school: 'schools',
  activities: 'activities',
  access: 'district-settings',
  mail: 'district-settings',
  timeZone: 'district-settings',
  people: 'users',
  backup: 'system',
};

const USERS_SECTION_OF_STEP: Readonly<Partial<Record<Step, AdminUsersProps['startAt']>>> = {
  you: 'own',
  people: 'invites',
};

const FIRST_STEPS = 'first-steps';
/** How long a checklist step waits for its screen to load. */
const STEP_TIMEOUT_MS = 10_000;

// Scrolls to the step's target. The checklist card fills a phone's screen, and the target is below it.
function goToStep(
  open: (screen: AdminLocation) => void,
  openUsersAt: (startAt: AdminUsersProps['startAt']) => void,
): (step: Step) => void {
  const showList = () =>
    document.getElementById(FIRST_STEPS)?.nextElementSibling?.scrollIntoView({ block: 'start' });
  return (step) => {
    openUsersAt(USERS_SECTION_OF_STEP[step]);
    open(SCREEN_OF_STEP[step]);
    if (SCREEN_OF_STEP[step] === 'district-settings') scrollWhenPresent(`first-${step}`);
    else requestAnimationFrame(showList);
  };
}

// The element may load a moment after its screen.
function scrollWhenPresent(id: string): void {
  const scrollToElement = () => {
    const element = document.getElementById(id);
    element?.scrollIntoView({ block: 'start' });
    element?.focus({ preventScroll: true });
    if (element !== null) observer.disconnect();
  };
  const observer = new MutationObserver(scrollToElement);
  observer.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => observer.disconnect(), STEP_TIMEOUT_MS);
  scrollToElement();
}

const FirstSteps = lazyScreen<FirstStepsProps>(
  async () =>
    (await import('#features/schools/first-run-checklist/web/admin-first-run-checklist.tsx')).FirstSteps,
  ({ given, failed }) => failed !== undefined && given.otherwise,
);

// Loaded only for district administrators, because nobody else has first steps.
function FirstRun(props: FirstStepsProps) {
  if (!useCan()('run the district')) return props.otherwise;
  return (
    <div id={FIRST_STEPS}>
      <FirstSteps {...props} />
    </div>
  );
}
