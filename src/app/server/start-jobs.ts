import { startHoursImportWorker } from '#features/imports/hours/server/jobs.ts';
import { startAnnouncementDelivery } from '#features/notifications/announcements/server/delivery.ts';
import { emailLogCopyStatus } from '#features/operations/server/backup-emails.ts';
import { watchDisk } from '#features/operations/server/monitoring.ts';
import { emailClockWarning, emailDiskWarning } from '#features/operations/server/server-emails.ts';
import { startDriveSync } from '#features/photos/google-drive/server/worker.ts';
import { startRenditions } from '#features/photos/server/renditions.ts';
import { type LogReplication, startLogReplication } from '#server/backup/litestream-replication.ts';
import { type Deps, withConnectionPool } from '#server/deps.ts';
import { compareEmailSettings } from '#server/email/email-settings-check.ts';
import { startEmailWorker } from '#server/email/email-worker.ts';
import { canRunJobs } from '#server/jobs/clock-guard.ts';
import { startDailyJobs } from '#server/jobs/daily-jobs.ts';
import { startCleanupJobs } from './cleanup-jobs.ts';
import { AFTER_CLEANUP_JOBS, CLEANUP_JOBS, DAILY_JOBS } from './job-list.ts';

// Jobs that resume unfinished work after a restart.
const WORKERS = [
  startEmailWorker,
  startDriveSync,
  startHoursImportWorker,
  startAnnouncementDelivery,
  startRenditions,
];

const MINUTE_MS = 60_000;

/** The background work of a server. */
export type Jobs = Readonly<{
  start: () => Promise<void>;
  /** Also stops this when the jobs stop. */
  alsoStop: (stop: () => unknown) => void;
  /** Stops all jobs permanently. */
  stop: () => Promise<void>;
}>;

/** Creates the jobs of a process without starting them. `environment` has the settings for log replication. */
export function createJobs(given: Deps, environment: Readonly<Record<string, string | undefined>>): Jobs {
  const deps = withConnectionPool(given, 'jobs');
  const running: (() => unknown)[] = [];
  let logCopy: LogReplication | undefined;
  let starting: Promise<void> | undefined;
  let stopped: Promise<void> | undefined;
  const start = async () => {
    const mayRun = () => canRunJobs(deps, emailClockWarning);
    running.push(
      startCleanupJobs(deps, CLEANUP_JOBS, AFTER_CLEANUP_JOBS, mayRun),
      startDailyJobs(deps, DAILY_JOBS, mayRun).stop,
    );
    running.push(everyMinute(deps, () => watchDisk(deps, emailDiskWarning)));
    running.push(everyMinute(deps, () => compareEmailSettings(deps)));
    running.push(...WORKERS.map((begin) => begin(deps).stop));
    logCopy = await startLogReplication(deps, { environment, sendFailureEmail: emailLogCopyStatus });
    if (logCopy !== undefined) given.database.setLogPause(logCopy.whilePaused);
  };
  const stop = async () => {
    await starting?.catch(() => undefined);
    await Promise.all(running.map((end) => end()));
    // Last, so that the writes of the other jobs are replicated too.
    await logCopy?.stop();
  };
  return {
    start: async () => {
      if (stopped === undefined) starting ??= start();
      await starting;
    },
    alsoStop: (end) => void running.push(end),
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

function everyMinute(deps: Deps, work: () => Promise<void>): () => void {
  const look = () => {
    work().catch((error: unknown) => deps.log.error({ err: error }, 'server checks failed'));
  };
  look();
  const timer = setInterval(look, MINUTE_MS).unref();
  return () => clearInterval(timer);
}
