import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { formatHours } from '#shared/hours.ts';
import { call, failureText } from '#web/api/call.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { Bar } from '#web/ui/progress-bar.tsx';
import { QueryError } from '#web/ui/query-error.tsx';
import { notify } from '#web/ui/toasts.ts';
import { GOAL, type Goal, GoalInput, getGoal, messages, setGoal } from '../contract.ts';

// Under the key of the entries, so that it is reloaded with them whenever hours change.
const GOAL_KEY = ['time-entries', 'goal'];

/** The volunteer's own goal for this school year as a plain bar. No other user sees it. */
export function YearGoal() {
  const { t } = useTranslation();
  const titleId = useId();
  const goal = useQuery({
    queryKey: GOAL_KEY,
    queryFn: async ({ signal }) => (await call(getGoal, { signal })).goal,
  });
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  return (
    <Card labelledBy={titleId}>
      <div className="-mt-2 flex flex-wrap items-center justify-between gap-x-3">
        <h2 id={titleId} className="text-lg font-semibold">
          {t('goals:goalTitle')}
        </h2>
        <div className="-mr-3">
          <Button kind="plain" isDisabled={goal.data === undefined} onPress={() => setIsOpen(true)}>
            {t((goal.data?.hours ?? null) === null ? 'goals:goalSet' : 'goals:goalChange')}
          </Button>
        </div>
      </div>
      {/* The same height before loading, with and without a goal, so that the content below stays in place. */}
      <div className="min-h-12">
        {goal.data !== undefined && <Progress goal={goal.data} />}
        {goal.data === undefined && goal.isError && <QueryError text={messages.failedToLoad} query={goal} />}
      </div>
      <Dialog title={t('goals:goalTitle')} isOpen={isOpen} onClose={close}>
        {goal.data !== undefined && <GoalForm goal={goal.data} onClose={close} />}
      </Dialog>
    </Card>
  );
}

function Progress({ goal: { hours, logged } }: { goal: Goal }) {
  const { t, language } = useTranslation();
  if (hours === null) return <p className="text-dense text-soft">{t('goals:goalAbout')}</p>;
  return (
    <div className="flex flex-col gap-2">
      <p className="figures text-dense">
        {t('goals:goalProgress', {
          logged: formatHours(logged, language),
          hours: formatHours(hours, language),
        })}
      </p>
      <Bar share={logged / hours} />
      {logged >= hours && <p className="text-dense text-soft">{t('goals:goalReached')}</p>}
    </div>
  );
}

function GoalForm({ goal, onClose }: { goal: Goal; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: (hours: number | null) => call(setGoal, { body: { hours } }),
    onSuccess: ({ goal: saved, message }) => {
      client.setQueryData(GOAL_KEY, saved);
      onClose();
      notify.success(message);
    },
  });
  const form = useForm({
    schema: GoalInput,
    initial: { hours: goal.hours ?? undefined },
    send: async ({ hours }) => {
      await save.mutateAsync(hours);
    },
  });
  return (
    <DialogForm form={form} send={{ text: t('goals:goalSave') }} onCancel={onClose}>
      <NumberField
        {...form.field('hours')}
        label={t('goals:goalField')}
        hint={t('goals:goalPrivate')}
        min={GOAL.min}
        max={GOAL.max}
        step={GOAL.step}
        isRequired
      />
      {goal.hours !== null && (
        <div>
          <Button
            kind="plain"
            isBusy={save.isPending}
            onPress={() => save.mutateAsync(null).catch((error) => notify.failure(failureText(error)))}
          >
            {t('goals:goalRemove')}
          </Button>
        </div>
      )}
    </DialogForm>
  );
}
