import '../staff-messages.ts';
import type { User } from '#features/users/contract.ts';
import { roleNames } from '#features/users/roles/web/admin-role-names.ts';
import { useTranslation } from '#web/i18n/translate.ts';

/** What Settings have for whoever does more than volunteer, with their texts. */
export { BackupMailChoice } from '#features/operations/web/admin-backup-email-checkbox.tsx';

/** Whether whoever verifies hours gets the weekly letter. */
export { WeeklyReminderPreference } from '#features/verification/weekly-reminder/web/admin-weekly-reminder.tsx';

/** The roles that somebody holds at schools, for their settings. */
export function RoleNames({ user }: { user: User }) {
  const { t } = useTranslation();
  return roleNames(user, t);
}
