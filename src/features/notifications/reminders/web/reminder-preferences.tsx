import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { MutationMessage } from '#web/ui/mutation-message.tsx';
import { QueryError } from '#web/ui/query-error.tsx';
import { getReminders, type Reminders, setReminders } from '../contract.ts';

const MAIL = ['reminders'];
const KINDS = ['afterEvents', 'weekly', 'decisions'] as const satisfies readonly (keyof Reminders)[];

/** Checkboxes for email reminders; nothing if the district sends no email. */
export function ReminderPreferences() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const choice = useQuery({ queryKey: MAIL, queryFn: ({ signal }) => call(getReminders, { signal }) });
  const choose = useMutation({
    mutationFn: (change: Partial<Reminders>) => call(setReminders, { body: change }),
    onSuccess: ({ message: _, ...now }) => client.setQueryData(MAIL, now),
  });
  const mail = choice.data?.mail;
  if (mail === null || (mail === undefined && !choice.isError)) return null;
  // A change is shown immediately and reverted if saving fails.
  const shown = mail && { ...mail, ...(choose.isPending ? choose.variables : {}) };
  return (
    <div className="flex flex-col gap-2">
      <h4 className="font-medium">{t('reminders:title')}</h4>
      <p className="text-dense text-soft">
        {t(choice.data?.isConfirmed === false ? 'reminders:unconfirmed' : 'reminders:about')}
      </p>
      {shown === undefined ? (
        <QueryError text={t('reminders:failedToLoad')} query={choice} />
      ) : (
        <div className="-mx-2">
          {KINDS.map((kind) => (
            <Checkbox
              key={kind}
              isSelected={shown[kind]}
              onChange={(isWanted) => choose.mutate({ [kind]: isWanted })}
            >
              {t(`reminders:${kind}`)}
            </Checkbox>
          ))}
        </div>
      )}
      <MutationMessage mutation={choose} />
    </div>
  );
}
