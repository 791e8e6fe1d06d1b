import { collect } from '#server/db/chunks.ts';
import type { Db, Trx } from '#server/db/database.ts';
import { changesRows } from '#server/db/queries/changes-rows.ts';
import type { SchoolScope } from '#server/http/viewer.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { onlyOf } from './store.ts';

const AT_ONCE = 5000;

/** The data that is compared for a person. */
export type Candidate = Readonly<{
  id: number;
  firstName: string;
  lastName: string;
  email: string;
  isWalkIn: boolean;
  schools: readonly number[];
}>;

/**
 * Returns all people whose schools and roles lie within a scope. Reads in chunks, so that other requests are served in between.
 */
export async function readCandidates(db: Db, schools: SchoolScope): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (let after = 0; ; ) {
    const rows = await db
      .selectFrom('users')
      .select(['id', 'first_name', 'last_name', 'email', 'contact_email', 'is_walk_in'])
      .where('erased_at', 'is', null)
      .where('id', '>', after)
      .where(onlyOf(schools))
      .orderBy('id')
      .limit(AT_ONCE)
      .execute();
    const memberships = await membershipsOfMany(db, after, rows.at(-1)?.id ?? after);
    for (const row of rows) {
      found.push({
        id: row.id,
        firstName: row.first_name,
        lastName: row.last_name,
        email: (row.is_walk_in === 1 ? row.contact_email : row.email) ?? '',
        isWalkIn: row.is_walk_in === 1,
        schools: (memberships.get(row.id) ?? []).map((membership) => membership.school_id),
      });
    }
    if (rows.length < AT_ONCE) return found;
    after = rows.at(-1)?.id ?? after;
  }
}

/** Returns the pairs that were marked as different and whose lower ID is one of these, as 'low high'. */
export async function findNotDuplicates(db: Db, lows: readonly number[]): Promise<ReadonlySet<string>> {
  const rows = await collect(lows, (some) =>
    db
      .selectFrom('not_duplicates')
      .select(['low_user_id', 'high_user_id'])
      .where('low_user_id', 'in', some)
      .execute(),
  );
  return new Set(rows.map((row) => `${row.low_user_id} ${row.high_user_id}`));
}

/** Marks two people as different. Returns false if they already were. */
export function insertNotDuplicate(
  trx: Trx,
  { low, high }: { low: number; high: number },
  by: number,
  at: Instant,
): Promise<boolean> {
  return changesRows(
    trx
      .insertInto('not_duplicates')
      .values({ low_user_id: low, high_user_id: high, said_by: by, said_at: at })
      .onConflict((conflict) => conflict.doNothing()),
  );
}

/** Removes the mark that two people are different. Returns false if there was none. */
export function deleteNotDuplicate(trx: Trx, { low, high }: { low: number; high: number }): Promise<boolean> {
  return changesRows(
    trx.deleteFrom('not_duplicates').where('low_user_id', '=', low).where('high_user_id', '=', high),
  );
}

/** Counts the entries of these people that are not deleted, and sums their hours in hundredths. */
export async function hoursOf(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, { entries: number; hundredths: number }>> {
  const rows = await collect(ids, (some) =>
    db
      .selectFrom('time_entries')
      .select(['user_id', (eb) => eb.fn.countAll<number>().as('entries')])
      .select((eb) => eb.fn.sum<number>('hours_hundredths').as('hundredths'))
      .where('user_id', 'in', some)
      .where('deleted_at', 'is', null)
      .groupBy('user_id')
      .execute(),
  );
  return new Map(rows.map(({ user_id, ...sums }) => [user_id, sums]));
}

async function membershipsOfMany(db: Db, after: number, last: number) {
  const rows = await db
    .selectFrom('user_schools')
    .select(['user_id', 'school_id'])
    .where('user_id', '>', after)
    .where('user_id', '<=', last)
    .execute();
  return Map.groupBy(rows, (row) => row.user_id);
}
