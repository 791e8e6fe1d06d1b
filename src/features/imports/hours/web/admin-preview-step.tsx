import { CircleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { formatDay } from '#shared/calendar-date.ts';
import { formatHours } from '#shared/hours.ts';
import type { Id } from '#shared/id.ts';
import { failureText } from '#web/api/call.ts';
import { formatCount } from '#web/i18n/count-text.ts';
import { type MessageKey, useTranslation } from '#web/i18n/translate.ts';
import { DataTable } from '#web/ui/admin/data-table.tsx';
import { SummaryFigures } from '#web/ui/admin/summary-figures.tsx';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { FilterPills } from '#web/ui/filter-pills.tsx';
import { FormMessage } from '#web/ui/notice.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { notify } from '#web/ui/toasts.ts';
import {
  IMPORT,
  type ImportOutcome,
  type ImportPreview,
  type ImportRow,
  OUTCOMES,
  type TimeEntryImport,
} from '../contract.ts';
import { useImport } from './admin-api.ts';
import { type Draft, toRequestBody } from './import-draft.ts';

type PreviewStepProps = {
  preview: ImportPreview;
  draft: Draft;
  schoolId: Id;
  /** Whether the preview is being updated. */
  isChecking: boolean;
  message: ReactNode;
  onCheck: (part: Pick<Draft, 'duplicates'>) => void;
  onDone: (made: TimeEntryImport) => void;
};

// Long because it is one form: the totals, four choices, the button, and the rows below.
/** The last step: a preview row by row, and the button that runs the import. */
export function PreviewStep(props: PreviewStepProps) {
  const { preview, draft, schoolId, isChecking, message, onCheck, onDone } = props;
  const { t, language } = useTranslation();
  const sending = useImport();
  const [isLeavingOut, setIsLeavingOut] = useState(false);
  const [areVerified, setAreVerified] = useState(false);
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<string>();
  const { counts } = preview;
  const open = counts.question + counts.problem;
  const isEverything = draft.duplicates === 'all';

  async function run() {
    if (sending.isPending) return;
    setProblem(undefined);
    try {
      const made = await sending.mutateAsync({
        ...toRequestBody(draft, schoolId),
        key: preview.key,
        leaveOutOpen: isLeavingOut,
        areVerified,
        ...(reason.trim() === '' ? {} : { reason }),
      });
      notify.success(made.message);
      onDone(made.timeEntryImport);
    } catch (error) {
      setProblem(failureText(error));
    }
  }

  return (
    <>
      <SummaryFigures
        label={t('hours:previewTitle')}
        figures={[
          { name: t('hours:figureEntries'), text: formatCount(counts.ready, language) },
          { name: t('hours:figureHours'), text: formatHours(preview.hours, language) },
          { name: t('hours:figurePeople'), text: formatCount(preview.people, language) },
          { name: t('hours:figureOpen'), text: formatCount(open, language) },
        ]}
      />
      {preview.firstDate !== null && preview.lastDate !== null && (
        <p className="text-soft">
          {preview.firstDate === preview.lastDate
            ? formatDay(preview.firstDate, language)
            : t('hours:fromTo', {
                from: formatDay(preview.firstDate, language),
                to: formatDay(preview.lastDate, language),
              })}
        </p>
      )}
      {preview.newActivities.length > 0 && (
        <p className="wrap-anywhere">
          {t('hours:newActivities', {
            names: new Intl.ListFormat(language).format(
              preview.newActivities.slice(0, 20).map(({ name }) => name),
            ),
            count: preview.newActivities.length,
          })}
        </p>
      )}
      <div className="-mx-2 flex flex-col">
        {open > 0 && (
          <Checkbox isSelected={isLeavingOut} onChange={setIsLeavingOut}>
            {t('hours:leaveOut', { count: open })}
          </Checkbox>
        )}
        {(counts.duplicate > 0 || draft.duplicates !== undefined) && (
          <Checkbox
            isSelected={isEverything}
            onChange={(isAll) => onCheck({ duplicates: isAll ? 'all' : undefined })}
          >
            {t('hours:takeDuplicates')}
            <span className="block text-sm font-normal text-soft">{t('hours:takeDuplicatesHint')}</span>
          </Checkbox>
        )}
        {preview.isVerifying && (
          <Checkbox isSelected={areVerified} onChange={setAreVerified}>
            {t('hours:areVerified')}
            <span className="block text-sm font-normal text-soft">{t('hours:areVerifiedHint')}</span>
          </Checkbox>
        )}
      </div>
      {preview.closed !== null && (
        <TextArea
          name="reason"
          label={t('hours:reason')}
          hint={preview.closed}
          value={reason}
          onChange={setReason}
          max={IMPORT.reason}
          isRequired
        />
      )}
      {message}
      <FormMessage message={problem} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {counts.ready > 0 ? (
          <Button
            kind="primary"
            isBusy={sending.isPending || isChecking}
            busyText={t(isChecking ? 'hours:checking' : 'hours:importing')}
            onPress={() => void run()}
          >
            {t('hours:import', { count: counts.ready })}
          </Button>
        ) : (
          <p className="font-medium">{t('hours:nothingReady')}</p>
        )}
      </div>
      <Rows preview={preview} draft={draft} onCheck={onCheck} />
    </>
  );
}

function Rows({ preview, draft, onCheck }: Pick<PreviewStepProps, 'preview' | 'draft' | 'onCheck'>) {
  const { t, language } = useTranslation();
  const { counts, rows } = preview;
  const filled = OUTCOMES.filter((outcome) => counts[outcome] > 0);
  const first = FIRST_SHOWN.find((outcome) => counts[outcome] > 0) ?? 'ready';
  const [selected, setSelected] = useState<ImportOutcome>(first);
  const shown = counts[selected] > 0 ? selected : first;
  const some = rows.filter(({ outcome }) => outcome === shown);
  const taken = Array.isArray(draft.duplicates) ? draft.duplicates : [];
  const hours = (row: ImportRow) => (row.hours === null ? '' : formatHours(row.hours, language));
  return (
    <div className="flex flex-col gap-3">
      <FilterPills
        label={t('hours:rows')}
        choices={filled.map((outcome) => ({
          value: outcome,
          text: `${t(OUTCOME_TEXTS[outcome])} ${formatCount(counts[outcome], language)}`,
        }))}
        value={shown}
        onChange={setSelected}
      />
      <DataTable
        label={t(OUTCOME_TEXTS[shown])}
        isDense
        rows={some.map((row) => ({ ...row, id: row.row }))}
        columns={[
          {
            key: 'person',
            title: t('hours:person'),
            isMain: true,
            cell: (row) => <span className="font-medium wrap-anywhere">{row.person}</span>,
          },
          {
            key: 'activity',
            title: t('hours:columnActivity'),
            cell: (row) => <span className="wrap-anywhere">{row.activity}</span>,
          },
          {
            key: 'date',
            title: t('hours:columnDate'),
            cell: (row) => (row.entryDate === null ? '' : formatDay(row.entryDate, language)),
          },
          { key: 'hours', title: t('hours:columnHours'), isNumber: true, cell: hours },
          {
            key: 'row',
            title: t('hours:row'),
            isNumber: true,
            cell: ({ row }) => formatCount(row, language),
          },
          {
            key: 'says',
            title: t('hours:note'),
            isPlain: true,
            cell: (row) => (
              <RowMessages
                row={row}
                onTake={
                  row.outcome === 'duplicate' ? () => onCheck({ duplicates: [...taken, row.row] }) : undefined
                }
              />
            ),
          },
        ]}
      />
      {some.length < counts[shown] && (
        <p className="text-soft">
          {t('hours:shownFirst', {
            shown: formatCount(some.length, language),
            count: counts[shown],
          })}
        </p>
      )}
    </div>
  );
}

function RowMessages({ row, onTake }: { row: ImportRow; onTake: (() => void) | undefined }) {
  const { t } = useTranslation();
  return (
    <span className="flex flex-col gap-1 py-1.5 @max-xl:w-full">
      {row.says.map((message) =>
        row.outcome === 'problem' ? (
          <span key={message} className="flex gap-1.5 font-medium wrap-anywhere text-danger">
            <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
            <span className="min-w-0">{message}</span>
          </span>
        ) : (
          <span key={message} className="text-sm wrap-anywhere text-soft">
            {message}
          </span>
        ),
      )}
      {onTake !== undefined && (
        <span>
          <Button kind="plain" onPress={onTake} label={t('hours:takeRow', { row: row.row })}>
            {t('hours:take')}
          </Button>
        </span>
      )}
    </span>
  );
}

// Rows that need attention come first.
const FIRST_SHOWN: readonly ImportOutcome[] = ['problem', 'question', 'duplicate', 'ready', 'leftOut'];

const OUTCOME_TEXTS: Readonly<Record<ImportOutcome, MessageKey>> = {
  ready: 'hours:outcomeReady',
  question: 'hours:outcomeQuestion',
  duplicate: 'hours:outcomeDuplicate',
  problem: 'hours:outcomeProblem',
  leftOut: 'hours:outcomeLeftOut',
};
