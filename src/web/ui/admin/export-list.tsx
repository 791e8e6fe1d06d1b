import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { LIST_FORMATS, type ListFormat } from '#shared/list-query.ts';
import { failureText } from '../../api/call.ts';
import { useTranslation } from '../../i18n/translate.ts';
import { Menu } from '../menu.tsx';
import { notify } from '../toasts.ts';

const TITLES = { csv: 'web:exportCsv', xlsx: 'web:exportExcel' } as const;

type ExportListProps = {
  /** Where it is shown. On phones the button is three dots, which fit next to a title. */
  on: 'phones' | 'wide';
  /** Exports the list with its filters and order. */
  onSave: (format: ListFormat) => Promise<void>;
};

/** The formats for exporting a list as a file. */
export function ExportList({ on, onSave }: ExportListProps) {
  const { t } = useTranslation();
  const saving = useMutation({
    mutationFn: onSave,
    onError: (error) => notify.failure(failureText(error)),
  });
  const actions = LIST_FORMATS.map((format) => ({
    key: format,
    title: t(TITLES[format]),
    onPress: () => saving.mutate(format),
  }));
  const icon = <Download aria-hidden="true" className="size-5" />;
  return on === 'phones' ? (
    <div className="sm:hidden">
      <Menu label={t('web:export')} isBusy={saving.isPending} actions={actions} />
    </div>
  ) : (
    <div className="max-sm:hidden">
      <Menu label={t('web:export')} icon={icon} isBusy={saving.isPending} actions={actions} />
    </div>
  );
}
