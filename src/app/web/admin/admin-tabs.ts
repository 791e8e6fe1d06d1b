import {
  ChartColumn,
  Clock,
  CloudUpload,
  Images,
  Layers,
  Lightbulb,
  ListChecks,
  type LucideIcon,
  School as SchoolIcon,
  ScrollText,
  ServerCog,
  Settings2,
  Users,
} from 'lucide-react';
import { usePendingCount } from '#features/activities/suggestions/web/admin-api.ts';
import { usePendingPhotoCount } from '#features/photos/web/admin-pending-count.ts';
import { useWaiting } from '#features/users/web/admin-api.ts';
import { usePendingVerificationCount } from '#features/verification/web/admin-pending-count.ts';
import type { Capability } from '#shared/permissions.ts';
import { type PermissionCheck, useCan } from '#web/api/permissions.ts';
import { type MessageKey, useTranslation } from '#web/i18n/translate.ts';
import type { AdminLocation, AdminTab } from '../navigation.ts';

/** A tab with its title and icon. */
export type Entry<Key extends AdminLocation> = Readonly<{
  key: Key;
  title: MessageKey;
  Icon: LucideIcon;
  /** The capability a user needs at some school to open it. */
  needs: Capability;
}>;

/** The tabs in the specification's order (section 2), each with the capability it needs. */
const TABS: readonly Entry<AdminTab>[] = [
  { key: 'users', title: 'users:title', Icon: Users, needs: 'see people' },
  { key: 'schools', title: 'schools:title', Icon: SchoolIcon, needs: 'see schools' },
  { key: 'categories', title: 'categories:title', Icon: Layers, needs: 'see categories and activities' },
  { key: 'activities', title: 'activities:title', Icon: ListChecks, needs: 'see categories and activities' },
  { key: 'suggestions', title: 'suggestions:title', Icon: Lightbulb, needs: 'see suggestions' },
  { key: 'time-entries', title: 'time-entries:title', Icon: Clock, needs: 'see entries' },
  { key: 'photo-sync', title: 'web:photoSync', Icon: CloudUpload, needs: 'run the district' },
  { key: 'school-photos', title: 'web:photos', Icon: Images, needs: 'see photos' },
  { key: 'analytics', title: 'analytics:title', Icon: ChartColumn, needs: 'see figures' },
];

// Tabs at the end of the rail. On phones they are buttons in the header.
const SECONDARY_TABS: readonly Entry<AdminLocation>[] = [
  { key: 'district-log', title: 'web:districtLog', Icon: ScrollText, needs: 'see history' },
  { key: 'district-settings', title: 'web:districtSettings', Icon: Settings2, needs: 'run the district' },
  { key: 'system', title: 'web:system', Icon: ServerCog, needs: 'run the district' },
];

/** Returns the tabs the user may open. */
export function tabsFor(can: PermissionCheck): readonly Entry<AdminTab>[] {
  return TABS.filter(({ needs }) => can(needs));
}

/**
 * Returns the secondary tabs the user may open. Below the district level, the audit log shows only the user's schools.
 */
export function secondaryTabsFor(can: PermissionCheck): readonly Entry<AdminLocation>[] {
  return SECONDARY_TABS.filter(({ needs }) => can(needs)).map((entry) =>
    entry.key === 'district-log' && !can('see history', 'all') ? { ...entry, title: 'web:schoolLog' } : entry,
  );
}

/** Returns the number of pending items of a tab. A count the user can't reduce would only nag, so it is left out. */
export function usePendingCounts() {
  const { t } = useTranslation();
  const can = useCan();
  const suggestions = usePendingCount();
  const requests = useWaiting(can('see requests')).data;
  const photos = usePendingPhotoCount(undefined, can('manage photos'));
  const hours = usePendingVerificationCount(can('verify hours'));
  return (tab: AdminLocation) => {
    if (tab === 'suggestions' && can('decide suggestions')) {
      return { count: suggestions, label: t('suggestions:waiting', { count: suggestions }) };
    }
    if (tab === 'users' && can('decide requests')) {
      const count = requests?.memberships ?? 0;
      return { count, label: t('web:requestsToDecide', { count }) };
    }
    if (tab === 'time-entries' && can('verify hours')) {
      return { count: hours, label: t('web:hoursToVerify', { count: hours }) };
    }
    return tab === 'school-photos' && can('manage photos')
      ? { count: photos, label: t('web:photosToReview', { count: photos }) }
      : undefined;
  };
}
