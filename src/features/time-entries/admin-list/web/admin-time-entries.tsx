import { ClipboardList, Clock, ListChecks, Printer, Upload } from 'lucide-react';
import { type ComponentProps, type ReactNode, useState } from 'react';
import type { PublicSchool } from '#features/schools/contract.ts';
import type { District } from '#features/schools/district-settings/contract.ts';
import { FormSchool } from '#features/schools/web/admin-form-school.tsx';
import { useSchoolColumn } from '#features/schools/web/admin-school-column.tsx';
import type { CalendarDate } from '#shared/calendar-date.ts';
import { formatHours } from '#shared/hours.ts';
import type { Id } from '#shared/id.ts';
import { failureText, loadingFailure } from '#web/api/call.ts';
import { useCan } from '#web/api/permissions.ts';
import { formatCount } from '#web/i18n/count-text.ts';
import { type Text, useTranslation } from '#web/i18n/translate.ts';
import { EmptyList, ListTitle } from '#web/ui/admin/list-page.tsx';
import { SidePanel } from '#web/ui/admin/side-panel.tsx';
import { SummaryFigures } from '#web/ui/admin/summary-figures.tsx';
import { Button } from '#web/ui/button.tsx';
import { lazyScreen, rows } from '#web/ui/lazy-screen.tsx';
import { ListEnd } from '#web/ui/list-end.tsx';
import { Menu } from '#web/ui/menu.tsx';
import { ErrorBox } from '#web/ui/notice.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { notify } from '#web/ui/toasts.ts';
import { useDebounced } from '#web/ui/use-debounced.ts';
import { messages, type TimeEntry, type TimeEntrySummary } from '../../contract.ts';
import {
  ExportMenu,
  ExportProgress,
  exportMenuItems,
  useExport,
} from '../../export/web/admin-export-menu.tsx';
import type { GroupEntryProps } from '../../group-entry/web/admin-group-entry.tsx';
import { EditEntryDialog } from '../../web/edit-entry-dialog.tsx';
import { compareLatestFirst } from '../../web/entries-by-day.ts';
import { PrintedEntries, usePrint } from '../../web/printed-entries.tsx';
import { useDeleteListedEntry, useEntryList, useEntrySummary, useRestoreListedEntry } from './admin-api.ts';
import { useIsClosed } from './admin-closed-periods.ts';
import { DeleteEntry } from './admin-delete-entry-dialog.tsx';
import { FilterBar } from './admin-filter-bar.tsx';
import {
  countActiveFilters,
  type Filters,
  NO_FILTERS,
  savedFilters,
  saveFilters,
  toggleSort,
} from './admin-filters.ts';
import { LogForForm } from './admin-log-for-volunteer.tsx';
import { EntryTable } from './admin-time-entries-table.tsx';

export type AdminTimeEntriesProps = {
  /** Undefined means all schools. */
  school: PublicSchool | undefined;
  filter: ReactNode;
  district: District;
  /** The signed-in user. */
  viewerId: Id;
  /** Filters from a link on another screen; they replace the saved ones. */
  startAt: Filters | undefined;
  /** Called when the user changes the filters. */
  onFiltered: () => void;
  onHistory: (entry: TimeEntry) => void;
  /** Opens the form that prints a sign-in sheet. */
  onPrintSheet: GroupEntryProps['onPrintSheet'];
  /** Opens the verification queue. */
  onVerify: () => void;
  /** Opens the import of hours from a file. */
  onImport: () => void;
};

// Long because it is the whole tab: queries and state first, then the parts of the screen in order.
/** The time entries of a school, or of all: totals, filters, sorting, edits, deletions, and logging hours for others. */
export function AdminTimeEntries(props: AdminTimeEntriesProps) {
  const { school, filter, district, viewerId, onHistory, onPrintSheet, onVerify, onImport } = props;
  const text = useTranslation();
  const { t, say, language } = text;
  const [filters, setFilters] = useFilters(props);
  const appliedFilters = useDebounced(filters);
  const list = useEntryList(school?.id, appliedFilters);
  const summary = useEntrySummary(school?.id, appliedFilters);
  const { deleted, remove, undo } = useDeletions();
  const [editing, setEditing] = useState<TimeEntry>();
  const [deleting, setDeleting] = useState<TimeEntry>();
  const [logging, setLogging] = useState<LogMode>();
  const exporting = useExport(school?.id, appliedFilters);
  const { isGathering, isPrinting, print } = usePrint(list);
  const entries = list.data?.entries;
  const may = useCan();
  const mayEdit = may('edit entries', school?.id);
  const isVerifying = typeof summary.data?.verifiedHours === 'number';
  const isClosed = useIsClosed(school ?? (editing ?? deleting)?.school, district.today);
  const schoolColumn = useSchoolColumn(school);

  async function reload() {
    const { data } = await list.refetch();
    setEditing(data?.entries.find(({ id }) => id === editing?.id));
  }

  return (
    <section className="flex flex-col gap-3">
      <div className="print:hidden">
        <ListTitle title={t('time-entries:title')} aside={filter} />
      </div>
      {(list.isError || summary.isError) && !list.isFetchNextPageError && (
        <ErrorBox
          {...loadingFailure(list.error ?? summary.error, messages.failedToFetch)}
          onRetry={() => {
            void list.refetch();
            void summary.refetch();
          }}
          isRetrying={list.isFetching || summary.isFetching}
        />
      )}
      <SummaryFigures label={t('time-entries:summary')} figures={figuresOf(summary.data, text)} />
      <Toolbar
        exporting={exporting}
        hasEntries={entries !== undefined && entries.length > 0}
        isGathering={isGathering}
        onLog={setLogging}
        onVerify={isVerifying && school !== undefined ? onVerify : undefined}
        isVerifying={isVerifying}
        onImport={onImport}
        onPrint={() => void print()}
        school={school}
        district={district}
        filters={filters}
        onChange={setFilters}
      />
      <ExportProgress exporting={exporting} />
      <div className="flex flex-col gap-3 print:hidden">
        {entries === undefined && !list.isError && <SkeletonRows rows={8} />}
        {entries?.length === 0 && (
          <NoEntries
            isNarrowed={countActiveFilters(appliedFilters) > 0}
            onShowAll={() => setFilters(NO_FILTERS)}
          />
        )}
        {entries !== undefined && entries.length > 0 && (
          <>
            <EntryTable
              entries={entries}
              schoolColumn={schoolColumn}
              sorting={filters}
              onSort={(sortBy) => setFilters(toggleSort(filters, sortBy))}
              mayEdit={({ schoolId }) => may('edit entries', schoolId)}
              timeZone={district.timeZone}
              deleted={deleted}
              onOpen={(entry) => (may('edit entries', entry.schoolId) ? setEditing(entry) : onHistory(entry))}
              onHistory={onHistory}
              onDelete={mayEdit ? setDeleting : undefined}
              onUndo={may('restore deleted', school?.id) ? (entry) => void undo(entry) : undefined}
            />
            <ListEnd list={list} failure={say(messages.failedToFetch)} />
            <p role="status" className="figures text-center text-soft">
              {t('time-entries:shownOf', {
                shown: formatCount(entries.length, language),
                count: list.data?.total ?? 0,
              })}
            </p>
          </>
        )}
      </div>
      {isPrinting && (
        <PrintedEntries
          entries={(entries ?? []).filter(({ id }) => !deleted.has(id)).toSorted(compareLatestFirst)}
          user={printedFor(appliedFilters)}
          school={school ?? { name: district.districtName }}
          isPart={list.hasNextPage}
        />
      )}
      <EditEntryDialog
        entry={editing}
        today={district.today}
        isClosed={isClosed}
        onClose={() => setEditing(undefined)}
        onReload={() => void reload()}
      />
      <DeleteEntry
        entry={deleting}
        isClosed={deleting !== undefined && isClosed(deleting.entryDate)}
        onDelete={remove}
        onClose={() => setDeleting(undefined)}
      />
      <LogPanel
        logging={logging}
        viewerId={viewerId}
        school={school}
        today={district.today}
        onPrintSheet={onPrintSheet}
        onClose={() => setLogging(undefined)}
      />
    </section>
  );
}

/** Whether to log hours for one volunteer or for a group. */
type LogMode = 'one' | 'roster';

type ToolbarProps = Omit<ComponentProps<typeof FilterBar>, 'start' | 'end'> & {
  exporting: ReturnType<typeof useExport>;
  hasEntries: boolean;
  /** Whether the remaining entries are being loaded for printing. */
  isGathering: boolean;
  onLog: (logging: LogMode) => void;
  /** Undefined if the school does not verify hours. */
  onVerify: (() => void) | undefined;
  onImport: () => void;
  onPrint: () => void;
};

/**
 * The actions and the filters of the list. On phones they share one row, with all but the first behind two buttons.
 */
function Toolbar(props: ToolbarProps) {
  const { exporting, hasEntries, isGathering, onLog, onVerify, onImport, onPrint, ...filtering } = props;
  const { t } = useTranslation();
  const may = useCan();
  const id = filtering.school?.id;
  const mayLog = may('log for others', id);
  const mayExport = may('export entries', id);
  const mayImport = may('import hours', id);
  const logFor = { icon: <Clock aria-hidden="true" className="size-5" />, onPress: () => onLog('one') };
  const groupEntry = {
    icon: <ClipboardList aria-hidden="true" className="size-5" />,
    onPress: () => onLog('roster'),
  };
  const verifying = onVerify && {
    icon: <ListChecks aria-hidden="true" className="size-5" />,
    onPress: onVerify,
  };
  const importing = { icon: <Upload aria-hidden="true" className="size-5" />, onPress: onImport };
  const printing = { icon: <Printer aria-hidden="true" className="size-5" />, onPress: onPrint };
  const actions = [
    ...(verifying ? [{ key: 'verify', title: t('time-entries:verifyHours'), ...verifying }] : []),
    ...(mayLog ? [{ key: 'roster', title: t('time-entries:roster'), ...groupEntry }] : []),
    ...(mayImport ? [{ key: 'import', title: t('time-entries:importHours'), ...importing }] : []),
    ...(mayExport && hasEntries && !exporting.isBusy ? exportMenuItems(exporting, t) : []),
    ...(hasEntries && !isGathering ? [{ key: 'print', title: t('time-entries:print'), ...printing }] : []),
  ];
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 max-sm:hidden print:hidden">
        {mayLog && (
          <>
            <Button kind="primary" {...logFor}>
              {t('time-entries:logFor')}
            </Button>
            <Button {...groupEntry}>{t('time-entries:roster')}</Button>
          </>
        )}
        {verifying && <Button {...verifying}>{t('time-entries:verifyHours')}</Button>}
        {mayImport && <Button {...importing}>{t('time-entries:importHours')}</Button>}
        {mayExport && <ExportMenu exporting={exporting} isDisabled={!hasEntries} />}
        <Button kind="plain" isBusy={isGathering} isDisabled={!hasEntries} {...printing}>
          {t('time-entries:print')}
        </Button>
      </div>
      <FilterBar
        {...filtering}
        start={
          mayLog && (
            <div className="grow basis-20">
              <Button kind="primary" isWide onPress={logFor.onPress}>
                {t('time-entries:logFor')}
              </Button>
            </div>
          )
        }
        end={actions.length > 0 && <Menu label={t('web:menu')} actions={actions} />}
      />
    </>
  );
}

// Loaded once the panel opens.
const LazyGroupEntry = lazyScreen<GroupEntryProps>(
  async () => (await import('../../group-entry/web/admin-group-entry.tsx')).GroupEntry,
  rows(6),
);

type LogPanelProps = Pick<GroupEntryProps, 'onPrintSheet'> & {
  viewerId: Id;
  logging: LogMode | undefined;
  school: PublicSchool | undefined;
  today: CalendarDate;
  onClose: () => void;
};

function LogPanel({ logging, viewerId, school, today, onPrintSheet, onClose }: LogPanelProps) {
  const { t } = useTranslation();
  return (
    <SidePanel
      title={t(logging === 'roster' ? 'time-entries:roster' : 'time-entries:logFor')}
      isOpen={logging !== undefined}
      onClose={onClose}
    >
      {logging !== undefined && (
        <FormSchool key={logging} school={school} needs="log for others">
          {(at) =>
            logging === 'one' ? (
              <LogForForm school={at} today={today} onClose={onClose} />
            ) : (
              <LazyGroupEntry
                school={at}
                viewerId={viewerId}
                today={today}
                onPrintSheet={onPrintSheet}
                onClose={onClose}
              />
            )
          }
        </FormSchool>
      )}
    </SidePanel>
  );
}

function NoEntries({ isNarrowed, onShowAll }: { isNarrowed: boolean; onShowAll: () => void }) {
  const { t } = useTranslation();
  return (
    <EmptyList
      text={t(isNarrowed ? 'time-entries:noneMatch' : 'time-entries:noneInSchool')}
      action={isNarrowed && <Button onPress={onShowAll}>{t('time-entries:showAll')}</Button>}
    />
  );
}

// Entries filtered to one person are printed as that person would print them.
function printedFor({ user }: Filters) {
  const [firstName = '', ...others] = user?.name.split(' ') ?? [];
  return { role: user === undefined ? 'admin' : 'user', firstName, lastName: others.join(' ') } as const;
}

function figuresOf(sums: TimeEntrySummary | undefined, { t, language }: Text) {
  const count = (value: number | undefined) =>
    value === undefined ? undefined : formatCount(value, language);
  const hours = (value: number | undefined) =>
    value === undefined ? undefined : formatHours(value, language);
  return [
    { name: t('time-entries:totalEntries'), text: count(sums?.totalEntries) },
    {
      name: t('time-entries:totalHours'),
      text: hours(sums?.totalHours),
      // Empty if no school in the list verifies hours.
      more:
        typeof sums?.verifiedHours === 'number'
          ? t('time-entries:verifiedPart', { hours: formatHours(sums.verifiedHours, language) })
          : undefined,
    },
    { name: t('time-entries:activeUsers'), text: count(sums?.uniqueUsers) },
    { name: t('time-entries:averageHours'), text: hours(sums?.averageHoursPerEntry) },
  ];
}

/** The filters as the user left them, or those of the link until they are changed. */
function useFilters({ viewerId, school, startAt, onFiltered }: AdminTimeEntriesProps) {
  const listed = { userId: viewerId, schoolId: school?.id };
  const [filters, show] = useState(() => startAt ?? savedFilters(listed));
  function change(next: Filters) {
    saveFilters(listed, next);
    show(next);
    onFiltered();
  }
  return [filters, change] as const;
}

/** Tracks the entries deleted in this list. Their rows stay, so that they can be restored. */
function useDeletions() {
  const [deleted, setDeleted] = useState<ReadonlySet<Id>>(new Set());
  const deletion = useDeleteListedEntry();
  const restoring = useRestoreListedEntry();
  return {
    deleted,
    async remove(entry: TimeEntry, reason: string | null) {
      const { message } = await deletion.mutateAsync({ id: entry.id, reason });
      setDeleted((before) => new Set([...before, entry.id]));
      notify.success(message);
    },
    async undo(entry: TimeEntry) {
      try {
        const { message } = await restoring.mutateAsync(entry.id);
        setDeleted((before) => new Set([...before].filter((id) => id !== entry.id)));
        notify.success(message);
      } catch (error) {
        notify.failure(failureText(error));
      }
    },
  };
}
