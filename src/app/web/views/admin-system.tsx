import './admin-system-texts.ts';
import { AdminSystem, type AdminSystemProps } from '#rooms/system/web/admin-system.tsx';

/** The System screen with its texts, loaded when somebody opens it. */
export function SystemScreen(props: AdminSystemProps) {
  return <AdminSystem {...props} />;
}
