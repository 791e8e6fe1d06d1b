import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import { type EntryFilter, matching } from './filter-store.ts';

/** How many entries there are and how many hours they make, in hundredths. */
export type Sums = Readonly<{ entries: number; hundredths: number }>;

/** How many entries the filters find. */
export async function countEntries(db: Db, filter: EntryFilter): Promise<Sums> {
  return summarize(db, filter);
}

/** The same, and of how many people they are. */
export async function summarize(db: Db, filter: EntryFilter): Promise<Sums & { people: number }> {
  return db
    .selectFrom('time_entries')
    .select((eb) => [
      eb.fn.countAll<number>().as('entries'),
      eb.fn.coalesce(eb.fn.sum<number>('hours_hundredths'), sql<number>`0`).as('hundredths'),
      eb.fn.count<number>('user_id').distinct().as('people'),
    ])
    .where(matching(filter))
    .executeTakeFirstOrThrow();
}
