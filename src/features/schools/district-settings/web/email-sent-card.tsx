import { MailCheck } from 'lucide-react';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { CardOutcome } from './card-outcome.tsx';
import { CardPage } from './card-page.tsx';

/** Shown after a mail was sent: the server's message, and a back button. */
export function EmailSentCard({ text, onBack }: { text: string; onBack: () => void }) {
  const { t } = useTranslation();
  return (
    <CardPage>
      <CardOutcome icon={<MailCheck className="size-8" />} title={t('users:forgotDoneTitle')}>
        <p role="status" className="wrap-anywhere">
          {text}
        </p>
      </CardOutcome>
      <Button kind="primary" isWide onPress={onBack}>
        {t('users:backToSignIn')}
      </Button>
    </CardPage>
  );
}
