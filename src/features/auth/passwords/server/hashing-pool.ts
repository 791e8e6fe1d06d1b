import { Worker } from 'node:worker_threads';
import { messages } from '#features/users/contract.ts';
import { listened } from '#server/process/error-listener.ts';
import { refuse } from '#shared/errors.ts';
import { createFairQueue } from './fair-queue.ts';

/** What a thread is asked: to hash a new password, or whether one matches a stored hash. */
export type HashingTask = Readonly<{ password: string } | { password: string; stored: string }>;
/** Its answer. */
export type HashingAnswer = Readonly<{ hash: string } | { matches: boolean } | { fault: string }>;

/** Threads that hash passwords. */
export type Hashing = Readonly<{
  /**
   * The answer of a thread, when it is its turn; `from` is who asks, such as a network. Throws 503 when too many wait,
   * when it waited too long, and when two threads ended without an answer.
   */
  ask: (task: HashingTask, from: string) => Promise<HashingAnswer>;
}>;

/** How many hash at once: each takes a processor and 19 MiB. */
const AT_ONCE = 2;
/** Enough for a whole school signing in within a minute of each other. */
const WAITING = 300;
const LIMITS = { atOnce: AT_ONCE, waiting: WAITING, waitMs: 30_000, idleMs: 60_000 } as const;
const RETRY_AFTER_SECONDS = 3;
// It keeps nothing between two tasks; the memory of a hash is not the engine's.
const MEMORY = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 };
const SCRIPT = new URL('./hashing-worker.ts', import.meta.url);

/** Starts the threads with the first passwords, and ends those that had none for a while. */
export function createHashingPool(
  limits: { readonly [Name in keyof typeof LIMITS]: number } = LIMITS,
  script: URL = SCRIPT,
): Hashing {
  const idle = new Map<Worker, NodeJS.Timeout>();
  const line = createFairQueue(limits, () => refuse.busy(messages.busy, RETRY_AFTER_SECONDS));

  const take = (thread: Worker) => {
    clearTimeout(idle.get(thread));
    idle.delete(thread);
  };
  const retire = (thread: Worker) => {
    take(thread);
    void thread.terminate();
  };

  const start = () => {
    const thread = listened(new Worker(script, { execArgv: [], resourceLimits: MEMORY }));
    thread.unref();
    thread.once('exit', () => take(thread));
    return thread;
  };

  const askThread = async (task: HashingTask): Promise<HashingAnswer | undefined> => {
    const [thread = start()] = idle.keys();
    take(thread);
    const answer = await answerOf(thread, task);
    if (answer !== undefined) idle.set(thread, setTimeout(() => retire(thread), limits.idleMs).unref());
    return answer;
  };

  // A thread that ends is not the password's fault.
  const ask = async (task: HashingTask): Promise<HashingAnswer> => {
    const answer = (await askThread(task)) ?? (await askThread(task));
    if (answer === undefined) throw refuse.busy(messages.busy, RETRY_AFTER_SECONDS);
    return answer;
  };

  return { ask: (task, from) => line.inTurn(from, () => ask(task)) };
}

// Nothing when the thread ended without an answer.
function answerOf(thread: Worker, task: HashingTask): Promise<HashingAnswer | undefined> {
  return new Promise((resolve) => {
    const settle = (answer: HashingAnswer | undefined) => {
      thread.off('message', settle).off('exit', onEnd).off('error', onEnd);
      thread.unref();
      resolve(answer);
    };
    const onEnd = () => settle(undefined);
    thread.once('message', settle).once('exit', onEnd).once('error', onEnd);
    // A program of the operator must not end while it waits for its only hash.
    thread.ref();
    thread.postMessage(task);
  });
}
