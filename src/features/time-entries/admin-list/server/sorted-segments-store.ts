import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { inSchools } from '#server/db/queries/conditions.ts';
import { orderedIds, unindexedCondition } from '#server/db/queries/ordered-ids.ts';
import type { PageKey } from '#server/db/queries/pagination.ts';
import { PAGE } from '#shared/list-query.ts';
import type { EntrySort, SortOrder } from '../../contract.ts';
import { allOf, type EntryFilter, matchesFilter } from './filter-store.ts';

/*
 * A sorted list of entries is read in segments, which are consecutive queries. A page is filled from the first one
 * and, if that has too few rows, from the next. If the sort column is in another table, no index on the entries covers
 * it. That table is then read in sort order, and the entries are looked up for each of its rows.
 *
 * Three entries by volunteer, two on a page:
 *
 *   id  user    day               page 1, after nothing          page 2, after (Ann, March 2, 12)
 *   11  Bob     March 1           all by name, each one's        1. the rest of Ann's: none
 *   12  Ann     March 2             entries by day: 13, 12       2. all after Ann: 11
 *   13  Ann     March 1
 *
 * When few entries match, they are found first and then sorted. `list-store.ts` decides.
 */

/** The sort field and direction of a list. */
export type Sorting = Readonly<{ by: EntrySort; order: SortOrder }>;

/** A list, and the sort key to continue after. */
export type SortedList = Readonly<{
  db: Db;
  filter: EntryFilter;
  sorting: Sorting;
  after: PageKey | undefined;
}>;

/** A query for the first ids of one segment; all of them sort before those of the next segment. */
export type Segment = (limit: number) => RawBuilder<number>;

const DAY_AND_ID = ['time_entries.entry_date', 'time_entries.id'];

/** The sort columns of each field. In `activityDate` entries without a date come last in both directions. */
export const SORT_COLUMNS: Readonly<Record<EntrySort, readonly string[]>> = {
  entryDate: DAY_AND_ID,
  hours: ['time_entries.hours_hundredths', 'time_entries.id'],
  userName: ['users.sort_key', 'users.id', ...DAY_AND_ID],
  activityName: ['activities.name_key', 'activities.id', ...DAY_AND_ID],
  activityDate: ['activities.active_from', 'activities.id', ...DAY_AND_ID],
};

/** Whether a list is in effect sorted by day: day is its sort field, or all entries have the same value in that field. */
export function isByDay(by: EntrySort, { userId, activityId }: EntryFilter): boolean {
  if (by === 'userName') return userId !== undefined;
  if (by === 'activityName' || by === 'activityDate') return activityId !== undefined;
  return by === 'entryDate';
}

/** The segments of a list whose entries are found first and then sorted. */
export function segmentsBySorting(list: SortedList): Segment[] {
  const { by } = list.sorting;
  const columns = SORT_COLUMNS[by];
  if (by !== 'activityDate') return [segmentBySorting(list, columns, list.after)];
  const [isDated, isUndated] = [sql`activities.active_from is not null`, sql`activities.active_from is null`];
  const undated = (after?: PageKey) => segmentBySorting(list, columns.slice(1), after, isUndated);
  if (list.after?.[0] === null) return [undated(list.after.slice(1))];
  return [segmentBySorting(list, columns, list.after, isDated), undated()];
}

/** The segments of a list that is read in the order of an index. */
export function segmentsByIndex(list: SortedList): Segment[] {
  const { db, filter, sorting, after } = list;
  const { by, order } = sorting;
  if (isByDay(by, filter))
    return [segmentByOwnIndex(matchesFilter(db, filter), DAY_AND_ID, order, after?.slice(-2))];
  if (by === 'hours')
    return [segmentByOwnIndex(matchesFilter(db, filter, 'hours'), SORT_COLUMNS.hours, order, after)];
  if (by === 'userName') return segmentsByGroup(list, groupByPerson(filter), after);
  if (by === 'activityName') return segmentsByGroup(list, groupByActivity(filter, 'name_key'), after);
  const dated = { ...groupByActivity(filter, 'active_from'), only: sql`activities.active_from is not null` };
  const undated = {
    ...groupByActivity(filter, 'active_from'),
    sortColumns: ['id'],
    only: sql`activities.active_from is null`,
  };
  if (after?.[0] === null) return segmentsByGroup(list, undated, after.slice(1));
  return [...segmentsByGroup(list, dated, after), ...segmentsByGroup(list, undated, undefined)];
}

/** Columns to order by, all in the same direction. */
export function inOrder(columns: readonly string[], order: SortOrder): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql`${sql.ref(column)} ${sql.raw(order)}`));
}

function segmentBySorting(
  { db, filter, sorting: { by, order } }: SortedList,
  columns: readonly string[],
  after: PageKey | undefined,
  only?: RawBuilder<unknown>,
): Segment {
  const [table, match] = JOINED[by];
  const where = allOf(match, matchesFilter(db, filter), only, isAfter(columns, after, order));
  // Sorted without an index, because few rows match and the index that finds them has another order.
  const orderBy = sql.join(columns.map((column) => sql`${unindexedCondition(db, column)} ${sql.raw(order)}`));
  return (limit) =>
    sql<number>`(select time_entries.id from time_entries ${table} where ${where} order by ${orderBy} limit ${limitSql(limit)})`;
}

const JOINED: Readonly<Record<EntrySort, readonly [RawBuilder<unknown>, RawBuilder<unknown> | undefined]>> = {
  entryDate: [sql``, undefined],
  hours: [sql``, undefined],
  userName: [sql`cross join users`, sql`users.id = time_entries.user_id`],
  activityName: [sql`cross join activities`, sql`activities.id = time_entries.activity_id`],
  activityDate: [sql`cross join activities`, sql`activities.id = time_entries.activity_id`],
};

function segmentByOwnIndex(
  where: RawBuilder<unknown>,
  columns: readonly string[],
  order: SortOrder,
  after: PageKey | undefined,
): Segment {
  const conditions = allOf(where, isAfter(columns, after, order));
  return (limit) =>
    sql<number>`(select time_entries.id from time_entries where ${conditions}
      order by ${inOrder(columns, order)} limit ${limitSql(limit)})`;
}

/** The usual page sizes. */
const COMMON_LIMITS: readonly number[] = [50, PAGE.default, PAGE.max];

// For a limit that is a parameter, PostgreSQL assumes a tenth of the table. Such a plan looks so expensive that it
// plans the query again on each use, which takes as long as running it. So the usual limits are literals; every other
// literal would be one more statement to cache.
function limitSql(limit: number): RawBuilder<number> {
  return COMMON_LIMITS.includes(limit - 1) ? sql.lit(limit) : sql`${limit}`;
}

/** Groups of entries, one per person or activity, each ordered by day. */
type Groups = Readonly<{
  outer: 'school_volunteers' | 'users' | 'activities';
  order: readonly [key: string, id: string];
  /** The sort columns of the groups. */
  sortColumns: readonly string[];
  where: RawBuilder<unknown> | undefined;
  only?: RawBuilder<unknown>;
  match: RawBuilder<unknown>;
  lead: 'user' | 'activity';
}>;

// First the rest of the group in which the last page ended, then all groups after it.
function segmentsByGroup(
  { db, filter, sorting }: SortedList,
  groups: Groups,
  after: PageKey | undefined,
): Segment[] {
  const { outer, order, lead } = groups;
  const sortColumns = groups.sortColumns.map((column) => `${outer}.${column}`);
  const laterGroups: Segment = (limit) =>
    orderedIds(db, {
      outer,
      outerWhere: allOf(groups.where, groups.only, isAfter(sortColumns, after?.slice(0, -2), sorting.order)),
      outerOrder: order,
      inner: 'time_entries',
      innerWhere: allOf(groups.match, matchesFilter(db, filter, lead)),
      innerOrder: ['entry_date', 'id'],
      way: sorting.order,
      limit,
    });
  if (after === undefined) return [laterGroups];
  const current = Number(after.at(-3));
  const groupFilter = lead === 'user' ? { ...filter, userId: current } : { ...filter, activityId: current };
  return [
    segmentByOwnIndex(matchesFilter(db, groupFilter, lead), DAY_AND_ID, sorting.order, after.slice(-2)),
    laterGroups,
  ];
}

function groupByPerson({ schools }: EntryFilter): Groups {
  const lead = 'user';
  if (schools === 'all' || schools.length !== 1) {
    const match = sql`time_entries.user_id = users.id`;
    const order = ['sort_key', 'id'] as const;
    return { outer: 'users', order, sortColumns: order, where: undefined, match, lead };
  }
  return {
    outer: 'school_volunteers',
    order: ['sort_key', 'user_id'],
    sortColumns: ['sort_key', 'user_id'],
    where: inSchools('school_volunteers.school_id', schools),
    match: sql`time_entries.user_id = school_volunteers.user_id`,
    lead,
  };
}

function groupByActivity({ schools }: EntryFilter, key: 'name_key' | 'active_from'): Groups {
  return {
    outer: 'activities',
    order: [key, 'id'],
    sortColumns: [key, 'id'],
    where: schools === 'all' ? undefined : inSchools('activities.school_id', schools),
    match: sql`time_entries.activity_id = activities.id`,
    lead: 'activity',
  };
}

function isAfter(
  columns: readonly string[],
  after: PageKey | undefined,
  order: SortOrder,
): RawBuilder<unknown> | undefined {
  if (after === undefined) return undefined;
  const refs = sql.join(columns.map((column) => sql.ref(column)));
  return sql`(${refs}) ${sql.raw(order === 'asc' ? '>' : '<')} (${sql.join([...after])})`;
}
