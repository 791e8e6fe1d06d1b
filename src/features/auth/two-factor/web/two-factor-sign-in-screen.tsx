import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CardPage, CardSection } from '#features/schools/district-settings/web/card-page.tsx';
import { useStartSession } from '#features/users/web/api.ts';
import { call, failureText } from '#web/api/call.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { FormMessage } from '#web/ui/notice.tsx';
import { PageForm } from '#web/ui/page-form.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { messages } from '../../contract.ts';
import { offerSecondPasskey, SecondFactorInput, secondFactor } from '../sign-in-contract.ts';
import { hasPasskeys, signWithPasskey } from './webauthn.ts';

export type SecondFactorProps = {
  challenge: string;
  /** Called when the session has started. */
  onSignedIn?: (() => void) | undefined;
  onBack: () => void;
};

/** Asks for the second factor: the code of an authenticator app, a passkey, or a recovery code instead. */
export function SecondFactorView({ challenge, onSignedIn, onBack }: SecondFactorProps) {
  const { t } = useTranslation();
  const [isRecovery, setIsRecovery] = useState(false);
  return (
    <CardPage
      isFixed
      links={
        <>
          <LinkButton onPress={() => setIsRecovery(!isRecovery)}>
            {t(isRecovery ? 'two-factor:toCode' : 'two-factor:toRecoveryCode')}
          </LinkButton>
          <LinkButton onPress={onBack}>{t('users:backToSignIn')}</LinkButton>
        </>
      }
    >
      <CardSection
        key={String(isRecovery)}
        title={t('two-factor:signInTitle')}
        help={t(isRecovery ? 'two-factor:recoveryHelp' : 'two-factor:codeHelp')}
      >
        <SecondPasskey challenge={challenge} onSignedIn={onSignedIn} />
        <SecondFactorForm challenge={challenge} isRecovery={isRecovery} onSignedIn={onSignedIn} />
      </CardSection>
    </CardPage>
  );
}

type SecondFactorFormProps = Omit<SecondFactorProps, 'onBack'> & { isRecovery: boolean };

/** One field for the code of the authenticator app or a recovery code. */
function SecondFactorForm({ challenge, isRecovery, onSignedIn }: SecondFactorFormProps) {
  const { t } = useTranslation();
  const start = useStartSession();
  const form = useForm({
    schema: SecondFactorInput,
    initial: { challenge, code: '' },
    send: async (body) => {
      start(await call(secondFactor, { body }));
      onSignedIn?.();
    },
    failed: messages.loginFailed,
    whenLeft: 'no loss',
  });
  return (
    <PageForm form={form} send={{ text: t('auth:signIn'), busyText: t('auth:signingIn') }} isWide>
      <TextField
        {...form.field('code')}
        label={t(isRecovery ? 'two-factor:recoveryCode' : 'two-factor:code')}
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        inputMode={isRecovery ? 'text' : 'numeric'}
        isPlain
        isRequired
      />
    </PageForm>
  );
}

/** Signs in with a passkey as the second factor, for users who have one that works here. */
function SecondPasskey({ challenge, onSignedIn }: Omit<SecondFactorProps, 'onBack'>) {
  const { t } = useTranslation();
  const start = useStartSession();
  const ask = () => call(offerSecondPasskey, { body: { challenge } }).then(({ options }) => options);
  const offered = useQuery({ queryKey: ['public', 'second-passkey', challenge], queryFn: ask, retry: false });
  const prove = useMutation({
    mutationFn: async () => {
      const options = await ask();
      if (options === null) return;
      const passkey = await signWithPasskey(options);
      start(await call(secondFactor, { body: { challenge, passkey } }));
      onSignedIn?.();
    },
  });
  if (offered.data === undefined || offered.data === null || !hasPasskeys()) return null;
  return (
    <div className="flex flex-col gap-2">
      <Button
        isWide
        onPress={() => prove.mutate()}
        isBusy={prove.isPending}
        busyText={t('two-factor:passkeySigningIn')}
      >
        {t('two-factor:passkeyUse')}
      </Button>
      <FormMessage message={prove.isError ? failureText(prove.error) : undefined} />
    </div>
  );
}
