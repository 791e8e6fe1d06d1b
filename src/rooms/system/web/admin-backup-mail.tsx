import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, failureText, withReason } from '#web/lib/call.ts';
import { useText } from '#web/lib/text.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { ErrorBox, FormMessage } from '#web/ui/notice.tsx';
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
  // A change shows at once, and is reverted when it could not be saved.
  const shown = choose.isPending ? choose.variables : choice.data?.mail.isWanted;
  return (
    <div className="flex flex-col gap-2">
      <h4 className="font-medium">{t('system:backupMailTitle')}</h4>
      {choice.isError && shown === undefined && (
        <ErrorBox
          {...withReason(t('system:failedToLoadBackupMail'), choice.error)}
          onRetry={() => void choice.refetch()}
          isRetrying={choice.isFetching}
        />
      )}
      {shown !== undefined && (
        <div className="-mx-2">
          <Checkbox isSelected={shown} onChange={(isWanted) => choose.mutate(isWanted)}>
            {t('system:backupMailWanted')}
          </Checkbox>
        </div>
      )}
      <FormMessage
        message={choose.isError ? failureText(choose.error) : undefined}
        success={choose.isSuccess ? choose.data.message : undefined}
      />
    </div>
  );
}
