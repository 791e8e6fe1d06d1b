import { lazyScreen, rows } from '#web/ui/lazy-screen.tsx';

/** Recent Activity, loaded in the background while Log Time is open. */
export const RecentActivity = lazyScreen(
  async () => (await import('./recent-activity-screen.tsx')).RecentActivity,
  rows(6),
);
