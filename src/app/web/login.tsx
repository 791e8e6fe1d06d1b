import { useEffect, useState } from 'react';
import { ForgotPassword } from '#features/auth/passwords/web/forgot-password.tsx';
import { SecondFactor } from '#features/auth/two-factor/web/two-factor-sign-in.tsx';
import { SignInForm, useSignInForm } from '#features/auth/web/sign-in-form.tsx';
import { useDistrict } from '#features/schools/district-settings/web/api.ts';
import { CardPage, CardSection, EmailSentCard } from '#features/schools/district-settings/web/card-page.tsx';
import { messages } from '#features/users/contract.ts';
import {
  EMPTY_REGISTRATION,
  RegisterForm,
  useRegisterForm,
} from '#features/users/registration/web/registration-form.tsx';
import { setSignInMode, storedSignInProgress } from '#web/api/sign-in-progress.ts';
import { leavePage } from '#web/forms/unsaved-changes.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { LinkButton } from '#web/ui/button.tsx';
import { lazyScreen } from '#web/ui/lazy-screen.tsx';
import { useBackCloses } from '#web/ui/use-back-closes.ts';

type LoginViewProps = {
  /** The code of an emailed invitation. */
  inviteCode?: string | undefined;
  /** Called when the invitation was used or turned out invalid. */
  onInviteDone?: () => void;
};

type Mode = 'sign-in' | 'register' | 'forgot' | 'link' | 'mailed' | 'second';

/** Sign in, register, or request a password reset. */
export function LoginView({ inviteCode, onInviteDone }: LoginViewProps) {
  const { t } = useTranslation();
  const isInvited = inviteCode !== undefined;
  const [progress] = useState(storedSignInProgress<Mode>);
  const [mode, setMode] = useState(isInvited ? 'register' : progress.mode);
  const [mailed, setMailed] = useState('');
  const [challenge, setChallenge] = useState('');
  const signIn = useSignInForm(toSecond, progress.email);
  const register = useRegisterForm({ onMailed: showMailed, email: progress.email });
  const isFirst = mode === undefined || mode === 'sign-in' || (isInvited && mode === 'register');
  const hasPasskeys = useDistrict().data?.passkeysAt === location.origin;
  useBackCloses(!isFirst, () => leavePage(toSignIn), 'part');
  useEffect(() => setSignInMode(mode), [mode]);

  function showMailed(message: string) {
    setMailed(message);
    setMode('mailed');
  }
  // Switching clears every message; leaving the register form also clears its extra fields (specification section 2).
  function toRegister() {
    register.clear({ ...EMPTY_REGISTRATION, ...signIn.values });
    setMode('register');
  }
  function toSignIn(values: Partial<typeof signIn.values> = {}) {
    signIn.clear({ ...signIn.values, ...values });
    register.clear(EMPTY_REGISTRATION);
    setMode('sign-in');
  }
  function toSecond(next: string) {
    signIn.clear({ ...signIn.values, password: '' });
    setChallenge(next);
    setMode('second');
  }
  function withoutPassword(next: Mode) {
    // The next screens don't need the password.
    signIn.clear({ ...signIn.values, password: '' });
    setMode(next);
  }

  if (mode === 'second') return <SecondFactor challenge={challenge} onBack={() => toSignIn()} />;
  if (mode === 'link') return <SignInLink email={signIn.values.email} onBack={toSignIn} />;
  if (mode === 'mailed') return <EmailSentCard text={mailed} onBack={() => toSignIn()} />;
  if (mode === 'forgot') return <ForgotPassword email={signIn.values.email} onBack={toSignIn} />;
  if (mode === 'register' && isInvited) {
    return (
      <InvitedRegistration
        code={inviteCode}
        onInviteDone={onInviteDone}
        onMailed={showMailed}
        onBack={() => toSignIn()}
      />
    );
  }
  if (mode === 'register') {
    const { email, password } = register.values;
    return (
      <CardPage
        links={<LinkButton onPress={() => toSignIn({ email, password })}>{t('users:toSignIn')}</LinkButton>}
      >
        <CardSection title={t('users:registerTitle')}>
          <RegisterForm form={register} />
        </CardSection>
      </CardPage>
    );
  }
  return (
    <CardPage
      links={
        <>
          <LinkButton onPress={() => withoutPassword('forgot')}>{t('auth:toForgot')}</LinkButton>
          <ToRegister isInvited={isInvited} onPress={isInvited ? () => setMode('register') : toRegister} />
        </>
      }
    >
      <CardSection title={t('auth:signInTitle')} isArrival={mode === undefined}>
        <SignInForm form={signIn} offersPasskeys={hasPasskeys} more={<OptionsSlot />} />
        <OtherWays onLink={() => withoutPassword('link')} />
        {hasPasskeys && <PasskeyButton />}
      </CardSection>
    </CardPage>
  );
}

// Reserves its space before it loads, so no button moves.
function OptionsSlot() {
  return (
    <div className="flex min-h-11 flex-col gap-2">
      <SignInOptions />
    </div>
  );
}

const SignInOptions = lazyScreen(async () => (await import('./sign-in-options.tsx')).SignInOptions);
const PasskeyButton = lazyScreen(
  async () => (await import('#features/auth/two-factor/web/passkey-sign-in-button.tsx')).PasskeyButton,
);
const ProviderButtons = lazyScreen(
  async () => (await import('#features/auth/oidc/web/provider-buttons.tsx')).ProviderButtons,
);
const SignInLinkButton = lazyScreen(
  async () => (await import('#features/auth/magic-link/web/magic-link-sign-in.tsx')).SignInLinkButton,
);
const SignInLink = lazyScreen(
  async () => (await import('#features/auth/magic-link/web/magic-link-sign-in.tsx')).SignInLink,
  ({ failed }) => failed !== undefined && <CardPage>{failed}</CardPage>,
);
const InvitedRegistration = lazyScreen(
  async () => (await import('#features/users/registration/web/invited-registration.tsx')).InvitedRegistration,
  ({ failed }) => failed !== undefined && <CardPage>{failed}</CardPage>,
);

// Loaded only if the district has other ways to sign in.
function OtherWays({ onLink }: { onLink: () => void }) {
  const { data } = useDistrict();
  return (
    <>
      {data?.hasSignInLink && <SignInLinkButton onPress={onLink} />}
      {data?.hasProviders && <ProviderButtons />}
    </>
  );
}

// If the district creates the accounts there is no button; a text explains what to do instead.
function ToRegister({ isInvited, onPress }: { isInvited: boolean; onPress: () => void }) {
  const { say, t } = useTranslation();
  const district = useDistrict();
  if (district.data?.registration === 'invite' && !isInvited) {
    return (
      <p className="text-dense wrap-anywhere">
        {say(messages.registrationClosed(district.data.supportEmail))}
      </p>
    );
  }
  return <LinkButton onPress={onPress}>{t('users:toRegister')}</LinkButton>;
}
