import { type Instant, millisecondsOf } from '#shared/calendar-date.ts';
import { newestEventTime } from '../audit-log.ts';
import { emailFailureDaily, type SendFailureEmail } from '../backup/daily-failure-email.ts';
import { type Db, transaction } from '../db/database.ts';
import { getServerStates, setServerState } from '../db/server-state.ts';
import type { Deps } from '../deps.ts';

const SEEN = 'clock:seen';
const NOTIFIED = 'clock:told';
/** A clock that moved further than this since the last check is not trusted. */
const MAX_JUMP_MS = 86_400_000;

/** The two moments between which the clock jumped. */
export type ClockJump = Readonly<{ from: Instant; to: Instant }>;

/**
 * Returns the clock jump if the clock is more than a day ahead of the last time that a server of this database ran (or of the
 * newest audit event, if that time was never stored); undefined if the clock is trusted. A server that was off for days looks
 * the same, and only a person can tell the difference.
 */
export async function clockJump({ database, clock }: ClockDeps): Promise<ClockJump | undefined> {
  const { db } = database;
  const from = (await getServerStates(db, [SEEN])).get(SEEN)?.at ?? (await newestEventTime(db));
  const to = clock.now();
  const isAhead = from !== undefined && millisecondsOf(to) - millisecondsOf(from) > MAX_JUMP_MS;
  return isAhead ? { from, to } : undefined;
}

type ClockDeps = Pick<Deps, 'database' | 'clock'>;

/**
 * Whether jobs may run. Checked before every round, because a wrong clock would delete data. While jobs may not run,
 * `sendFailureEmail` emails the administrators once a day, and the log reports it once a day.
 */
export async function canRunJobs(deps: Deps, sendFailureEmail: SendFailureEmail): Promise<boolean> {
  const jump = await clockJump(deps);
  if (jump === undefined) await confirmClock(deps.database.db, deps.clock.now());
  const reason = jump === undefined ? null : `${jump.from} - ${jump.to}`;
  const isNotified = await transaction(deps.database, (trx) =>
    emailFailureDaily(trx, deps, { key: NOTIFIED, sendFailureEmail }, reason),
  );
  // This runs several times a minute.
  if (jump !== undefined && isNotified)
    deps.log.error(jump, 'the clock jumped by more than a day. Deletions and scheduled jobs are paused');
  return jump === undefined;
}

/** Stores that the clock is right at this moment. */
export async function confirmClock(db: Db, at: Instant): Promise<void> {
  await setServerState(db, SEEN, 'right', at);
}
