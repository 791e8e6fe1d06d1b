import { Link2Off } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useMagicLink } from '#features/auth/magic-link/web/api.ts';
import { FAILURES, messages } from '#features/auth/oidc/contract.ts';
import { useExchange } from '#features/auth/oidc/web/api.ts';
import { ProviderLinkForm } from '#features/auth/oidc/web/provider-link-form.tsx';
import { notifyOpener, type Returned } from '#features/auth/re-authentication/web/provider-window.ts';
import { SecondFactor } from '#features/auth/two-factor/web/two-factor-sign-in.tsx';
import { CardOutcome, CardPage, CardSection } from '#features/schools/district-settings/web/card-page.tsx';
import { failureText, isRejected } from '#web/api/call.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button, LinkButton, Spinner } from '#web/ui/button.tsx';

const FAILURE_TEXTS = {
  unreachable: 'auth:providerUnreachable',
  declined: 'auth:providerDeclined',
  unbelievable: 'auth:providerUnbelievable',
  expired: 'auth:providerStartAgain',
  busy: 'auth:providerBusy',
} as const;

// Long enough for the message to be delivered before the window closes.
const CLOSE_MS = 200;

type LinkSignInViewProps = { link: Readonly<{ kind: string; token: string }>; onDone: () => void };

/** The screen after a magic link or a return from a sign-in provider. */
export function LinkSignInView({ link, onDone }: LinkSignInViewProps) {
  if (link.kind === 'fresh') return <ReAuthenticationReturnView returned={{ code: link.token }} />;
  if (link.kind === 'not-fresh') return <ReAuthenticationReturnView returned={{ failure: link.token }} />;
  if (link.kind === 'signInFailed') return <SignInFailedView reason={link.token} onBack={onDone} />;
  return link.kind === 'mailed' ? (
    <MailedLinkView token={link.token} onDone={onDone} />
  ) : (
    <ProviderReturnView code={link.token} onDone={onDone} />
  );
}

// The server signs in only the browser that requested the link, so an email scanner that opens it changes nothing.
function MailedLinkView({ token, onDone }: { token: string; onDone: () => void }) {
  const { t } = useTranslation();
  const link = useMagicLink(token, onDone);
  if (typeof link.data === 'string') {
    return <SecondFactor challenge={link.data} onSignedIn={onDone} onBack={onDone} />;
  }
  if (!link.isError) return <SigningIn />;
  // If the server didn't reject it, the link is still valid.
  const text = isRejected(link.error) ? failureText(link.error) : t('auth:linkOpenFailed');
  return <NotSignedIn text={text} onBack={onDone} />;
}

// After a return from a sign-in provider: signs in, asks for the password to link the account, or explains the failure.
function ProviderReturnView({ code, onDone }: { code: string; onDone: () => void }) {
  const { t } = useTranslation();
  const exchange = useExchange(code, onDone);
  const [asked, setAsked] = useState<string>();
  const challenge = exchange.data?.next === 'second-factor' ? exchange.data.challenge : asked;
  if (challenge !== undefined)
    return <SecondFactor challenge={challenge} onSignedIn={onDone} onBack={onDone} />;
  if (exchange.data?.next === 'link') {
    return (
      <CardPage isFixed links={<LinkButton onPress={onDone}>{t('users:backToSignIn')}</LinkButton>}>
        <CardSection title={t('auth:providerLinkTitle')} help={t('auth:providerLinkHelp')}>
          <ProviderLinkForm challenge={exchange.data.challenge} onSignedIn={onDone} onAsked={setAsked} />
        </CardSection>
      </CardPage>
    );
  }
  if (exchange.isError) {
    return <NotSignedIn text={failureText(exchange.error, messages.startAgain)} onBack={onDone} />;
  }
  return <SigningIn />;
}

// The window for re-authentication. It notifies the page that opened it and closes.
function ReAuthenticationReturnView({ returned }: { returned: Returned }) {
  const { t } = useTranslation();
  const [returnedOnce] = useState(returned);
  useEffect(() => {
    notifyOpener(returnedOnce);
    const timer = setTimeout(() => window.close(), CLOSE_MS);
    return () => clearTimeout(timer);
  }, [returnedOnce]);
  return (
    <CardPage>
      <p role="status">{t('auth:freshReturned')}</p>
    </CardPage>
  );
}

function SigningIn() {
  const { t } = useTranslation();
  return (
    <CardPage>
      <p role="status" className="flex min-h-40 items-center justify-center gap-3 text-soft">
        <Spinner />
        {t('auth:signingIn')}
      </p>
    </CardPage>
  );
}

// A sign-in that failed at the provider, with the reason in the URL.
function SignInFailedView({ reason, onBack }: { reason: string; onBack: () => void }) {
  const { t } = useTranslation();
  const known = FAILURES.find((failure) => failure === reason) ?? 'expired';
  return <NotSignedIn text={t(FAILURE_TEXTS[known])} onBack={onBack} />;
}

function NotSignedIn({ text, onBack }: { text: string; onBack: () => void }) {
  const { t } = useTranslation();
  return (
    <CardPage>
      <CardOutcome icon={<Link2Off className="size-8" />} isBad title={t('auth:providerFailedTitle')}>
        <p>{text}</p>
      </CardOutcome>
      <Button kind="primary" isWide onPress={onBack}>
        {t('users:backToSignIn')}
      </Button>
    </CardPage>
  );
}
