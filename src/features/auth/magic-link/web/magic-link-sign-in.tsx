import { useState } from 'react';
import { EmailSentCard } from '#features/schools/district-settings/web/card-page.tsx';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { EmailLinkRequest, type SentLink } from '../../web/email-link-request.tsx';
import { messages } from '../contract.ts';
import { sendSignInLink } from './api.ts';

/** Below the sign-in form: opens the form that requests a sign-in link. */
export function SignInLinkButton({ onPress }: { onPress: () => void }) {
  const { t } = useTranslation();
  return (
    <Button isWide onPress={onPress}>
      {t('auth:linkAsk')}
    </Button>
  );
}

type SignInLinkProps = { email: string; onBack: (values?: { email: string }) => void };

/** Requests a sign-in link, then shows that the email is on its way. */
export function SignInLink({ email, onBack }: SignInLinkProps) {
  const { t } = useTranslation();
  const [sent, setSent] = useState<SentLink>();
  if (sent !== undefined) {
    return <EmailSentCard text={sent.message} onBack={() => onBack({ email: sent.email })} />;
  }
  return (
    <EmailLinkRequest
      title={t('auth:linkTitle')}
      help={t('auth:linkHelp')}
      sendText={t('auth:linkSend')}
      failed={messages.failed}
      email={email}
      send={sendSignInLink}
      onSent={setSent}
      onBack={() => onBack()}
    />
  );
}
