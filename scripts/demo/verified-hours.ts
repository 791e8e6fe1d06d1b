import { sql } from 'kysely';
import { type Database, transaction } from '#server/db/database.ts';
import { addDays, addMonths, dayIn, type Instant, startOfDay } from '#shared/calendar-date.ts';

/** How many schools verify hours. */
const VERIFYING_SCHOOLS = 2;

/** Entries older than this many days are decided, except a few. */
const DECIDED_AFTER_DAYS = 25;

/**
 * Turns verification on at the second and third school, so that the visitor has hours at a school that verifies and at one
 * that does not. Their entries are in every state: verified, adjusted, declined, with a reopen request, and waiting, some
 * overdue.
 */
export async function verifyDemoHours(
  database: Database,
  { now, timeZone }: { now: Instant; timeZone: string },
): Promise<void> {
  const today = dayIn(timeZone, now);
  await transaction(database, async (trx) => {
    const schools = await trx
      .selectFrom('schools')
      .select('id')
      .orderBy('id')
      .offset(1)
      .limit(VERIFYING_SCHOOLS)
      .execute();
    const ids = schools.map(({ id }) => id);
    const verifier = await trx
      .selectFrom('users')
      .select('id')
      .where('role', '=', 'admin')
      .orderBy('id')
      .limit(1)
      .executeTakeFirstOrThrow();
    const closed = { verification: 'on', closed_before: addMonths(today, -6) } as const;
    await trx.updateTable('schools').set(closed).where('id', 'in', ids).execute();
    const activities = trx.updateTable('activities').where('school_id', 'in', ids);
    await activities.set({ verification: 'outside' }).where(sql`id % 10`, '=', sql`7`).execute();
    await activities.set({ verification: 'trusted' }).where(sql`id % 10`, '=', sql`3`).execute();
    const entries = trx.updateTable('time_entries').where('school_id', 'in', ids);
    await entries.set({ verification: 'waiting' }).execute();
    const decidedUntil = addDays(today, -DECIDED_AFTER_DAYS);
    for (let from = addMonths(today, -13); from < decidedUntil; from = addMonths(from, 1)) {
      const next = addMonths(from, 1);
      const before = next < decidedUntil ? next : decidedUntil;
      const ofMonth = entries.where('entry_date', '>=', from).where('entry_date', '<', before);
      const at = startOfDay(timeZone, addDays(before, 3));
      // By the remainder of each entry's id, so that every month has every state.
      const withRemainder = (...numbers: readonly number[]) =>
        ofMonth.where(sql<number>`id % 40`, 'in', numbers);
      const decided = { decided_by: verifier.id, decided_at: at, decided_version: 1 };
      const verified = { ...decided, verification: 'verified' } as const;
      await ofMonth
        .where(sql<number>`id % 40`, 'not in', [4, 5, 6])
        .set({ ...verified, counted_hundredths: sql<number>`hours_hundredths` })
        .execute();
      await withRemainder(5)
        .set({ ...decided, verification: 'declined', decision_note: 'Not on the sign-in sheet of that day' })
        .execute();
      await withRemainder(6)
        .set({ ...verified, counted_hundredths: 25 })
        .execute();
      await withRemainder(7)
        .where('entry_date', '>=', addDays(before, -10))
        .set({ reopen_note: 'I stayed half an hour longer to clean up', reopen_asked_at: at })
        .execute();
    }
  });
}
