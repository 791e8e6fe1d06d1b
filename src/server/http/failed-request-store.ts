import type { CalendarDate, Instant } from '#shared/calendar-date.ts';
import type { Db, Trx } from '../db/database.ts';

/**
 * Requests that failed with a server error, grouped by method, route and status. `lastAt` and `lastId` are those of the latest.
 */
export type FailureGroup = Readonly<{
  method: string;
  route: string;
  status: number;
  count: number;
  lastAt: Instant;
  lastId: string;
}>;

/** Adds a group of failures to the day's counts, which all servers share. */
export async function addFailures(trx: Trx, day: CalendarDate, group: FailureGroup): Promise<void> {
  const { method, route, status, count, lastAt: last_at, lastId: last_id } = group;
  await trx
    .insertInto('failed_requests')
    .values({ day, method, route, status, count, last_at, last_id })
    .onConflict((conflict) =>
      conflict
        .columns(['day', 'method', 'route', 'status'])
        .doUpdateSet((eb) => ({ count: eb('failed_requests.count', '+', count), last_at, last_id })),
    )
    .execute();
}

/** Lists the failures since `since`, grouped by method, route and status, latest first. */
export async function listFailures(db: Db, since: CalendarDate, limit: number): Promise<FailureGroup[]> {
  const rows = await db
    .selectFrom('failed_requests')
    .select(['method', 'route', 'status', 'count', 'last_at as lastAt', 'last_id as lastId'])
    .where('day', '>=', since)
    .execute();
  // Sorted here, because there are few rows: a week of groups.
  const latestFirst = rows.toSorted((one, other) => (one.lastAt < other.lastAt ? 1 : -1));
  const groups = new Map<string, FailureGroup>();
  for (const row of latestFirst) {
    const key = `${row.method} ${row.route} ${row.status}`;
    const newer = groups.get(key);
    groups.set(key, newer === undefined ? row : { ...newer, count: newer.count + row.count });
  }
  return [...groups.values()].slice(0, limit);
}

/** Deletes failures of days before this one. */
export async function deleteFailuresBefore(trx: Trx, day: CalendarDate): Promise<void> {
  await trx.deleteFrom('failed_requests').where('day', '<', day).execute();
}
