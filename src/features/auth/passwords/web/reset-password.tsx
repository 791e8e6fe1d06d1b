import { useMutation } from '@tanstack/react-query';
import { Check, Link2Off } from 'lucide-react';
import { useState } from 'react';
import { CardOutcome, CardPage, CardSection } from '#features/schools/district-settings/web/card-page.tsx';
import {
  NewPasswordFields,
  newPasswordProblems,
  usePasswordMin,
} from '#features/users/web/new-password-fields.tsx';
import { failureText, isRejected } from '#web/api/call.ts';
import { dropToken } from '#web/api/session.ts';
import { storeSignInEmail } from '#web/api/sign-in-progress.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button, LinkButton, Spinner } from '#web/ui/button.tsx';
import { FormMessage } from '#web/ui/notice.tsx';
import { PageForm } from '#web/ui/page-form.tsx';
import { messages, ResetInput } from '../../contract.ts';
import { SecondFactor } from '../../two-factor/web/two-factor-sign-in.tsx';
import { setNewPassword, useResetLink, useSignIn } from '../../web/api.ts';
import { ForgotPassword } from './forgot-password.tsx';

type ResetPasswordFormProps = {
  token: string;
  email: string;
  /** Called with the server's message and the new password. */
  onDone: (message: string, password: string) => void;
};

/** Sets a new password, typed twice, for the account of a reset link. */
export function ResetPasswordForm({ token, email, onDone }: ResetPasswordFormProps) {
  const { t } = useTranslation();
  const min = usePasswordMin();
  const form = useForm({
    schema: ResetInput,
    initial: { token, newPassword: '', confirmPassword: '' },
    check: ({ newPassword, confirmPassword }) => newPasswordProblems(newPassword, confirmPassword, min),
    send: async (input) => onDone((await setNewPassword(input)).message, input.newPassword),
    failed: messages.failedToReset,
  });
  return (
    <PageForm form={form} send={{ text: t('auth:resetSave'), busyText: t('users:saving') }} isWide>
      {/* Tells a password manager which account the password belongs to. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <NewPasswordFields
        label={t('users:newPassword')}
        password={form.field('newPassword')}
        confirmation={form.field('confirmPassword')}
      />
    </PageForm>
  );
}

/**
 * Sets a new password through an emailed or printed link. Shows that the link is being checked, the form, success, or what is
 * wrong with the link.
 */
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
        <CardOutcome icon={<Link2Off className="size-8" />} isBad title={t('auth:resetInvalidTitle')}>
          <p className="font-medium">
            {token === ''
              ? say(messages.noResetToken)
              : isUnsure
                ? say(messages.failedToVerifyToken)
                : failureText(link.error, messages.invalidResetToken)}
          </p>
          {!isUnsure && <p className="text-soft">{t('auth:resetInvalidHelp')}</p>}
        </CardOutcome>
        <div className="flex flex-col gap-2">
          {isUnsure && (
            <Button isWide onPress={() => link.refetch()}>
              {t('web:tryAgain')}
            </Button>
          )}
          {!isUnsure && (
            <Button kind="primary" isWide onPress={() => setIsAsking(true)}>
              {t('auth:sendNewLink')}
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
          {t('auth:checkingLink')}
        </p>
      ) : (
        <CardSection title={t('auth:resetTitle')} help={t('auth:resetGreeting', link.data)} isArrival>
          <ResetPasswordForm token={token} email={link.data.email} onDone={finish} />
        </CardSection>
      )}
    </CardPage>
  );
}

type PasswordSetProps = { message: string; email: string; password: string; onBack: () => void };

// Confirms the new password and signs in with it, because the user of a printed link may not know the account's address.
function PasswordSet({ message, email, password, onBack }: PasswordSetProps) {
  const { t } = useTranslation();
  const signIn = useSignIn();
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
      <CardOutcome icon={<Check className="size-8" />} title={t('auth:resetDoneTitle')}>
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
          busyText={t('auth:signingIn')}
        >
          {t('auth:signIn')}
        </Button>
        <Button isWide onPress={onBack}>
          {t('users:backToSignIn')}
        </Button>
      </div>
    </CardPage>
  );
}
