import '../staff-messages.ts';
import type { User } from '#features/users/contract.ts';
import { roleNames } from '#features/users/roles/web/admin-role-names.ts';
import { useTranslation } from '#web/i18n/translate.ts';

/** The checkbox for emails about backups. */
export { BackupEmailPreference } from '#features/operations/web/admin-backup-email-checkbox.tsx';

/** The checkbox for a verifier's weekly email. */
export { WeeklyReminderPreference } from '#features/verification/weekly-reminder/web/admin-weekly-reminder.tsx';

/** The user's roles at schools. */
export function RoleNames({ user }: { user: User }) {
  const { t } = useTranslation();
  return roleNames(user, t);
}
