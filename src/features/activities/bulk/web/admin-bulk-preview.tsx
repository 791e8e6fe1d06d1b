import { CircleAlert, Pencil } from 'lucide-react';
import { useState } from 'react';
import { TranslatedNames } from '#features/schools/content-translations/web/admin-translation-fields.tsx';
import type { PublicSchool } from '#features/schools/contract.ts';
import { formatDay, isCalendarDate } from '#shared/calendar-date.ts';
import { failureText } from '#web/api/call.ts';
import { formatCount } from '#web/i18n/count-text.ts';
import { type Text, useTranslation } from '#web/i18n/translate.ts';
import { DataTable } from '#web/ui/admin/data-table.tsx';
import { SuggestField } from '#web/ui/admin/suggest-field.tsx';
import { SummaryFigures } from '#web/ui/admin/summary-figures.tsx';
import { Button, IconButton } from '#web/ui/button.tsx';
import { DateField } from '#web/ui/date-field.tsx';
import { focusHeading } from '#web/ui/focus-target.ts';
import { FormMessage, Notice } from '#web/ui/notice.tsx';
import { QueryStatus } from '#web/ui/query-error.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { useDebounced } from '#web/ui/use-debounced.ts';
import { LIMITS as CATEGORY_LIMITS } from '../../categories/contract.ts';
import { useCategories } from '../../categories/web/admin-api.ts';
import { LIMITS } from '../../contract.ts';
import { type BulkDone, type BulkRow, bulkMessages } from '../contract.ts';
import { useBulkPreview, useCreateMany } from './admin-api.ts';
import type { Draft } from './bulk-draft.ts';
import { type ListRow, toBulkActivity } from './pasted-activities.ts';

type DefaultCategoryProps = { schoolId: number; value: string; onChange: (value: string) => void };

/** The select for the category of rows that name none. */
export function DefaultCategory({ schoolId, value, onChange }: DefaultCategoryProps) {
  const { t } = useTranslation();
  const categories = useCategories(schoolId).data ?? [];
  return (
    <div className="sm:max-w-96">
      <SuggestField
        name="category"
        label={t('activities:severalCategory')}
        hint={t('activities:severalCategoryHint')}
        value={value}
        onChange={onChange}
        suggestions={categories.map(({ name }) => name)}
        maxLength={CATEGORY_LIMITS.name}
      />
    </div>
  );
}

type BulkPreviewStepProps = {
  school: PublicSchool;
  draft: Draft;
  rows: readonly ListRow[];
  onChange: (changes: Partial<Draft>) => void;
  onBack: () => void;
  onDone: (done: BulkDone) => void;
};

/** The preview step: the outcome of each row, fields to fix problems, and the button that adds all rows. */
export function BulkPreviewStep({ school, draft, rows, onChange, onBack, onDone }: BulkPreviewStepProps) {
  const { t, language } = useTranslation();
  const names = (useCategories(school.id).data ?? []).map(({ name }) => name);
  const [problem, setProblem] = useState<string>();
  const creating = useCreateMany();
  const written = JSON.stringify({
    schoolId: school.id,
    activities: rows.map((row) => toBulkActivity(row, draft.category)),
    ...(draft.looks.length === 0 ? {} : { categories: draft.looks }),
  });
  const rested = useDebounced(written);
  const preview = useBulkPreview(rested);
  const isCurrent = rested === written && !preview.isPlaceholderData;
  // After a row is removed, the last reply doesn't match the rows until the next one arrives.
  const shown = preview.data?.rows.length === rows.length ? preview.data : undefined;
  const outcomes = new Map(rows.map((row, at) => [row.id, shown?.rows[at]] as const));
  const count = (outcome: BulkRow['outcome']) =>
    shown?.rows.filter((row) => row.outcome === outcome).length ?? 0;

  async function create() {
    setProblem(undefined);
    try {
      onDone(await creating.mutateAsync(JSON.parse(written)));
    } catch (error) {
      setProblem(failureText(error));
      void preview.refetch();
    }
  }

  return (
    <div className="flex flex-col gap-4">
      <h3 ref={focusHeading} tabIndex={-1} className="text-xl font-semibold outline-none">
        {t('activities:severalPreview')}
      </h3>
      {shown !== undefined && (
        <SummaryFigures
          label={t('activities:severalPreview')}
          figures={[
            { name: t('activities:severalNew'), text: formatCount(count('new'), language) },
            { name: t('activities:severalHere'), text: formatCount(count('duplicate'), language) },
            { name: t('activities:severalFaulty'), text: formatCount(count('problem'), language) },
          ]}
        />
      )}
      {draft.unused.length > 0 && (
        <Notice>{t('activities:severalUnused', { columns: draft.unused.join(', ') })}</Notice>
      )}
      {shown !== undefined && shown.newCategories.length > 0 && (
        <p className="wrap-anywhere">
          {t('activities:severalNewCategories', {
            count: shown.newCategories.length,
            names: new Intl.ListFormat(language).format(shown.newCategories),
          })}
        </p>
      )}
      {rows.some(({ category }) => category.trim() === '') && (
        <DefaultCategory
          schoolId={school.id}
          value={draft.category}
          onChange={(category) => onChange({ category })}
        />
      )}
      <FormMessage message={problem} />
      <div className="flex flex-wrap items-center gap-2">
        <Button
          kind="primary"
          isBusy={creating.isPending || (!isCurrent && shown !== undefined)}
          busyText={creating.isPending ? t('activities:severalCreating') : t('activities:severalChecking')}
          isDisabled={shown === undefined || count('new') === 0 || count('problem') > 0}
          onPress={() => void create()}
        >
          {count('new') === 0
            ? t('activities:severalNothing')
            : t('activities:severalCreate', { count: count('new') })}
        </Button>
        <Button onPress={onBack} isDisabled={creating.isPending}>
          {t('activities:severalChange')}
        </Button>
        {count('problem') > 0 && (
          <p role="status" className="text-soft">
            {t('activities:bulkHasProblems', { count: count('problem') })}
          </p>
        )}
      </div>
      <QueryStatus text={bulkMessages.failedToCheck} query={preview} rows={6} />
      {preview.data !== undefined && (
        <Rows
          rows={rows}
          outcomes={outcomes}
          category={draft.category}
          categories={names}
          onChange={(next) => onChange({ rows: next })}
        />
      )}
    </div>
  );
}

type RowsProps = {
  rows: readonly ListRow[];
  /** The outcome of each row by its id; undefined until the server replies. */
  outcomes: ReadonlyMap<number, BulkRow | undefined>;
  /** The category for rows that name none. */
  category: string;
  categories: readonly string[];
  onChange: (rows: readonly ListRow[]) => void;
};

function Rows({ rows, outcomes, category, categories, onChange }: RowsProps) {
  const text = useTranslation();
  const { t } = text;
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const open = (id: number, isOpen: boolean) => {
    const next = new Set(opened);
    if (isOpen) next.add(id);
    else next.delete(id);
    setOpened(next);
  };

  return (
    <DataTable
      label={t('activities:severalPreview')}
      isDense
      rows={rows}
      instead={(row) =>
        opened.has(row.id) || outcomes.get(row.id)?.outcome === 'problem' ? (
          <RowEditor
            row={row}
            categories={categories}
            outcome={outcomes.get(row.id)}
            onChange={(changes) => {
              open(row.id, true);
              onChange(rows.map((one) => (one.id === row.id ? { ...one, ...changes } : one)));
            }}
            onRemove={() => onChange(rows.filter(({ id }) => id !== row.id))}
            onClose={() => open(row.id, false)}
          />
        ) : undefined
      }
      columns={[
        {
          key: 'name',
          title: t('activities:name'),
          isMain: true,
          cell: ({ name, more }) => (
            <>
              <span className="font-medium wrap-anywhere">{name}</span>
              <TranslatedNames row={{ name, translations: more?.translations ?? null }} />
            </>
          ),
        },
        {
          key: 'category',
          title: t('activities:category'),
          isPlain: true,
          cell: ({ category: own }) => <span className="wrap-anywhere">{own.trim() || category}</span>,
        },
        {
          key: 'dates',
          title: t('activities:dates'),
          isPlain: true,
          cell: (row) => <span className="figures">{datesOf(row, text)}</span>,
        },
        {
          key: 'what',
          title: t('activities:severalWhat'),
          isPlain: true,
          cell: ({ id }) => <OutcomeCell outcome={outcomes.get(id)} />,
        },
        {
          key: 'edit',
          title: t('activities:severalEdit'),
          isAction: true,
          cell: (row) => (
            <IconButton
              label={t('activities:severalEditOne', { name: row.name })}
              icon={<Pencil aria-hidden="true" className="size-5" />}
              onPress={() => open(row.id, true)}
            />
          ),
        },
      ]}
    />
  );
}

type RowEditorProps = {
  row: ListRow;
  categories: readonly string[];
  outcome: BulkRow | undefined;
  onChange: (changes: Partial<ListRow>) => void;
  onRemove: () => void;
  onClose: () => void;
};

function RowEditor({ row, categories, outcome, onChange, onRemove, onClose }: RowEditorProps) {
  const { t } = useTranslation();
  const problems = outcome?.problems ?? [];
  const errorOf = (field: string, written = '') => {
    const error = problems.find((problem) => problem.field === field)?.text;
    if (error === undefined) return {};
    // A date field can't show text that is not a date.
    const isShown = written === '' || isCalendarDate(written);
    return { error: isShown ? error : t('activities:severalNoDay', { written, error }) };
  };
  const others = problems.filter(({ field }) => !EDITABLE_FIELDS.includes(field));
  return (
    <div className="flex flex-col gap-3 py-3">
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
        <TextField
          name={`name-${row.id}`}
          label={t('activities:name')}
          value={row.name}
          onChange={(name) => onChange({ name })}
          maxLength={LIMITS.name}
          autoComplete="off"
          {...errorOf('name')}
        />
        <SuggestField
          name={`category-${row.id}`}
          label={t('activities:category')}
          value={row.category}
          onChange={(category) => onChange({ category })}
          suggestions={categories}
          maxLength={CATEGORY_LIMITS.name}
          {...errorOf('category')}
        />
        <DateField
          name={`from-${row.id}`}
          label={t('activities:startDate')}
          value={dayOf(row.from)}
          onChange={(from) => onChange(from === '' ? { from, until: '' } : { from })}
          {...errorOf('activeFrom', row.from)}
        />
        <DateField
          name={`until-${row.id}`}
          label={t('activities:endDate')}
          value={dayOf(row.until)}
          onChange={(until) => onChange({ until })}
          {...errorOf('activeUntil', row.until)}
        />
      </div>
      {others.map(({ field, text }) => (
        <p key={field} className="font-medium text-danger">
          {text}
        </p>
      ))}
      <div className="flex flex-wrap items-center gap-2">
        {problems.length === 0 && <Button onPress={onClose}>{t('activities:severalClose')}</Button>}
        <Button label={t('activities:severalRemoveOne', { name: row.name })} onPress={onRemove}>
          {t('activities:severalRemove')}
        </Button>
        <OutcomeCell outcome={outcome?.outcome === 'problem' ? undefined : outcome} />
      </div>
    </div>
  );
}

const EDITABLE_FIELDS: readonly string[] = ['name', 'category', 'activeFrom', 'activeUntil'];

const dayOf = (written: string) => (isCalendarDate(written) ? written : '');

function OutcomeCell({ outcome }: { outcome: BulkRow | undefined }) {
  const { t } = useTranslation();
  if (outcome === undefined) return null;
  if (outcome.outcome === 'new') return <span>{t('activities:severalWillCreate')}</span>;
  if (outcome.outcome === 'duplicate') {
    return <span className="text-soft">{t('activities:severalLeftOut', { note: outcome.note ?? '' })}</span>;
  }
  return <CircleAlert aria-hidden="true" className="size-4 text-danger" />;
}

function datesOf({ from, until }: ListRow, { t, language }: Text): string {
  const day = (text: string) => (isCalendarDate(text) ? formatDay(text, language) : text);
  if (from === '') return t('activities:yearLongShort');
  if (until === '' || until === from) return day(from);
  return t('activities:fromTo', { from: day(from), to: day(until) });
}
