/** The tabs of the time tracker, in the specification's order (section 2). */
const TABS = ['log', 'recent', 'photos'] as const;
export type Tab = (typeof TABS)[number];

/** The tabs of the admin panel, in the same order. */
const ADMIN_TABS = [
  'users',
  'schools',
  'categories',
  'activities',
  'suggestions',
  'time-entries',
  'photo-sync',
  'analytics',
] as const;
export type AdminTab = (typeof ADMIN_TABS)[number];

/** The log is not one of the specification's tabs; it is shown in place of a tab. */
export type AdminPlace = AdminTab | 'district-log';

/** Where a signed-in person can be. Places have no paths: they are state. */
export type Place = Tab | AdminPlace;

export function isTab(place: string): place is Tab {
  return TABS.some((tab) => tab === place);
}

export function isPlace(text: string): text is Place {
  return isTab(text) || text === 'district-log' || ADMIN_TABS.some((tab) => tab === text);
}
