import { useIsIdle } from '#web/api/network-idle.ts';
import { lazyDialog, lazyScreen, rows } from '#web/ui/lazy-screen.tsx';

/** Manage Photos, loaded when first opened, because logging hours does not need it. */
export const Photos = lazyScreen(
  async () => (await import('#features/photos/web/manage-photos.tsx')).ManagePhotos,
  rows(6, { isTall: true }),
);

/** Recent Activity, loaded in the background while Log Time is open. */
export const RecentActivity = lazyScreen(
  async () => (await import('./recent-activity-screen.tsx')).RecentActivity,
  rows(6),
);

/** Account Settings, loaded in the background behind the dashboard. */
export const Settings = lazyDialog(async () => (await import('./settings-dialog.tsx')).SettingsDialog);

/** Activity Suggestions, loaded in the background behind the dashboard. */
export const Suggestions = lazyDialog(
  async () => (await import('#features/activities/suggestions/web/suggestions-dialog.tsx')).SuggestionsDialog,
);

const Loaded = lazyScreen(
  async () => (await import('#features/time-entries/goals/web/milestone-thanks.tsx')).Thanks,
);

/** The milestone notice, loaded after the screen. */
export function MilestoneThanks() {
  return useIsIdle() && <Loaded />;
}
