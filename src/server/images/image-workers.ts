import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { commonMessages } from '#shared/common-messages.ts';
import { errors } from '#shared/errors.ts';
import { type Limit, openLimit } from '../process/limit.ts';
import { openWorkPool, WorkEnded, type WorkLimits, type WorkPool } from '../process/worker-pool.ts';
import {
  type DecodeOutcome,
  detectFileType,
  type RenderJob,
  type RenderOutcome,
  type Task,
} from './render-image.ts';

/** Renders images in worker processes, with a concurrency limit that leaves CPU for requests. */
export type ImageWorkers = Readonly<{
  /**
   * Checks a file's content and creates the requested renditions: upright, without metadata. Returns them, or the reason why
   * there are none. Throws 503 if too many requests wait or the worker was killed twice. Files written before a failure stay;
   * the caller removes its folder.
   */
  render: (job: RenderJob) => Promise<RenderOutcome>;
}>;

/** CPU time limit per image. */
const IMAGE_CPU_MS = 30_000;
/**
 * Only the HEIC decoder can use unlimited memory, so it decodes one file at a time, each in a new process.
 * The 48 megapixels of a phone take 665 MiB, so 512 would reject them, and 2.6 s for flat colors here; a
 * detailed image takes several times that.
 */
const HEIC_LIMITS = { cpuMs: 20_000, mebibytes: 768 } as const;
// Wall-clock limit as a multiple of the CPU limit, for a process that hangs, such as on a broken disk.
const LONGEST_WAIT = 20;
const WAITING = { waiting: 100, waitMs: 600_000 } as const;
const RETRY_AFTER_SECONDS = 10;
const MODULE = new URL('./image-work.ts', import.meta.url);

/** Renders in the processes of a worker pool. */
export function openImageWorkers(
  pool: WorkPool = openWorkPool(),
  cpuMs: number = IMAGE_CPU_MS,
): ImageWorkers {
  const plain = openLimit({ atOnce: Math.max(1, Math.min(4, availableParallelism() - 1)), ...WAITING }, busy);
  const heic = openLimit({ atOnce: 1, ...WAITING }, busy);
  const limits = (ms: number) => ({ milliseconds: ms * LONGEST_WAIT, cpuMs: ms });

  const run = <Outcome>(limit: Limit, task: Task, workLimits: WorkLimits) =>
    limit.run('', async () => {
      const runOnce = () => resolveOutcome(pool.run<Outcome>({ module: MODULE, given: task }, workLimits));
      const first = await runOnce();
      if (!(first instanceof WorkEnded)) return first;
      // The machine may have run out of memory, and the image itself may be fine, so try once more.
      await removeOutputs(task);
      const second = await runOnce();
      if (!(second instanceof WorkEnded)) return second;
      if (second.why === 'crashed') return UNREADABLE;
      throw errors.unavailable(commonMessages.unavailable, RETRY_AFTER_SECONDS);
    });

  return {
    render: async (job) => {
      const type = await detectFileType(job.source);
      if (type.accepted === undefined) return { ok: false, reason: 'type', found: type.found };
      const make = { make: job, type: type.accepted };
      if (type.accepted !== 'image/heic') return run<RenderOutcome>(plain, make, limits(cpuMs));
      const into = `${job.source}.png`;
      const { cpuMs: heicMs, mebibytes } = HEIC_LIMITS;
      const decode = { decode: job.source, into };
      const decoded = await run<DecodeOutcome>(heic, decode, { ...limits(heicMs), mebibytes });
      if (!decoded.ok) return decoded;
      const fromDecoded = { ...make, make: { ...job, source: into } };
      const outcome = await run<RenderOutcome>(plain, fromDecoded, limits(cpuMs));
      await rm(into, { force: true });
      return outcome;
    },
  };
}

const UNREADABLE = { ok: false, reason: 'unreadable' } as const;

// An image that exceeds its limits counts as unreadable.
function resolveOutcome<Outcome>(asked: Promise<Outcome>): Promise<Outcome | typeof UNREADABLE | WorkEnded> {
  return asked.catch((error: unknown) => {
    if (!(error instanceof WorkEnded)) throw error;
    return error.why === 'slow' || error.why === 'large' ? UNREADABLE : error;
  });
}

// Existing files would make the second attempt fail.
async function removeOutputs(task: Task): Promise<void> {
  const paths = 'into' in task ? [task.into] : task.make.orders.map((order) => order.path);
  for (const path of paths) await rm(path, { force: true });
}

function busy() {
  return errors.busy(commonMessages.busy, RETRY_AFTER_SECONDS);
}
