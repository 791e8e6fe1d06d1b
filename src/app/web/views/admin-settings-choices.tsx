import './staff-texts.ts';
import type { User } from '#rooms/users/contract.ts';
import { useText } from '#web/lib/text.ts';
import { roleWords } from './admin-role-words.ts';

/** What Settings have for whoever does more than volunteer, with their texts. */
export { BackupMailChoice } from '#rooms/system/web/admin-backup-mail.tsx';

/** Whether whoever verifies hours gets the weekly letter. */
export { WeeklyMailChoice } from '#rooms/verification/web/admin-weekly-mail.tsx';

/** The roles that somebody holds at schools, for their settings. */
export function RolesInWords({ user }: { user: User }) {
  const { t } = useText();
  return roleWords(user, t);
}
