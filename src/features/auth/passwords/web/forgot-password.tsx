import { useEffect, useEffectEvent, useState } from 'react';
import { CardPage, CardTitle } from '#features/schools/district-settings/web/card-page.tsx';
import { EmailSentCard } from '#features/schools/district-settings/web/email-sent-card.tsx';
import { useTranslation } from '#web/i18n/translate.ts';
import { LinkButton } from '#web/ui/button.tsx';
import { ForgotPasswordForm } from './forgot-password-form.tsx';

/** How long the message that a reset link was sent stays before the sign-in form returns (specification section 9). */
const FORGOT_MS = 5_000;

type ForgotPasswordProps = { email: string; onBack: (values?: { email: string }) => void };

/** The forgot-password mode of the login view: asks for the address, shows a message, then returns to sign in. */
export function ForgotPassword({ email, onBack }: ForgotPasswordProps) {
  const { t } = useTranslation();
  const [sent, setSent] = useState<{ message: string; email: string }>();
  if (sent !== undefined) return <Sent text={sent.message} onBack={() => onBack({ email: sent.email })} />;
  return (
    <CardPage links={<LinkButton onPress={() => onBack()}>{t('users:backToSignIn')}</LinkButton>}>
      <section className="flex flex-col gap-4">
        <div>
          <CardTitle>{t('users:forgotTitle')}</CardTitle>
          <p className="mt-1 text-soft">{t('users:forgotHelp')}</p>
        </div>
        <ForgotPasswordForm email={email} onSent={setSent} />
      </section>
    </CardPage>
  );
}

function Sent({ text, onBack }: { text: string; onBack: () => void }) {
  const goBack = useEffectEvent(onBack);
  // Leaving earlier cancels the timer, so that it does not close the next screen.
  useEffect(() => {
    const timer = setTimeout(goBack, FORGOT_MS);
    return () => clearTimeout(timer);
  }, []);
  return <EmailSentCard text={text} onBack={onBack} />;
}
