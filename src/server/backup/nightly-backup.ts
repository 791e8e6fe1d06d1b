import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import {
  addDays,
  type CalendarDate,
  dayIn,
  type Instant,
  millisecondsOf,
  plusMilliseconds,
  startOfDay,
  wallClockIn,
} from '#shared/calendar-date.ts';
import { type Db, type Trx, transaction } from '../db/database.ts';
import { compareAndSetServerState, getServerStates, setServerState } from '../db/server-state.ts';
import type { Deps } from '../deps.ts';
import { type BackgroundJob, startBackgroundJob } from '../jobs/background-job.ts';
import { type CanRunJobs, hasRunOn } from '../jobs/daily-jobs.ts';
import { withErrorListener } from '../process/error-listener.ts';
import { isGone, THIS_PROCESS } from '../process/process-identity.ts';
import { serverSingleton } from '../process/server-singleton.ts';
import { type MadeBackup, readBackupState, storeBackupFailure, storeBackupResult } from './backup-status.ts';
import { emailFailureDaily, type SendFailureEmail } from './daily-failure-email.ts';

/** The number of photo files stored so far. */
export type BackupProgress = Readonly<{ done: number; total: number }>;

type BackupResult = Readonly<{ made: MadeBackup & { notes: readonly string[] } } | { failed: string }>;

/** The messages of the backup process: progress, and finally the result. */
export type BackupAnswer = Readonly<{ progress: BackupProgress | null }> | BackupResult;

/** Options of the nightly backup. */
export type NightlyBackup = Readonly<{
  /** The program to run, and its environment: the settings that the server received. */
  program: URL;
  environment: Readonly<Record<string, string | undefined>>;
  sendFailureEmail: SendFailureEmail;
  /** How long the process may be silent before it counts as hanging. */
  silentMs?: number;
  /** Whether an unattended backup may run. */
  mayRun?: CanRunJobs;
}>;

type Noted = Readonly<{ value: string; at: Instant }>;
type BackupRun = Readonly<{
  day: CalendarDate;
  by: string;
  is: 'running' | 'done' | 'failed';
  began?: Instant;
  progress?: BackupProgress | null;
}>;
type ClaimedRun = BackupRun & Readonly<{ began: Instant }>;

/** Begins a backup on request. */
type Begin = (also: (trx: Trx) => Promise<void>) => Promise<boolean>;

const RUN = 'backup:turn';
const NOTIFIED = 'backup:told';
const LOOK_EVERY_MS = 60_000;
const AGAIN_AFTER_MS = 3_600_000;
/** A server refreshes its claim on a running backup every minute; after this long without, another one takes over. */
const ABANDONED_AFTER_MS = 5 * LOOK_EVERY_MS;
const SILENT_MS = 1_800_000;
const COMPLAINT_LENGTH = 2_000;
const NOTE_PROGRESS_MS = 2_000;
const MINUTE_MS = 60_000;

const manualBackups = serverSingleton<{ begin?: Begin | undefined }>(() => ({}));

/**
 * Backs up every night as configured, immediately if the last night's backup is missing or there never was
 * one. `stop` ends a running backup; the next start repeats it.
 */
export function startNightlyBackup(deps: Deps, how: NightlyBackup): BackgroundJob {
  const stopping = new AbortController();
  let nightly: BackgroundJob | undefined;
  let byHand = Promise.resolve();
  if (deps.config.backup !== undefined) {
    const pace = { everyMs: LOOK_EVERY_MS, failure: 'could not check the nightly backup' };
    nightly = startBackgroundJob(deps, pace, async (signal) => {
      if ((await how.mayRun?.()) !== false) await backUpIfDue(deps, how, signal);
    });
    manualBackups(deps).begin = async (also) => {
      const claimed = await claimRun(deps, (before) => !isRunning(before, deps.clock.now()), also);
      if (claimed === undefined) return false;
      byHand = runClaimed(deps, how, stopping.signal, claimed).catch((error: unknown) =>
        deps.log.error({ err: error }, 'could not check the requested backup'),
      );
      return true;
    };
  }
  return {
    stop: async () => {
      stopping.abort();
      manualBackups(deps).begin = undefined;
      await Promise.all([nightly?.stop(), byHand]);
    },
  };
}

/** Makes the nightly backup if it is due and no other server is making it. */
export async function backUpIfDue(deps: Deps, how: NightlyBackup, stopping: AbortSignal): Promise<void> {
  const isWanted = (before: Noted | undefined, day: CalendarDate) =>
    isDue(before, day, deps.clock.now()) && !stopping.aborted;
  const claimed = await claimRun(deps, isWanted);
  if (claimed !== undefined) await runClaimed(deps, how, stopping, claimed);
}

/**
 * Begins a backup now, unless one is running; `also` runs in the transaction that claims it. Returns 'stopped' if this process
 * makes no backups: none are configured, it has not started yet, or it is shutting down.
 */
export async function backUpNow(
  deps: Deps,
  also: (trx: Trx) => Promise<void>,
): Promise<'begun' | 'running' | 'stopped'> {
  const { begin } = manualBackups(deps);
  if (begin === undefined) return 'stopped';
  return (await begin(also)) ? 'begun' : 'running';
}

/** Returns when the next backup starts, and the progress of a running one. */
export async function readBackupSchedule(
  db: Db,
  deps: Pick<Deps, 'clock' | 'config'>,
): Promise<{ runningSince: Instant | null; progress: BackupProgress | null; nextAt: Instant | null }> {
  const noted = (await getServerStates(db, [RUN])).get(RUN);
  const now = deps.clock.now();
  const { backup } = deps.config;
  if (noted !== undefined && isRunning(noted, now)) {
    const { began, progress } = JSON.parse(noted.value) as BackupRun;
    return { runningSince: began ?? noted.at, progress: progress ?? null, nextAt: null };
  }
  const nextAt = backup === undefined ? null : nextTime(deps, backup.at, noted);
  return { runningSince: null, progress: null, nextAt };
}

async function claimRun(
  deps: Deps,
  isWanted: (before: Noted | undefined, day: CalendarDate) => boolean,
  also: (trx: Trx) => Promise<void> = async () => undefined,
): Promise<ClaimedRun | undefined> {
  const day = dueDay(deps);
  const before = (await getServerStates(deps.database.db, [RUN])).get(RUN);
  if (!isWanted(before, day)) return undefined;
  const began = deps.clock.now();
  const turn: ClaimedRun = { day, by: THIS_PROCESS, is: 'running', began };
  return transaction(deps.database, async (trx) => {
    if (!(await compareAndSetServerState(trx, RUN, before, { value: JSON.stringify(turn), at: began })))
      return undefined;
    await also(trx);
    return turn;
  });
}

async function runClaimed(
  deps: Deps,
  how: NightlyBackup,
  stopping: AbortSignal,
  turn: ClaimedRun,
): Promise<void> {
  let known: BackupRun = turn;
  let notedAt = performance.now();
  const storeProgress = () => {
    notedAt = performance.now();
    setServerState(deps.database.db, RUN, JSON.stringify(known), deps.clock.now()).catch(() => undefined);
  };
  const onProgress = (progress: BackupProgress | null) => {
    known = { ...known, progress };
    if (performance.now() - notedAt >= NOTE_PROGRESS_MS) storeProgress();
  };
  const timer = setInterval(storeProgress, LOOK_EVERY_MS);
  const gone = await missingTarget(deps);
  const answer = gone ?? (await runProcess({ ...how, onProgress }, stopping));
  clearInterval(timer);
  if (answer === 'stopped') return;
  await storeResult(deps, how, turn, answer);
}

function isRunning(noted: Noted | undefined, now: Instant): boolean {
  if (noted === undefined) return false;
  const turn = JSON.parse(noted.value) as BackupRun;
  const silentMs = millisecondsOf(now) - millisecondsOf(noted.at);
  return turn.is === 'running' && !isGone(turn.by) && silentMs < ABANDONED_AFTER_MS;
}

/** The start of the next backup: now if one is due, an hour after a failure, else at the configured time. */
function nextTime({ clock, config }: Pick<Deps, 'clock' | 'config'>, at: string, noted: Noted | undefined) {
  const now = clock.now();
  const day = dueDay({ clock, config });
  if (isDue(noted, day, now)) return now;
  const turn = noted && (JSON.parse(noted.value) as BackupRun);
  if (noted !== undefined && turn?.is === 'failed') return plusMilliseconds(noted.at, AGAIN_AFTER_MS);
  return timeOfDay(config.timeZone, addDays(day, 1), at);
}

// The clock may change (daylight saving time) between midnight and that time.
function timeOfDay(zone: string, day: CalendarDate, time: string): Instant {
  const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));
  const at = plusMilliseconds(startOfDay(zone, day), minutesOf(time) * MINUTE_MS);
  const off = minutesOf(time) - minutesOf(wallClockIn(zone, at).slice(-5));
  return plusMilliseconds(at, off * MINUTE_MS);
}

// The folder of the last backup must exist. Recreating it could put backups on the disk that they protect against.
async function missingTarget({ config, database }: Deps): Promise<{ failed: string } | undefined> {
  const to = config.backup?.to ?? '';
  const isKnown = (await readBackupState(database.db)).to === to;
  if (!isKnown || to.startsWith('s3:') || existsSync(to)) return undefined;
  return { failed: `${to} with the last backup is gone. Is its disk mounted?` };
}

/** The latest day whose backup time has come. */
function dueDay({ clock, config }: Pick<Deps, 'clock' | 'config'>): CalendarDate {
  const now = clock.now();
  const today = dayIn(config.timeZone, now);
  const time = wallClockIn(config.timeZone, now).slice(-5);
  return time >= (config.backup?.at ?? '') ? today : addDays(today, -1);
}

function isDue(noted: Noted | undefined, day: CalendarDate, now: Instant): boolean {
  if (noted === undefined) return true;
  const turn = JSON.parse(noted.value) as BackupRun;
  const silentMs = millisecondsOf(now) - millisecondsOf(noted.at);
  if (turn.is === 'running') return !isRunning(noted, now);
  // An operator who fixed a setting restarts the server and expects an immediate result.
  return (
    !hasRunOn(turn.day, day) || (turn.is === 'failed' && (isGone(turn.by) || silentMs >= AGAIN_AFTER_MS))
  );
}

async function storeResult(
  deps: Deps,
  how: NightlyBackup,
  { day, by, began }: ClaimedRun,
  answer: BackupResult,
): Promise<void> {
  const { db } = deps.database;
  const now = deps.clock.now();
  if ('made' in answer) {
    for (const line of answer.made.notes) deps.log.warn(line);
    await storeBackupResult(db, answer.made, began);
  } else {
    deps.log.error({ reason: answer.failed }, 'nightly backup failed');
    await storeBackupFailure(db, answer.failed, now);
  }
  const is = 'made' in answer ? 'done' : 'failed';
  await setServerState(db, RUN, JSON.stringify({ day, by, is } satisfies BackupRun), now);
  const reason = 'made' in answer ? null : answer.failed;
  await transaction(deps.database, (trx) =>
    emailFailureDaily(trx, deps, { key: NOTIFIED, sendFailureEmail: how.sendFailureEmail }, reason),
  );
}

type Ended = BackupResult | 'stopped';

type Watched = NightlyBackup & Readonly<{ onProgress: (progress: BackupProgress | null) => void }>;

// Long because it handles every way in which the process can end.
/** Runs the backup process until it exits. Kills a silent process with all its children. */
function runProcess(
  { program, environment, silentMs = SILENT_MS, onProgress }: Watched,
  stopping: AbortSignal,
): Promise<Ended> {
  // The listener below does not fire for a signal that is already aborted.
  if (stopping.aborted) return Promise.resolve('stopped');
  return new Promise((resolve) => {
    const child = startProcess(program, environment);
    let complaint = '';
    let result: Ended | undefined;
    let isHanging = false;
    const hang = () => {
      isHanging = true;
      killGroup(child);
    };
    let timer = setTimeout(hang, silentMs);
    const stop = () => {
      result ??= 'stopped';
      killGroup(child);
    };
    stopping.addEventListener('abort', stop);
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(-COMPLAINT_LENGTH);
    });
    child.on('message', (words: BackupAnswer) => {
      clearTimeout(timer);
      timer = setTimeout(hang, silentMs);
      if ('progress' in words) onProgress(words.progress);
      else result = words;
    });
    const settle = (how: string) => {
      clearTimeout(timer);
      stopping.removeEventListener('abort', stop);
      const reason = isHanging
        ? `It made no progress for ${Math.round(silentMs / 60_000)} minutes and was stopped`
        : how;
      const line = complaint.trim().split('\n')[0] ?? '';
      resolve(result ?? { failed: line === '' || isHanging ? reason : `${reason}: ${line}` });
    };
    child.once('error', (error) => settle(`Its process could not be started (${error.message})`));
    child.once('close', (code, signal) => settle(`Its process exited without a result (${signal ?? code})`));
  });
}

function startProcess(program: URL, environment: NightlyBackup['environment']): ChildProcess {
  // In its own process group, so that pg_dump can be killed with it.
  const child = withErrorListener(
    fork(program, [], {
      env: environment,
      execArgv: [],
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    }),
  );
  if (child.pid === undefined) return child;
  try {
    setPriority(child.pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It exited immediately, which `close` reports.
  }
  return child;
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}
