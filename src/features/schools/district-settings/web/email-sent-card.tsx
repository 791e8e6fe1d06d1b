import { MailCheck } from 'lucide-react';
import { useText } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { CardState } from './card-outcome.tsx';
import { CardPage } from './card-page.tsx';

/** Shown after a mail was sent: the server's message, and a back button. */
export function MailedCard({ text, onBack }: { text: string; onBack: () => void }) {
  const { t } = useText();
  return (
    <CardPage>
      <CardState icon={<MailCheck className="size-8" />} title={t('users:forgotDoneTitle')}>
        <p role="status" className="wrap-anywhere">
          {text}
        </p>
      </CardState>
      <Button kind="primary" isWide onPress={onBack}>
        {t('users:backToSignIn')}
      </Button>
    </CardPage>
  );
}
