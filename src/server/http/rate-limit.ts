import { sql } from 'kysely';
import { assertDefined } from '#shared/assert-defined.ts';
import { type Instant, millisecondsOf, plusMilliseconds } from '#shared/calendar-date.ts';
import { commonMessages } from '#shared/common-messages.ts';
import { errors } from '#shared/errors.ts';
import { type Database, type Db, type Trx, transaction } from '../db/database.ts';
import type { Row } from '../db/tables.ts';
import { type ExpiringRows, expiringRows } from '../personal-data/expired-rows-store.ts';

/** How many attempts a window allows, and how the pauses grow after that. */
export type RateLimitPolicy = Readonly<{
  tries: number;
  windowSeconds: number;
  pauseSeconds: number;
  maxPauseSeconds: number;
}>;

/** Allows this many attempts an hour, then pauses that grow to 15 minutes. */
export function hourly(tries: number, pauseSeconds: number): RateLimitPolicy {
  return { tries, windowSeconds: 3600, pauseSeconds, maxPauseSeconds: 900 };
}

/** Password guesses at one account: 5 failures a minute, then pauses of 1, 2, 4, 8, 15 minutes (decisions). */
export const PER_ACCOUNT: RateLimitPolicy = {
  tries: 5,
  windowSeconds: 60,
  pauseSeconds: 60,
  maxPauseSeconds: 900,
};

/** Password guesses from one address. Loose, because a whole school shares one (decisions). The pause does not grow. */
export const PER_ADDRESS: RateLimitPolicy = {
  tries: 300,
  windowSeconds: 600,
  pauseSeconds: 60,
  maxPauseSeconds: 60,
};

/** New accounts from one address: at least 300 an hour must work (decisions). */
export const REGISTRATIONS = hourly(600, 300);

/** Reset links requested from one address: at least 200 an hour must work (decisions). */
export const PASSWORD_RESETS = hourly(300, 300);

/** Emails that anyone can request for one account. Beyond the limit nothing is sent, and the reply does not reveal that. */
export const EMAILS_PER_ACCOUNT = hourly(5, 900);

/** Emails that a signed-in user can request to unconfirmed addresses. */
export const EMAILS_BY_SENDER = hourly(10, 900);

/** Invitations that one administrator sends or resends. The import is for more people. */
export const INVITES_BY_SENDER = hourly(200, 900);

/** Emails requested from one address: as many as its registrations. */
export const EMAILS_PER_NETWORK: RateLimitPolicy = { ...REGISTRATIONS };

/** Email changes of one account, and from one network: each attempt may reveal whether an address is taken. */
export const ADDRESS_CHANGES = hourly(5, 900);
export const ADDRESS_CHANGES_PER_NETWORK = hourly(200, 300);

/** Requests of one user to hide photos. A family may want a whole album hidden (decisions). */
export const HIDE_PHOTO_REQUESTS = hourly(50, 900);

/** Emails to administrators about individual hidden photos, across all requesters. Above it, they get one summary per hour. */
export const HIDE_PHOTO_EMAILS = hourly(30, 900);

/** Accessibility reports, per network and in total. Their senders are anonymous, and each report is an email. */
export const BARRIER_REPORTS_PER_NETWORK = hourly(20, 900);
export const BARRIER_REPORTS = hourly(200, 900);

/** After a day without failures the pauses start small again. */
const RESET_AFTER_SECONDS = 86_400;

/**
 * Concurrent attempts may be counted out of order, so a window or a pause may begin slightly after `now`. One that begins much
 * later was stored before the clock was set back, and counts as over.
 */
const OUT_OF_TURN_SECONDS = 60;

/** A counter: its key ('account:ann@example.org') and its policy. */
export type Counter = Readonly<{ key: string; policy: RateLimitPolicy }>;

/**
 * Counts an attempt on every counter and returns whether it may proceed, for limits that are not revealed to
 * the caller.
 */
export async function checkRateLimit(
  database: Database,
  counters: readonly Counter[],
  now: Instant,
): Promise<boolean> {
  return transaction(database, (trx) => checkRateLimitIn(trx, counters, now));
}

/** Like `checkRateLimit`, in a transaction whose rollback also undoes the count. */
export async function checkRateLimitIn(
  trx: Trx,
  counters: readonly Counter[],
  now: Instant,
): Promise<boolean> {
  return (await countTries(trx, counters, now)) === 0;
}

/**
 * Counts an attempt on every counter before the check itself, so that concurrent attempts cannot bypass the limit. Throws 429
 * with the pause when a counter is used up. If the attempt turns out not to be a failure, return it with `clearCounters`.
 */
export async function consumeAttempt(
  database: Database,
  counters: readonly Counter[],
  now: Instant,
): Promise<void> {
  const pause = await transaction(database, (trx) => countTries(trx, counters, now));
  if (pause > 0) throw errors.tooManyTries(commonMessages.tooManyAttempts, pause);
}

/** Like `consumeAttempt`, in a transaction whose rollback also undoes the count. */
export async function consumeAttemptIn(trx: Trx, counters: readonly Counter[], now: Instant): Promise<void> {
  const pause = await countTries(trx, counters, now);
  if (pause > 0) throw errors.tooManyTries(commonMessages.tooManyAttempts, pause);
}

/** Throws 429 with the pause while a counter is paused. Does not count an attempt. */
export async function throwWhilePaused(
  database: Database,
  { key, policy }: Counter,
  now: Instant,
): Promise<void> {
  const row = await findCounter(database.db, key);
  const pause = row === undefined ? 0 : pauseLeft(row, policy, now);
  if (pause > 0) throw errors.tooManyTries(commonMessages.tooManyAttempts, pause);
}

/**
 * Counts a failure after the check, so that successful attempts are never counted, not even briefly. Only for limits loose
 * enough that a few more concurrent attempts do not matter. The last allowed attempt begins the pause.
 */
export async function countFailure(trx: Trx, counter: Counter, now: Instant): Promise<void> {
  const tries = counter.policy.tries - 1;
  await countTries(trx, [{ key: counter.key, policy: { ...counter.policy, tries } }], now);
}

/** Deletes the counters in `cleared` and returns an attempt to those in `returned`. */
export async function clearCounters(
  trx: Trx,
  cleared: readonly string[],
  returned: readonly string[],
): Promise<void> {
  await trx
    .deleteFrom('rate_limits')
    .where('key', 'in', [...cleared])
    .execute();
  if (returned.length === 0) return;
  await trx
    .updateTable('rate_limits')
    .set((eb) => ({ failures: eb('failures', '-', 1) }))
    .where('key', 'in', [...returned])
    .where('failures', '>', 0)
    .execute();
}

/** Deletes every counter whose key starts with this prefix. */
export async function deleteCountersByPrefix(trx: Trx, beginning: string): Promise<void> {
  await trx
    .deleteFrom('rate_limits')
    .where(sql<boolean>`key like ${`${beginning}%`}`)
    .execute();
}

/** Deletes the counters of these email addresses or accounts, of any kind. */
export async function deleteCountersOf(trx: Trx, counted: readonly string[]): Promise<void> {
  for (const one of counted) {
    const ending = `%:${one.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}`;
    await trx.deleteFrom('rate_limits').where(sql<boolean>`key like ${ending} escape '\\'`).execute();
  }
}

/** Counters, by the start of their window. After a day without attempts their pauses would start small again. */
export const expiredCounters: ExpiringRows = expiringRows({
  table: 'rate_limits',
  at: 'window_started_at',
  key: 'key',
});

function findCounter(db: Db, key: string): Promise<Row<'rate_limits'> | undefined> {
  return db.selectFrom('rate_limits').selectAll().where('key', '=', key).executeTakeFirst();
}

/** Counts an attempt on each counter; returns the seconds to pause, 0 if it may proceed. */
async function countTries(trx: Trx, counters: readonly Counter[], now: Instant): Promise<number> {
  // Always in the same order, to prevent deadlocks between two requests.
  const inOrder = counters.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  // Locks the rows as it reads them, so that concurrent attempts are counted one after another.
  const rows = await trx
    .insertInto('rate_limits')
    .values(
      inOrder.map(({ key }) => ({
        key,
        failures: 0,
        window_started_at: now,
        strikes: 0,
      })),
    )
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((eb) => ({ strikes: eb.ref('rate_limits.strikes') })),
    )
    .returningAll()
    .execute();
  let longest = 0;
  for (const { key, policy } of inOrder) {
    const row = assertDefined(rows.find((one) => one.key === key));
    longest = Math.max(longest, await countTry(trx, row, policy, now));
  }
  return longest;
}

async function countTry(
  trx: Trx,
  row: Row<'rate_limits'>,
  policy: RateLimitPolicy,
  now: Instant,
): Promise<number> {
  const left = pauseLeft(row, policy, now);
  if (left > 0) return left;
  const quiet = secondsBetween(row.window_started_at, now) >= RESET_AFTER_SECONDS;
  const age = secondsBetween(row.window_started_at, now);
  const windowOver = age >= policy.windowSeconds || age < -OUT_OF_TURN_SECONDS;
  const wasBlocked = row.blocked_until !== null;
  const failures = (windowOver || wasBlocked ? 0 : row.failures) + 1;
  const pause = failures > policy.tries ? pauseAfter(policy, quiet ? 0 : row.strikes) : 0;
  await trx
    .updateTable('rate_limits')
    .set({
      failures,
      window_started_at: windowOver || wasBlocked ? now : row.window_started_at,
      blocked_until: pause > 0 ? plusMilliseconds(now, pause * 1000) : null,
      strikes: (quiet ? 0 : row.strikes) + (pause > 0 ? 1 : 0),
    })
    .where('key', '=', row.key)
    .execute();
  return pause;
}

// Remaining pause in seconds; 0 or less when it is over.
function pauseLeft(row: Row<'rate_limits'>, policy: RateLimitPolicy, now: Instant): number {
  if (row.blocked_until === null) return 0;
  const left = secondsBetween(now, row.blocked_until);
  return left > policy.maxPauseSeconds + OUT_OF_TURN_SECONDS ? 0 : Math.min(left, policy.maxPauseSeconds);
}

function pauseAfter(policy: RateLimitPolicy, strikes: number): number {
  return Math.min(policy.maxPauseSeconds, policy.pauseSeconds * 2 ** Math.min(strikes, 10));
}

function secondsBetween(from: Instant, to: Instant): number {
  return (millisecondsOf(to) - millisecondsOf(from)) / 1000;
}
