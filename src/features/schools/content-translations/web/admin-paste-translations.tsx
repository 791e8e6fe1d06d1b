import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import type { OtherLanguage } from '#shared/content-translations.ts';
import { foldForSearch, normalizeText } from '#shared/text-normalization.ts';
import { failureText } from '#web/api/call.ts';
import { useAdminChange } from '#web/api/list-cache.ts';
import { cellsOf } from '#web/forms/pasted-cells.ts';
import { formatCount } from '#web/i18n/count-text.ts';
import { languageName, OWN_NAMES } from '#web/i18n/language.ts';
import { type Text, useTranslation } from '#web/i18n/translate.ts';
import { ListFileButton } from '#web/ui/admin/admin-file-button.tsx';
import { DataTable } from '#web/ui/admin/data-table.tsx';
import { listTitle } from '#web/ui/admin/list-focus-targets.ts';
import { ListTitle } from '#web/ui/admin/list-page.tsx';
import { SummaryFigures } from '#web/ui/admin/summary-figures.tsx';
import { Button } from '#web/ui/button.tsx';
import { focusHeading } from '#web/ui/focus-target.ts';
import { FormMessage, Notice } from '#web/ui/notice.tsx';
import { QueryStatus } from '#web/ui/query-error.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { notify } from '#web/ui/toasts.ts';
import { useBackCloses } from '#web/ui/use-back-closes.ts';
import { NAME_LIST, type NameRow, nameListMessages } from '../contract.ts';
import type { TranslatableList } from './translatable-list.ts';
import { readTranslationDraft, saveTranslationDraft } from './translation-draft.ts';

/** A line of a pasted list: a name and its translation. */
export type PastedTranslation = Readonly<{ name: string; translation: string }>;

/** The accepted column titles in the page's language. */
export type TranslationHeaders = Readonly<{ name: readonly string[]; translation: readonly string[] }>;

/**
 * Parses pasted text: the columns that a header line names, or else the first two, of a spreadsheet (tabs) or CSV file. The
 * header line is not a row.
 */
export function parsePastedTranslations(text: string, heads: TranslationHeaders): PastedTranslation[] {
  const rows = parseRows(text.replace(/^\uFEFF/, ''));
  const [first = []] = rows;
  const at = (some: readonly string[]) =>
    first.findIndex((cell) => some.some((head) => foldForSearch(head) === foldForSearch(cell)));
  const [name, translation] = [at(heads.name), at(heads.translation)];
  const hasHeads = name !== -1 && translation !== -1;
  const cell = (cells: readonly string[], column: number) => normalizeText(cells[column] ?? '');
  return rows.slice(hasHeads ? 1 : 0).map((cells) => ({
    name: cell(cells, hasHeads ? name : 0),
    translation: cell(cells, hasHeads ? translation : 1),
  }));
}

/** Formats the rows as text for a spreadsheet. */
export function formatForPasting(names: readonly PastedTranslation[]): string {
  return names.map(({ name, translation }) => `${name}\t${translation}`).join('\n');
}

// Names may contain commas, so a comma separates columns only if the first line has exactly one.
function parseRows(text: string): string[][] {
  if (text.includes('\t')) return cellsOf(text, '\t');
  const [first = ''] = text.trimStart().split(/\r\n|\r|\n/);
  const delimiter = [';', ','].find((sign) => cellsOf(first, sign)[0]?.length === 2);
  return cellsOf(text, delimiter ?? '\t');
}

/** Maximum length of a pasted list: 500 lines of two long names. */
const MAX_CHARACTERS = 200_000;

type PasteNamesProps = { list: TranslatableList; language: OtherLanguage; onClose: () => void };

/** The screen for pasting translated names of existing records: first the list, then a preview of its effect. */
export function PasteTranslations({ list, language, onClose }: PasteNamesProps) {
  const text = useTranslation();
  const { t } = text;
  const id = useId();
  const of = { kind: list.kind, schoolId: list.schoolId, language };
  const [pasted, setPasted] = useState(() => readTranslationDraft(of).text);
  const [checked, setChecked] = useState<readonly PastedTranslation[]>();
  const [left, setLeft] = useState(0);
  useBackCloses(true, onClose, 'part');
  function change(next: string) {
    setPasted(next);
    saveTranslationDraft(of, { text: next });
  }
  function back() {
    setChecked(undefined);
    setTimeout(listTitle.focus);
  }
  function finish(message: string, rest: readonly PastedTranslation[]) {
    notify.success(message);
    change(formatForPasting(rest));
    if (rest.length === 0) return onClose();
    setLeft(rest.length);
    back();
  }
  return (
    <section aria-labelledby={id} className="flex flex-col gap-5">
      <ListTitle
        id={id}
        title={t('district-settings:namesTitle', { language: languageName(language, text) })}
        aside={<Button onPress={onClose}>{t('district-settings:namesBack')}</Button>}
      />
      {checked === undefined ? (
        <ListStep
          list={list}
          language={language}
          pasted={pasted}
          left={left}
          onChange={change}
          onCheck={setChecked}
        />
      ) : (
        <Preview list={list} language={language} names={checked} onBack={back} onDone={finish} />
      )}
    </section>
  );
}

type ListStepProps = {
  list: TranslatableList;
  language: OtherLanguage;
  pasted: string;
  /** The number of lines that could not be saved and are still in the list. */
  left: number;
  onChange: (pasted: string) => void;
  onCheck: (names: readonly PastedTranslation[]) => void;
};

function ListStep({ list, language, pasted, left, onChange, onCheck }: ListStepProps) {
  const text = useTranslation();
  const { t, say } = text;
  const [problem, setProblem] = useState<string>();
  const [isFilling, setIsFilling] = useState(false);
  const languageLabel = languageName(language, text);

  function check(written: string) {
    const names = parsePastedTranslations(written, listHeaders(list, language, text));
    if (names.length === 0) return setProblem(say(nameListMessages.noneGiven));
    if (names.length > NAME_LIST.most) return setProblem(say(nameListMessages.tooMany));
    onChange(written);
    onCheck(names);
  }

  function choose(written: string) {
    if (written.length > MAX_CHARACTERS) setProblem(say(nameListMessages.tooMany));
    else check(written);
  }

  // Added below the existing text, so that nothing typed is lost.
  async function fill() {
    setIsFilling(true);
    try {
      const { names } = await list.missing(language, NAME_LIST.most, new AbortController().signal);
      const have = new Set(
        parsePastedTranslations(pasted, listHeaders(list, language, text)).map(({ name }) => name),
      );
      const missing = [...new Set(names)].filter((name) => !have.has(name));
      const lines = missing.map((name) => ({ name, translation: '' }));
      onChange([pasted.trimEnd(), formatForPasting(lines)].filter((part) => part !== '').join('\n'));
    } catch (error) {
      setProblem(failureText(error));
    } finally {
      setIsFilling(false);
    }
  }

  function send(event: FormEvent) {
    event.preventDefault();
    check(pasted);
  }

  return (
    <form
      noValidate
      className="flex flex-col gap-5 rounded-card border border-line bg-card p-5 sm:p-6"
      onSubmit={send}
    >
      {left > 0 && <Notice>{t('district-settings:namesRest', { count: left })}</Notice>}
      <TextArea
        name="names"
        label={t('district-settings:namesPaste')}
        hint={t('district-settings:namesHint', { language: languageLabel })}
        value={pasted}
        onChange={(next) => {
          onChange(next);
          setProblem(undefined);
        }}
        max={MAX_CHARACTERS}
        isTall
      />
      {list.kind !== 'schools' && list.schoolId === undefined && (
        <p className="text-soft">{t('district-settings:namesEverywhere')}</p>
      )}
      <FormMessage message={problem} />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button kind="primary" type="submit">
          {t('district-settings:namesCheck')}
        </Button>
        <Button isBusy={isFilling} onPress={() => void fill()}>
          {t('district-settings:namesFill')}
        </Button>
        <ListFileButton onText={choose}>{t('district-settings:namesFile')}</ListFileButton>
      </div>
      <p className="text-soft">{t('district-settings:namesNothingYet')}</p>
    </form>
  );
}

// The titles that a header line may use.
function listHeaders({ nameHead }: TranslatableList, language: OtherLanguage, text: Text) {
  const languageLabel = languageName(language, text);
  const whole = text.t('web:fieldInLanguage', { field: nameHead, language: languageLabel });
  return { name: [nameHead, 'name'], translation: [whole, languageLabel, OWN_NAMES[language], language] };
}

type PreviewProps = {
  list: TranslatableList;
  language: OtherLanguage;
  names: readonly PastedTranslation[];
  onBack: () => void;
  /** Called after saving, with the lines that failed. */
  onDone: (message: string, rest: readonly PastedTranslation[]) => void;
};

function Preview({ list, language, names, onBack, onDone }: PreviewProps) {
  const { t } = useTranslation();
  const [problem, setProblem] = useState<string>();
  const body = { language, names: [...names] };
  const preview = useQuery({
    queryKey: ['admin', list.kind, 'names-preview', list.schoolId, body],
    queryFn: ({ signal }) => list.send({ ...body, preview: true }, signal).then(({ rows }) => rows),
  });
  const saving = useAdminChange(async () => {
    const done = await list.send(body);
    if (!('message' in done)) throw new Error('the server returned a preview instead of saving');
    return done;
  });
  const rows = preview.data;
  const count = rows === undefined ? 0 : rows.filter(isSaved).length;

  async function save() {
    setProblem(undefined);
    try {
      const { message, rows: found } = await saving.mutateAsync(undefined);
      onDone(message, found.filter(isUnresolved));
    } catch (error) {
      setProblem(failureText(error));
      void preview.refetch();
    }
  }

  return (
    <div className="flex flex-col gap-4">
      <h3 ref={focusHeading} tabIndex={-1} className="text-xl font-semibold outline-none">
        {t('district-settings:namesPreview')}
      </h3>
      {rows !== undefined && <OutcomeSummary rows={rows} />}
      <FormMessage message={problem} />
      <div className="flex flex-wrap items-center gap-2">
        <Button kind="primary" isBusy={saving.isPending} isDisabled={count === 0} onPress={() => void save()}>
          {count === 0 ? t('district-settings:namesNothing') : t('district-settings:namesSave', { count })}
        </Button>
        <Button onPress={onBack} isDisabled={saving.isPending}>
          {t('district-settings:namesChange')}
        </Button>
      </div>
      <QueryStatus text={nameListMessages.failedToCheck} query={preview} rows={6} />
      {rows !== undefined && <OutcomeTable rows={rows} language={language} />}
    </div>
  );
}

const isSaved = ({ outcome }: NameRow) => outcome === 'new' || outcome === 'changed';
const isUnresolved = ({ outcome }: NameRow) => outcome === 'unknown' || outcome === 'problem';

function OutcomeSummary({ rows }: { rows: readonly NameRow[] }) {
  const { t, language } = useTranslation();
  const number = (isOf: (row: NameRow) => boolean) => formatCount(rows.filter(isOf).length, language);
  return (
    <SummaryFigures
      label={t('district-settings:namesPreview')}
      figures={[
        { name: t('district-settings:namesFigureSaved'), text: number(isSaved) },
        { name: t('district-settings:namesFigureSame'), text: number(({ outcome }) => outcome === 'same') },
        { name: t('district-settings:namesFigureLeft'), text: number(isUnresolved) },
      ]}
    />
  );
}

function OutcomeTable({ rows, language }: { rows: readonly NameRow[]; language: OtherLanguage }) {
  const text = useTranslation();
  const { t } = text;
  return (
    <DataTable
      label={t('district-settings:namesPreview')}
      isDense
      // Rows that need attention are listed first.
      rows={rows
        .map((row) => ({ ...row, id: row.row }))
        .toSorted((a, b) => Number(isUnresolved(b)) - Number(isUnresolved(a)))}
      columns={[
        {
          key: 'name',
          title: t('district-settings:namesFirst'),
          isMain: true,
          cell: ({ name }) => <span className="font-medium wrap-anywhere">{name}</span>,
        },
        {
          key: 'translation',
          title: t('district-settings:namesTitle', { language: languageName(language, text) }),
          isPlain: true,
          cell: ({ translation }) => (
            <span lang={language} className="wrap-anywhere">
              {translation}
            </span>
          ),
        },
        {
          key: 'what',
          title: t('district-settings:namesWhat'),
          isPlain: true,
          cell: (row) => (
            <span className={isUnresolved(row) ? 'font-medium text-danger' : 'text-soft'}>
              {describeOutcome(row, text)}
            </span>
          ),
        },
      ]}
    />
  );
}

function describeOutcome({ outcome, note, before, records }: NameRow, { t }: Text): string {
  if (note !== null) return note;
  if (outcome === 'unknown') return t('district-settings:namesUnknown');
  if (outcome === 'same' || outcome === 'problem') return t('district-settings:namesSame');
  const what =
    before === null ? t('district-settings:namesNew') : t('district-settings:namesReplaces', { before });
  return records > 1 ? `${what} · ${t('district-settings:namesAt', { count: records })}` : what;
}
