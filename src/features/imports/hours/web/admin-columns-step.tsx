import { type FormEvent, type ReactNode, useState } from 'react';
import { type MessageKey, useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { FilterPills } from '#web/ui/filter-pills.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Select } from '#web/ui/select.tsx';
import { COLUMNS, type DayOrder, type ImportColumn, type ImportPreview, type Layout } from '../contract.ts';
import type { Draft } from './import-draft.ts';

type ColumnsStepProps = {
  preview: ImportPreview;
  isBusy: boolean;
  message: ReactNode;
  onCheck: (part: Pick<Draft, 'columns' | 'dayOrder'>) => void;
};

/** The second step: assigns a use to each column and shows some of its cells. */
export function ColumnsStep({ preview, isBusy, message, onCheck }: ColumnsStepProps) {
  const { t, language } = useTranslation();
  const [uses, setUses] = useState(() => preview.columns.map(({ use }) => use));
  const [dayOrder, setDayOrder] = useState<DayOrder>(preview.dayOrder);
  // A column is identified by its position alone.
  const columns = preview.columns.map((column, at) => ({ ...column, at }));
  const missing = new Intl.ListFormat(language).format(
    preview.missing.map((column) => t(COLUMN_TEXTS[column])),
  );

  // Each use belongs to one column, so the column that had it before becomes unused.
  function choose(at: number, value: string) {
    const use = COLUMNS.find((column) => column === value) ?? null;
    setUses(uses.map((other, place) => (place === at ? use : other === use ? null : other)));
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    onCheck({ columns: uses, dayOrder });
  }

  return (
    <form noValidate className="flex flex-col gap-5" onSubmit={submit}>
      {preview.layout !== null && (
        <Notice>{t('hours:knownLayout', { product: PRODUCTS[preview.layout] })}</Notice>
      )}
      {preview.missing.length > 0 && <Notice>{t('hours:columnsMissing', { columns: missing })}</Notice>}
      <ul className="flex flex-col gap-3">
        {columns.map(({ title, samples, at }) => (
          <li
            key={at}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line first:border-t-0"
          >
            <div className="min-w-0 grow basis-40">
              <p className="font-medium wrap-anywhere">{title || t('hours:untitled', { number: at + 1 })}</p>
              <p className="text-sm wrap-anywhere text-soft">
                {samples.length === 0 ? t('hours:noSamples') : samples.join(' · ')}
              </p>
            </div>
            <div className="w-full sm:max-w-96">
              <Select
                name={`column-${at}`}
                label={t('hours:columnIs', {
                  title: title || t('hours:untitled', { number: at + 1 }),
                })}
                value={uses[at] ?? ''}
                onChange={(value) => choose(at, value)}
                prompt={t('hours:notUsed')}
                choices={COLUMNS.map((column) => ({ value: column, text: t(COLUMN_TEXTS[column]) }))}
              />
            </div>
          </li>
        ))}
      </ul>
      <div className="flex flex-col gap-1.5">
        <p className="font-medium">{t('hours:dayOrder')}</p>
        <FilterPills
          label={t('hours:dayOrder')}
          choices={[
            { value: 'month-first' as const, text: t('hours:monthFirst') },
            { value: 'day-first' as const, text: t('hours:dayFirst') },
          ]}
          value={dayOrder}
          onChange={setDayOrder}
        />
      </div>
      {message}
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" type="submit" isBusy={isBusy} busyText={t('hours:checking')}>
          {t('hours:next')}
        </Button>
      </div>
    </form>
  );
}

const PRODUCTS: Readonly<Record<Layout, string>> = {
  trackItForward: 'Track It Forward',
  betterImpact: 'Better Impact',
  x2vol: 'x2VOL',
};

const COLUMN_TEXTS: Readonly<Record<ImportColumn, MessageKey>> = {
  email: 'hours:columnEmail',
  name: 'hours:columnName',
  firstName: 'hours:columnFirstName',
  lastName: 'hours:columnLastName',
  activity: 'hours:columnActivity',
  date: 'hours:columnDate',
  hours: 'hours:columnHours',
  checkIn: 'hours:columnCheckIn',
  checkOut: 'hours:columnCheckOut',
  notes: 'hours:columnNotes',
  status: 'hours:columnStatus',
};
