import { type ReactNode, useState } from 'react';
import * as z from 'zod/mini';
import { formatMoment } from '#base/calendar-date.ts';
import type { ReplyOf } from '#base/endpoint.ts';
import { failureText, withReason } from '#web/lib/call.ts';
import { useText } from '#web/lib/text.ts';
import { useForm } from '#web/lib/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorBox, FormMessage, Notice } from '#web/ui/notice.tsx';
import { RemoveQuestion } from '#web/ui/remove-question.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { type offerTotp, type SecondFactor, TypedCode } from '../contract.ts';
import { useSecondFactor, useSecondFactorChanges, useToldCodes } from './api.ts';
import { QrCode } from './qr-code.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

type Offer = ReplyOf<typeof offerTotp>;

/** In Account Settings: an authenticator app for signing in, set up, replaced and removed. */
export function SecondProof({ zone }: { zone: string }) {
  const { t } = useText();
  const own = useSecondFactor();
  const changes = useSecondFactorChanges();
  const { offer, remove, renew } = changes;
  const { codes, tell, forget } = useToldCodes('app');
  const [isAsked, setIsAsked] = useState(false);
  const failed = [offer, remove, renew].find(({ isError }) => isError);
  function clear() {
    for (const change of [offer, remove, renew]) change.reset();
  }
  function start(change: typeof offer | typeof remove) {
    clear();
    change.mutate();
  }
  return (
    <div className="flex flex-col gap-3">
      <h4 className="font-medium">{t('second-proof:title')}</h4>
      {own.isError && own.data === undefined && (
        <ErrorBox
          {...withReason(t('second-proof:failedToLoad'), own.error)}
          onRetry={() => own.refetch()}
          isRetrying={own.isFetching}
        />
      )}
      {codes !== undefined && (
        <RecoveryCodes codes={codes} help={t('second-proof:codesHelp')} onDone={forget} />
      )}
      {codes === undefined && own.data !== undefined && offer.data === undefined && (
        <Standing own={own.data} zone={zone}>
          <Button onPress={() => start(offer)} isBusy={offer.isPending}>
            {t(own.data.totp === null ? 'second-proof:setUp' : 'second-proof:replace')}
          </Button>
          {own.data.isSetUp && (
            <Button
              onPress={() => {
                clear();
                renew.mutate(undefined, { onSuccess: (reply) => tell(reply.recoveryCodes) });
              }}
              isBusy={renew.isPending}
            >
              {t('second-proof:renew')}
            </Button>
          )}
          {own.data.totp !== null && (
            <Button onPress={() => setIsAsked(true)} isBusy={remove.isPending}>
              {t('second-proof:remove')}
            </Button>
          )}
        </Standing>
      )}
      {codes === undefined && offer.data !== undefined && (
        <SetUp
          offer={offer.data}
          confirm={async (code) => {
            const reply = await changes.confirm(code);
            clear();
            tell(reply.recoveryCodes);
          }}
          onCancel={clear}
        />
      )}
      <RemoveQuestion
        title={t('second-proof:remove')}
        question={isAsked ? t('second-proof:removeAsk') : undefined}
        confirmText={t('second-proof:removeConfirm')}
        onConfirm={() => {
          setIsAsked(false);
          start(remove);
        }}
        onClose={() => setIsAsked(false)}
      />
      <FormMessage
        message={failed === undefined ? undefined : failureText(failed.error)}
        success={remove.data?.message}
      />
    </div>
  );
}

function Standing({ own, zone, children }: { own: SecondFactor; zone: string; children: ReactNode }) {
  const { t, language } = useText();
  const { totp, recoveryCodesLeft, isSetUp } = own;
  const left = recoveryCodesLeft > 0 ? t('second-proof:codesLeft', { count: recoveryCodesLeft }) : '';
  const when = (at: Parameters<typeof formatMoment>[0]) => formatMoment(at, language, zone);
  return (
    <>
      <p className="text-soft">
        {totp === null ? t('second-proof:about') : t('second-proof:onSince', { when: when(totp.createdAt) })}{' '}
        {left}
      </p>
      {isSetUp && recoveryCodesLeft === 0 && <Notice>{t('second-proof:noCodesLeft')}</Notice>}
      {!isSetUp && own.neededFrom !== null && (
        <Notice>{t('second-proof:neededFrom', { when: when(own.neededFrom) })}</Notice>
      )}
      <div className="flex flex-wrap gap-2">{children}</div>
    </>
  );
}

type SetUpProps = { offer: Offer; confirm: (code: string) => Promise<void>; onCancel: () => void };

function SetUp({ offer, confirm, onCancel }: SetUpProps) {
  const { t } = useText();
  const form = useForm({
    schema: z.object({ code: TypedCode }),
    initial: { code: '' },
    send: ({ code }) => confirm(code),
    whenLeft: 'no loss',
  });
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={form.onSubmit}>
      <ol className="flex list-decimal flex-col gap-3 pl-5">
        <li>{t('second-proof:stepApp')}</li>
        <li>
          <p>{t('second-proof:stepScan')}</p>
          <div className="my-3">
            <QrCode code={offer.qrCode} label={t('second-proof:qrCode')} />
          </div>
          <p className="text-soft">{t('second-proof:typeInstead')}</p>
          <code className="figures font-semibold wrap-anywhere select-all">
            {offer.secret.match(/.{1,4}/g)?.join(' ')}
          </code>
        </li>
        <li>{t('second-proof:stepCode')}</li>
      </ol>
      <TextField
        {...form.field('code')}
        label={t('second-proof:code')}
        autoComplete="one-time-code"
        inputMode="numeric"
        isPlain
        isRequired
      />
      <FormMessage message={form.message} summary={form.summary} />
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" type="submit" isBusy={form.isSending}>
          {t('second-proof:confirm')}
        </Button>
        <Button onPress={onCancel}>{t('web:cancel')}</Button>
      </div>
    </form>
  );
}
