import '../staff-messages.ts';
import '#web/ui/admin/admin.css';
import { useQueryClient } from '@tanstack/react-query';
import { Keyboard, type LucideIcon } from 'lucide-react';
import { memo, useEffect, useMemo, useState } from 'react';
import type { Subject } from '#features/audit/web/admin-audit-events.tsx';
import type { OpenEntries } from '#features/reports/analytics/web/admin-analytics.tsx';
import { FIRST_CHOICE } from '#features/reports/analytics/web/admin-analytics-filter.ts';
import type { District } from '#features/schools/district-settings/contract.ts';
import { useSchoolChoice } from '#features/schools/web/admin-school-filter.tsx';
import type { User } from '#features/users/contract.ts';
import { roleNames } from '#features/users/roles/web/admin-role-names.ts';
import type { AdminUsersProps } from '#features/users/web/admin-users-props.ts';
import type { Id } from '#shared/id.ts';
import { trimUnusedLists } from '#web/api/list-cache.ts';
import { PermissionsContext, permissionsOf, useCan } from '#web/api/permissions.ts';
import { useLeaveArea } from '#web/forms/unsaved-changes.ts';
import { type MessageKey, useTranslation } from '#web/i18n/translate.ts';
import { listAdd, listSearch } from '#web/ui/admin/list-focus-targets.ts';
import { moveInQueue, pressInQueue } from '#web/ui/admin/queue-keys.ts';
import { RailTabs } from '#web/ui/admin/rail-tabs.tsx';
import { IconButton } from '#web/ui/button.tsx';
import { lazyScreen, rows, usePreload } from '#web/ui/lazy-screen.tsx';
import { usePageTitle } from '#web/ui/page-title.ts';
import { skipTarget } from '#web/ui/skip-link.tsx';
import { notify } from '#web/ui/toasts.ts';
import { type AdminLocation, type AdminTab, isSecondaryTab } from '../navigation.ts';
import { Shortcuts, useShortcuts } from '../shortcuts.tsx';
import type { Shortcut } from '../shortcuts-dialog.tsx';
import { usePermissionRefresh } from '../use-permission-refresh.ts';
import { goToStep } from './admin-first-run.tsx';
import { AdminHeader } from './admin-header.tsx';
import {
  AdminActivities,
  AdminCategories,
  AdminPhotos,
  AdminSchools,
  TabContent,
} from './admin-tab-content.tsx';
import { secondaryTabsFor, tabsFor, usePendingCounts } from './admin-tabs.ts';
import { AdminTimeEntries } from './admin-time-entries.tsx';
import { AnalyticsPage, Suggestions } from './lazy-screens.tsx';

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
  const secondary = secondaryTabsFor(can);
  const screen = useCurrentScreen(wanted, [...tabs, ...secondary]);
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
      <PanelHeader
        district={district}
        role={role}
        secondary={secondary}
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
          foot={secondary.map(({ key, title, Icon }) => ({
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
          tabs={tabs.map((entry) => ({
            key: entry.key,
            title: t(entry.title),
            icon: <TabIcon Icon={entry.Icon} />,
            badge: pendingCountOf(entry.key),
            content: (
              <TabContent
                entry={entry}
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
        onToggle={shortcuts.toggle}
      />
    </>
  );
}

// Memoized, so it doesn't render again with every change of tab.
const TabIcon = memo(function TabIcon({ Icon }: { Icon: LucideIcon }) {
  return <Icon aria-hidden="true" className="size-5 shrink-0" />;
});

type PanelHeaderProps = {
  district: District;
  role: string | undefined;
  secondary: ReturnType<typeof secondaryTabsFor>;
  screen: AdminLocation;
  onScreen: (screen: AdminLocation) => void;
  onShortcuts: () => void;
  onBack: () => void;
};

// The header, with secondary tabs where there is no rail, and shortcuts where there is a keyboard.
function PanelHeader({ district, role, secondary, screen, onScreen, onShortcuts, onBack }: PanelHeaderProps) {
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
      {secondary.filter(isInPhoneHeader).map(({ key, title, Icon }) => (
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

// The entries of the list of shortcuts.
const shortcutsFor = (tabs: number): readonly Shortcut[] => [
  [['/'], 'web:shortcutFind'],
  [['n'], 'web:shortcutAdd'],
  [Array.from({ length: tabs }, (_, at) => String(at + 1)), 'web:shortcutAdminTabs'],
  [['j', 'k', 'v', 'd'], 'web:shortcutDesk'],
  [['u'], 'web:shortcutUndo'],
  [['g', 't'], 'web:shortcutBack'],
  [['?'], 'web:shortcutList'],
];

type PanelKeys = { open: (tab: AdminTab) => void; onBack: () => void; onList: () => void };

// The Admin Panel's keyboard shortcuts. Number keys open the tabs.
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
