import { sql } from 'kysely';
import { assertDefined } from '#shared/assert-defined.ts';
import { type Instant, millisecondsOf, plusMilliseconds } from '#shared/calendar-date.ts';
import { commonMessages } from '#shared/common-messages.ts';
import { errors } from '#shared/errors.ts';
import { type Database, type Trx, transaction } from '../db/database.ts';
import type { Row } from '../db/tables.ts';
import { type ExpiringRows, expiringRows } from '../personal-data/expired-rows-store.ts';
import { findCounter } from './rate-limit-store.ts';

/** How many failures in a window are let through, and how the pauses grow from then on. */
export type RateLimitPolicy = Readonly<{
  tries: number;
  windowSeconds: number;
  pauseSeconds: number;
  maxPauseSeconds: number;
}>;

/** So many in an hour, then pauses that grow to a quarter of one. */
function hourly(tries: number, pauseSeconds: number): RateLimitPolicy {
  return { tries, windowSeconds: 3600, pauseSeconds, maxPauseSeconds: 900 };
}

/** Guessing at one account: 5 failures a minute, then pauses of 1, 2, 4, 8, 15 minutes (decisions). */
export const PER_ACCOUNT: RateLimitPolicy = {
  tries: 5,
  windowSeconds: 60,
  pauseSeconds: 60,
  maxPauseSeconds: 900,
};

/** Guessing from one address: loose, since a whole school shares one (decisions). The pause does not grow. */
export const PER_ADDRESS: RateLimitPolicy = {
  tries: 300,
  windowSeconds: 600,
  pauseSeconds: 60,
  maxPauseSeconds: 60,
};

/** New accounts from one address: at least 300 an hour must work (decisions). */
export const REGISTRATIONS = hourly(600, 300);

/** Reset links asked for from one address: at least 200 an hour must work (decisions). */
export const PASSWORD_RESETS = hourly(300, 300);

/** Letters that anybody can request for one account. Beyond the limit nothing is said, and nothing is sent. */
export const EMAILS_PER_ACCOUNT = hourly(5, 900);

/** Letters that somebody who is signed in can request for addresses that nobody has confirmed. */
export const EMAILS_BY_SENDER = hourly(10, 900);

/** Invitations that one administrator sends, new or again. More people come by a list. */
export const INVITES_BY_SENDER = hourly(200, 900);

/** The same from one address: as many as may register there. */
export const EMAILS_PER_NETWORK: RateLimitPolicy = { ...REGISTRATIONS };

/**
 * New addresses for one account, and from one network address: each attempt may reveal whether an address is taken.
 */
export const ADDRESS_CHANGES = hourly(5, 900);
export const ADDRESS_CHANGES_PER_NETWORK = hourly(200, 300);

/** Photos that one person asks to take down: a family may want a whole album hidden (decisions). */
export const HIDE_PHOTO_REQUESTS = hourly(50, 900);

/**
 * Letters about single photos that were taken down, whoever asked; beyond the limit, one letter an hour lists them
 * all.
 */
export const HIDE_PHOTO_EMAILS = hourly(30, 900);

/** What anybody writes about accessibility, from one network and in all. Nobody is signed in there, and each is a letter. */
export const BARRIER_REPORTS_PER_NETWORK = hourly(20, 900);
export const BARRIER_REPORTS = hourly(200, 900);

/** After a day without failures the pauses start small again. */
const FORGOTTEN_SECONDS = 86_400;

/**
 * An attempt may be counted after one that arrived later than it, so a window or a pause may begin a little later than
 * `now`. One that begins later than this was begun before the clock was set back; it counts as over.
 */
const OUT_OF_TURN_SECONDS = 60;

/** A counter: what is being guessed at ('account:ann@example.org') and how much of it is let through. */
export type Counter = Readonly<{ key: string; policy: RateLimitPolicy }>;

/** Counts an attempt on every counter and returns whether it may go on, for limits that are not shown to anybody. */
export async function checkRateLimit(
  database: Database,
  counters: readonly Counter[],
  now: Instant,
): Promise<boolean> {
  return (await transaction(database, (trx) => countTries(trx, inOrder(counters), now))) === 0;
}

/** The same within a transaction, which undoes the count when it fails. */
export async function checkRateLimitIn(
  trx: Trx,
  counters: readonly Counter[],
  now: Instant,
): Promise<boolean> {
  return (await countTries(trx, inOrder(counters), now)) === 0;
}

/**
 * Counts an attempt on every counter before the check itself, so that simultaneous attempts cannot slip past. Throws
 * 429 with the pause when one counter is used up. When the attempt was no failure, give it back with `forgive`.
 */
export async function consumeAttempt(
  database: Database,
  counters: readonly Counter[],
  now: Instant,
): Promise<void> {
  const pause = await transaction(database, (trx) => countTries(trx, inOrder(counters), now));
  if (pause > 0) throw errors.tooManyTries(commonMessages.tooManyAttempts, pause);
}

/** The same within a transaction, which undoes the count when it fails. */
export async function consumeAttemptIn(trx: Trx, counters: readonly Counter[], now: Instant): Promise<void> {
  const pause = await countTries(trx, inOrder(counters), now);
  if (pause > 0) throw errors.tooManyTries(commonMessages.tooManyAttempts, pause);
}

/** Throws 429 with the pause when a counter is paused; counts nothing. */
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
 * Counts a failure after the check. This is for limits so loose that a few simultaneous attempts more do not matter:
 * successful attempts are never counted, not even for a moment. The last attempt that is allowed begins the pause.
 */
export async function countFailure(trx: Trx, counter: Counter, now: Instant): Promise<void> {
  const tries = counter.policy.tries - 1;
  await countTries(trx, [{ key: counter.key, policy: { ...counter.policy, tries } }], now);
}

/** Deletes the counters in `cleared` and gives those in `returned` an attempt back. */
export async function clearCounters(
  trx: Trx,
  cleared: readonly string[],
  returned: readonly string[],
): Promise<void> {
  await trx
    .deleteFrom('try_limits')
    .where('key', 'in', [...cleared])
    .execute();
  if (returned.length === 0) return;
  await trx
    .updateTable('try_limits')
    .set((eb) => ({ failures: eb('failures', '-', 1) }))
    .where('key', 'in', [...returned])
    .where('failures', '>', 0)
    .execute();
}

/** Deletes every counter whose key starts with this prefix. */
export async function deleteCountersByPrefix(trx: Trx, beginning: string): Promise<void> {
  await trx
    .deleteFrom('try_limits')
    .where(sql<boolean>`key like ${`${beginning}%`}`)
    .execute();
}

/** Deletes what was counted against these e-mail addresses or accounts, whatever was attempted. */
export async function deleteCountersOf(trx: Trx, counted: readonly string[]): Promise<void> {
  for (const one of counted) {
    const ending = `%:${one.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}`;
    await trx.deleteFrom('try_limits').where(sql<boolean>`key like ${ending} escape '\\'`).execute();
  }
}

/** Counters by the begin of their window: unused for a day, their pauses would start small again. */
export const expiredCounters: ExpiringRows = expiringRows({
  table: 'try_limits',
  at: 'window_started_at',
  key: 'key',
});

// Always in the same order, so that two requests never wait for each other.
function inOrder(counters: readonly Counter[]): Counter[] {
  return counters.toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

/** Counts an attempt on each counter; returns for how many seconds to pause, 0 when it may go on. */
async function countTries(trx: Trx, counters: readonly Counter[], now: Instant): Promise<number> {
  // The rows are locked as they are read, so that simultaneous attempts are counted one after the other.
  const held = await trx
    .insertInto('try_limits')
    .values(
      counters.map(({ key }) => ({
        key,
        failures: 0,
        window_started_at: now,
        blocked_until: null,
        strikes: 0,
      })),
    )
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((eb) => ({ strikes: eb.ref('try_limits.strikes') })),
    )
    .returningAll()
    .execute();
  let longest = 0;
  for (const { key, policy } of counters) {
    const row = assertDefined(held.find((one) => one.key === key));
    longest = Math.max(longest, await countTry(trx, row, policy, now));
  }
  return longest;
}

async function countTry(
  trx: Trx,
  row: Row<'try_limits'>,
  policy: RateLimitPolicy,
  now: Instant,
): Promise<number> {
  const left = pauseLeft(row, policy, now);
  if (left > 0) return left;
  const quiet = secondsBetween(row.window_started_at, now) >= FORGOTTEN_SECONDS;
  const age = secondsBetween(row.window_started_at, now);
  const windowOver = age >= policy.windowSeconds || age < -OUT_OF_TURN_SECONDS;
  const wasBlocked = row.blocked_until !== null;
  const failures = (windowOver || wasBlocked ? 0 : row.failures) + 1;
  const pause = failures > policy.tries ? pauseAfter(policy, quiet ? 0 : row.strikes) : 0;
  await trx
    .updateTable('try_limits')
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

// In seconds; 0 or less when it is over.
function pauseLeft(row: Row<'try_limits'>, policy: RateLimitPolicy, now: Instant): number {
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
