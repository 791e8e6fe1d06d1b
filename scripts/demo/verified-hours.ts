import { sql } from 'kysely';
import {
  addDays,
  addMonths,
  type CalendarDate,
  dayIn,
  type Instant,
  startOfDay,
} from '#base/calendar-date.ts';
import { type Database, type Trx, transaction } from '#server/db/connect.ts';

/** So many of the schools verify hours; the others show the product without it. */
export const VERIFYING = 2;

/** What is older than so many days has been looked at, all but a few forgotten ones. */
const LOOKED_AT_DAYS = 25;

type Period = Readonly<{ from: CalendarDate; before: CalendarDate; at: Instant }>;

/**
 * Turns verification on at the second school and the one after it, so that the visitor has hours at one that verifies
 * and at one that does not. Their entries are in every state: verified, with other hours, declined, asked to be
 * reopened, and waiting, some of them for too long.
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
      .limit(VERIFYING)
      .execute();
    const ids = schools.map(({ id }) => id);
    const verifier = await trx
      .selectFrom('users')
      .select('id')
      .where('role', '=', 'admin')
      .orderBy('id')
      .limit(1)
      .executeTakeFirstOrThrow();
    await trx
      .updateTable('schools')
      .set({ verification: 'on', closed_before: addMonths(today, -6) })
      .where('id', 'in', ids)
      .execute();
    await markActivities(trx, ids);
    await trx
      .updateTable('time_entries')
      .set({ verification: 'waiting' })
      .where('school_id', 'in', ids)
      .execute();
    const lookedAt = addDays(today, -LOOKED_AT_DAYS);
    for (let from = addMonths(today, -13); from < lookedAt; from = addMonths(from, 1)) {
      const next = addMonths(from, 1);
      const before = next < lookedAt ? next : lookedAt;
      await decide(
        trx,
        { ids, by: verifier.id },
        { from, before, at: startOfDay(timeZone, addDays(before, 3)) },
      );
    }
  });
}

async function markActivities(trx: Trx, schools: readonly number[]): Promise<void> {
  const activities = trx.updateTable('activities').where('school_id', 'in', schools);
  await activities.set({ verification: 'outside' }).where(sql`id % 10`, '=', sql`7`).execute();
  await activities.set({ verification: 'trusted' }).where(sql`id % 10`, '=', sql`3`).execute();
}

// Every entry by the remainder of its id, so that each state is there in every period.
async function decide(
  trx: Trx,
  { ids, by }: { ids: readonly number[]; by: number },
  { from, before, at }: Period,
): Promise<void> {
  const remaining = (...of: readonly number[]) =>
    trx
      .updateTable('time_entries')
      .where('school_id', 'in', ids)
      .where('entry_date', '>=', from)
      .where('entry_date', '<', before)
      .where(sql<number>`id % 40`, 'in', of);
  const decided = { decided_by: by, decided_at: at, decided_version: 1 };
  const all = Array.from({ length: 40 }, (_, remainder) => remainder);
  const hours = sql<number>`hours_hundredths`;
  await remaining(...all.filter((one) => ![4, 5, 6].includes(one)))
    .set({ ...decided, verification: 'verified', counted_hundredths: hours })
    .execute();
  await remaining(5)
    .set({ ...decided, verification: 'declined', decision_note: 'Not on the sign-in sheet of that day' })
    .execute();
  await remaining(6)
    .set({ ...decided, verification: 'verified', counted_hundredths: 25, decision_note: null })
    .execute();
  await remaining(7)
    .where('entry_date', '>=', addDays(before, -10))
    .set({ reopen_note: 'I stayed half an hour longer to clean up', reopen_asked_at: at })
    .execute();
}
