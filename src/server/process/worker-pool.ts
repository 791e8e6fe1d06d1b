import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { ProcessPool } from './process-pool.ts';

/** A job: the module whose `work` function runs it, and its argument as plain data. */
export type Work = Readonly<{ module: URL; given: unknown }>;

/**
 * Limits for one job: wall-clock time, CPU time and memory; with a memory limit the process runs nothing else
 * afterwards. `gone` aborts when the requester no longer waits.
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

/** Worker processes for images and reports. */
export type WorkPool = Readonly<{
  /** Runs a job and returns its result. Throws `WorkEnded`, or the error of the job itself. */
  run: <Answer>(work: Work, limits: WorkLimits) => Promise<Answer>;
  /** Kills all processes. */
  close: () => Promise<void>;
}>;

const SCRIPT = new URL('./worker-process.ts', import.meta.url);
const IDLE_MS = 60_000;
const MEBIBYTES = 512;
// Requests come first.
const NICENESS = 10;
const LOOK_EVERY_MS = { time: 100, memory: 20 } as const;
/** Grace period for a job that nobody waits for any more: most finish within it, and the process can be reused. */
const GONE_MS = 500;
const CRASHES = ['SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGSEGV', 'SIGTRAP'];

/** Starts processes on demand. A process that decoded untrusted images does no other work. */
export function openWorkPool(idleMs: number = IDLE_MS): WorkPool {
  const execArgv = [`--max-old-space-size=${MEBIBYTES}`];
  const pool = new ProcessPool(SCRIPT, { execArgv, serialization: 'advanced', niceness: NICENESS, idleMs });
  let isClosed = false;
  return {
    run: async <Answer>({ module, given }: Work, limits: WorkLimits) => {
      if (isClosed) throw new WorkEnded('killed');
      const child = pool.take(module.href);
      const reply = await waitForReply(child, { module: module.href, given }, limits);
      if (limits.mebibytes === undefined) pool.giveBack(child, module.href);
      else child.kill('SIGKILL');
      if ('fault' in reply) throw new Error(`work failed: ${reply.fault}`);
      return reply.answer as Answer;
    },
    close: () => {
      isClosed = true;
      return pool.close();
    },
  };
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
