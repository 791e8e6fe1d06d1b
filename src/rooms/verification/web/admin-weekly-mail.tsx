import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, failureText, withReason } from '#web/lib/call.ts';
import { useText } from '#web/lib/text.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { ErrorBox, FormMessage } from '#web/ui/notice.tsx';
import { getWeeklyMail, setWeeklyMail } from '../mail-contract.ts';

const MAIL = ['weekly-mail'];

/** Whether somebody gets the weekly letter of hours that wait; nothing where none of their schools verifies. */
export function WeeklyMailChoice() {
  const { t } = useText();
  const client = useQueryClient();
  const choice = useQuery({ queryKey: MAIL, queryFn: ({ signal }) => call(getWeeklyMail, { signal }) });
  const choose = useMutation({
    mutationFn: (isWanted: boolean) => call(setWeeklyMail, { body: { isWanted } }),
    onSuccess: ({ mail }) => client.setQueryData(MAIL, { mail }),
  });
  const mail = choice.data?.mail;
  if (mail === null || (mail === undefined && !choice.isError)) return null;
  // A change shows at once, and is reverted when it could not be saved.
  const shown = choose.isPending ? choose.variables : mail?.isWanted;
  return (
    <div className="flex flex-col gap-2">
      <h4 className="font-medium">{t('verification:weeklyTitle')}</h4>
      {shown === undefined ? (
        <ErrorBox
          {...withReason(t('verification:weeklyFailed'), choice.error)}
          onRetry={() => void choice.refetch()}
          isRetrying={choice.isFetching}
        />
      ) : (
        <div className="-mx-2">
          <Checkbox isSelected={shown} onChange={(isWanted) => choose.mutate(isWanted)}>
            {t('verification:weeklyWanted')}
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
