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

/** What an import would do, row by row, and the button that does it. */
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
        {t('users:importPreviewTitle')}
      </h3>
      <FigureStrip
        label={t('users:importPreviewTitle')}
        figures={[
          { name: t('users:importNew'), text: formatCount(counts.created, language) },
          { name: t('users:importGetSchool'), text: formatCount(counts.extended, language) },
          { name: t('users:importHere'), text: formatCount(counts.unchanged, language) },
          { name: t('users:importFaulty'), text: formatCount(counts.faulty, language) },
        ]}
      />
      {unusedColumns.length > 0 && (
        <Notice>{t('users:importUnused', { columns: unusedColumns.join(', ') })}</Notice>
      )}
      <div className="-mx-2 flex flex-col">
        {counts.faulty > 0 && (
          <Checkbox isSelected={leaveOutFaulty} onChange={setLeaveOutFaulty}>
            {t('users:importLeaveOut', { count: counts.faulty })}
          </Checkbox>
        )}
        {counts.created > 0 && (
          <Checkbox isSelected={sendMail} onChange={setSendMail}>
            {t('users:importMail')}
            <span className="block text-sm font-normal text-soft">
              {t('users:importMailHint', { days: IMPORT.linkDays })}
            </span>
          </Checkbox>
        )}
      </div>
      <FormMessage message={problem} />
      <div className="flex flex-wrap gap-2">
        {hasWork && (
          <Button kind="primary" isBusy={isBusy} busyText={t('users:importDoing')} onPress={() => void run()}>
            {t('users:importDo', { count: counts.created + counts.extended })}
          </Button>
        )}
        <Button onPress={onBack} isDisabled={isBusy}>
          {t('users:importBack')}
        </Button>
      </div>
      <DataTable
        label={t('users:importPreviewTitle')}
        isDense
        rows={rows.map((row) => ({ ...row, id: row.row }))}
        columns={[
          {
            key: 'person',
            title: t('users:importPerson'),
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
            title: t('users:importRow'),
            isNumber: true,
            cell: ({ row }) => formatCount(row, language),
          },
          {
            key: 'what',
            title: t('users:importWhat'),
            isPlain: true,
            cell: (row) => <WhatHappens row={row} text={text} />,
          },
        ]}
      />
      {rows.length < counts.rows && (
        <p className="text-soft">{t('users:importShownFirst', { count: rows.length, total: counts.rows })}</p>
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
    <span className="flex flex-col gap-1 py-1.5 max-sm:w-full">
      {row.outcome === 'created' && (
        <span className="wrap-anywhere">
          {schools === '' ? t('users:importWillCreateAlone') : t('users:importWillCreate', { schools })}
        </span>
      )}
      {row.outcome === 'extended' && (
        <span className="wrap-anywhere">{t('users:importWillExtend', { schools })}</span>
      )}
      {row.outcome === 'unchanged' && <span>{t('users:importStays')}</span>}
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
              : t('users:importProblemIn', { column: t(COLUMN_TEXTS[problem.column]), text: problem.text })}
          </span>
        </span>
      ))}
    </span>
  );
}

/** The heading takes the focus when the step comes, and so is read out. */
function focusOn(heading: HTMLElement | null) {
  heading?.focus();
}
