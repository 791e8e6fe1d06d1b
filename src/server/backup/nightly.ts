import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import {
  addDays,
  type CalendarDate,
  dayIn,
  type Instant,
  millisecondsOf,
  wallClockIn,
} from '#base/calendar-date.ts';
import { transaction } from '../db/connect.ts';
import type { Deps } from '../deps.ts';
import { listened } from '../listened.ts';
import { isGone, THIS_PROCESS } from '../process-name.ts';
import { notedStates, noteState, replaceState } from '../server-state.ts';
import { type MadeBackup, noteBackup, noteBackupFailure, readBackupState } from './backup-state.ts';
import { type Tell, tellOnceADay } from './tell-once-a-day.ts';

/** What the process of a backup says: that it goes on, and in the end what came of it. */
export type BackupAnswer =
  | Readonly<{ progress: true }>
  | Readonly<{ made: MadeBackup & { notes: readonly string[] } }>
  | Readonly<{ failed: string }>;

/** How the server makes its backups. */
export type NightlyBackup = Readonly<{
  /** The program of the process, and its environment: the settings, as the server got them. */
  program: URL;
  environment: Readonly<Record<string, string | undefined>>;
  tell: Tell;
  /** How long the process may be silent before it counts as hanging. */
  silentMs?: number;
}>;

type Noted = Readonly<{ value: string; at: Instant }>;
type Turn = Readonly<{ day: CalendarDate; by: string; is: 'running' | 'done' | 'failed' }>;

const TURN = 'backup:turn';
const TOLD = 'backup:told';
const LOOK_EVERY_MS = 60_000;
const AGAIN_AFTER_MS = 3_600_000;
/** A server that works on a backup says so every minute; after this long without, another one takes it over. */
const ABANDONED_AFTER_MS = 5 * LOOK_EVERY_MS;
const SILENT_MS = 1_800_000;
const COMPLAINT_LENGTH = 2_000;

/**
 * Backs up every night from now on, as the settings say: at once when the last night's is missing or there never was
 * one. `stop` ends a running one; the next start makes it.
 */
export function startNightlyBackup(deps: Deps, how: NightlyBackup): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let round = Promise.resolve();
  const look = () => {
    round = backUpIfDue(deps, how, stopping.signal)
      .catch((error: unknown) =>
        deps.log.error({ err: error }, 'the nightly backup could not be looked after'),
      )
      .then(() => {
        if (!stopping.signal.aborted) timer = setTimeout(look, LOOK_EVERY_MS).unref();
      });
  };
  if (deps.config.backup !== undefined) look();
  return {
    stop: async () => {
      stopping.abort();
      clearTimeout(timer);
      await round;
    },
  };
}

/** Makes the backup of the night if it is due and no other server is at it. */
export async function backUpIfDue(deps: Deps, how: NightlyBackup, stopping: AbortSignal): Promise<void> {
  const { db } = deps.database;
  const day = dueDay(deps);
  const before = (await notedStates(db, [TURN])).get(TURN);
  if (!isDue(before, day, deps.clock.now()) || stopping.aborted) return;
  const mine: Turn = { day, by: THIS_PROCESS, is: 'running' };
  const taken = { value: JSON.stringify(mine), at: deps.clock.now() };
  if (!(await replaceState(db, TURN, before, taken))) return;
  const timer = setInterval(() => {
    noteState(db, TURN, taken.value, deps.clock.now()).catch(() => undefined);
  }, LOOK_EVERY_MS);
  const began = deps.clock.now();
  const gone = await goneTarget(deps);
  const answer = gone ?? (await answerOf(how, stopping));
  clearInterval(timer);
  if (answer === 'stopped') return;
  await note(deps, how, { mine, answer, began });
}

// Where backups were made before there is a folder. Made anew it would lie on the disk that it is to protect from.
async function goneTarget({ config, database }: Deps): Promise<{ failed: string } | undefined> {
  const to = config.backup?.to ?? '';
  const isKnown = (await readBackupState(database.db)).to === to;
  if (!isKnown || to.startsWith('s3:') || existsSync(to)) return undefined;
  return { failed: `${to} is gone, where the last backup lies. Is its disk mounted?` };
}

/** The newest day of the district whose backup time has come. */
function dueDay({ clock, config }: Deps): CalendarDate {
  const now = clock.now();
  const today = dayIn(config.timeZone, now);
  const time = wallClockIn(config.timeZone, now).slice(-5);
  return time >= (config.backup?.at ?? '') ? today : addDays(today, -1);
}

function isDue(noted: Noted | undefined, day: CalendarDate, now: Instant): boolean {
  if (noted === undefined) return true;
  const turn = JSON.parse(noted.value) as Turn;
  const silentMs = millisecondsOf(now) - millisecondsOf(noted.at);
  if (turn.is === 'running') return isGone(turn.by) || silentMs >= ABANDONED_AFTER_MS;
  return turn.day < day || (turn.is === 'failed' && silentMs >= AGAIN_AFTER_MS);
}

async function note(
  deps: Deps,
  how: NightlyBackup,
  { mine, answer, began }: { mine: Turn; answer: Exclude<BackupAnswer, { progress: true }>; began: Instant },
): Promise<void> {
  const { db } = deps.database;
  const now = deps.clock.now();
  if ('made' in answer) {
    for (const line of answer.made.notes) deps.log.warn(line);
    await noteBackup(db, answer.made, began);
  } else {
    deps.log.error({ reason: answer.failed }, 'the nightly backup failed');
    await noteBackupFailure(db, answer.failed, now);
  }
  const is = 'made' in answer ? 'done' : 'failed';
  await noteState(db, TURN, JSON.stringify({ ...mine, is } satisfies Turn), now);
  const reason = 'made' in answer ? null : answer.failed;
  await transaction(deps.database, (trx) => tellOnceADay(trx, deps, { noted: TOLD, tell: how.tell }, reason));
}

type Ended = Exclude<BackupAnswer, { progress: true }> | 'stopped';

// Long because the process and the ways in which it ends belong together.
/** Runs the process to its end. One that says nothing for too long is ended, with all that it started. */
function answerOf({ program, environment, silentMs = SILENT_MS }: NightlyBackup, stopping: AbortSignal) {
  return new Promise<Ended>((resolve) => {
    const child = startProcess(program, environment);
    let complaint = '';
    let result: Ended | undefined;
    let isHanging = false;
    const hang = () => {
      isHanging = true;
      endGroup(child);
    };
    let timer = setTimeout(hang, silentMs);
    const stop = () => {
      result ??= 'stopped';
      endGroup(child);
    };
    stopping.addEventListener('abort', stop);
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(-COMPLAINT_LENGTH);
    });
    child.on('message', (words: BackupAnswer) => {
      clearTimeout(timer);
      timer = setTimeout(hang, silentMs);
      if (!('progress' in words)) result = words;
    });
    const settle = (how: string) => {
      clearTimeout(timer);
      stopping.removeEventListener('abort', stop);
      const reason = isHanging
        ? `It did nothing for ${Math.round(silentMs / 60_000)} minutes and was ended`
        : how;
      const line = complaint.trim().split('\n')[0] ?? '';
      resolve(result ?? { failed: line === '' || isHanging ? reason : `${reason}: ${line}` });
    };
    child.once('error', (error) => settle(`Its process could not be started (${error.message})`));
    child.once('close', (code, signal) => settle(`Its process ended without an answer (${signal ?? code})`));
  });
}

function startProcess(program: URL, environment: NightlyBackup['environment']): ChildProcess {
  // In a group of its own, so that pg_dump can be ended with it.
  const child = listened(
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
    // It died at once, which `close` tells.
  }
  return child;
}

function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}
