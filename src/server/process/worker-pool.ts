import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { ProcessPool } from './process-pool.ts';

/** A piece of work: the module whose `work` does it, and what that gets, as plain data. */
export type Work = Readonly<{ module: URL; given: unknown }>;

/**
 * How long a piece of work may take, how much time of a processor it may use, and how much memory its process, which then
 * does nothing else. `gone` aborts when nobody waits for it any more.
 */
export type WorkLimits = Readonly<{
  milliseconds: number;
  cpuMs?: number;
  mebibytes?: number;
  gone?: AbortSignal;
}>;

/** Why a process ended without an answer: by its limits, for want of anybody who waits, by its own fault, or from outside. */
type Why = 'slow' | 'large' | 'gone' | 'crashed' | 'killed';

/** A process ended without an answer. */
export class WorkEnded extends Error {
  readonly why: Why;

  constructor(why: Why) {
    super(`a process ended without an answer: ${why}`);
    this.why = why;
  }
}

/** The messages to and from a process. */
export type Question = Readonly<{ module: string; given: unknown }>;
export type Reply = Readonly<{ answer: unknown } | { fault: string }>;

/** Processes for pictures and reports. */
export type WorkPool = Readonly<{
  /** The answer of a process. Throws `WorkEnded`, and what the work itself threw. */
  ask: <Answer>(work: Work, limits: WorkLimits) => Promise<Answer>;
  /** Ends all processes. */
  close: () => Promise<void>;
}>;

const SCRIPT = new URL('./worker-process.ts', import.meta.url);
const IDLE_MS = 60_000;
const MEBIBYTES = 512;
// Requests come first.
const NICENESS = 10;
const LOOK_EVERY_MS = { time: 100, memory: 20 } as const;
/** How long work goes on that nobody waits for any more: most of it is over by then, and its process is kept. */
const GONE_MS = 500;
const CRASHES = ['SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGSEGV', 'SIGTRAP'];

/** Starts processes as work comes. One that read strangers' pictures does no other work. */
export function openWorkPool(idleMs: number = IDLE_MS): WorkPool {
  const execArgv = [`--max-old-space-size=${MEBIBYTES}`];
  const pool = new ProcessPool(SCRIPT, { execArgv, serialization: 'advanced', niceness: NICENESS, idleMs });
  let isClosed = false;
  return {
    ask: async <Answer>({ module, given }: Work, limits: WorkLimits) => {
      if (isClosed) throw new WorkEnded('killed');
      const child = pool.take(module.href);
      const reply = await replyOf(child, { module: module.href, given }, limits);
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
function replyOf(child: ChildProcess, question: Question, limits: WorkLimits): Promise<Reply> {
  return new Promise((resolve, reject) => {
    let why: Why | undefined;
    let isOver = false;
    const end = (reason: Why) => {
      // Its process may be at work for somebody else by now.
      if (isOver) return;
      why ??= reason;
      child.kill('SIGKILL');
    };
    const late = setTimeout(() => end('slow'), limits.milliseconds);
    const stopWatching = watch(child, limits, end);
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
    const onReply = (reply: Reply) => {
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
    // It may have ended before anybody listened.
    child.send(question, (error) => {
      if (error !== null && (child.exitCode !== null || child.signalCode !== null)) onError();
    });
  });
}

// Time of a processor and not of the clock: at its low priority a process waits most of the time on a busy machine. Memory in
// real use, since the system's own limits count what is reserved, and the runtime reserves more than it ever uses. Where
// there is no /proc, the limit of time bounds both.
function watch({ pid }: ChildProcess, { cpuMs, mebibytes }: WorkLimits, end: (why: Why) => void): () => void {
  if (cpuMs === undefined && mebibytes === undefined) return () => undefined;
  let before: number | undefined;
  const timer = setInterval(
    async () => {
      // Behind the name, which may contain spaces. Ticks are a hundredth of a second, pages 4 KiB.
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
