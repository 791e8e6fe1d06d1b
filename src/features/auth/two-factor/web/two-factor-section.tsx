import { type ReactNode, useState } from 'react';
import * as z from 'zod/mini';
import { formatMoment } from '#shared/calendar-date.ts';
import type { ReplyOf } from '#shared/endpoint.ts';
import { failureText } from '#web/api/call.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmRemove } from '#web/ui/confirm-remove.tsx';
import { FormMessage, Notice } from '#web/ui/notice.tsx';
import { QueryError } from '#web/ui/query-error.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { type SecondFactor, type startTotpSetup, TypedCode } from '../contract.ts';
import { useNewRecoveryCodes, useSecondFactor, useSecondFactorChanges } from './api.ts';
import { RecoveryCodes } from './recovery-codes.tsx';

// The quiet zone that QR readers need, in squares.
const EDGE = 4;

type QrCodeProps = { code: Readonly<{ side: number; path: string }>; label: string };

/** A QR code. Black on white in either theme, because many readers accept nothing else. */
export function QrCode({ code: { side, path }, label }: QrCodeProps) {
  const whole = side + 2 * EDGE;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`${-EDGE} ${-EDGE} ${whole} ${whole}`}
      shapeRendering="crispEdges"
      className="w-full max-w-56 rounded-xl border border-line"
    >
      <rect x={-EDGE} y={-EDGE} width={whole} height={whole} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

type Offer = ReplyOf<typeof startTotpSetup>;

/** In Account Settings: sets up, replaces and removes an authenticator app. */
export function TwoFactorSection({ zone }: { zone: string }) {
  const { t } = useTranslation();
  const own = useSecondFactor();
  const changes = useSecondFactorChanges();
  const { offer, remove, renew } = changes;
  const { codes, show, forget } = useNewRecoveryCodes('app');
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
      <h4 className="font-medium">{t('two-factor:title')}</h4>
      {own.isError && own.data === undefined && (
        <QueryError text={t('two-factor:failedToLoad')} query={own} />
      )}
      {codes !== undefined && (
        <RecoveryCodes codes={codes} help={t('two-factor:codesHelp')} onDone={forget} />
      )}
      {codes === undefined && own.data !== undefined && offer.data === undefined && (
        <Standing own={own.data} zone={zone}>
          <Button onPress={() => start(offer)} isBusy={offer.isPending}>
            {t(own.data.totp === null ? 'two-factor:setUp' : 'two-factor:replace')}
          </Button>
          {own.data.isSetUp && (
            <Button
              onPress={() => {
                clear();
                renew.mutate(undefined, { onSuccess: (reply) => show(reply.recoveryCodes) });
              }}
              isBusy={renew.isPending}
            >
              {t('two-factor:renew')}
            </Button>
          )}
          {own.data.totp !== null && (
            <Button onPress={() => setIsAsked(true)} isBusy={remove.isPending}>
              {t('two-factor:remove')}
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
            show(reply.recoveryCodes);
          }}
          onCancel={clear}
        />
      )}
      <ConfirmRemove
        title={t('two-factor:remove')}
        question={isAsked ? t('two-factor:removeAsk') : undefined}
        confirmText={t('two-factor:removeConfirm')}
        onConfirm={async () => {
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
  const { t, language } = useTranslation();
  const { totp, recoveryCodesLeft, isSetUp } = own;
  const left = recoveryCodesLeft > 0 ? t('two-factor:codesLeft', { count: recoveryCodesLeft }) : '';
  const when = (at: Parameters<typeof formatMoment>[0]) => formatMoment(at, language, zone);
  return (
    <>
      <p className="text-soft">
        {totp === null ? t('two-factor:about') : t('two-factor:onSince', { when: when(totp.createdAt) })}{' '}
        {left}
      </p>
      {isSetUp && recoveryCodesLeft === 0 && <Notice>{t('two-factor:noCodesLeft')}</Notice>}
      {!isSetUp && own.neededFrom !== null && (
        <Notice>{t('two-factor:neededFrom', { when: when(own.neededFrom) })}</Notice>
      )}
      <div className="flex flex-wrap gap-2">{children}</div>
    </>
  );
}

type SetUpProps = { offer: Offer; confirm: (code: string) => Promise<void>; onCancel: () => void };

function SetUp({ offer, confirm, onCancel }: SetUpProps) {
  const { t } = useTranslation();
  const form = useForm({
    schema: z.object({ code: TypedCode }),
    initial: { code: '' },
    send: ({ code }) => confirm(code),
    whenLeft: 'no loss',
  });
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={form.onSubmit}>
      <ol className="flex list-decimal flex-col gap-3 pl-5">
        <li>{t('two-factor:stepApp')}</li>
        <li>
          <p>{t('two-factor:stepScan')}</p>
          <div className="my-3">
            <QrCode code={offer.qrCode} label={t('two-factor:qrCode')} />
          </div>
          <p className="text-soft">{t('two-factor:typeInstead')}</p>
          <code className="figures font-semibold wrap-anywhere select-all">
            {offer.secret.match(/.{1,4}/g)?.join(' ')}
          </code>
        </li>
        <li>{t('two-factor:stepCode')}</li>
      </ol>
      <TextField
        {...form.field('code')}
        label={t('two-factor:code')}
        autoComplete="one-time-code"
        inputMode="numeric"
        isPlain
        isRequired
      />
      <FormMessage message={form.message} summary={form.summary} />
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" type="submit" isBusy={form.isSending}>
          {t('two-factor:confirm')}
        </Button>
        <Button onPress={onCancel}>{t('web:cancel')}</Button>
      </div>
    </form>
  );
}
