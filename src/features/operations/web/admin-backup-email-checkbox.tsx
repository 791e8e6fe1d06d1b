import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { EmailChoice } from '#web/ui/email-choice.tsx';
import { getBackupMail, setBackupMail } from '../contract.ts';

const MAIL = ['admin', 'backup-mail'];

/** The checkbox for emails to the administrator when backups fail and when they work again. */
export function BackupEmailPreference() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const choice = useQuery({ queryKey: MAIL, queryFn: ({ signal }) => call(getBackupMail, { signal }) });
  const choose = useMutation({
    mutationFn: (isWanted: boolean) => call(setBackupMail, { body: { isWanted } }),
    onSuccess: ({ mail }) => client.setQueryData(MAIL, { mail }),
  });
  return (
    <EmailChoice
      title={t('operations:backupMailTitle')}
      label={t('operations:backupMailWanted')}
      failed={t('operations:failedToLoadBackupMail')}
      isWanted={choice.data?.mail.isWanted}
      choice={choice}
      choose={choose}
    />
  );
}
