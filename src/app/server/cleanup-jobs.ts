import { type Trx, transaction } from '#server/db/database.ts';
import { removeOldCopies } from '#server/db/dump/pre-update-copy.ts';
import type { Deps } from '#server/deps.ts';
import { sweepReplies } from '#server/http/idempotency.ts';
import type { MayRun } from '#server/jobs/daily-jobs.ts';
import { attemptJob } from '#server/jobs/job-attempt.ts';
import { removeDeadFirstLink } from '#server/storage/first-admin-link-file.ts';
import { type Instant, millisecondsOf } from '#shared/calendar-date.ts';

/** A room's part of the hourly clean-up. */
export type Sweep = (trx: Trx, now: Instant) => Promise<void>;

const HOUR_MS = 3_600_000;

/** Work after the clean-up, outside any transaction, such as removing files. */
export type Chore = (deps: Deps) => Promise<void>;

/** Removes expired data now and every hour, whenever `mayRun`. Returns a function that stops it. */
export function keepHouse(
  deps: Deps,
  sweeps: readonly Sweep[],
  chores: readonly Chore[] = [],
  mayRun: MayRun = async () => true,
): () => void {
  const clean = async () => {
    if (!(await mayRun())) return;
    const now = deps.clock.now();
    for (const sweep of [sweepReplies, ...sweeps]) {
      await attemptJob(deps, sweep.name, () => transaction(deps.database, (trx) => sweep(trx, now)));
    }
    for (const chore of chores) await attemptJob(deps, chore.name, () => chore(deps));
  };
  const cleanQuietly = () => {
    clean().catch((error: unknown) => deps.log.error({ err: error }, 'housekeeping failed'));
  };
  cleanQuietly();
  const timer = setInterval(cleanQuietly, HOUR_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Retries scrubbing data that an erasure left in SQLite's log because of a reader. */
export async function scrubDatabase(deps: Deps): Promise<void> {
  await deps.database.scrub();
}

/** Removes the copies that updates made a month ago: they hold people who may have been erased since. */
export async function sweepUpdateCopies({ config, clock }: Deps): Promise<void> {
  removeOldCopies(config.dataDir, millisecondsOf(clock.now()));
}

/** Removes the file with the first administrator's link once that has expired. */
export async function removeDeadLink({ config, clock }: Deps): Promise<void> {
  removeDeadFirstLink(config.dataDir, millisecondsOf(clock.now()));
}
