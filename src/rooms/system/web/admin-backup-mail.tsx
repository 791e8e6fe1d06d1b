import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '#web/lib/call.ts';
import { useText } from '#web/lib/text.ts';
import { MailChoice } from '#web/ui/mail-choice.tsx';
import { getBackupMail, setBackupMail } from '../contract.ts';

const MAIL = ['admin', 'backup-mail'];

/** Whether an administrator is told when backups fail. */
export function BackupMailChoice() {
  const { t } = useText();
  const client = useQueryClient();
  const choice = useQuery({ queryKey: MAIL, queryFn: ({ signal }) => call(getBackupMail, { signal }) });
  const choose = useMutation({
    mutationFn: (isWanted: boolean) => call(setBackupMail, { body: { isWanted } }),
    onSuccess: ({ mail }) => client.setQueryData(MAIL, { mail }),
  });
  return (
    <MailChoice
      title={t('system:backupMailTitle')}
      label={t('system:backupMailWanted')}
      failed={t('system:failedToLoadBackupMail')}
      isWanted={choice.data?.mail.isWanted}
      choice={choice}
      choose={choose}
    />
  );
}
