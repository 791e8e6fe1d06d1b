import { useEffect, useEffectEvent, useState } from 'react';
import { EmailSentCard } from '#features/schools/district-settings/web/card-page.tsx';
import { useTranslation } from '#web/i18n/translate.ts';
import { messages } from '../../contract.ts';
import { sendResetLink } from '../../web/api.ts';
import { EmailLinkRequest, type SentLink } from '../../web/email-link-request.tsx';

/** How long the confirmation is shown before the sign-in form returns (specification section 9). */
const FORGOT_MS = 5_000;

type ForgotPasswordProps = { email: string; onBack: (values?: { email: string }) => void };

/** The forgot-password mode of the login view: requests the address, shows a message, then returns to the sign-in form. */
export function ForgotPassword({ email, onBack }: ForgotPasswordProps) {
  const { t } = useTranslation();
  const [sent, setSent] = useState<SentLink>();
  if (sent !== undefined) return <Sent text={sent.message} onBack={() => onBack({ email: sent.email })} />;
  return (
    <EmailLinkRequest
      title={t('auth:forgotTitle')}
      help={t('auth:forgotHelp')}
      sendText={t('auth:forgotSend')}
      failed={messages.resetRequestFailed}
      email={email}
      send={sendResetLink}
      onSent={setSent}
      onBack={() => onBack()}
    />
  );
}

function Sent({ text, onBack }: { text: string; onBack: () => void }) {
  const goBack = useEffectEvent(onBack);
  // Leaving earlier cancels the timer, so that it cannot close the next screen.
  useEffect(() => {
    const timer = setTimeout(goBack, FORGOT_MS);
    return () => clearTimeout(timer);
  }, []);
  return <EmailSentCard text={text} onBack={onBack} />;
}
