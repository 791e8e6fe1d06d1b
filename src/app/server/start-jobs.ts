import { startHoursImports } from '#features/imports/hours/server/jobs.ts';
import { startMailings } from '#features/notifications/announcements/server/delivery.ts';
import { tellOfLogCopy } from '#features/operations/server/backup-emails.ts';
import { watchDisk } from '#features/operations/server/disk-space.ts';
import { tellOfClock, tellOfDisk } from '#features/operations/server/server-emails.ts';
import { startDriveSync } from '#features/photos/google-drive/server/worker.ts';
import { startScreens } from '#features/photos/server/renditions.ts';
import { type LogCopy, startLogCopy } from '#server/backup/litestream-replication.ts';
import { type Deps, inLane } from '#server/deps.ts';
import { compareMailSettings } from '#server/email/email-settings-check.ts';
import { startMailing } from '#server/email/email-worker.ts';
import { mayRunJobs } from '#server/jobs/clock-guard.ts';
import { startDaily } from '#server/jobs/daily-jobs.ts';
import { keepHouse } from './cleanup-jobs.ts';
import { CHORES, DAILY, SWEEPS } from './job-list.ts';

// What goes on with work that was begun before the last stop.
const WORKERS = [startMailing, startDriveSync, startHoursImports, startMailings, startScreens];

const MINUTE_MS = 60_000;

/** What a server does without being asked. */
export type Jobs = Readonly<{
  start: () => Promise<void>;
  /** Something else that ends when jobs do. */
  alsoStop: (stop: () => unknown) => void;
  /** Ends what runs; it does not start again. */
  stop: () => Promise<void>;
}>;

/** The jobs of a process, none of which runs yet. `environment` has the settings of where to copy to. */
export function openJobs(given: Deps, environment: Readonly<Record<string, string | undefined>>): Jobs {
  const deps = inLane(given, 'jobs');
  const running: (() => unknown)[] = [];
  let logCopy: LogCopy | undefined;
  let starting: Promise<void> | undefined;
  let stopped: Promise<void> | undefined;
  const start = async () => {
    const mayRun = () => mayRunJobs(deps, tellOfClock);
    running.push(keepHouse(deps, SWEEPS, CHORES, mayRun), startDaily(deps, DAILY, mayRun).stop);
    running.push(everyMinute(deps, () => watchDisk(deps, tellOfDisk)));
    running.push(everyMinute(deps, () => compareMailSettings(deps)));
    running.push(...WORKERS.map((begin) => begin(deps).stop));
    logCopy = await startLogCopy(deps, { environment, tell: tellOfLogCopy });
    if (logCopy !== undefined) given.database.letStandAside(logCopy.whileAside);
  };
  const stop = async () => {
    await starting?.catch(() => undefined);
    await Promise.all(running.map((end) => end()));
    // Last, so that what the others wrote is copied too.
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
    work().catch((error: unknown) => deps.log.error({ err: error }, 'the server could not be looked after'));
  };
  look();
  const timer = setInterval(look, MINUTE_MS).unref();
  return () => clearInterval(timer);
}
