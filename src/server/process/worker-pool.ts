import { type ChildProcess, fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { getCompileCacheDir } from 'node:module';
import { setPriority } from 'node:os';
import { dirname } from 'node:path';
import { withErrorListener } from './error-listener.ts';

/** A job: the module whose `work` function runs it, and its argument as plain data. */
export type Work = Readonly<{ module: URL; given: unknown }>;

/**
 * Limits for one job: wall-clock time, CPU time and memory. A process with a memory limit runs only one job. `gone` aborts when
 * the requester no longer waits.
 */
export type WorkLimits = Readonly<{
  milliseconds: number;
  cpuMs?: number;
  mebibytes?: number;
  gone?: AbortSignal;
}>;

/** Why a process ended without an answer: a limit, an abandoned job, a crash, or a kill from outside. */
type EndReason = 'slow' | 'large' | 'gone' | 'crashed' | 'killed';

/** A worker process ended without an answer. */
export class WorkEnded extends Error {
  readonly why: EndReason;

  constructor(why: EndReason) {
    super(`a process ended without an answer: ${why}`);
    this.why = why;
  }
}

/** The messages between server and worker process. */
export type WorkRequest = Readonly<{ module: string; given: unknown }>;
export type WorkReply = Readonly<{ answer: unknown } | { fault: string }>;

/**
 * How long an idle process stays; its niceness; whether the last process stays, so that the next job does not wait for a start;
 * and Node's flags, by default a heap limit.
 */
type PoolOptions = Readonly<{
  idleMs?: number;
  niceness?: number;
  keepsLastProcess?: boolean;
  execArgv?: readonly string[];
}>;

/** Worker processes for work that would block requests: images, reports, and long SQLite queries. */
export type WorkPool = Readonly<{
  /** Runs a job and returns its result. Throws `WorkEnded`, or the error of the job itself. */
  run: <Answer>(work: Work, limits: WorkLimits) => Promise<Answer>;
  /** Kills all processes. */
  close: () => Promise<void>;
}>;

const SCRIPT = new URL('./worker-process.ts', import.meta.url);
const IDLE_MS = 60_000;
const HEAP_LIMIT = ['--max-old-space-size=512'];
const NICENESS = 10;
const LOOK_EVERY_MS = { time: 100, memory: 20 } as const;
/** Grace period for a job whose requester is gone. Most jobs finish within it, and the process can be reused. */
const GONE_MS = 500;
const CRASHES = ['SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGSEGV', 'SIGTRAP'];

// Long because the processes, busy and idle, share state.
/**
 * Starts processes on demand. A process does only one kind of work, so a process that decoded untrusted images does nothing
 * else.
 */
export function openWorkPool({
  idleMs = IDLE_MS,
  niceness = NICENESS,
  keepsLastProcess = false,
  execArgv = HEAP_LIMIT,
}: PoolOptions = {}): WorkPool {
  const alive = new Set<ChildProcess>();
  const idle = new Map<ChildProcess, Readonly<{ module: string; timer: NodeJS.Timeout }>>();
  let isClosed = false;

  const removeIdle = (child: ChildProcess) => {
    clearTimeout(idle.get(child)?.timer);
    idle.delete(child);
  };
  const forget = (child: ChildProcess) => {
    alive.delete(child);
    removeIdle(child);
  };
  const start = () => {
    const child = startProcess(niceness, execArgv);
    alive.add(child);
    child.once('exit', () => forget(child)).once('error', () => forget(child));
    return child;
  };
  // The exit event arrives later, so remove the process now, before it gets another job.
  const endIdleProcess = (child: ChildProcess) => {
    if (keepsLastProcess && alive.size === 1) return;
    forget(child);
    child.kill('SIGKILL');
  };
  const release = (child: ChildProcess, module: string) => {
    if (isClosed || !child.connected) child.kill('SIGKILL');
    else idle.set(child, { module, timer: setTimeout(() => endIdleProcess(child), idleMs).unref() });
  };

  return {
    run: async <Answer>({ module: { href: module }, given }: Work, limits: WorkLimits) => {
      if (isClosed) throw new WorkEnded('killed');
      const [child] = [...idle].find(([, one]) => one.module === module) ?? [start()];
      removeIdle(child);
      const reply = await waitForReply(child, { module, given }, limits);
      if (limits.mebibytes === undefined) release(child, module);
      else child.kill('SIGKILL');
      if ('fault' in reply) throw new Error(`work failed: ${reply.fault}`);
      return reply.answer as Answer;
    },
    close: async () => {
      isClosed = true;
      await Promise.all([...alive].map(killAndWait));
    },
  };
}

// Settings hold secrets, so the process gets only the compile cache folder, which shortens its start, and none
// of this process's flags.
function startProcess(niceness: number, execArgv: readonly string[]): ChildProcess {
  const folder = getCompileCacheDir();
  const child = withErrorListener(
    fork(SCRIPT, [], {
      // Node adds a subfolder per version to the folder that it was given.
      env: folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) },
      execArgv: [...execArgv],
      serialization: 'advanced',
      stdio: 'ignore',
    }),
  );
  child.unref();
  child.channel?.unref();
  try {
    // Requests have a higher priority.
    if (child.pid !== undefined) setPriority(child.pid, niceness);
  } catch {
    // It exited immediately, and its first caller gets the error.
  }
  return child;
}

function killAndWait(child: ChildProcess): Promise<unknown> {
  const ended = new Promise((resolve) => child.once('close', resolve));
  // This process still has to close the database, so it must wait for the child.
  child.ref();
  child.kill('SIGKILL');
  return ended;
}

// Long because it handles every way in which a process can end.
function waitForReply(child: ChildProcess, question: WorkRequest, limits: WorkLimits): Promise<WorkReply> {
  return new Promise((resolve, reject) => {
    let why: EndReason | undefined;
    let isOver = false;
    const end = (reason: EndReason) => {
      // The process may already work on another job.
      if (isOver) return;
      why ??= reason;
      child.kill('SIGKILL');
    };
    const late = setTimeout(() => end('slow'), limits.milliseconds);
    const stopWatching = watchUsage(child, limits, end);
    let leaving: NodeJS.Timeout | undefined;
    const onGone = () => {
      leaving = setTimeout(() => end('gone'), GONE_MS);
    };
    const settle = () => {
      isOver = true;
      clearTimeout(late);
      clearTimeout(leaving);
      stopWatching();
      limits.gone?.removeEventListener('abort', onGone);
      child.off('message', onReply).off('exit', onExit).off('error', onError);
    };
    const onReply = (reply: WorkReply) => {
      settle();
      resolve(reply);
    };
    const onExit = (_code: number | null, signal: NodeJS.Signals | null) => {
      settle();
      reject(new WorkEnded(why ?? (CRASHES.includes(String(signal)) ? 'crashed' : 'killed')));
    };
    const onError = () => onExit(null, null);
    limits.gone?.addEventListener('abort', onGone);
    child.on('message', onReply).once('exit', onExit).once('error', onError);
    // It may have exited before the listeners were added.
    child.send(question, (error) => {
      if (error !== null && (child.exitCode !== null || child.signalCode !== null)) onError();
    });
  });
}

// Limits CPU time, not wall-clock time, because a low-priority process mostly waits on a busy machine. Limits
// resident memory, because system limits count reserved memory and the runtime reserves more than it uses.
// Without /proc, the time limit bounds both.
function watchUsage(
  { pid }: ChildProcess,
  { cpuMs, mebibytes }: WorkLimits,
  end: (why: EndReason) => void,
): () => void {
  if (cpuMs === undefined && mebibytes === undefined) return () => undefined;
  let before: number | undefined;
  const timer = setInterval(
    async () => {
      // The fields follow the name, which may contain spaces. Ticks are 10 ms, pages 4 KiB.
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      const fields = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
      const [user = 0, system = 0, pages = 0] = [fields[11], fields[12], fields[21]];
      const used = (user + system) * 10;
      before ??= used;
      if (cpuMs !== undefined && used - before > cpuMs) end('slow');
      if (mebibytes !== undefined && pages / 256 > mebibytes) end('large');
    },
    LOOK_EVERY_MS[mebibytes === undefined ? 'time' : 'memory'],
  ).unref();
  return () => clearInterval(timer);
}
