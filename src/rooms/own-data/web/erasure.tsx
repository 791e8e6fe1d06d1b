import { useId, useState } from 'react';
import { dayIn, formatDay } from '#base/calendar-date.ts';
import { LIMITS, requestErasure, type User } from '#rooms/users/contract.ts';
import { useOwnAccount } from '#rooms/users/web/api.ts';
import { failureText } from '#web/lib/call.ts';
import { useText } from '#web/lib/text.ts';
import { useForm } from '#web/lib/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { DialogActions } from '#web/ui/dialog.tsx';
import { FormMessage, Notice } from '#web/ui/notice.tsx';
import { TextArea } from '#web/ui/text-area.tsx';

/** Asks the district to delete one's account, and takes that back. */
export function Erasure({ user, zone }: { user: User; zone: string }) {
  const { t, language } = useText();
  const account = useOwnAccount();
  const [isAsking, setIsAsking] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [done, setDone] = useState<string>();
  const [problem, setProblem] = useState<string>();

  async function withdraw() {
    setIsBusy(true);
    setProblem(undefined);
    try {
      setDone((await account.withdrawErasure()).message);
    } catch (error) {
      setProblem(failureText(error));
    }
    setIsBusy(false);
  }

  return (
    <div className="flex flex-col gap-2">
      {user.erasureRequestedAt !== null && (
        <Notice>
          <p>{t('users:eraseAsked', { date: formatDay(dayIn(zone, user.erasureRequestedAt), language) })}</p>
        </Notice>
      )}
      <FormMessage message={problem} success={done} />
      {user.erasureRequestedAt !== null && (
        <div>
          <Button onPress={() => void withdraw()} isBusy={isBusy}>
            {t('users:eraseWithdraw')}
          </Button>
        </div>
      )}
      {user.erasureRequestedAt === null && !isAsking && (
        <div>
          <Button
            onPress={() => {
              setDone(undefined);
              setIsAsking(true);
            }}
          >
            {t('users:eraseAsk')}
          </Button>
        </div>
      )}
      {user.erasureRequestedAt === null && isAsking && (
        <EraseForm
          onDone={(message) => {
            setIsAsking(false);
            setDone(message);
          }}
          onCancel={() => setIsAsking(false)}
        />
      )}
    </div>
  );
}

type EraseFormProps = { onDone: (message: string) => void; onCancel: () => void };

// The question stands where it was raised, and says before anything is sent what goes and what stays.
function EraseForm({ onDone, onCancel }: EraseFormProps) {
  const { t } = useText();
  const id = useId();
  const account = useOwnAccount();
  const form = useForm({
    schema: requestErasure.parts.body,
    initial: { reason: '' },
    send: async (input) => onDone((await account.askErasure(input)).message),
  });
  return (
    <form
      ref={comeIntoView}
      noValidate
      aria-labelledby={id}
      className="flex flex-col gap-4 rounded-xl border border-line p-4"
      onSubmit={form.onSubmit}
    >
      <div className="flex flex-col gap-1.5">
        <h4 id={id} tabIndex={-1} className="font-semibold outline-none">
          {t('users:eraseTitle')}
        </h4>
        <p>{t('users:eraseGoes')}</p>
        <p>{t('users:eraseStays')}</p>
      </div>
      <TextArea {...form.field('reason')} label={t('users:eraseReason')} max={LIMITS.reason} />
      <FormMessage message={form.message} summary={form.summary} />
      <DialogActions>
        <Button kind="plain" onPress={onCancel}>
          {t('web:cancel')}
        </Button>
        <Button kind="danger" type="submit" isBusy={form.isSending} busyText={t('users:sending')}>
          {t('users:eraseSend')}
        </Button>
      </DialogActions>
    </form>
  );
}

// The whole question is seen, and read out from its heading on.
function comeIntoView(form: HTMLFormElement | null) {
  form?.scrollIntoView?.({ block: 'nearest' });
  form?.querySelector<HTMLElement>('h4')?.focus({ preventScroll: true });
}
