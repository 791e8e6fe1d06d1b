import { useId } from 'react';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { usePageTitle } from '#web/ui/page-title.ts';

type FirstRunNoticeProps = { onFirstSteps: () => void; onAddSchool: () => void };

/** Shown to an administrator in a district without schools, where hours cannot be logged yet. */
export function FirstRunNotice({ onFirstSteps, onAddSchool }: FirstRunNoticeProps) {
  const { t } = useTranslation();
  const id = useId();
  usePageTitle(t('schools:setUp'));
  return (
    <Card labelledBy={id}>
      <div className="flex flex-col items-center gap-3 py-8 text-center text-balance">
        <h2 id={id} className="text-2xl font-semibold">
          {t('schools:setUp')}
        </h2>
        <p className="text-soft">{t('schools:noneYet')}</p>
        <div className="mt-2 flex flex-wrap justify-center gap-3">
          <Button kind="primary" onPress={onFirstSteps}>
            {t('schools:firstSteps')}
          </Button>
          <Button onPress={onAddSchool}>{t('schools:addFirst')}</Button>
        </div>
      </div>
    </Card>
  );
}
