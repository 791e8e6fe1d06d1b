import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import type { Page, PageKey } from '#server/db/page.ts';
import type { Viewer } from '#server/http/viewer.ts';
import type { EntrySort, SortOrder, TimeEntry } from '../contract.ts';
import { type EntryFilter, matching } from './filter-store.ts';
import { shown, toEntry } from './store.ts';
import type { Sums } from './sums-store.ts';

/** An entry in a sorted list, with its place there. */
export type Placed = Readonly<{ entry: TimeEntry; key: PageKey }>;

/** By what a list is sorted, and which way. */
export type Sorting = Readonly<{ by: EntrySort; order: SortOrder }>;

const DAY_AND_ID = ['time_entries.entry_date', 'time_entries.id'];

/** The columns a row's place is made of. */
const KEYS: Readonly<Record<EntrySort, readonly string[]>> = {
  entryDate: DAY_AND_ID,
  hours: ['time_entries.hours_hundredths', 'time_entries.id'],
  userName: ['users.sort_key', 'users.id', ...DAY_AND_ID],
  activityName: ['activities.name_key', 'activities.id', ...DAY_AND_ID],
  activityDate: ['activities.active_from', 'activities.id', ...DAY_AND_ID],
};

/** A page of the entries asked for; one more than the page's limit, to see if more come. */
export async function pageOfEntries(
  db: Db,
  viewer: Viewer,
  filter: EntryFilter,
  sorting: Sorting,
  page: Page,
  _counted: Sums,
): Promise<Placed[]> {
  const wanted = page.limit + 1;
  const found: Placed[] = [];
  for (const part of partsOf(filter, sorting, page.after)) {
    if (found.length >= wanted) break;
    found.push(...(await read(db, viewer, sorting, part, wanted - found.length)));
  }
  return found;
}

type Part = { where: RawBuilder<boolean>; columns: readonly string[] };

function partsOf(filter: EntryFilter, { by, order }: Sorting, after: PageKey | undefined): Part[] {
  const columns = KEYS[by];
  const own = matching(filter);
  if (by !== 'activityDate') return [{ where: and(own, past(columns, after, order)), columns }];
  // What has no date comes last, whichever way the rest goes.
  const undated = columns.slice(1);
  const isDated = after === undefined || after[0] !== null;
  return [
    ...(isDated
      ? [{ where: and(own, sql`activities.active_from is not null`, past(columns, after, order)), columns }]
      : []),
    {
      where: and(
        own,
        sql`activities.active_from is null`,
        past(undated, isDated ? undefined : after.slice(1), order),
      ),
      columns: undated,
    },
  ];
}

async function read(db: Db, viewer: Viewer, { by, order }: Sorting, part: Part, limit: number) {
  const way = sql.raw(order);
  const sorted = sql.join(part.columns.map((column) => sql`${sql.ref(column)} ${way}`));
  const ids = sql<number>`(select time_entries.id from time_entries
    cross join users cross join activities
    where users.id = time_entries.user_id and activities.id = time_entries.activity_id
    and ${part.where} order by ${sorted} limit ${limit})`;
  const rows = await shown(db)
    .select(['users.sort_key', 'activities.name_key'])
    .where(sql<boolean>`time_entries.id in ${ids}`)
    .orderBy(sorted)
    .execute();
  return rows.map((row) => {
    const place: Readonly<Record<EntrySort, PageKey>> = {
      entryDate: [],
      hours: [],
      userName: [row.sort_key, row.user_id],
      activityName: [row.name_key, row.activity_id],
      activityDate: [row.active_from, row.activity_id],
    };
    const tail = by === 'hours' ? [row.hours_hundredths, row.id] : [row.entry_date, row.id];
    return { entry: toEntry(viewer, row), key: [...place[by], ...tail] };
  });
}

function past(columns: readonly string[], after: PageKey | undefined, order: SortOrder): RawBuilder<boolean> {
  if (after === undefined) return sql<boolean>`1 = 1`;
  const refs = sql.join(columns.map((column) => sql.ref(column)));
  return sql<boolean>`(${refs}) ${sql.raw(order === 'asc' ? '>' : '<')} (${sql.join([...after])})`;
}

function and(...conditions: RawBuilder<unknown>[]): RawBuilder<boolean> {
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}
