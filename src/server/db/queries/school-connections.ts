import { sql } from 'kysely';
import { collect } from '../chunks.ts';
import type { Db } from '../database.ts';

// Hours come from the rollups per school, because a user may have thousands of entries.
const TIES = ['user_schools', 'user_grants', 'photos', 'activity_suggestions', 'school_volunteers'] as const;

/** The schools that users are connected to, by a membership, a request, a role, hours, photos or suggestions. */
export async function schoolConnections(db: Db, ids: readonly number[]): Promise<Map<number, number[]>> {
  const found = new Map<number, Set<number>>();
  const rows = await collect(ids, async (some) => {
    const of = (table: (typeof TIES)[number]) => sql`select user_id, school_id from ${sql.table(table)}
      where user_id in (${sql.join(some)}) ${table === 'school_volunteers' ? sql`and entries > 0` : sql``}`;
    const all = sql.join(TIES.map(of), sql` union all `);
    return (await sql<{ user_id: number; school_id: number | null }>`${all}`.execute(db)).rows;
  });
  for (const { user_id, school_id } of rows) {
    if (school_id !== null) found.set(user_id, (found.get(user_id) ?? new Set()).add(school_id));
  }
  return new Map([...found].map(([id, schools]) => [id, [...schools]]));
}
