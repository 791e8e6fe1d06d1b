import { useMutation } from '@tanstack/react-query';
import { Check, Link2Off } from 'lucide-react';
import { useState } from 'react';
import { CardOutcome } from '#features/schools/district-settings/web/card-outcome.tsx';
import { CardPage, CardTitle } from '#features/schools/district-settings/web/card-page.tsx';
import { messages } from '#features/users/contract.ts';
import { useResetLink, useSignIn } from '#features/users/web/api.ts';
import { failureText, isRejected } from '#web/api/call.ts';
import { dropToken } from '#web/api/session.ts';
import { storeSignInEmail } from '#web/api/sign-in-progress.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button, LinkButton, Spinner } from '#web/ui/button.tsx';
import { FormMessage } from '#web/ui/notice.tsx';
import { SecondFactor } from '../../two-factor/web/two-factor-sign-in.tsx';
import { ForgotPassword } from './forgot-password.tsx';
import { ResetPasswordForm } from './reset-password-form.tsx';

/** Sets a new password by a mailed or printed link: verifying, the form, success, or what is wrong with the link. */
export function ResetPasswordView({ token, onBack }: { token: string; onBack: () => void }) {
  const { say, t } = useTranslation();
  const [done, setDone] = useState<{ message: string; password: string }>();
  const [isAsking, setIsAsking] = useState(false);
  const link = useResetLink(token);
  function finish(message: string, password: string) {
    if (link.data !== undefined) storeSignInEmail(link.data.email);
    // The server has ended every session of this account, so going back opens the sign-in form.
    dropToken();
    setDone({ message, password });
  }
  const back = (isMain = true) => (
    <Button kind={isMain ? 'primary' : 'plain'} isWide onPress={onBack}>
      {t('users:backToSignIn')}
    </Button>
  );

  if (isAsking) return <ForgotPassword email="" onBack={onBack} />;
  if (done !== undefined && link.data !== undefined) {
    return <PasswordSet {...done} email={link.data.email} onBack={onBack} />;
  }
  if (token === '' || (link.isError && !link.isFetching)) {
    const isUnsure = token !== '' && !isRejected(link.error);
    return (
      <CardPage>
        <CardOutcome icon={<Link2Off className="size-8" />} isBad title={t('users:resetInvalidTitle')}>
          <p className="font-medium">
            {token === ''
              ? say(messages.noResetToken)
              : isUnsure
                ? say(messages.failedToVerifyToken)
                : failureText(link.error, messages.invalidResetToken)}
          </p>
          {!isUnsure && <p className="text-soft">{t('users:resetInvalidHelp')}</p>}
        </CardOutcome>
        <div className="flex flex-col gap-2">
          {isUnsure && (
            <Button isWide onPress={() => link.refetch()}>
              {t('web:tryAgain')}
            </Button>
          )}
          {!isUnsure && (
            <Button kind="primary" isWide onPress={() => setIsAsking(true)}>
              {t('users:sendNewLink')}
            </Button>
          )}
          {back(isUnsure)}
        </div>
      </CardPage>
    );
  }
  return (
    <CardPage links={<LinkButton onPress={onBack}>{t('users:backToSignIn')}</LinkButton>}>
      {link.data === undefined ? (
        <p role="status" className="flex min-h-40 items-center justify-center gap-3 text-soft">
          <Spinner />
          {t('users:checkingLink')}
        </p>
      ) : (
        <section className="flex flex-col gap-4">
          <div>
            <CardTitle isArrival>{t('users:resetTitle')}</CardTitle>
            <p className="mt-1 wrap-anywhere text-soft">{t('users:resetGreeting', link.data)}</p>
          </div>
          <ResetPasswordForm token={token} email={link.data.email} onDone={finish} />
        </section>
      )}
    </CardPage>
  );
}

type PasswordSetProps = { message: string; email: string; password: string; onBack: () => void };

// Confirms the new password and signs in with it: a person with a printed link may not know the account's address.
function PasswordSet({ message, email, password, onBack }: PasswordSetProps) {
  const { t } = useTranslation();
  const { signIn } = useSignIn();
  const entering = useMutation({
    mutationFn: () => signIn({ email, password }),
    onSuccess: (challenge) => {
      if (challenge === undefined) onBack();
    },
  });
  if (entering.data !== undefined)
    return <SecondFactor challenge={entering.data} onSignedIn={onBack} onBack={onBack} />;
  return (
    <CardPage>
      <CardOutcome icon={<Check className="size-8" />} title={t('users:resetDoneTitle')}>
        <p>{message}</p>
      </CardOutcome>
      <FormMessage
        message={entering.isError ? failureText(entering.error, messages.loginFailed) : undefined}
      />
      <div className="flex flex-col gap-2">
        <Button
          kind="primary"
          isWide
          onPress={() => entering.mutate()}
          isBusy={entering.isPending}
          busyText={t('users:signingIn')}
        >
          {t('users:signIn')}
        </Button>
        <Button isWide onPress={onBack}>
          {t('users:backToSignIn')}
        </Button>
      </div>
    </CardPage>
  );
}
