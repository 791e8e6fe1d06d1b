import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { failureText } from '#web/lib/call.ts';
import { formatCount } from '#web/lib/counted.ts';
import { type Text, type TextKey, useText } from '#web/lib/text.ts';
import { DataTable } from '#web/ui/admin/data-table.tsx';
import { FigureStrip } from '#web/ui/admin/figure-strip.tsx';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { FormMessage, Notice } from '#web/ui/notice.tsx';
import { IMPORT, type ImportColumn, type ImportPreview, type ImportRow } from '../contract.ts';

type ImportPreviewStepProps = {
  preview: ImportPreview;
  onBack: () => void;
  onImport: (choices: { leaveOutFaulty: boolean; sendMail: boolean }, key: string) => Promise<void>;
};

/** A preview of the import, row by row, with the button that runs it. */
export function ImportPreviewStep({ preview, onBack, onImport }: ImportPreviewStepProps) {
  const text = useText();
  const { t, language } = text;
  const [leaveOutFaulty, setLeaveOutFaulty] = useState(false);
  const [sendMail, setSendMail] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const { counts, rows, unusedColumns } = preview;
  const hasWork = counts.created + counts.extended > 0;

  async function run() {
    if (isBusy) return;
    setIsBusy(true);
    setProblem(undefined);
    try {
      await onImport({ leaveOutFaulty, sendMail }, preview.key);
    } catch (error) {
      setProblem(failureText(error));
      setIsBusy(false);
    }
  }

  return (
    <div className="flex flex-col gap-4">
      <h3 ref={focusOn} tabIndex={-1} className="text-xl font-semibold outline-none">
        {t('user-imports:previewTitle')}
      </h3>
      <FigureStrip
        label={t('user-imports:previewTitle')}
        figures={[
          { name: t('user-imports:new'), text: formatCount(counts.created, language) },
          { name: t('user-imports:getSchool'), text: formatCount(counts.extended, language) },
          { name: t('user-imports:here'), text: formatCount(counts.unchanged, language) },
          { name: t('user-imports:faulty'), text: formatCount(counts.faulty, language) },
        ]}
      />
      {unusedColumns.length > 0 && (
        <Notice>{t('user-imports:unused', { columns: unusedColumns.join(', ') })}</Notice>
      )}
      <div className="-mx-2 flex flex-col">
        {counts.faulty > 0 && (
          <Checkbox isSelected={leaveOutFaulty} onChange={setLeaveOutFaulty}>
            {t('user-imports:leaveOut', { count: counts.faulty })}
          </Checkbox>
        )}
        {counts.created > 0 && (
          <Checkbox isSelected={sendMail} onChange={setSendMail}>
            {t('user-imports:sendLinks')}
            <span className="block text-sm font-normal text-soft">
              {t('user-imports:sendLinksHint', { days: IMPORT.linkDays })}
            </span>
          </Checkbox>
        )}
      </div>
      <FormMessage message={problem} />
      <div className="flex flex-wrap gap-2">
        {hasWork && (
          <Button
            kind="primary"
            isBusy={isBusy}
            busyText={t('user-imports:doing')}
            onPress={() => void run()}
          >
            {t('user-imports:do', { count: counts.created + counts.extended })}
          </Button>
        )}
        <Button onPress={onBack} isDisabled={isBusy}>
          {t('user-imports:back')}
        </Button>
      </div>
      <DataTable
        label={t('user-imports:previewTitle')}
        isDense
        rows={rows.map((row) => ({ ...row, id: row.row }))}
        columns={[
          {
            key: 'person',
            title: t('user-imports:person'),
            isMain: true,
            cell: ({ name, email }) => (
              <span className="flex flex-col py-1.5">
                <span className="font-medium wrap-anywhere">{name}</span>
                <span className="wrap-anywhere text-soft">{email}</span>
              </span>
            ),
          },
          {
            key: 'row',
            title: t('user-imports:row'),
            isNumber: true,
            cell: ({ row }) => formatCount(row, language),
          },
          {
            key: 'what',
            title: t('user-imports:what'),
            isPlain: true,
            cell: (row) => <WhatHappens row={row} text={text} />,
          },
        ]}
      />
      {rows.length < counts.rows && (
        <p className="text-soft">
          {t('user-imports:shownFirst', { count: rows.length, total: counts.rows })}
        </p>
      )}
    </div>
  );
}

const COLUMN_TEXTS: Readonly<Record<ImportColumn, TextKey>> = {
  firstName: 'users:firstName',
  lastName: 'users:lastName',
  email: 'users:email',
  role: 'users:role',
  schools: 'users:schools',
};

function WhatHappens({ row, text: { t, language } }: { row: ImportRow; text: Text }) {
  const schools = new Intl.ListFormat(language).format(row.schools);
  return (
    <span className="flex flex-col gap-1 py-1.5 @max-xl:w-full">
      {row.outcome === 'created' && (
        <span className="wrap-anywhere">
          {schools === '' ? t('user-imports:willCreateAlone') : t('user-imports:willCreate', { schools })}
        </span>
      )}
      {row.outcome === 'extended' && (
        <span className="wrap-anywhere">{t('user-imports:willExtend', { schools })}</span>
      )}
      {row.outcome === 'unchanged' && <span>{t('user-imports:stays')}</span>}
      {row.notes.map((note) => (
        <span key={note} className="text-sm wrap-anywhere text-soft">
          {note}
        </span>
      ))}
      {row.problems.map((problem) => (
        <span
          key={`${problem.column} ${problem.text}`}
          className="flex gap-1.5 font-medium wrap-anywhere text-danger"
        >
          <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0">
            {problem.column === null
              ? problem.text
              : t('user-imports:problemIn', { column: t(COLUMN_TEXTS[problem.column]), text: problem.text })}
          </span>
        </span>
      ))}
    </span>
  );
}

/** The heading takes the focus when the step appears, so that screen readers read it out. */
function focusOn(heading: HTMLElement | null) {
  heading?.focus();
}
