import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { RECENT_AUTH_MINUTES, type ReplyOf } from '#shared/endpoint.ts';
import { call, failureText } from '#web/api/call.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { focusFirstField } from '#web/ui/focus-target.ts';
import { FormMessage } from '#web/ui/notice.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { QueryStatus } from '#web/ui/query-error.tsx';
import { offerPasskeyReauthentication } from '../../two-factor/sign-in-contract.ts';
import { hasPasskeys, signWithPasskey } from '../../two-factor/web/webauthn.ts';
import {
  listReauthenticationMethods,
  messages,
  REAUTHENTICATION_FAILURES,
  ReauthenticationInput,
  type ReauthenticationProvider,
  reauthenticate,
} from '../contract.ts';
import { onProviderReturn, openProviderWindow, type Returned } from './provider-window.ts';

const SAID = {
  unreachable: 'auth:freshUnreachable',
  declined: 'auth:freshDeclined',
  unbelievable: 'auth:freshUnbelievable',
  expired: 'auth:freshExpired',
  busy: 'auth:freshBusy',
  standing: 'auth:freshStanding',
} as const;

type FreshByProviderProps = { provider: ReauthenticationProvider; onDone: (isGiven: boolean) => void };

/** Signs in at a provider in a new window, so that nothing typed here is lost. */
export function ReauthenticateByProvider({ provider, onDone }: FreshByProviderProps) {
  const { t } = useTranslation();
  const { title } = provider;
  const [opened, setOpened] = useState<Window>();
  const [failure, setFailure] = useState<string>();
  const prove = useMutation({
    mutationFn: (code: string) => call(reauthenticate, { body: { provider: code } }),
    onSuccess: () => onDone(true),
    onError: (error) => setFailure(failureText(error)),
  });
  const take = useEffectEvent((returned: Returned) => {
    setOpened(undefined);
    if ('code' in returned) return prove.mutate(returned.code);
    const known = REAUTHENTICATION_FAILURES.find((one) => one === returned.failure) ?? 'expired';
    setFailure(t(SAID[known], { title }));
  });
  // Only the page that opened a window listens for it. Closing the dialog closes the window too.
  useEffect(() => {
    if (opened === undefined) return;
    const stop = onProviderReturn(take);
    return () => {
      stop();
      opened.close();
    };
  }, [opened]);
  const open = () => {
    const next = openProviderWindow(provider);
    setOpened(next);
    setFailure(next === undefined ? t('auth:freshBlocked', { title }) : undefined);
  };
  return (
    <div className="flex flex-col gap-2">
      <Button isWide onPress={open} isBusy={prove.isPending}>
        {t('auth:freshProvider', { title })}
      </Button>
      {opened !== undefined && <p role="status">{t('auth:freshWaiting', { title })}</p>}
      <FormMessage message={failure} />
    </div>
  );
}

type FreshProofDialogProps = { onDone: (isGiven: boolean) => void };

/** Asks the user to re-authenticate with one of the account's methods. */
export function ReauthenticationDialog({ onDone }: FreshProofDialogProps) {
  const { t } = useTranslation();
  const proofs = useQuery({
    queryKey: ['proofs'],
    queryFn: () => call(listReauthenticationMethods),
    staleTime: 0,
  });
  return (
    <Dialog title={t('auth:freshTitle')} isOpen onClose={() => onDone(false)}>
      <div className="flex flex-col gap-4">
        <p className="text-dense">{t('auth:freshHelp', { minutes: RECENT_AUTH_MINUTES })}</p>
        <QueryStatus text={t('auth:freshWaysFailed')} query={proofs} rows={1} />
        {proofs.data !== undefined && <Ways proofs={proofs.data} onDone={onDone} />}
      </div>
    </Dialog>
  );
}

// The dialog was mounted before its fields, so it could not focus them.
function Ways({
  proofs,
  onDone,
}: FreshProofDialogProps & { proofs: ReplyOf<typeof listReauthenticationMethods> }) {
  const { t } = useTranslation();
  return (
    <div ref={focusFirstField} className="flex flex-col gap-4">
      {proofs.passkey && hasPasskeys() && <ByPasskey onDone={onDone} />}
      {proofs.providers.map((provider) => (
        <ReauthenticateByProvider key={provider.name} provider={provider} onDone={onDone} />
      ))}
      {proofs.password && <ByPassword onDone={onDone} />}
      {!hasWay(proofs) && <p>{t('auth:freshNoWay')}</p>}
    </div>
  );
}

function hasWay({ password, passkey, providers }: ReplyOf<typeof listReauthenticationMethods>): boolean {
  return password || passkey || providers.length > 0;
}

function ByPasskey({ onDone }: FreshProofDialogProps) {
  const { t } = useTranslation();
  const prove = useMutation({
    mutationFn: async () => {
      const { options } = await call(offerPasskeyReauthentication);
      const passkey = await signWithPasskey(options);
      await call(reauthenticate, { body: { passkey } });
      onDone(true);
    },
  });
  return (
    <div className="flex flex-col gap-2">
      <Button isWide onPress={() => prove.mutate()} isBusy={prove.isPending}>
        {t('two-factor:passkeyUse')}
      </Button>
      <FormMessage message={prove.isError ? failureText(prove.error) : undefined} />
    </div>
  );
}

function ByPassword({ onDone }: FreshProofDialogProps) {
  const { t } = useTranslation();
  const [isShown, setIsShown] = useState(false);
  const form = useForm({
    schema: ReauthenticationInput,
    initial: { password: '' },
    send: async (body) => {
      await call(reauthenticate, { body });
      onDone(true);
    },
    failed: messages.failed,
    whenLeft: 'no loss',
  });
  return (
    <DialogForm
      form={form}
      send={{ text: t('auth:freshConfirm'), busyText: t('auth:freshConfirming') }}
      onCancel={() => onDone(false)}
    >
      <PasswordField
        {...form.field('password')}
        label={t('users:password')}
        autoComplete="current-password"
        isShown={isShown}
        toggle={{ label: t('auth:showPassword'), onToggle: () => setIsShown(!isShown) }}
      />
    </DialogForm>
  );
}
