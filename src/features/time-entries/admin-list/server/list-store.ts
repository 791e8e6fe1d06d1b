import type { RawBuilder } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { Page, PageKey } from '#server/db/queries/pagination.ts';
import type { Viewer } from '#server/http/viewer.ts';
import type { EntrySort, TimeEntry } from '../../contract.ts';
import { type LoadedEntryRow, loadEntries, toEntry } from '../../server/store.ts';
import { type EntryFilter, hasDays } from './filter-store.ts';
import {
  inOrder,
  isByDay,
  SORT_COLUMNS,
  type SortedList,
  type Sorting,
  segmentsByIndex,
  segmentsBySorting,
} from './sorted-segments-store.ts';
import { sumSchools } from './totals-store.ts';

/** An entry in a sorted list, with its sort values. */
export type SortedEntry = Readonly<{
  entry: TimeEntry;
  key: PageKey;
  /** Whether an external verifier decided about the entry. */
  isDecidedOutside: boolean;
}>;

// When a list is ordered by activity, up to this many entries are sorted. Above it, reading a district's activities in order
// is faster.
const MAX_SORTED_ENTRIES = 200;

/**
 * A page of the `total` matching entries, with one row more than the limit to show whether there is a next page. A
 * list is read in index order until the page is full, unless the filter matches few entries and sorting them is
 * faster.
 */
export async function pageOfEntries(
  db: Db,
  viewer: Viewer,
  query: { filter: EntryFilter; sorting: Sorting; page: Page; total: number },
): Promise<SortedEntry[]> {
  const { filter, sorting, page, total } = query;
  if (total === 0) return [];
  const wanted = page.limit + 1;
  const list = { db, filter, sorting, after: page.after };
  const segments = (await isSortingFaster(list, total, wanted))
    ? segmentsBySorting(list)
    : segmentsByIndex(list);
  const found: SortedEntry[] = [];
  for (const segment of segments) {
    // Always ask for a whole page, so that the database reuses the plan of the statement.
    found.push(...(await readSegment(db, viewer, sorting, segment(wanted))));
    if (found.length >= wanted) break;
  }
  return found.slice(0, wanted);
}

// Filling a page in index order takes about wanted * steps / total steps if the matching entries are spread evenly.
async function isSortingFaster(
  { db, filter, sorting: { by } }: SortedList,
  total: number,
  wanted: number,
): Promise<boolean> {
  const { userId, activityId } = filter;
  if (isByDay(by, filter)) return false;
  const isWhole = userId === undefined && activityId === undefined;
  if (isWhole && !hasDays(filter)) return false;
  if (by.startsWith('activity') && userId === undefined) return total <= MAX_SORTED_ENTRIES;
  const whole = await sumSchools(db, filter);
  const steps = by === 'userName' && activityId === undefined ? whole.people : whole.entries;
  return total * total <= wanted * steps;
}

async function readSegment(
  db: Db,
  viewer: Viewer,
  { by, order }: Sorting,
  ids: RawBuilder<number>,
): Promise<SortedEntry[]> {
  const rows = await loadEntries(db, ids, inOrder(SORT_COLUMNS[by], order));
  return rows.map((row) => ({
    entry: toEntry(viewer, row),
    key: sortKeyOf(by, row),
    isDecidedOutside: row.decided_by_external !== null,
  }));
}

function sortKeyOf(by: EntrySort, row: LoadedEntryRow): PageKey {
  if (by === 'hours') return [row.hours_hundredths, row.id];
  const dayAndId = [row.entry_date, row.id];
  if (by === 'userName') return [row.sort_key, row.user_id, ...dayAndId];
  if (by === 'activityName') return [row.activity_key, row.activity_id, ...dayAndId];
  return by === 'activityDate' ? [row.active_from, row.activity_id, ...dayAndId] : dayAndId;
}
