import { useState } from 'react';
import type { Instant } from '#shared/calendar-date.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { AdminSection } from '#web/ui/admin/admin-section.tsx';
import { ConfirmDelete } from '#web/ui/admin/confirm-delete.tsx';
import { listTitle } from '#web/ui/admin/list-focus-targets.ts';
import { QueueList, QueueRow } from '#web/ui/admin/queue-list.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { ListEnd } from '#web/ui/list-end.tsx';
import { notifyResult } from '#web/ui/notify-result.ts';
import { QueryError } from '#web/ui/query-error.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { notify } from '#web/ui/toasts.ts';
import { messages, type QueuedEmail, TestMailForm } from '../contract.ts';
import { useDiscardEmail, useMailQueue, useRetryEmail, useTestMail } from './admin-api.ts';
import { emailKindLabel } from './email-kind.ts';

type MailQueueProps = {
  email: string;
  /** Whether there is no mail server, so that emails are written to a folder. */
  isOff: boolean;
  moment: (at: Instant) => string;
};

/** The email queue: send an email now, delete one, or send a test email. */
export function EmailQueue({ email, isOff, moment }: MailQueueProps) {
  const { t, say } = useTranslation();
  const list = useMailQueue();
  const drop = useDiscardEmail();
  const [dropping, setDropping] = useState<QueuedEmail>();
  const [isTesting, setIsTesting] = useState(false);
  return (
    <AdminSection
      title={t('operations:mail')}
      aside={<Button onPress={() => setIsTesting(true)}>{t('operations:testMail')}</Button>}
    >
      {list.data === undefined && list.isError && (
        <QueryError text={messages.failedToLoadMail} query={list} />
      )}
      {list.data === undefined && !list.isError && <SkeletonRows rows={2} isTall />}
      {isOff && <p className="text-soft">{t('users:lettersInFolder')}</p>}
      {list.data?.length === 0 && !isOff && <p className="text-soft">{t('operations:noMail')}</p>}
      {list.data !== undefined && list.data.length > 0 && (
        <QueueList label={t('operations:mail')}>
          {list.data.map((letter) => (
            <EmailRow key={letter.id} letter={letter} moment={moment} onDrop={() => setDropping(letter)} />
          ))}
        </QueueList>
      )}
      <ListEnd list={list} failure={say(messages.failedToLoadMail)} />
      <ConfirmDelete
        title={t('operations:dropTitle')}
        question={dropping && t('operations:dropQuestion', { to: dropping.to ?? t('operations:unknown') })}
        confirmText={t('operations:drop')}
        onConfirm={async () => {
          if (dropping === undefined) return;
          const { message } = await drop.mutateAsync(dropping.id);
          setDropping(undefined);
          notify.success(message);
          // The row that opened the dialog is gone.
          setTimeout(listTitle.focus);
        }}
        onClose={() => setDropping(undefined)}
      />
      <Dialog title={t('operations:testMail')} isOpen={isTesting} onClose={() => setIsTesting(false)}>
        {isTesting && <TestForm email={email} onClose={() => setIsTesting(false)} />}
      </Dialog>
    </AdminSection>
  );
}

type LetterRowProps = { letter: QueuedEmail; moment: (at: Instant) => string; onDrop: () => void };

function EmailRow({ letter, moment, onDrop }: LetterRowProps) {
  const text = useTranslation();
  const { t } = text;
  const retry = useRetryEmail();
  const to = letter.to ?? t('operations:unknown');
  const hasFailed = letter.state === 'failed';

  return (
    <QueueRow
      title={
        <>
          <span className="min-w-0">{to}</span>
          <Badge tone={hasFailed ? 'notice' : 'grey'}>
            {t(hasFailed ? 'operations:failed' : 'operations:waits')}
          </Badge>
        </>
      }
      facts={[
        emailKindLabel(letter.kind, text),
        moment(letter.createdAt),
        ...(letter.attempts === 0 ? [] : [t('operations:attempts', { count: letter.attempts })]),
        ...(hasFailed ? [] : [t('operations:dueAt', { at: moment(letter.dueAt) })]),
        ...(letter.reason === null ? [] : [t('operations:reason', { reason: letter.reason })]),
      ]}
    >
      {letter.to !== null && (
        <Button
          label={t('operations:sendNowTo', { to })}
          isBusy={retry.isPending}
          onPress={() => void notifyResult(retry.mutateAsync(letter.id))}
        >
          {t('operations:sendNow')}
        </Button>
      )}
      <Button kind="plain" label={t('operations:dropTo', { to })} onPress={onDrop}>
        {t('operations:drop')}
      </Button>
    </QueueRow>
  );
}

function TestForm({ email, onClose }: { email: string; onClose: () => void }) {
  const { t } = useTranslation();
  const test = useTestMail();
  const form = useForm({
    schema: TestMailForm,
    initial: { to: email },
    send: async ({ to }) => {
      const { message } = await test.mutateAsync(to);
      onClose();
      notify.success(message);
    },
  });
  return (
    <DialogForm
      form={form}
      send={{ text: t('operations:testSend'), busyText: t('users:sending') }}
      onCancel={onClose}
    >
      <TextField {...form.field('to')} label={t('operations:testTo')} type="email" isRequired />
    </DialogForm>
  );
}
