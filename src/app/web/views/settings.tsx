import { useWindowPart } from '#web/lib/use-part.ts';
import type { SettingsProps } from './settings-dialog.tsx';

/** Account Settings, loaded in the background behind the dashboard. */
export function Settings(props: SettingsProps) {
  const part = useWindowPart('settings', () => import('./settings-dialog.tsx'), props);
  return part === undefined ? null : <part.SettingsDialog {...props} />;
}
