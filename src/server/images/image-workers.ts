import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { availableParallelism, constants } from 'node:os';
import { baseMessages } from '#shared/common-messages.ts';
import { refuse } from '#shared/errors.ts';
import { ProcessPool } from '../process/process-pool.ts';
import {
  type RenderJob,
  type RenderOutcome,
  type Task,
  type TaskOutcome,
  typeOfFile,
} from './render-image.ts';

/** Renders pictures in other processes; only so many at once that requests still get their share of the machine. */
export type ImageWorkers = Readonly<{
  /**
   * Checks a file's content and makes the requested pictures from it: upright, without metadata. Returns the pictures
   * made, or why there are none. Throws 503 when too many requests wait, and when the process of a picture was killed
   * twice. Files made before a failure stay: the caller removes its folder.
   */
  render: (job: RenderJob) => Promise<RenderOutcome>;
  /** Ends the processes; their current tasks are refused with 503. */
  close: () => void;
}>;

/** How much time of a processor one picture may take, in milliseconds; how much memory the decoder of HEIC may use, in MiB. */
const LIMITS = { pictureMs: 30_000, heicMs: 20_000, heicMebibytes: 768 } as const;

const WAITING = 100;
const RETRY_AFTER_SECONDS = 10;
// When a process is ended by one of these, the file that it read is at fault.
const CRASHES: readonly (NodeJS.Signals | null)[] = [
  'SIGABRT',
  'SIGBUS',
  'SIGFPE',
  'SIGILL',
  'SIGSEGV',
  'SIGTRAP',
];
const IDLE_MS = 30_000;
const LOOK_AT_MEMORY_MS = 20;
const LOOK_AT_TIME_MS = 100;
/** A process that does nothing, such as one that waits for a broken disk, ends after its limit times this. */
const LONGEST_WAIT = 20;
const PROCESS = new URL('./image-worker-process.ts', import.meta.url);

type Limits = Readonly<{ milliseconds: number; mebibytes: number | undefined; idleMs: number }>;

/** Starts the rendering processes with the first picture, and ends those that had none for so long. */
export function openImageWorkers(idleMs = IDLE_MS, pictureMs: number = LIMITS.pictureMs): ImageWorkers {
  const plain = lane(Math.max(1, Math.min(4, availableParallelism() - 1)), {
    milliseconds: pictureMs,
    mebibytes: undefined,
    idleMs,
  });
  // Only HEIC has a decoder that can use unlimited memory: one file at a time, each in a new process with a memory
  // limit.
  const heic = lane(1, { milliseconds: LIMITS.heicMs, mebibytes: LIMITS.heicMebibytes, idleMs });
  return {
    render: async (job) => {
      const type = await typeOfFile(job.source);
      if (type.accepted === undefined) return { ok: false, reason: 'type', found: type.found };
      const make = { make: job, type: type.accepted };
      if (type.accepted !== 'image/heic') return whole(await plain.run(make));
      const into = `${job.source}.png`;
      const decoded = await heic.run({ decode: job.source, into });
      if (!('decoded' in decoded)) return whole(decoded);
      const outcome = await plain.run({ ...make, make: { ...job, source: into } });
      await rm(into, { force: true });
      return whole(outcome);
    },
    close: () => {
      plain.close();
      heic.close();
    },
  };
}

// Of the two tasks only decoding returns a file to go on with, and its answer goes no further.
function whole(outcome: TaskOutcome): RenderOutcome {
  return 'decoded' in outcome ? { ok: false, reason: 'unreadable' } : outcome;
}

// Long because the process, its queue and its end belong together.
/** A queue in front of at most `most` processes. A process with a memory limit runs one task only. */
function lane(most: number, limits: Limits) {
  const pool = new ProcessPool(PROCESS, { niceness: constants.priority.PRIORITY_LOW, idleMs: limits.idleMs });
  const waiting: (() => void)[] = [];
  let busy = 0;
  let closed = false;

  const run = async (task: Task): Promise<TaskOutcome> => {
    if (waiting.length >= WAITING) throw refuse.unavailable(baseMessages.unavailable, RETRY_AFTER_SECONDS);
    if (busy >= most) await new Promise<void>((go) => waiting.push(go));
    busy++;
    try {
      const first = await attempt(task);
      if (!('death' in first)) return first;
      // Something else may have killed it, such as a machine short of memory: the picture may be fine.
      await forgetMade(task);
      const second = await attempt(task);
      if (!('death' in second)) return second;
      if (second.death === 'crash') return { ok: false, reason: 'unreadable' };
      throw refuse.unavailable(baseMessages.unavailable, RETRY_AFTER_SECONDS);
    } finally {
      busy--;
      waiting.shift()?.();
    }
  };

  const attempt = async (task: Task): Promise<TaskOutcome | Death> => {
    if (closed) throw refuse.unavailable(baseMessages.unavailable, RETRY_AFTER_SECONDS);
    const child = pool.take();
    if (limits.mebibytes !== undefined) watchMemory(child, limits.mebibytes);
    const outcome = await answerOf(child, task, limits.milliseconds);
    if (closed && !('ok' in outcome && outcome.ok)) {
      throw refuse.unavailable(baseMessages.unavailable, RETRY_AFTER_SECONDS);
    }
    if (limits.mebibytes !== undefined) end(child);
    else if (!('death' in outcome)) pool.giveBack(child);
    return outcome;
  };

  const close = () => {
    closed = true;
    void pool.close();
  };
  return { run, close };
}

/** A process ended without an answer: by its own fault, or because something killed it or kept it from starting. */
type Death = Readonly<{ death: 'crash' | 'killed' }>;

/**
 * One task of a process. When it takes too long or too much memory, it is ended here, and the picture counts as
 * unreadable.
 */
function answerOf(child: ChildProcess, task: Task, milliseconds: number): Promise<TaskOutcome | Death> {
  return new Promise((resolve) => {
    const began = { at: performance.now(), used: timeUsedBy(child) };
    const timer = setInterval(() => {
      const waited = performance.now() - began.at;
      const used = (timeUsedBy(child) ?? waited) - (began.used ?? 0);
      if (used > milliseconds || waited > milliseconds * LONGEST_WAIT) end(child);
    }, LOOK_AT_TIME_MS);
    const settle = (outcome: TaskOutcome | Death) => {
      clearInterval(timer);
      child.off('message', settle).off('exit', onExit).off('error', onError);
      resolve(outcome);
    };
    const onExit = (_code: number | null, signal: NodeJS.Signals | null) => {
      if (endedHere.has(child)) settle({ ok: false, reason: 'unreadable' });
      else settle({ death: CRASHES.includes(signal) ? 'crash' : 'killed' });
    };
    const onError = () => settle({ death: 'killed' });
    child.on('message', settle).once('exit', onExit).once('error', onError);
    // It may have ended before anybody listened.
    child.send(task, (error) => {
      if (error !== null && (child.exitCode !== null || child.signalCode !== null)) onError();
    });
  });
}

/**
 * How long a process has had a processor, in milliseconds; undefined where there is no /proc. At its low priority it
 * waits most of the time on a busy machine, and that is not the picture's fault.
 */
function timeUsedBy({ pid }: ChildProcess): number | undefined {
  try {
    // The name before the last parenthesis may have blanks. Ticks are a hundredth of a second.
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?=[A-Z] )/);
    const [user, system] = fields.split(' ').slice(11, 13).map(Number);
    return ((user ?? 0) + (system ?? 0)) * 10;
  } catch {
    return;
  }
}

// Files written by the first attempt would be in the way of the second.
async function forgetMade(task: Task): Promise<void> {
  const paths = 'into' in task ? [task.into] : task.make.orders.map((order) => order.path);
  for (const path of paths) await rm(path, { force: true });
}

// Processes that were ended on purpose.
const endedHere = new WeakSet<ChildProcess>();

function end(child: ChildProcess): void {
  endedHere.add(child);
  child.kill('SIGKILL');
}

// The system's own limits count reserved memory, and the runtime reserves more than it ever uses; so the memory in
// real use is checked. Where there is no /proc, the time limit bounds it.
function watchMemory(child: ChildProcess, mebibytes: number): void {
  const timer = setInterval(async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    const [, kilobytes = '0'] = /^VmRSS:\s*(\d+) kB/m.exec(status) ?? [];
    if (Number(kilobytes) > mebibytes * 1024) end(child);
  }, LOOK_AT_MEMORY_MS).unref();
  const stop = () => clearInterval(timer);
  child.once('exit', stop).once('error', stop);
}
