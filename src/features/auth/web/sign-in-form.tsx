import { type ReactNode, useState } from 'react';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { PageForm } from '#web/ui/page-form.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { LoginInput, messages } from '../contract.ts';
import { useSignIn } from './api.ts';

/** The state of the sign-in form. The parent view owns it, so that typed text carries over to the register form. */
export function useSignInForm(onAsked: (challenge: string) => void, email = '') {
  const signIn = useSignIn();
  return useForm({
    schema: LoginInput,
    initial: { email, password: '' },
    send: async (input) => {
      const challenge = await signIn(input);
      if (challenge !== undefined) onAsked(challenge);
    },
    failed: messages.loginFailed,
    whenLeft: 'no loss',
  });
}

type SignInFormProps = {
  form: ReturnType<typeof useSignInForm>;
  /** Whether the browser may offer passkeys among the email addresses that it autofills. */
  offersPasskeys?: boolean;
  /** Further choices before signing in. */
  more?: ReactNode;
};

/** The sign-in form: email, password, one button. */
export function SignInForm({ form, offersPasskeys = false, more }: SignInFormProps) {
  const { t } = useTranslation();
  const [isShown, setIsShown] = useState(false);
  return (
    <PageForm form={form} send={{ text: t('auth:signIn'), busyText: t('auth:signingIn') }} isWide>
      <TextField
        {...form.field('email')}
        label={t('users:email')}
        type="email"
        autoComplete={offersPasskeys ? 'username webauthn' : 'username'}
        isRequired
      />
      <PasswordField
        {...form.field('password')}
        label={t('users:password')}
        autoComplete="current-password"
        isShown={isShown}
        toggle={{ label: t('auth:showPassword'), onToggle: () => setIsShown(!isShown) }}
      />
      {more}
    </PageForm>
  );
}
