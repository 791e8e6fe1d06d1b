import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { failureText } from '#web/api/call.ts';
import { formatCount } from '#web/i18n/count-text.ts';
import { type MessageKey, type Text, useTranslation } from '#web/i18n/translate.ts';
import { DataTable } from '#web/ui/admin/data-table.tsx';
import { SummaryFigures } from '#web/ui/admin/summary-figures.tsx';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { focusHeading } from '#web/ui/focus-target.ts';
import { FormMessage, Notice } from '#web/ui/notice.tsx';
import { IMPORT, type ImportColumn, type ImportPreview, type ImportRow } from '../contract.ts';

type ImportPreviewStepProps = {
  preview: ImportPreview;
  /** Whether to add people with unproven addresses too. */
  unconfirmed: boolean;
  onUnconfirmed: (isWanted: boolean) => Promise<void>;
  onBack: () => void;
  onImport: (choices: { leaveOutFaulty: boolean; sendMail: boolean }, key: string) => Promise<void>;
};

/** A preview of the import, row by row, with the button that runs it. */
export function ImportPreviewStep(props: ImportPreviewStepProps) {
  const { preview, unconfirmed, onUnconfirmed, onBack, onImport } = props;
  const text = useTranslation();
  const { t, language } = text;
  const [leaveOutFaulty, setLeaveOutFaulty] = useState(false);
  const [sendMail, setSendMail] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const { counts, rows, unusedColumns } = preview;
  const done = counts.created + counts.extended + counts.invited;

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

  async function addUnconfirmed(isWanted: boolean) {
    setProblem(undefined);
    await onUnconfirmed(isWanted).catch((error: unknown) => setProblem(failureText(error)));
  }

  return (
    <div className="flex flex-col gap-4">
      <h3 ref={focusHeading} tabIndex={-1} className="text-xl font-semibold outline-none">
        {t('people:previewTitle')}
      </h3>
      <SummaryFigures label={t('people:previewTitle')} figures={figuresOf(counts, text)} />
      {unusedColumns.length > 0 && (
        <Notice>{t('people:unused', { columns: unusedColumns.join(', ') })}</Notice>
      )}
      <div className="-mx-2 flex flex-col">
        {counts.faulty > 0 && (
          <Checkbox isSelected={leaveOutFaulty} onChange={setLeaveOutFaulty}>
            {t('people:leaveOut', { count: counts.faulty })}
          </Checkbox>
        )}
        {(counts.waiting > 0 || unconfirmed) && (
          <Checkbox isSelected={unconfirmed} onChange={(isWanted) => void addUnconfirmed(isWanted)}>
            {t('people:letIn')}
          </Checkbox>
        )}
        {counts.created > 0 && (
          <Checkbox isSelected={sendMail} onChange={setSendMail}>
            {t('people:sendLinks')}
            <span className="block text-sm font-normal text-soft">
              {t('people:sendLinksHint', { days: IMPORT.linkDays })}
            </span>
          </Checkbox>
        )}
      </div>
      <FormMessage message={problem} />
      <div className="flex flex-wrap gap-2">
        {done > 0 && (
          <Button kind="primary" isBusy={isBusy} busyText={t('people:doing')} onPress={() => void run()}>
            {t('people:do', { count: done })}
          </Button>
        )}
        <Button onPress={onBack} isDisabled={isBusy}>
          {t('people:back')}
        </Button>
      </div>
      <DataTable
        label={t('people:previewTitle')}
        isDense
        rows={rows.map((row) => ({ ...row, id: row.row }))}
        columns={[
          {
            key: 'person',
            title: t('people:person'),
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
            title: t('people:row'),
            isNumber: true,
            cell: ({ row }) => formatCount(row, language),
          },
          {
            key: 'what',
            title: t('people:what'),
            isPlain: true,
            cell: (row) => <WhatHappens row={row} text={text} />,
          },
        ]}
      />
      {rows.length < counts.rows && (
        <p className="text-soft">{t('people:shownFirst', { count: rows.length, total: counts.rows })}</p>
      )}
    </div>
  );
}

// Invitations and people who are not added are rare, so they are shown only when there are any.
function figuresOf(counts: ImportPreview['counts'], { t, language }: Text) {
  const figure = (name: MessageKey, count: number) => ({ name: t(name), text: formatCount(count, language) });
  return [
    figure('people:new', counts.created),
    figure('people:getSchool', counts.extended),
    ...(counts.invited > 0 ? [figure('people:getInvited', counts.invited)] : []),
    ...(counts.waiting > 0 ? [figure('people:wait', counts.waiting)] : []),
    figure('people:here', counts.unchanged),
    figure('people:faulty', counts.faulty),
  ];
}

const COLUMN_TEXTS: Readonly<Record<ImportColumn, MessageKey>> = {
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
          {schools === '' ? t('people:willCreateAlone') : t('people:willCreate', { schools })}
        </span>
      )}
      {row.outcome === 'extended' && (
        <span className="wrap-anywhere">{t('people:willExtend', { schools })}</span>
      )}
      {row.outcome === 'invited' && (
        <span className="wrap-anywhere">{t('people:willInvite', { schools })}</span>
      )}
      {row.outcome === 'unchanged' && <span>{t('people:stays')}</span>}
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
              : t('people:problemIn', { column: t(COLUMN_TEXTS[problem.column]), text: problem.text })}
          </span>
        </span>
      ))}
    </span>
  );
}
