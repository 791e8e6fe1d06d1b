import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { PublicSchool } from '#features/schools/contract.ts';
import { type CalendarDate, isCalendarDate } from '#shared/calendar-date.ts';
import { formatHours, sumHours } from '#shared/hours.ts';
import type { Id } from '#shared/id.ts';
import { call } from '#web/api/call.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { PanelForm } from '#web/ui/admin/panel-form.tsx';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { FieldError } from '#web/ui/labeled-field.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { notify } from '#web/ui/toasts.ts';
import {
  ActivitySelect,
  DuplicateWarning,
  useDuplicateWarning,
  useEntryForm,
} from '../../admin-list/web/admin-entry-form.tsx';
import { HOURS } from '../../contract.ts';
import { ClosedReason } from '../../web/closed-period-reason.tsx';
import { DayField, NotesField } from '../../web/entry-form-fields.tsx';
import { logRoster } from '../contract.ts';
import { GroupEntryPicker, RemainingMembers, useDayHours, useMembers } from './admin-group-entry-picker.tsx';
import { GroupEntryRows, questionId } from './admin-group-entry-rows.tsx';
import {
  findMatchingDraft,
  type GroupEntryValues,
  latestGroupEntryDraft,
  pageClock,
  SentGroupEntryNotice,
  saveDraft,
  saveSentGroupEntry,
  useUndoGroupEntry,
} from './admin-group-entry-undo.tsx';
import {
  findExactMember,
  type GroupEntryRow,
  isUnmatched,
  type Member,
  parseRow,
  rowForMember,
  splitPastedLines,
  splitTrailingHours,
} from './group-entry-rows.ts';

export type GroupEntryProps = {
  school: PublicSchool;
  /** The user whose draft it is. */
  viewerId: Id;
  today: CalendarDate;
  /** Opens the form that prints a sign-in sheet for an activity and a day. */
  onPrintSheet: (activity: { id: Id; name: string }, date: CalendarDate) => void;
  onClose: () => void;
};

// Long because it is the whole form: its state, then its fields in order.
/**
 * Logs one event for many volunteers: activity and day, then a row for each name on a sign-in sheet, with shared or
 * individual hours.
 */
export function GroupEntry({ school, viewerId, today, onPrintSheet, onClose }: GroupEntryProps) {
  const { t, language } = useTranslation();
  const owner = { userId: viewerId, schoolId: school.id };
  const undo = useUndoGroupEntry(owner);
  const [announcement, setAnnouncement] = useState('');
  const [emptyValues] = useState(
    (): GroupEntryValues => ({
      activityId: undefined,
      entryDate: null,
      hours: 1,
      entries: [],
      notes: '',
      reason: '',
      schoolId: school.id,
    }),
  );
  const [initial] = useState(() => latestGroupEntryDraft(owner) ?? emptyValues);
  const { form, activities, activity, isClosed } = useEntryForm({
    schema: logRoster.parts.body,
    initial,
    school,
    today,
    whenLeft: 'no loss',
    log: async (body) => {
      const { batch, message } = await call(logRoster, { body });
      saveDraft(owner, emptyValues, form.values);
      saveSentGroupEntry(owner, { batch, message }, pageClock());
      return { message, undo: () => undo.mutate(batch) };
    },
    onClose,
  });
  const { values } = form;
  const { entries, hours, entryDate } = values;
  const latest = useRef(values);
  latest.current = values;
  const members = useMembers(school.id);
  const had = useDayHours(activity, entryDate ?? today);
  const search = useRef<HTMLInputElement>(null);
  const isOnSheet = new Set(entries.flatMap(({ userId }) => userId ?? []));

  function change(some: Partial<GroupEntryValues>): void {
    const before = latest.current;
    const next = { ...before, ...some };
    // An empty form continues the draft of that activity and day.
    const other = before.entries.length === 0 ? findMatchingDraft(owner, next) : undefined;
    const after = other ?? next;
    latest.current = after;
    for (const name of Object.keys(after) as (keyof GroupEntryValues)[]) {
      if (after[name] !== before[name]) form.set(name, after[name] as never);
    }
    saveDraft(owner, after, before);
  }
  function add(lines: readonly GroupEntryRow[]): void {
    const known = new Set(latest.current.entries.flatMap(({ userId }) => userId ?? []));
    const others = lines.filter(({ userId }) => {
      const isNew = userId === undefined || !known.has(userId);
      if (userId !== undefined) known.add(userId);
      return isNew;
    });
    change({ entries: [...latest.current.entries, ...others] });
    const asking = others.filter(({ userId }) => userId === undefined).length;
    const [only] = others;
    setAnnouncement(
      others.length === 0
        ? t('time-entries:sheetThereAlready', { name: lines[0]?.name ?? '' })
        : lines.length === 1 && only !== undefined && asking === 0
          ? t('time-entries:sheetAdded', { name: only.name, count: latest.current.entries.length })
          : t('time-entries:sheetAddedMany', { count: others.length, asking }),
    );
  }
  function pick(member: Member, typed = ''): void {
    add([rowForMember(member, newKey(), splitTrailingHours(typed).hours ?? latest.current.hours)]);
  }
  // The question in the new row takes the focus; answering it returns the focus to the search field.
  function ask(typed: string): void {
    const { rest, hours } = splitTrailingHours(typed);
    const key = newKey();
    add([{ key, name: rest, hours: hours ?? latest.current.hours }]);
    setTimeout(() => focusQuestion(key));
  }
  async function paste(pasted: string): Promise<void> {
    const people = await members.all();
    add(
      splitPastedLines(pasted).map((line) => {
        const theirs = parseRow(line);
        const member = findExactMember(people, theirs);
        const given = theirs.hours ?? latest.current.hours;
        if (member !== undefined) return rowForMember(member, newKey(), given);
        return { key: newKey(), name: splitTrailingHours(line).rest, hours: given };
      }),
    );
  }
  // Rows with the previous shared hours get the new ones; other hours were set individually and do not change.
  function setHours(next: number | undefined): void {
    change({
      hours: next,
      entries: entries.map((row) => (row.hours === hours ? { ...row, hours: next } : row)),
    });
  }
  function setLine(line: GroupEntryRow, next: GroupEntryRow | undefined): void {
    change({ entries: latest.current.entries.flatMap((one) => (one.key === line.key ? (next ?? []) : one)) });
  }
  const adding = entries.flatMap(({ userId, name, hours: given }) =>
    userId === undefined ? [] : [{ userId, name, hours: given }],
  );
  const already = useDuplicateWarning({ adding, activity, entryDate, today });
  const undecided = useUndecided(entries);
  const entriesError = form.field('entries').error;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only handles Enter from the fields inside
    <div
      ref={initial.activityId === undefined ? focusFirst : undefined}
      className="contents"
      onKeyDown={(event) => moveToNextField(event, search.current)}
    >
      <PanelForm
        question={<DuplicateWarning question={already.question} />}
        form={{ ...form, onSubmit: undecided.before(already.before(form.onSubmit)) }}
        saveText={
          already.question !== undefined
            ? t('time-entries:logAllTheSame')
            : undecided.decided === 0
              ? t('time-entries:logHours')
              : t('time-entries:logForCount', { count: undecided.decided })
        }
        onCancel={onClose}
        cancelText={t('web:close')}
      >
        <SentGroupEntryNotice owner={owner} />
        <ActivitySelect
          field={{ ...form.field('activityId'), onChange: (activityId) => change({ activityId }) }}
          activities={activities}
        />
        <DayField
          today={today}
          field={{ ...form.field('entryDate'), onChange: (date) => change({ entryDate: date }) }}
        />
        {activity !== undefined && (
          <div>
            <LinkButton
              onPress={() =>
                onPrintSheet(activity, entryDate && isCalendarDate(entryDate) ? entryDate : today)
              }
            >
              {t('time-entries:printSheet')}
            </LinkButton>
          </div>
        )}
        <NumberField
          {...form.field('hours')}
          onChange={setHours}
          label={t('time-entries:hoursEach')}
          hint={t('time-entries:hoursEachHint')}
          {...HOURS}
          isHours
        />
        <div className="flex flex-col gap-2" data-at-fault={entriesError === undefined ? undefined : ''}>
          <div className="flex flex-wrap items-baseline justify-between gap-x-3">
            <p className="font-medium">{t('time-entries:volunteers', { count: entries.length })}</p>
            {entries.length > 0 && (
              <p className="figures text-soft">
                {t('time-entries:sheetSum', {
                  hours: formatHours(sumHours(entries.map((line) => line.hours ?? 0)), language),
                })}
              </p>
            )}
          </div>
          <p role="status" className="sr-only">
            {announcement}
          </p>
          <GroupEntryPicker
            ref={search}
            members={members}
            onSheet={isOnSheet}
            onPick={pick}
            onUnknown={ask}
            onPaste={(pasted) => void paste(pasted)}
          />
          <GroupEntryRows
            lines={entries}
            members={members.people}
            onSheet={isOnSheet}
            had={had}
            error={(at) => form.rowError('entries', at)}
            rejected={undecided.rejected}
            onChange={setLine}
            onAnswered={() => search.current?.focus()}
          />
          <RemainingMembers people={members.people} onSheet={isOnSheet} onPick={pick} />
          {entriesError !== undefined && <FieldError id="sheet-names" text={entriesError} />}
        </div>
        <NotesField
          activity={activity}
          field={{ ...form.field('notes'), onChange: (notes) => change({ notes }) }}
        />
        <ClosedReason field={form.field('reason')} isClosed={isClosed} />
        {entries.length > 0 && (
          <div>
            <Button
              kind="plain"
              onPress={() => {
                change({ ...emptyValues, activityId: values.activityId, entryDate });
                notify.success(t('time-entries:sheetCleared'), { undo: () => change(values) });
              }}
            >
              {t('time-entries:sheetClear')}
            </Button>
          </div>
        )}
      </PanelForm>
    </div>
  );
}

/** Rejects a form with unmatched rows before asking anything else. */
function useUndecided(lines: readonly GroupEntryRow[]) {
  const [rejected, setRejected] = useState<ReadonlySet<string>>(new Set());
  const undecided = lines.filter(isUnmatched).map(({ key }) => key);
  // The latest row is at the top.
  const shownFirst = undecided.at(-1);
  return {
    rejected,
    decided: lines.length - undecided.length,
    before:
      (submit: (event: FormEvent<HTMLFormElement>) => Promise<void>) =>
      async (event: FormEvent<HTMLFormElement>) => {
        if (shownFirst === undefined) return submit(event);
        event.preventDefault();
        // Renders the reason before moving the focus, so that screen readers announce it.
        flushSync(() => setRejected(new Set(undecided)));
        focusQuestion(shownFirst);
      },
  };
}

function focusQuestion(key: string): void {
  document.getElementById(questionId(key))?.querySelector('button')?.focus();
}

// The panel opens before this form is loaded, so it cannot focus the first field itself.
function focusFirst(box: HTMLElement | null): void {
  box?.querySelector('select')?.focus();
}

function newKey(): string {
  return crypto.randomUUID();
}

/** Enter moves to the next field, or to the name search from a row or the last field. It does not submit the form. */
function moveToNextField(event: KeyboardEvent<HTMLElement>, names: HTMLInputElement | null): void {
  const { target, key } = event;
  if (key !== 'Enter' || event.nativeEvent.isComposing || target === names) return;
  if (!(target instanceof HTMLSelectElement || target instanceof HTMLInputElement)) return;
  if (target instanceof HTMLInputElement && target.type === 'checkbox') return;
  event.preventDefault();
  const fields = [...event.currentTarget.querySelectorAll<HTMLElement>('select, input')];
  const next = fields[fields.indexOf(target) + 1];
  const isOfLine = target.closest('li') !== null;
  (isOfLine || next === undefined ? names : next)?.focus();
}
