import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { commonMessages } from '#shared/common-messages.ts';
import { errors } from '#shared/errors.ts';
import { type Limit, openLimit } from '../process/limit.ts';
import { openWorkPool, WorkEnded, type WorkLimits, type WorkPool } from '../process/worker-pool.ts';
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
}>;

/** How much time of a processor a picture may use. */
const PICTURE_MS = 30_000;
/**
 * Only HEIC has a decoder that can use unlimited memory: one file at a time, each in a new process. The 48 megapixels of a
 * phone take 665 MiB, so 512 would refuse them, and 2.6 s here of flat colors; a detailed picture takes several times that.
 */
const HEIC_LIMITS = { cpuMs: 20_000, mebibytes: 768 } as const;
// A process that does nothing, such as one that waits for a broken disk, ends after its limit times this.
const LONGEST_WAIT = 20;
const WAITING = { waiting: 100, waitMs: 600_000 } as const;
const RETRY_AFTER_SECONDS = 10;
const MODULE = new URL('./image-work.ts', import.meta.url);

/** Renders in the processes of a pool. */
export function openImageWorkers(pool: WorkPool = openWorkPool(), cpuMs: number = PICTURE_MS): ImageWorkers {
  const plain = openLimit({ atOnce: Math.max(1, Math.min(4, availableParallelism() - 1)), ...WAITING }, busy);
  const heic = openLimit({ atOnce: 1, ...WAITING }, busy);
  const limits = (ms: number) => ({ milliseconds: ms * LONGEST_WAIT, cpuMs: ms });

  const run = (limit: Limit, task: Task, workLimits: WorkLimits) =>
    limit.run('', async () => {
      const ask = () => outcomeOf(pool.ask<TaskOutcome>({ module: MODULE, given: task }, workLimits));
      const first = await ask();
      if (!(first instanceof WorkEnded)) return first;
      // Something else may have ended it, such as a machine short of memory: the picture may be fine.
      await forgetMade(task);
      const second = await ask();
      if (!(second instanceof WorkEnded)) return second;
      if (second.why === 'crashed') return UNREADABLE;
      throw errors.unavailable(commonMessages.unavailable, RETRY_AFTER_SECONDS);
    });

  return {
    render: async (job) => {
      const type = await typeOfFile(job.source);
      if (type.accepted === undefined) return { ok: false, reason: 'type', found: type.found };
      const make = { make: job, type: type.accepted };
      if (type.accepted !== 'image/heic') return whole(await run(plain, make, limits(cpuMs)));
      const into = `${job.source}.png`;
      const { cpuMs: heicMs, mebibytes } = HEIC_LIMITS;
      const decoded = await run(heic, { decode: job.source, into }, { ...limits(heicMs), mebibytes });
      if (!('decoded' in decoded)) return whole(decoded);
      const outcome = await run(plain, { ...make, make: { ...job, source: into } }, limits(cpuMs));
      await rm(into, { force: true });
      return whole(outcome);
    },
  };
}

const UNREADABLE = { ok: false, reason: 'unreadable' } as const;

// A picture that takes more than its limits counts as unreadable.
function outcomeOf(asked: Promise<TaskOutcome>): Promise<TaskOutcome | WorkEnded> {
  return asked.catch((error: unknown) => {
    if (!(error instanceof WorkEnded)) throw error;
    return error.why === 'slow' || error.why === 'large' ? UNREADABLE : error;
  });
}

// Of the two tasks only decoding returns a file to go on with, and its answer goes no further.
function whole(outcome: TaskOutcome): RenderOutcome {
  return 'decoded' in outcome ? UNREADABLE : outcome;
}

// Files written by the first attempt would be in the way of the second.
async function forgetMade(task: Task): Promise<void> {
  const paths = 'into' in task ? [task.into] : task.make.orders.map((order) => order.path);
  for (const path of paths) await rm(path, { force: true });
}

function busy() {
  return errors.busy(commonMessages.busy, RETRY_AFTER_SECONDS);
}
