import { CalendarDays, FileCheck, Printer } from 'lucide-react';
import { type ComponentProps, memo, useState } from 'react';
import type { PublicSchool } from '#features/schools/contract.ts';
import type { User } from '#features/users/contract.ts';
import {
  addDays,
  type CalendarDate,
  capitalizeFirst,
  formatDay,
  formatDayLong,
} from '#shared/calendar-date.ts';
import { formatHours } from '#shared/hours.ts';
import type { Id } from '#shared/id.ts';
import { failureText, loadingFailure } from '#web/api/call.ts';
import { loadAll } from '#web/api/infinite-pages.ts';
import { type Text, useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { ConfirmRemove } from '#web/ui/confirm-remove.tsx';
import { lazyDialog } from '#web/ui/lazy-screen.tsx';
import { Menu, type MenuAction } from '#web/ui/menu.tsx';
import { ErrorBox } from '#web/ui/notice.tsx';
import { QueryPlaceholder } from '#web/ui/query-error.tsx';
import { notify } from '#web/ui/toasts.ts';
import { useStable } from '#web/ui/use-stable-callback.ts';
import { splitForRendering, VirtualList } from '#web/ui/virtual-list.tsx';
import { messages, RECENT, type TimeEntry } from '../contract.ts';
import type { Status } from '../verification-status.ts';
import { useDeleteEntry, useRecentEntries, useRestoreEntry } from './api.ts';
import { type ClosedDayReason, useClosedDays } from './closed-periods.ts';
import type { EditEntryDialogProps } from './edit-entry-dialog.tsx';
import { type Day, groupByDay, withDeleted } from './entries-by-day.ts';
import { EntryCalendar } from './entry-calendar.tsx';
import { DeletedRow, EntryFacts, EntryRow } from './entry-row.tsx';
import { ActivityFilter } from './month-totals.tsx';
import type * as OwnVerification from './own-verification-status.tsx';
import { PRINTED_PAGES, PrintedEntries, usePrint } from './printed-entries.tsx';

export type RecentEntriesProps = {
  user: Pick<User, 'id' | 'firstName' | 'lastName' | 'role'>;
  school: PublicSchool;
  today: CalendarDate;
  /** Opens Log Time from an empty list. */
  onLogFirst: () => void;
  /** Opens Log Time with the activity of an entry. */
  onLogAgain?: (entry: TimeEntry) => void;
  /** Opens the statement of hours to sign. */
  onStatement?: () => void;
  /** Opens the service letters. */
  onLetters?: () => void;
  /** Shows the verification of entries; undefined at a school that does not verify hours. */
  verification?: typeof OwnVerification | undefined;
  timeZone: string;
};

// Loaded after the list that opens it.
const EditEntry = lazyDialog<EditEntryDialogProps & { isOpen: boolean }>(
  async () => (await import('./edit-entry-dialog.tsx')).EditEntryDialog,
);

/** Recent Activity: entries grouped by day, twenty per page. */
export function RecentEntries(props: RecentEntriesProps) {
  const { user, school, today, onLogFirst, onStatement, onLetters, verification } = props;
  const recent = useRecentEntries(school.id);
  const restore = useRestoreEntry();
  const [deleted, setDeleted] = useState<readonly TimeEntry[]>([]);
  const [backId, setBackId] = useState<Id>();
  const [editing, setEditing] = useState<TimeEntry>();
  const [deleting, setDeleting] = useState<TimeEntry>();
  const { isGathering, isPrinting, print } = usePrint(recent);
  const [status, setStatus] = useState<Status>();
  const [activityId, setActivityId] = useState<Id>();
  const closedOn = useClosedDays(school.id);
  const calendar = useCalendar(user.role !== 'admin');

  if (recent.data === undefined) {
    return <QueryPlaceholder text={messages.failedToLoad} query={recent} rows={6} isTall />;
  }

  const deletedIds = new Set(deleted.map((entry) => entry.id));
  const rows = withDeleted(recent.data, deleted).filter(
    (entry) =>
      (status === undefined || entry.verification?.status === status) &&
      (activityId === undefined || entry.activityId === activityId),
  );
  const listed = rows.filter(
    ({ entryDate }) => calendar.chosen === undefined || entryDate === calendar.chosen,
  );

  async function undo(entry: TimeEntry) {
    try {
      const { message } = await restore.mutateAsync(entry.id);
      setBackId(entry.id);
      setDeleted((before) => before.filter(({ id }) => id !== entry.id));
      notify.success(message);
    } catch (error) {
      notify.failure(failureText(error));
    }
  }

  // A filter applies to all entries, so load them instead of only filtering those loaded so far.
  function show<Sought>(set: (sought: Sought | undefined) => void, next: Sought | undefined) {
    set(next);
    if (next !== undefined) void loadAll(recent, PRINTED_PAGES);
  }

  async function reload() {
    const { data } = await recent.refetch();
    setEditing(data?.find(({ id }) => id === editing?.id));
  }

  return (
    <div className="flex min-w-0 flex-col gap-5">
      <Head
        onStatement={onStatement}
        onLetters={onLetters}
        onPrint={rows.length > 0 ? () => void print() : undefined}
        isGathering={isGathering}
        calendar={recent.data.length > 0 ? calendar : undefined}
      />
      <Calendar
        list={recent}
        entries={rows.filter(({ id }) => !deletedIds.has(id))}
        today={today}
        calendar={calendar}
        isEmpty={listed.length === 0}
      />
      {recent.data.length === 0 && rows.length === 0 && <EmptyActivity onLogFirst={onLogFirst} />}
      {verification !== undefined && recent.data.length > 0 && (
        <verification.StateFilter
          entries={recent.data}
          hasMore={recent.hasNextPage}
          status={status}
          onChange={(next) => show(setStatus, next)}
          isEmpty={rows.length === 0}
        />
      )}
      {recent.data.length > 0 && (
        <ActivityFilter
          entries={recent.data}
          activityId={activityId}
          onChange={(next) => show(setActivityId, next)}
        />
      )}
      <div className="flex flex-col gap-5 print:hidden">
        <Days
          {...props}
          days={groupByDay(listed, deletedIds)}
          deletedIds={deletedIds}
          backId={backId}
          closedOn={closedOn}
          onUndo={(entry) => void undo(entry)}
          onEdit={setEditing}
          onDelete={setDeleting}
        />
        {calendar.chosen === undefined && <MoreEntries list={recent} />}
      </div>
      {isPrinting && (
        <PrintedEntries
          entries={recent.data.filter(({ id }) => !deletedIds.has(id))}
          user={user}
          school={school}
          isPart={recent.hasNextPage}
        />
      )}
      <EditEntry
        isOpen={editing !== undefined}
        entry={editing}
        today={today}
        closedOn={closedOn}
        onClose={() => setEditing(undefined)}
        onReload={() => void reload()}
      />
      <DeleteEntryDialog
        entry={deleting}
        onClose={() => setDeleting(undefined)}
        onDeleted={(entry) => setDeleted((before) => [...before, entry])}
      />
    </div>
  );
}

// Whether the calendar is open, and the day that the list is limited to.
function useCalendar(isOffered: boolean) {
  const [isOpen, setIsOpen] = useState(false);
  const [chosen, setChosen] = useState<CalendarDate>();
  return {
    isOffered,
    isOpen,
    chosen,
    choose: setChosen,
    toggle: () => {
      setIsOpen(!isOpen);
      setChosen(undefined);
    },
  };
}

type CalendarProps = Pick<ComponentProps<typeof EntryCalendar>, 'list' | 'entries' | 'today'> & {
  calendar: ReturnType<typeof useCalendar>;
  /** Whether no entry is on the chosen day. */
  isEmpty: boolean;
};

function Calendar({ calendar: { isOpen, chosen, choose }, isEmpty, ...shown }: CalendarProps) {
  const { t } = useTranslation();
  if (!isOpen) return null;
  return (
    <div className="flex flex-col gap-5 print:hidden">
      <EntryCalendar {...shown} chosen={chosen} onChoose={choose} />
      {chosen !== undefined && isEmpty && (
        <p role="status" className="text-soft">
          {t('time-entries:noneOnDay')}
        </p>
      )}
    </div>
  );
}

type DaysProps = Pick<RecentEntriesProps, 'user' | 'today' | 'onLogAgain' | 'verification' | 'timeZone'> & {
  days: readonly Day[];
  deletedIds: ReadonlySet<Id>;
  /** The entry that was just restored. */
  backId: Id | undefined;
  closedOn: ClosedDayReason;
  onUndo: (entry: TimeEntry) => void;
  onEdit: (entry: TimeEntry) => void;
  onDelete: (entry: TimeEntry) => void;
};

function Days(props: DaysProps) {
  const { user, today, onLogAgain, verification, timeZone, days, deletedIds, backId, closedOn } = props;
  const { onEdit, onDelete } = props;
  const onUndo = useStable(props.onUndo);
  const logAgain = useStable((entry: TimeEntry) => onLogAgain?.(entry));
  // A deleted or restored row takes the focus once, when it appears, so it must not be unmounted. The first page
  // stays rendered for search, print and screen readers.
  const first = new Set(days.flatMap(({ entries }) => entries.map(({ id }) => id)).slice(0, RECENT));
  const staysRendered = ({ id }: TimeEntry) => id === backId || deletedIds.has(id) || first.has(id);
  return (
    <VirtualList
      items={days}
      rows={days.reduce((sum, { entries }) => sum + entries.length, 0)}
      keyOf={({ date }) => date}
      heightOf={({ entries }) => TITLE_PX + entries.length * ENTRY_PX}
      gap={GAP_PX}
      stays={({ entries }) => entries.some(staysRendered)}
      // `PrintedEntries` replaces it on paper.
      isOnPaper={false}
    >
      {(day) => (
        <section>
          <DayTitle day={day} today={today} closed={closedOn(day.date)} verification={verification} />
          <div className="divide-y divide-line rounded-card border border-line bg-card">
            <VirtualList
              items={splitForRendering(day.entries, CHUNK_ENTRIES)}
              rows={day.entries.length}
              heightOf={({ length }) => length * ENTRY_PX}
              stays={(piece) => piece.some(staysRendered)}
              isOnPaper={false}
            >
              {(piece) => (
                <ul className="divide-y divide-line">
                  {piece.map((entry) => (
                    <DayRow
                      key={entry.id}
                      entry={entry}
                      isDeleted={deletedIds.has(entry.id)}
                      isClosed={closedOn(day.date) !== undefined}
                      isBack={entry.id === backId}
                      {...{ user, verification, timeZone, onUndo, onEdit, onDelete }}
                      onLogAgain={onLogAgain && logAgain}
                    />
                  ))}
                </ul>
              )}
            </VirtualList>
          </div>
        </section>
      )}
    </VirtualList>
  );
}

type DayRowProps = Pick<
  DaysProps,
  'user' | 'verification' | 'timeZone' | 'onUndo' | 'onEdit' | 'onDelete'
> & {
  entry: TimeEntry;
  isDeleted: boolean;
  /** Whether its day is in a closed period. */
  isClosed: boolean;
  isBack: boolean;
  onLogAgain: ((entry: TimeEntry) => void) | undefined;
};

// Memoized, so that refetches without changes do not render it again.
const DayRow = memo(function DayRow(props: DayRowProps) {
  const { entry, isDeleted, isClosed, isBack, user, verification, timeZone, onLogAgain } = props;
  if (isDeleted) return <DeletedRow entry={entry} onUndo={() => props.onUndo(entry)} />;
  return (
    <EntryRow
      entry={isClosed ? { ...entry, canEdit: false, canDelete: false } : entry}
      isPersonShown={user.role === 'admin'}
      isBack={isBack}
      state={verification && <verification.OwnVerificationState entry={entry} {...{ user, timeZone }} />}
      onLogAgain={entry.user.id === user.id && entry.activity.isActive ? onLogAgain : undefined}
      onEdit={() => props.onEdit(entry)}
      onDelete={() => props.onDelete(entry)}
    />
  );
});

/** A day with a schoolwide event can be long, so its entries are rendered in chunks of this size. */
const CHUNK_ENTRIES = 20;
/** The estimated heights of a day's title and an entry, and the gap between days. */
const TITLE_PX = 32;
const ENTRY_PX = 64;
const GAP_PX = 20;

type DayTitleProps = {
  day: Day;
  /** The reason why the day's hours cannot be changed, if any. */
  closed: string | undefined;
} & Pick<RecentEntriesProps, 'today' | 'verification'>;

function DayTitle({ day, today, closed, verification }: DayTitleProps) {
  const text = useTranslation();
  const { t, language } = text;
  return (
    <div className="px-1 pb-2">
      <h3 className="figures font-semibold">
        <span>
          {t('time-entries:dayTotal', {
            day: dayName(day.date, today, text),
            hours: formatHours(day.hours, language),
          })}
        </span>
        {verification?.verifiedHoursLabel(day.entries, text)}
      </h3>
      {closed !== undefined && day.entries.some(({ canEdit, canDelete }) => canEdit || canDelete) && (
        <p className="text-dense text-soft">{closed}</p>
      )}
    </div>
  );
}

type HeadProps = {
  onStatement: (() => void) | undefined;
  onLetters: (() => void) | undefined;
  /** Undefined while there is nothing to print. */
  onPrint: (() => void) | undefined;
  /** Whether the remaining entries are being loaded for printing. */
  isGathering: boolean;
  /** Undefined while the calendar has nothing to show. */
  calendar: Pick<ReturnType<typeof useCalendar>, 'isOffered' | 'isOpen' | 'toggle'> | undefined;
};

function Head({ onStatement, onLetters, onPrint, isGathering, calendar }: HeadProps) {
  const { t } = useTranslation();
  const proof = <FileCheck aria-hidden="true" className="size-5" />;
  const actions: (MenuAction & { isBusy?: boolean })[] = [];
  if (onStatement) {
    actions.push({ key: 'statement', title: t('time-entries:statement'), icon: proof, onPress: onStatement });
  }
  if (onLetters) {
    actions.push({ key: 'letters', title: t('time-entries:letters'), icon: proof, onPress: onLetters });
  }
  if (onPrint) {
    const icon = <Printer aria-hidden="true" className="size-5" />;
    actions.push({
      key: 'print',
      title: t('time-entries:print'),
      icon,
      onPress: onPrint,
      isBusy: isGathering,
    });
  }
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3 print:hidden">
      <h2 className="text-2xl font-semibold">{t('time-entries:recentActivity')}</h2>
      <div className="-mr-3 flex flex-wrap sm:-ml-3">
        {calendar?.isOffered === true && (
          <Button
            kind="plain"
            icon={<CalendarDays aria-hidden="true" className="size-5" />}
            isExpanded={calendar.isOpen}
            onPress={calendar.toggle}
          >
            <span className="max-sm:sr-only">{t('time-entries:calendar')}</span>
          </Button>
        )}
        {/* One menu on phones, so that the entries start higher. */}
        {actions.length > 0 && (
          <div className="sm:hidden">
            <Menu label={t('web:more')} actions={actions} isBusy={isGathering} />
          </div>
        )}
        <div className="flex flex-wrap max-sm:hidden">
          {actions.map(({ key, title, ...action }) => (
            <Button key={key} kind="plain" {...action}>
              {title}
            </Button>
          ))}
        </div>
      </div>
    </div>
  );
}

function MoreEntries({ list }: { list: ReturnType<typeof useRecentEntries> }) {
  const { t } = useTranslation();
  if (list.isFetchNextPageError) {
    return (
      <ErrorBox
        {...loadingFailure(list.error, messages.failedToLoad)}
        onRetry={() => list.fetchNextPage()}
        isRetrying={list.isFetchingNextPage}
      />
    );
  }
  if (!list.hasNextPage) return null;
  return (
    <div className="flex justify-center">
      <Button onPress={() => list.fetchNextPage()} isBusy={list.isFetchingNextPage}>
        {t('time-entries:showMore')}
      </Button>
    </div>
  );
}

function dayName(date: CalendarDate, today: CalendarDate, { t, language }: Text): string {
  if (date === today) return t('time-entries:today');
  if (date === addDays(today, -1)) return t('time-entries:yesterday');
  return date.slice(0, 4) === today.slice(0, 4)
    ? capitalizeFirst(formatDayLong(date, language))
    : formatDay(date, language);
}

function EmptyActivity({ onLogFirst }: { onLogFirst: () => void }) {
  const { t } = useTranslation();
  return (
    <Card>
      <div className="flex flex-col items-center gap-4 py-6 text-center">
        <p className="text-lg">{t('time-entries:noneYet')}</p>
        <Button kind="primary" onPress={onLogFirst}>
          {t('time-entries:logFirst')}
        </Button>
      </div>
    </Card>
  );
}

type DeleteEntryDialogProps = {
  entry: TimeEntry | undefined;
  onClose: () => void;
  onDeleted: (entry: TimeEntry) => void;
};

// If deleting fails, the dialog stays open and shows the reason above the buttons.
function DeleteEntryDialog({ entry, onClose, onDeleted }: DeleteEntryDialogProps) {
  const { t, say } = useTranslation();
  const remove = useDeleteEntry();
  async function confirm() {
    if (entry === undefined) return;
    const { message } = await remove.mutateAsync(entry.id);
    onDeleted(entry);
    onClose();
    notify.success(message);
  }
  return (
    <ConfirmRemove
      title={t('time-entries:deleteTitle')}
      question={entry && say(messages.confirmDelete)}
      about={entry && <EntryFacts entry={entry} />}
      confirmText={t('time-entries:deleteAction')}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
