import { startHoursImportWorker } from '#features/imports/hours/server/jobs.ts';
import { startAnnouncementDelivery } from '#features/notifications/announcements/server/delivery.ts';
import {
  emailClockWarning,
  emailDiskWarning,
  emailLogCopyStatus,
} from '#features/operations/server/emails.ts';
import { watchDisk } from '#features/operations/server/monitoring.ts';
import { startDriveSync } from '#features/photos/google-drive/server/worker.ts';
import { startRenditions } from '#features/photos/server/renditions.ts';
import { type LogReplication, startLogReplication } from '#server/backup/litestream-replication.ts';
import { type Deps, withConnectionPool } from '#server/deps.ts';
import { compareEmailSettings } from '#server/email/email-settings-check.ts';
import { startEmailWorker } from '#server/email/email-worker.ts';
import { startBackgroundJob } from '#server/jobs/background-job.ts';
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

/** How long stopping waits for the jobs: half of the time that a server has to stop. */
const STOP_MS = 5_000;
const CHECKS = { everyMs: 60_000, failure: 'server checks failed' };

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
    const jobs = [
      startCleanupJobs(deps, CLEANUP_JOBS, AFTER_CLEANUP_JOBS, mayRun),
      startDailyJobs(deps, DAILY_JOBS, mayRun),
      startBackgroundJob(deps, CHECKS, () => watchDisk(deps, emailDiskWarning)),
      startBackgroundJob(deps, CHECKS, () => compareEmailSettings(deps)),
      ...WORKERS.map((begin) => begin(deps)),
    ];
    running.push(...jobs.map(({ stop }) => stop));
    logCopy = await startLogReplication(deps, { environment, sendFailureEmail: emailLogCopyStatus });
    if (logCopy !== undefined) given.database.setLogPause(logCopy.whilePaused);
  };
  const stop = async () => {
    await starting?.catch(() => undefined);
    // A job that is stopped in the middle resumes at the next start.
    const stopping = Promise.all(running.map((end) => end()));
    await Promise.race([stopping, new Promise((resolve) => setTimeout(resolve, STOP_MS).unref())]);
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
