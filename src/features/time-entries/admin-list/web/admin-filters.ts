import type { District } from '#features/schools/district-settings/contract.ts';
import { addDays, addMonths, type CalendarDate, day } from '#shared/calendar-date.ts';
import type { Id } from '#shared/id.ts';
import { readInTab, writeInTab } from '#web/api/tab-storage.ts';
import { DEFAULT_SORT, type EntrySort, type SortOrder } from '../../contract.ts';
import type { Status } from '../../verification-status.ts';

/** An administrator's filters for a school's entries, and the sort order. */
export type Filters = Readonly<{
  startDate: CalendarDate | undefined;
  endDate: CalendarDate | undefined;
  /** 0 (Sunday) to 6 (Saturday). */
  weekday: number | undefined;
  user: Readonly<{ id: Id; name: string }> | undefined;
  activityId: Id | undefined;
  /** The activity's name, when it was chosen from the activities of all schools. */
  activityName?: string | undefined;
  /** The verification status, at a school that verifies hours. */
  status: Status | undefined;
  sortBy: EntrySort;
  sortOrder: SortOrder;
}>;

/** No filters, latest first (specification section 9). */
export const NO_FILTERS: Filters = {
  startDate: undefined,
  endDate: undefined,
  weekday: undefined,
  user: undefined,
  activityId: undefined,
  status: undefined,
  ...DEFAULT_SORT,
};

/**
 * Applies a change. An end day before a new start is cleared, and a new end day before the start is ignored (specification
 * section 2: the end is at least the start).
 */
export function applyFilter<Filtered extends Pick<Filters, 'startDate' | 'endDate'>>(
  filters: Filtered,
  change: Partial<Filtered>,
): Filtered {
  const next = { ...filters, ...change };
  const { startDate, endDate } = next;
  const isReversed = startDate !== undefined && endDate !== undefined && endDate < startDate;
  if (!isReversed) return next;
  return 'endDate' in change ? { ...next, endDate: filters.endDate } : { ...next, endDate: undefined };
}

/** Sorts by a column, or reverses the order if the list is already sorted by that column. Days and hours start descending. */
export function toggleSort(filters: Filters, sortBy: EntrySort): Filters {
  const first = sortBy === 'entryDate' || sortBy === 'hours' ? 'desc' : 'asc';
  const other = filters.sortOrder === 'asc' ? 'desc' : 'asc';
  return { ...filters, sortBy, sortOrder: filters.sortBy === sortBy ? other : first };
}

/** The preset periods, up to today. */
export const RANGES = ['thisMonth', 'lastMonth', 'schoolYear'] as const;
export type Range = (typeof RANGES)[number];

/** The days of a period. */
export function daysOf(
  range: Range,
  { today, schoolYearStart }: Pick<District, 'today' | 'schoolYearStart'>,
) {
  const first = day(`${today.slice(0, 7)}-01`);
  if (range === 'lastMonth') return { startDate: addMonths(first, -1), endDate: addDays(first, -1) };
  return { startDate: range === 'thisMonth' ? first : schoolYearStart, endDate: today };
}

/** Whether any filter is set or the sort order differs from the default. */
export function isFiltered(filters: Filters): boolean {
  return (
    countActiveFilters(filters) > 0 ||
    filters.sortBy !== DEFAULT_SORT.sortBy ||
    filters.sortOrder !== DEFAULT_SORT.sortOrder
  );
}

/** How many filters are set. */
export function countActiveFilters({
  startDate,
  endDate,
  weekday,
  user,
  activityId,
  status,
}: Filters): number {
  return [startDate, endDate, weekday, user, activityId, status].filter((one) => one !== undefined).length;
}

/** The filters shared by the list and its summary, as request parameters. */
export function filterParams(filters: Filters, schoolId: Id | undefined) {
  const { startDate, endDate, weekday, user, activityId, status } = filters;
  return { schoolId, startDate, endDate, weekday, userId: user?.id, activityId, status };
}

/** The user who set the filters, and the school of the list; undefined means all schools. */
type FilterOwner = Readonly<{ userId: Id; schoolId: Id | undefined }>;

const storageKey = ({ userId, schoolId }: FilterOwner) => `entryFilters.${userId}.${schoolId ?? 'all'}`;

/**
 * The filters stored for this user and school; `NO_FILTERS` if there are none. Stored for this tab only, because a filter
 * may name a person.
 */
export function savedFilters(owner: FilterOwner): Filters {
  return readInTab(storageKey(owner), NO_FILTERS);
}

export function saveFilters(owner: FilterOwner, filters: Filters): void {
  writeInTab(storageKey(owner), filters);
}
