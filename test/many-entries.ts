import { sql } from 'kysely';
import { repairRollups } from '#features/time-entries/rollups/server/rollups.ts';
import type { Database } from '#server/db/database.ts';
import { NOW, TODAY } from './harness.ts';

/**
 * Makes a number of one-hour entries of one person at one activity. Their notes are long, so that a list is larger than the
 * buffers of a connection.
 */
export async function manyEntries(
  database: Database,
  of: { id: number },
  activity: { id: number; schoolId: number },
  count: number,
  noteLength = 490,
): Promise<void> {
  const run = (statement: ReturnType<typeof sql>) => statement.execute(database.db);
  const isPostgres = database.engine === 'postgres';
  const numbers = isPostgres
    ? sql`generate_series(1, ${sql.lit(count)}) as n (n)`
    : sql`(with recursive n (n) as (select 1 union all select n + 1 from n where n < ${sql.lit(count)}) select n from n) as n`;
  const notes = sql`${sql.lit('x'.repeat(noteLength))} || n`;
  // Updating rollups row by row takes most of a minute.
  if (isPostgres) await run(sql`alter table time_entries disable trigger user`);
  await run(sql`insert into time_entries (user_id, school_id, activity_id, hours_hundredths, entry_date, notes, created_at)
    select ${of.id}, ${activity.schoolId}, ${activity.id}, 100, ${TODAY}, ${notes}, ${NOW} from ${numbers}`);
  if (isPostgres) await run(sql`alter table time_entries enable trigger user`);
  await repairRollups(database);
}
