import { History } from 'lucide-react';
import { Fragment } from 'react';
import { dayIn, formatDay, formatTime, type Instant } from '#shared/calendar-date.ts';
import { groupBy } from '#shared/group-by.ts';
import { type Text, useTranslation } from '#web/i18n/translate.ts';
import { IconButton } from '#web/ui/button.tsx';
import { VirtualList } from '#web/ui/virtual-list.tsx';
import {
  ACTIONS,
  type ActionKind,
  AUDIT_SUBJECTS,
  type AuditSubject,
  type Change,
  isAction,
  type ListedAuditEvent,
} from '../contract.ts';
import { describeEvent, describeFieldChange, fieldLabel, isShownInDescription } from './event-description.ts';

/** An item with a history: its kind, ID and name, and when it was created if that is shown above its history. */
export type Subject = Readonly<{ kind: AuditSubject; id: number; name: string; createdAt?: Instant }>;

type RecordRowsProps = {
  records: readonly ListedAuditEvent[];
  timeZone: string;
  /** Also shows the values of created and deleted items. */
  isWhole?: boolean;
  /** Shows the history of a row's item. */
  onHistory?: (subject: Subject) => void;
};

/** Audit events grouped by day: time, actor, changes and source. */
export function AuditEventList({ records, timeZone, isWhole = false, onHistory }: RecordRowsProps) {
  const { language } = useTranslation();
  const days = groupBy(records, ({ at }) => dayIn(timeZone, at));
  return (
    <div className="flex flex-col gap-5">
      {[...days].map(([day, dayRecords]) => (
        <section key={day} className="flex flex-col gap-2">
          <h3 className="text-dense font-semibold text-soft">{formatDay(day, language)}</h3>
          <ol className="divide-y divide-line rounded-card border border-line bg-card">
            <VirtualList
              as="li"
              className="flex items-start gap-x-3 py-2 pr-1.5 pl-4"
              items={dayRecords}
              rows={records.length}
              keyOf={({ id }) => String(id)}
              heightOf={() => ROW_HEIGHT_PX}
              // A panel has its own scroll area and shows the history of one item.
              isWhole={isWhole}
            >
              {(record) => (
                <RecordRow record={record} timeZone={timeZone} isWhole={isWhole} onHistory={onHistory} />
              )}
            </VirtualList>
          </ol>
        </section>
      ))}
    </div>
  );
}

/** The estimated height of an event. */
const ROW_HEIGHT_PX = 64;

type RecordRowProps = {
  record: ListedAuditEvent;
  timeZone: string;
  isWhole: boolean;
  onHistory: ((subject: Subject) => void) | undefined;
};

function RecordRow({ record, timeZone, isWhole, onHistory }: RecordRowProps) {
  const text = useTranslation();
  const { t, language } = text;
  const subject = findSubject(record, t('audit:somethingElse'));
  const changes = listVisibleChanges(record, isWhole, text);
  // In a panel next to a list there is no room for columns.
  const wide = (classes: string) => (isWhole ? '' : classes);
  return (
    <>
      <div className={`flex min-w-0 grow flex-wrap gap-x-4 gap-y-1 py-2.5 ${wide('sm:flex-nowrap')}`}>
        <time
          dateTime={record.at}
          className={`figures order-2 shrink-0 text-dense whitespace-nowrap text-soft ${wide('sm:order-0 sm:w-18')}`}
        >
          {formatTime(record.at, language, timeZone)}
        </time>
        <div className={`flex w-full min-w-0 grow flex-col gap-1 ${wide('sm:w-auto')}`}>
          <p className="wrap-anywhere">{describeEvent(record, text)}</p>
          {changes.length > 0 && (
            <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5 text-dense">
              {changes.map((change) => (
                <Fragment key={change.field}>
                  <dt className="text-soft first-letter:uppercase">{fieldLabel(change.field, text)}</dt>
                  <dd className="wrap-anywhere whitespace-pre-line">{describeFieldChange(change, text)}</dd>
                </Fragment>
              ))}
            </dl>
          )}
        </div>
        <div
          className={`order-3 flex min-w-0 flex-wrap gap-x-4 text-dense text-soft ${wide('sm:order-0 sm:w-44 sm:shrink-0 sm:flex-col sm:flex-nowrap sm:text-right')}`}
        >
          {record.address !== null && <p>{t('audit:fromAddress', { address: record.address })}</p>}
          {!isWhole && record.thing.kind !== 'school' && (
            <p className="wrap-anywhere">{record.school?.name}</p>
          )}
        </div>
      </div>
      {onHistory !== undefined && subject !== undefined && (
        <IconButton
          label={t('audit:historyOf', { name: subject.name })}
          icon={<History aria-hidden="true" className="size-5" />}
          onPress={() => onHistory(subject)}
        />
      )}
    </>
  );
}

// Fields that the sentence about a created or deleted item already contains.
const FIELDS_IN_SENTENCE = ['person', 'school', 'activity', 'entryDate'];

// Kinds whose details are shown everywhere; other details appear only in the history.
const KINDS_WITH_DETAILS: readonly ActionKind[] = ['change', 'export'];

function listVisibleChanges(record: ListedAuditEvent, isWhole: boolean, text: Text): readonly Change[] {
  if (isShownInDescription(record, text)) return [];
  if (isAction(record.action) && KINDS_WITH_DETAILS.includes(ACTIONS[record.action].kind))
    return record.changes;
  return isWhole ? record.changes.filter(({ field }) => !FIELDS_IN_SENTENCE.includes(field)) : [];
}

function findSubject({ thing }: ListedAuditEvent, unnamed: string): Subject | undefined {
  const kind = AUDIT_SUBJECTS.find((known) => known === thing.kind);
  if (kind === undefined || thing.id === null) return undefined;
  return { kind, id: thing.id, name: thing.name ?? unnamed };
}
