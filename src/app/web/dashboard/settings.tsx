import { lazyDialog } from '#web/ui/lazy-screen.tsx';

/** Account Settings, loaded in the background behind the dashboard. */
export const Settings = lazyDialog(async () => (await import('./settings-dialog.tsx')).SettingsDialog);
