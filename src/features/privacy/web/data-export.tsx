import { useMutation } from '@tanstack/react-query';
import { failureText } from '#web/api/call.ts';
import { download } from '#web/api/download.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { FormMessage } from '#web/ui/notice.tsx';
import { downloadPersonalData } from '../contract.ts';

/** Downloads everything stored about the viewer as JSON, or the time entries as CSV. */
export function DataExport() {
  const { t } = useTranslation();
  const save = useMutation({
    mutationFn: (format: 'json' | 'csv') =>
      download(`my-volunteer-data.${format}`, downloadPersonalData, { query: { format } }),
  });
  const busy = save.isPending ? save.variables : undefined;
  return (
    <div className="flex flex-col gap-2">
      <div>
        <h4 className="font-medium">{t('privacy:dataTitle')}</h4>
        <p className="text-sm text-soft">{t('privacy:dataHelp')}</p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button onPress={() => save.mutate('json')} isBusy={busy === 'json'}>
          {t('privacy:downloadJson')}
        </Button>
        <Button onPress={() => save.mutate('csv')} isBusy={busy === 'csv'}>
          {t('privacy:downloadCsv')}
        </Button>
      </div>
      <FormMessage message={save.isError ? failureText(save.error) : undefined} />
    </div>
  );
}
