import { History, Trash2 } from 'lucide-react';
import type { useSchoolColumn } from '#features/schools/web/admin-school-column.tsx';
import { formatDay, formatDayShort, formatMoment } from '#shared/calendar-date.ts';
import { formatHours } from '#shared/hours.ts';
import type { Id } from '#shared/id.ts';
import { fullName } from '#shared/person-name.ts';
import { type Text, useTranslation } from '#web/i18n/translate.ts';
import { type Column, DataTable, RowName } from '#web/ui/admin/data-table.tsx';
import { Button, IconButton } from '#web/ui/button.tsx';
import { CategoryDot } from '#web/ui/category.tsx';
import { useFocusOnArrival } from '#web/ui/focus-target.ts';
import type { EntrySort, SortOrder, TimeEntry } from '../../contract.ts';
import { VerificationStatusBadge } from '../../web/verification-status-badge.tsx';

type EntryTableProps = {
  entries: readonly TimeEntry[];
  /** The school column, in a list of all schools. */
  schoolColumn: ReturnType<typeof useSchoolColumn>;
  sorting: Readonly<{ sortBy: EntrySort; sortOrder: SortOrder }>;
  onSort: (sortBy: EntrySort) => void;
  timeZone: string;
  /** Checked for each entry, because permissions can differ between the schools of a list. */
  mayEdit: (entry: TimeEntry) => boolean;
  /** Deleted rows stay in the list until the user leaves it. */
  deleted: ReadonlySet<Id>;
  /** Opens an entry to edit or view it. */
  onOpen: (entry: TimeEntry) => void;
  onHistory: (entry: TimeEntry) => void;
  /** Undefined for users who cannot delete. */
  onDelete: ((entry: TimeEntry) => void) | undefined;
  /** Undefined for users who cannot restore deleted entries. */
  onUndo: ((entry: TimeEntry) => void) | undefined;
};

/** The entries, one per row. */
export function EntryTable({
  entries,
  schoolColumn,
  sorting,
  onSort,
  timeZone,
  mayEdit,
  deleted,
  onOpen,
  onHistory,
  onDelete,
  onUndo,
}: EntryTableProps) {
  const { t, language } = useTranslation();
  const sort = (by: EntrySort) => ({
    sort: { order: sorting.sortBy === by ? sorting.sortOrder : undefined, onPress: () => onSort(by) },
  });
  const hasStates = entries.some(({ verification }) => verification !== null);
  const columns: readonly Column<TimeEntry>[] = [
    {
      key: 'activity',
      ...sort('activityName'),
      title: t('time-entries:activity'),
      isMain: true,
      cell: (entry) => (
        <RowName onPress={() => onOpen(entry)}>
          <CategoryDot color={entry.activity.category.color} />
          {entry.activity.name}
        </RowName>
      ),
    },
    {
      key: 'user',
      ...sort('userName'),
      title: t('time-entries:user'),
      isPlain: true,
      cell: ({ user }) => (
        <span className="wrap-anywhere @xl:block @xl:min-w-20 @xl:max-w-56">
          {user.firstName} {user.lastName}
        </span>
      ),
    },
    ...schoolColumn,
    {
      key: 'date',
      ...sort('entryDate'),
      title: t('time-entries:date'),
      isPlain: true,
      cell: ({ entryDate }) => (
        <span className="figures whitespace-nowrap">{formatDay(entryDate, language)}</span>
      ),
    },
    {
      key: 'hours',
      ...sort('hours'),
      title: t('time-entries:hoursField'),
      isPlain: true,
      isNumber: true,
      cell: ({ hours }) => (
        <span className="font-semibold whitespace-nowrap">
          {t('time-entries:shortHours', { hours: formatHours(hours, language) })}
        </span>
      ),
    },
    ...(hasStates ? [{ key: 'state', title: t('time-entries:state'), isPlain: true, cell: stateOf }] : []),
    {
      key: 'notes',
      title: t('time-entries:notes'),
      isPlain: true,
      isExtra: true,
      isBelow: true,
      cell: ({ notes }) =>
        notes !== null && (
          <span title={notes} className="line-clamp-2 max-w-64 text-soft wrap-anywhere">
            {notes}
          </span>
        ),
    },
    {
      key: 'created',
      title: t('time-entries:created'),
      isExtra: true,
      isBelow: true,
      cell: ({ createdAt }) => (
        <span className="figures text-soft">{formatMoment(createdAt, language, timeZone)}</span>
      ),
    },
    {
      key: 'actions',
      title: t('time-entries:rowActions'),
      isAction: true,
      isTwoActions: onDelete !== undefined,
      cell: (entry) => (
        <RowActions
          entry={entry}
          onHistory={() => onHistory(entry)}
          onDelete={onDelete && mayEdit(entry) ? () => onDelete(entry) : undefined}
        />
      ),
    },
  ];
  return (
    <DataTable
      label={t('time-entries:title')}
      columns={columns}
      rows={entries}
      isDense
      isOnPaper={false}
      instead={(entry) =>
        deleted.has(entry.id) ? (
          <DeletedEntry entry={entry} onUndo={onUndo && (() => onUndo(entry))} />
        ) : undefined
      }
    />
  );
}

const stateOf = (entry: TimeEntry) => <VerificationStatusBadge entry={entry} />;

type RowActionsProps = { entry: TimeEntry; onHistory: () => void; onDelete: (() => void) | undefined };

function RowActions({ entry, onHistory, onDelete }: RowActionsProps) {
  const text = useTranslation();
  const names = namesOf(entry, text);
  return (
    <span className="flex justify-end">
      <IconButton
        label={text.t('time-entries:historyOf', names)}
        icon={<History aria-hidden="true" className="size-5" />}
        onPress={onHistory}
      />
      {onDelete !== undefined && (
        <IconButton
          label={text.t('time-entries:deleteOf', names)}
          icon={<Trash2 aria-hidden="true" className="size-5" />}
          onPress={onDelete}
        />
      )}
    </span>
  );
}

type DeletedEntryProps = { entry: TimeEntry; onUndo: (() => void) | undefined };

// The button that deleted the entry is gone, so Undo takes the focus; without it, the row does.
function DeletedEntry({ entry, onUndo }: DeletedEntryProps) {
  const undo = useFocusOnArrival<HTMLButtonElement>(() => onUndo !== undefined);
  const row = useFocusOnArrival<HTMLDivElement>(() => onUndo === undefined);
  const text = useTranslation();
  const { t } = text;
  const names = namesOf(entry, text);
  return (
    <div ref={row} tabIndex={-1} className="flex items-center gap-3 text-soft outline-none">
      <span className="min-w-0 grow wrap-anywhere line-through">
        {entry.activity.name}, {names.person}, {names.hours}
      </span>
      <span className="shrink-0">{t('time-entries:deletedRow')}</span>
      {onUndo !== undefined && (
        <Button ref={undo} kind="plain" onPress={onUndo} label={t('time-entries:undoDelete', names)}>
          {t('web:undo')}
        </Button>
      )}
    </div>
  );
}

function namesOf({ activity, user, hours, entryDate }: TimeEntry, { t, language }: Text) {
  return {
    activity: activity.name,
    person: fullName(user),
    hours: t('time-entries:shortHours', { hours: formatHours(hours, language) }),
    date: formatDayShort(entryDate, language),
  };
}
