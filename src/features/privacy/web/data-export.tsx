import { useState } from 'react';
import { failureText } from '#web/api/call.ts';
import { download } from '#web/api/download.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { FormMessage } from '#web/ui/notice.tsx';
import { downloadPersonalData } from '../contract.ts';

type Format = 'json' | 'csv';

/** Downloads everything stored about the viewer as JSON, or the time entries as CSV. */
export function DataExport() {
  const { t } = useTranslation();
  const [busy, setBusy] = useState<Format>();
  const [problem, setProblem] = useState<string>();
  async function save(format: Format) {
    setBusy(format);
    setProblem(undefined);
    try {
      await download(`my-volunteer-data.${format}`, downloadPersonalData, { query: { format } });
    } catch (error) {
      setProblem(failureText(error));
    }
    setBusy(undefined);
  }
  return (
    <div className="flex flex-col gap-2">
      <div>
        <h4 className="font-medium">{t('privacy:dataTitle')}</h4>
        <p className="text-sm text-soft">{t('privacy:dataHelp')}</p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button onPress={() => void save('json')} isBusy={busy === 'json'}>
          {t('privacy:downloadJson')}
        </Button>
        <Button onPress={() => void save('csv')} isBusy={busy === 'csv'}>
          {t('privacy:downloadCsv')}
        </Button>
      </div>
      <FormMessage message={problem} />
    </div>
  );
}
