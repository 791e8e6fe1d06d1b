import { type Trx, transaction } from '#server/db/database.ts';
import { removeOldCopies } from '#server/db/dump/pre-update-copy.ts';
import type { Deps } from '#server/deps.ts';
import { type BackgroundJob, startBackgroundJob } from '#server/jobs/background-job.ts';
import type { CanRunJobs } from '#server/jobs/daily-jobs.ts';
import { runJobAttempt } from '#server/jobs/job-attempt.ts';
import { removeExpiredFirstLink } from '#server/storage/first-admin-link-file.ts';
import { type Instant, millisecondsOf } from '#shared/calendar-date.ts';

/** An hourly job that deletes expired data, in a transaction of its own. */
export type CleanupJob = Readonly<{ name: string; run: (trx: Trx, now: Instant) => Promise<void> }>;

const HOUR_MS = 3_600_000;

/** An hourly job after the cleanup, outside any transaction, such as removing files. */
export type AfterCleanupJob = Readonly<{
  name: string;
  /** Should return soon after `signal` aborts. */
  run: (deps: Deps, signal?: AbortSignal) => Promise<void>;
  /** Replaces `run` when an administrator starts the job, because `run` skips most hours. */
  runNow?: (deps: Deps) => Promise<void>;
}>;

/** Removes expired data now and every hour, while `mayRun` resolves to true. */
export function startCleanupJobs(
  deps: Deps,
  cleanupJobs: readonly CleanupJob[],
  afterCleanupJobs: readonly AfterCleanupJob[] = [],
  mayRun: CanRunJobs = async () => true,
): BackgroundJob {
  const pace = { everyMs: HOUR_MS, failure: 'cleanup failed' };
  return startBackgroundJob(deps, pace, async (signal) => {
    if (!(await mayRun())) return;
    const now = deps.clock.now();
    const jobs = [
      ...cleanupJobs.map(({ name, run }) => ({
        name,
        run: () => transaction(deps.database, (trx) => run(trx, now)),
      })),
      ...afterCleanupJobs.map(({ name, run }) => ({ name, run: () => run(deps, signal) })),
    ];
    for (const { name, run } of jobs) {
      if (signal.aborted) return;
      await runJobAttempt(deps, name, run);
    }
  });
}

/** Empties SQLite's log of deleted data. While log replication runs, it only repeats an attempt that failed. */
export async function scrubDatabase(deps: Deps): Promise<void> {
  await deps.database.scrub();
}

/** Removes month-old database copies from updates, because they may contain people who were deleted since. */
export async function removeOldUpdateCopies({ config, clock }: Deps): Promise<void> {
  removeOldCopies(config.dataDir, millisecondsOf(clock.now()));
}

/** Removes the file with the first administrator's link when the link has expired. */
export async function removeExpiredLink({ config, clock }: Deps): Promise<void> {
  removeExpiredFirstLink(config.dataDir, millisecondsOf(clock.now()));
}
