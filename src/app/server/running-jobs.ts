import { startDriveSync } from '#rooms/drive-sync/server/worker.ts';
import { startMailings } from '#rooms/mailings/server/posting.ts';
import { startScreens } from '#rooms/photos/server/screens.ts';
import { watchDisk } from '#rooms/system/server/disk-watch.ts';
import { startHoursImports } from '#rooms/time-entry-imports/server/work.ts';
import { tellOfLogCopy } from '#rooms/users/server/backup-letters.ts';
import { tellOfClock, tellOfDisk } from '#rooms/users/server/server-letters.ts';
import { type LogCopy, startLogCopy } from '#server/backup/log-copy.ts';
import { mayRunJobs } from '#server/clock-guard.ts';
import { startDaily } from '#server/daily.ts';
import { type Deps, inLane } from '#server/deps.ts';
import { compareMailSettings } from '#server/mail/same-settings.ts';
import { startMailing } from '#server/mail/worker.ts';
import { keepHouse } from './housekeeping.ts';
import { CHORES, DAILY, SWEEPS } from './jobs.ts';

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
