import { useState } from 'react';
import { CardPage, CardTitle } from '#features/schools/district-settings/web/card-page.tsx';
import { EmailSentCard } from '#features/schools/district-settings/web/email-sent-card.tsx';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { SignInLinkForm } from './magic-link-form.tsx';

/** Below the sign-in form: the way to a mailed link. */
export function SignInLinkButton({ onPress }: { onPress: () => void }) {
  const { t } = useTranslation();
  return (
    <Button isWide onPress={onPress}>
      {t('users:linkAsk')}
    </Button>
  );
}

/** Asks for the address, then says that the letter is on its way. */
export function SignInLink({
  email,
  onBack,
}: {
  email: string;
  onBack: (values?: { email: string }) => void;
}) {
  const { t } = useTranslation();
  const [sent, setSent] = useState<{ message: string; email: string }>();
  if (sent !== undefined) {
    return <EmailSentCard text={sent.message} onBack={() => onBack({ email: sent.email })} />;
  }
  return (
    <CardPage links={<LinkButton onPress={() => onBack()}>{t('users:backToSignIn')}</LinkButton>}>
      <section className="flex flex-col gap-4">
        <div>
          <CardTitle>{t('users:linkTitle')}</CardTitle>
          <p className="mt-1 text-soft">{t('users:linkHelp')}</p>
        </div>
        <SignInLinkForm email={email} onSent={setSent} />
      </section>
    </CardPage>
  );
}
