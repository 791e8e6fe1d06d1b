import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { User } from '#features/users/contract.ts';
import { dayIn, formatDay } from '#shared/calendar-date.ts';
import { failureText } from '#web/api/call.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { DialogActions } from '#web/ui/dialog.tsx';
import { focusOnMount } from '#web/ui/focus-target.ts';
import { FormMessage, Notice } from '#web/ui/notice.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { LIMITS, requestAccountDeletion } from '../contract.ts';
import { useOwnDeletionRequest } from './api.ts';

/** The section for requesting deletion of the viewer's account, or withdrawing the request. */
export function AccountDeletion({ user, zone }: { user: User; zone: string }) {
  const { t, language } = useTranslation();
  const deletionRequest = useOwnDeletionRequest();
  const [isAsking, setIsAsking] = useState(false);
  const [done, setDone] = useState<string>();
  const withdrawal = useMutation({
    mutationFn: deletionRequest.withdraw,
    onSuccess: ({ message }) => setDone(message),
  });

  return (
    <div className="flex flex-col gap-2">
      {user.erasureRequestedAt !== null && (
        <Notice>
          <p>
            {t('privacy:eraseAsked', { date: formatDay(dayIn(zone, user.erasureRequestedAt), language) })}
          </p>
        </Notice>
      )}
      <FormMessage message={withdrawal.isError ? failureText(withdrawal.error) : undefined} success={done} />
      {user.erasureRequestedAt !== null && (
        <div>
          <Button onPress={() => withdrawal.mutate()} isBusy={withdrawal.isPending}>
            {t('privacy:eraseWithdraw')}
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
            {t('privacy:eraseAsk')}
          </Button>
        </div>
      )}
      {user.erasureRequestedAt === null && isAsking && (
        <DeletionRequestForm
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

// The confirmation opens in place and explains what is deleted and what stays before anything is sent.
function DeletionRequestForm({ onDone, onCancel }: EraseFormProps) {
  const { t } = useTranslation();
  const id = useId();
  const deletionRequest = useOwnDeletionRequest();
  const form = useForm({
    schema: requestAccountDeletion.parts.body,
    initial: { reason: '' },
    send: async (input) => onDone((await deletionRequest.ask(input)).message),
  });
  return (
    <form
      ref={scrollIntoView}
      noValidate
      aria-labelledby={id}
      className="flex flex-col gap-4 rounded-xl border border-line p-4"
      onSubmit={form.onSubmit}
    >
      <div className="flex flex-col gap-1.5">
        <h4 id={id} ref={focusOnMount} tabIndex={-1} className="font-semibold outline-none">
          {t('privacy:eraseTitle')}
        </h4>
        <p>{t('privacy:eraseGoes')}</p>
        <p>{t('privacy:eraseStays')}</p>
      </div>
      <TextArea {...form.field('reason')} label={t('privacy:eraseReason')} max={LIMITS.reason} />
      <FormMessage message={form.message} summary={form.summary} />
      <DialogActions>
        <Button kind="plain" onPress={onCancel}>
          {t('web:cancel')}
        </Button>
        <Button kind="danger" type="submit" isBusy={form.isSending} busyText={t('users:sending')}>
          {t('privacy:eraseSend')}
        </Button>
      </DialogActions>
    </form>
  );
}

// Scrolls the whole confirmation into view. Its heading takes the focus and is read out first.
function scrollIntoView(form: HTMLFormElement | null) {
  form?.scrollIntoView?.({ block: 'nearest' });
}
