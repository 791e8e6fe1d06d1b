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
  /** Whether people whose address nobody has proven are added too. */
  unconfirmed: boolean;
  onUnconfirmed: (isWanted: boolean) => Promise<void>;
  onBack: () => void;
  onImport: (choices: { leaveOutFaulty: boolean; sendMail: boolean }, key: string) => Promise<void>;
};

/** A preview of the import, row by row, with the button that runs it. */
export function ImportPreviewStep(props: ImportPreviewStepProps) {
  const { preview, unconfirmed, onUnconfirmed, onBack, onImport } = props;
  const text = useText();
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

  async function letIn(isWanted: boolean) {
    setProblem(undefined);
    await onUnconfirmed(isWanted).catch((error: unknown) => setProblem(failureText(error)));
  }

  return (
    <div className="flex flex-col gap-4">
      <h3 ref={focusOn} tabIndex={-1} className="text-xl font-semibold outline-none">
        {t('user-imports:previewTitle')}
      </h3>
      <FigureStrip label={t('user-imports:previewTitle')} figures={figuresOf(counts, text)} />
      {unusedColumns.length > 0 && (
        <Notice>{t('user-imports:unused', { columns: unusedColumns.join(', ') })}</Notice>
      )}
      <div className="-mx-2 flex flex-col">
        {counts.faulty > 0 && (
          <Checkbox isSelected={leaveOutFaulty} onChange={setLeaveOutFaulty}>
            {t('user-imports:leaveOut', { count: counts.faulty })}
          </Checkbox>
        )}
        {(counts.waiting > 0 || unconfirmed) && (
          <Checkbox isSelected={unconfirmed} onChange={(isWanted) => void letIn(isWanted)}>
            {t('user-imports:letIn')}
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
        {done > 0 && (
          <Button
            kind="primary"
            isBusy={isBusy}
            busyText={t('user-imports:doing')}
            onPress={() => void run()}
          >
            {t('user-imports:do', { count: done })}
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

// Invitations and people who are not added are rare, and told only when there are any.
function figuresOf(counts: ImportPreview['counts'], { t, language }: Text) {
  const figure = (name: TextKey, count: number) => ({ name: t(name), text: formatCount(count, language) });
  return [
    figure('user-imports:new', counts.created),
    figure('user-imports:getSchool', counts.extended),
    ...(counts.invited > 0 ? [figure('user-imports:getInvited', counts.invited)] : []),
    ...(counts.waiting > 0 ? [figure('user-imports:wait', counts.waiting)] : []),
    figure('user-imports:here', counts.unchanged),
    figure('user-imports:faulty', counts.faulty),
  ];
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
      {row.outcome === 'invited' && (
        <span className="wrap-anywhere">{t('user-imports:willInvite', { schools })}</span>
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
