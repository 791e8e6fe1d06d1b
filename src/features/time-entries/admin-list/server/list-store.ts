import type { RawBuilder } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { Page, PageKey } from '#server/db/queries/pagination.ts';
import type { Viewer } from '#server/http/viewer.ts';
import type { EntrySort, TimeEntry } from '../../contract.ts';
import { type ShownRow, showEntries, toEntry } from '../../server/store.ts';
import { type EntryFilter, hasDays } from './filter-store.ts';
import {
  inOrder,
  isByDay,
  PLACE,
  type SortedList,
  type Sorting,
  segmentsByIndex,
  segmentsBySorting,
} from './sorted-segments-store.ts';
import { sumSchools } from './totals-store.ts';

/** An entry in a sorted list, with its sort values. */
export type Placed = Readonly<{
  entry: TimeEntry;
  key: PageKey;
  /** Whether somebody outside the school decided about it. */
  isDecidedOutside: boolean;
}>;

// Up to this many entries are sorted; above it, walking through a district's activities is faster.
const FEW = 200;

/**
 * A page of the `total` matching entries; one row more than the limit, to tell whether there is a next page. A
 * list is read in index order until the page is full, unless the filter matches so few entries that sorting
 * them all is faster.
 */
export async function pageOfEntries(
  db: Db,
  viewer: Viewer,
  asked: { filter: EntryFilter; sorting: Sorting; page: Page; total: number },
): Promise<Placed[]> {
  const { filter, sorting, page, total } = asked;
  if (total === 0) return [];
  const wanted = page.limit + 1;
  const list = { db, filter, sorting, after: page.after };
  const segments = (await isSortedAtOnce(list, total, wanted))
    ? segmentsBySorting(list)
    : segmentsByIndex(list);
  const found: Placed[] = [];
  for (const segment of segments) {
    // A whole page of each, so that its statement is one that has been planned.
    found.push(...(await read(db, viewer, sorting, segment(wanted))));
    if (found.length >= wanted) break;
  }
  return found.slice(0, wanted);
}

// Filling a page by walking takes about wanted * steps / total steps if the matching entries are spread evenly.
async function isSortedAtOnce(
  { db, filter, sorting: { by } }: SortedList,
  total: number,
  wanted: number,
): Promise<boolean> {
  const { userId, activityId } = filter;
  if (isByDay(by, filter)) return false;
  const isWhole = userId === undefined && activityId === undefined;
  if (isWhole && !hasDays(filter)) return false;
  if (by.startsWith('activity') && userId === undefined) return total <= FEW;
  const whole = await sumSchools(db, filter);
  const steps = by === 'userName' && activityId === undefined ? whole.people : whole.entries;
  return total * total <= wanted * steps;
}

async function read(
  db: Db,
  viewer: Viewer,
  { by, order }: Sorting,
  ids: RawBuilder<number>,
): Promise<Placed[]> {
  const rows = await showEntries(db, ids, inOrder(PLACE[by], order));
  return rows.map((row) => ({
    entry: toEntry(viewer, row),
    key: placeOf(by, row),
    isDecidedOutside: row.decided_outside !== null,
  }));
}

function placeOf(by: EntrySort, row: ShownRow): PageKey {
  if (by === 'hours') return [row.hours_hundredths, row.id];
  const dayAndId = [row.entry_date, row.id];
  if (by === 'userName') return [row.sort_key, row.user_id, ...dayAndId];
  if (by === 'activityName') return [row.activity_key, row.activity_id, ...dayAndId];
  return by === 'activityDate' ? [row.active_from, row.activity_id, ...dayAndId] : dayAndId;
}
