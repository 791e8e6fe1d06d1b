import type { User } from '#features/users/contract.ts';

/** The tabs of the time tracker, in the specification's order (section 2). */
const TABS = ['log', 'recent', 'photos'] as const;
export type Tab = (typeof TABS)[number];

export const TAB_TITLES = {
  log: 'web:logTime',
  recent: 'web:recentActivity',
  photos: 'web:managePhotos',
} as const;

/** The tabs of the Admin Panel, in the specification's order. `school-photos` follows the district's photo sync. */
const ADMIN_TABS = [
  'users',
  'schools',
  'categories',
  'activities',
  'suggestions',
  'time-entries',
  'photo-sync',
  'school-photos',
  'analytics',
] as const;
export type AdminTab = (typeof ADMIN_TABS)[number];

/** Screens shown instead of a tab. The specification does not have them. */
const SECONDARY_TABS = ['district-log', 'district-settings', 'system'] as const;
export type SecondaryTab = (typeof SECONDARY_TABS)[number];
export type AdminLocation = AdminTab | SecondaryTab;

/** A signed-in user's current screen. Screens have no paths: they are state. */
export type Screen = Tab | AdminLocation;

export function isTab(text: string): text is Tab {
  return TABS.some((tab) => tab === text);
}

export function isSecondaryTab(text: string): text is SecondaryTab {
  return SECONDARY_TABS.some((tab) => tab === text);
}

export function isScreen(text: string): text is Screen {
  return isTab(text) || isSecondaryTab(text) || ADMIN_TABS.some((tab) => tab === text);
}

/** Whether the user can open the Admin Panel: administrators, and users with a role at a school. */
export function hasPanel({ role, grants }: User): boolean {
  return role === 'admin' || grants.length > 0;
}
