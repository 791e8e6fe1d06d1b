import { MailCheck } from 'lucide-react';
import { useText } from '#web/lib/text.ts';
import { Button } from '#web/ui/button.tsx';
import { CardPage } from './card-page.tsx';
import { CardState } from './card-state.tsx';

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
