import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import type { Instant } from '#shared/calendar-date.ts';
import { errorCode } from '#shared/errors.ts';
import { SQLITE_FILE, transaction } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { withErrorListener } from '../process/error-listener.ts';
import { isAlive } from '../process/process-identity.ts';
import { writeDurably } from '../storage/durable-file.ts';
import {
  readLogReplicationState,
  storeLogReplicationState,
  toOneLine,
  withoutSecrets,
} from './backup-status.ts';
import { emailFailureDaily, type SendFailureEmail } from './daily-failure-email.ts';
import {
  litestreamConfiguration,
  litestreamEnvironment,
  litestreamErrorIn,
  litestreamProgram,
  MISSING,
  reportsReplication,
} from './litestream.ts';

/** Options of log replication. Tests shorten the times. */
export type LogReplicationOptions = Readonly<{
  environment: Readonly<Record<string, string | undefined>>;
  sendFailureEmail: SendFailureEmail;
  /** The interval between checks that a write is replicated, and their time limit. */
  everyMs?: number;
  withinMs?: number;
}>;

/** Log replication that runs until stopped. */
export type LogReplication = Readonly<{
  /** Stops Litestream while `work` needs the log for itself. */
  whilePaused: <Result>(work: () => Promise<Result>) => Promise<Result>;
  stop: () => Promise<void>;
}>;

const CONFIGURATION = 'litestream.json';
const PROCESS_FILE = 'litestream.pid';
const NOTIFIED = 'log-copy:told';
const EVERY_MS = 600_000;
const WITHIN_MS = 60_000;
const AGAIN_AFTER_MS = { least: 1_000, most: 60_000 };
const ENDS_WITHIN_MS = 3_000;
const LOOK_EVERY_MS = 100;

type Replication = {
  readonly deps: Deps;
  readonly how: LogReplicationOptions;
  readonly to: string;
  child: ChildProcess | undefined;
  isWanted: boolean;
  isStopped: boolean;
  /** The time of the last replication, by this process's monotonic clock. */
  copiedAt: number;
  complaint: string | undefined;
  againAfterMs: number;
  timer: NodeJS.Timeout | undefined;
};

/**
 * Continuously replicates SQLite's log with Litestream to the configured location. Every ten minutes it verifies the
 * replication by writing a row, which must be replicated within a minute, or within ten while the first sync copies the whole
 * file. Returns undefined if replication is not configured. Restarts Litestream whenever it exits.
 */
export async function startLogReplication(
  deps: Deps,
  how: LogReplicationOptions,
): Promise<LogReplication | undefined> {
  const to = deps.config.backupLogTo;
  if (to === undefined || deps.database.engine !== 'sqlite') return undefined;
  const { dataDir } = deps.config;
  await endPreviousProcess(dataDir);
  writeDurably(
    join(dataDir, CONFIGURATION),
    litestreamConfiguration({ file: join(dataDir, SQLITE_FILE), to }),
  );
  const copying: Replication = {
    deps,
    how,
    to,
    child: undefined,
    isWanted: true,
    isStopped: false,
    copiedAt: 0,
    complaint: undefined,
    againAfterMs: AGAIN_AFTER_MS.least,
    timer: undefined,
  };
  startProcess(copying);
  const stopping = new AbortController();
  const looks = checkRegularly(copying, stopping.signal);
  return {
    whilePaused: (work) => pauseWhile(copying, work),
    stop: async () => {
      copying.isStopped = true;
      stopping.abort();
      await looks;
      await stopProcess(copying);
      rmSync(join(dataDir, PROCESS_FILE), { force: true });
    },
  };
}

// A killed server leaves its Litestream running, and two of them would corrupt each other's files.
async function endPreviousProcess(dataDir: string): Promise<void> {
  const pid = findPreviousProcess(dataDir);
  if (pid === undefined) return;
  process.kill(pid, 'SIGTERM');
  for (let waited = 0; waited < ENDS_WITHIN_MS && isAlive(pid); waited += LOOK_EVERY_MS)
    await pause(LOOK_EVERY_MS);
  if (isAlive(pid)) process.kill(pid, 'SIGKILL');
}

function findPreviousProcess(dataDir: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(dataDir, PROCESS_FILE), 'utf8'));
    // Another program may have this process id by now.
    const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return line.split('\0').includes(join(dataDir, CONFIGURATION)) ? pid : undefined;
  } catch {
    return undefined;
  }
}

function startProcess(copying: Replication): void {
  const { dataDir } = copying.deps.config;
  const child = withErrorListener(
    spawn(litestreamProgram(), ['replicate', '-config', join(dataDir, CONFIGURATION)], {
      env: { ...litestreamEnvironment(copying.to, copying.how.environment) },
      stdio: ['ignore', 'ignore', 'pipe'],
    }),
  );
  copying.child = child;
  if (child.pid !== undefined) writeDurably(join(dataDir, PROCESS_FILE), String(child.pid));
  child.once('error', (error) => {
    copying.complaint = errorCode(error) === 'ENOENT' ? MISSING : error.message;
    restartLater(copying);
  });
  if (child.stderr === null) return;
  createInterface({ input: withErrorListener(child.stderr) }).on('line', (line) => readLine(copying, line));
  child.once('exit', (code, signal) => {
    if (copying.isWanted && !copying.isStopped) copying.complaint ??= `it exited (${signal ?? code})`;
    restartLater(copying);
  });
}

function readLine(copying: Replication, line: string): void {
  const complaint = litestreamErrorIn(line);
  if (complaint !== undefined) copying.complaint = withoutKeys(copying, complaint);
  if (!reportsReplication(line)) return;
  copying.copiedAt = performance.now();
  copying.complaint = undefined;
  copying.againAfterMs = AGAIN_AFTER_MS.least;
}

function withoutKeys({ to }: Replication, text: string): string {
  return text.replaceAll(to, withoutSecrets(to));
}

function restartLater(copying: Replication): void {
  copying.child = undefined;
  if (!copying.isWanted || copying.isStopped || copying.timer !== undefined) return;
  copying.timer = setTimeout(() => {
    copying.timer = undefined;
    if (copying.isWanted && !copying.isStopped) startProcess(copying);
  }, copying.againAfterMs).unref();
  copying.againAfterMs = Math.min(2 * copying.againAfterMs, AGAIN_AFTER_MS.most);
}

// Litestream replicates the remaining log before it exits.
async function stopProcess(copying: Replication): Promise<void> {
  clearTimeout(copying.timer);
  copying.timer = undefined;
  const { child } = copying;
  if (child === undefined || child.exitCode !== null || child.pid === undefined) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), ENDS_WITHIN_MS);
  await ended;
  clearTimeout(timer);
}

async function pauseWhile<Result>(copying: Replication, work: () => Promise<Result>): Promise<Result> {
  copying.isWanted = false;
  try {
    await stopProcess(copying);
    return await work();
  } finally {
    copying.isWanted = true;
    if (!copying.isStopped && copying.child === undefined) startProcess(copying);
  }
}

async function checkRegularly(copying: Replication, stopping: AbortSignal): Promise<void> {
  const { everyMs = EVERY_MS, withinMs = WITHIN_MS } = copying.how;
  while (!stopping.aborted) {
    try {
      await checkReplication(copying, stopping, withinMs);
    } catch (error) {
      if (!stopping.aborted) copying.deps.log.error({ err: error }, 'could not check the continuous backup');
    }
    await pause(everyMs, undefined, { signal: stopping, ref: false }).catch(() => undefined);
  }
}

// The first sync copies the whole file, which may take minutes.
function timeLimit({ copiedAt, complaint }: Replication, withinMs: number): number {
  return copiedAt === 0 && complaint === undefined ? 10 * withinMs : withinMs;
}

// Long because a check is one sequence: write, wait for replication, store the result, email.
async function checkReplication(
  copying: Replication,
  stopping: AbortSignal,
  withinMs: number,
): Promise<void> {
  const { deps, to } = copying;
  const { db } = deps.database;
  const before = await readLogReplicationState(db);
  const wrote = performance.now();
  const failureEmail = { key: NOTIFIED, sendFailureEmail: copying.how.sendFailureEmail };
  const noted = { to: withoutSecrets(to), failure: before.lastError };
  await storeLogReplicationState(
    db,
    { ...noted, copiedAt: before.lastAt, failingSince: before.failingSince },
    deps.clock.now(),
  );
  while (copying.copiedAt <= wrote && performance.now() - wrote < timeLimit(copying, withinMs))
    await pause(LOOK_EVERY_MS, undefined, { signal: stopping, ref: false });
  const now = deps.clock.now();
  if (copying.copiedAt > wrote) {
    await storeLogReplicationState(
      db,
      { to: noted.to, copiedAt: now, failure: null, failingSince: null },
      now,
    );
    await transaction(deps.database, (trx) => emailFailureDaily(trx, deps, failureEmail, null));
    return;
  }
  const failure = toOneLine(
    copying.complaint ?? `nothing was copied for ${Math.round(withinMs / 1_000)} seconds`,
  );
  deps.log.error({ reason: failure }, 'continuous backup stopped');
  const failingSince: Instant = before.failingSince ?? now;
  await storeLogReplicationState(db, { to: noted.to, copiedAt: before.lastAt, failure, failingSince }, now);
  await transaction(deps.database, (trx) => emailFailureDaily(trx, deps, failureEmail, failure));
}
