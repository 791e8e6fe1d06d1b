import '../volunteer-messages.ts';
import { RotateCw, WifiOff } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { usePageTitle } from '#web/ui/page-title.ts';

/** How often it retries by itself. */
const TRYING_MS = 10_000;

/** Shown to a signed-in user if the page opens without a network. It retries by itself. */
export function NoConnection({ onRetry, isRetrying }: { onRetry: () => void; isRetrying: boolean }) {
  const { t } = useTranslation();
  usePageTitle(t('web:noSignal'));
  const retry = useEffectEvent(onRetry);
  useEffect(() => {
    const isBack = () => retry();
    addEventListener('online', isBack);
    // A browser does not detect every restored network.
    const timer = setInterval(isBack, TRYING_MS);
    return () => {
      removeEventListener('online', isBack);
      clearInterval(timer);
    };
  }, []);
  return (
    <section role="status" className="flex flex-col items-center gap-3 text-center">
      <WifiOff aria-hidden="true" className="size-8 text-soft" />
      <h2 className="text-xl font-semibold">{t('web:noSignal')}</h2>
      <p className="text-soft">{t('web:noSignalHint')}</p>
      <Button onPress={onRetry} isBusy={isRetrying} icon={<RotateCw aria-hidden="true" className="size-4" />}>
        {t('web:tryAgain')}
      </Button>
    </section>
  );
}
