import type { Deps } from '../deps.ts';
import { serverSingleton } from '../process/server-singleton.ts';
import type { WorkerExport } from './worker-export.ts';

/** The most concurrent exports per server: each uses a CPU core and holds a database snapshot open. */
export const MAX_RUNNING_EXPORTS = 2;

const NOTE_EVERY_MS = 1_000;
// A client that reads nothing for this long is considered gone, even if its connection is open.
const STALLED_AFTER_MS = 120_000;

type Followed = Readonly<{ id: number | string; stop: () => Promise<void> }>;

const runningExports = serverSingleton(() => ({ starting: 0, followed: new Set<Followed>() }));

/** Whether the limit of concurrent exports is reached. */
export function isExportLimitReached(deps: Deps): boolean {
  const { starting, followed } = runningExports(deps);
  return starting + followed.size >= MAX_RUNNING_EXPORTS;
}

/** Counts an export as running while it starts, before `followExport` counts it. */
export async function countWhileStarting<Started>(
  deps: Deps,
  start: () => Promise<Started>,
): Promise<Started> {
  const here = runningExports(deps);
  here.starting += 1;
  try {
    return await start();
  } finally {
    here.starting -= 1;
  }
}

/** Stops an export immediately if this process runs it. */
export function stopExport(deps: Deps, id: number | string): void {
  for (const one of runningExports(deps).followed) if (one.id === id) void one.stop();
}

// Long because it handles all states of an export.
/**
 * Reports an export's progress every second, and at the end whether it is complete. Stops the export when
 * `progress` resolves to false, or when its client reads nothing for two minutes.
 */
export function followExport(
  deps: Deps,
  id: number | string,
  { content, rows }: WorkerExport,
  notes: {
    progress: (rows: number) => Promise<boolean>;
    end: (isWhole: boolean, rows: number) => Promise<void>;
  },
): void {
  const all = runningExports(deps).followed;
  let [last, lastAt] = [-1, performance.now()];
  const fail = (error: unknown) => {
    deps.log.error({ err: error }, 'export failed');
    content.destroy();
  };
  const timer = setInterval(() => {
    if (rows() !== last) [last, lastAt] = [rows(), performance.now()];
    if (performance.now() - lastAt > STALLED_AFTER_MS) content.destroy();
    notes.progress(rows()).then((isWanted) => {
      if (!isWanted) content.destroy();
    }, fail);
  }, NOTE_EVERY_MS);
  content.once('error', fail);
  const over = new Promise<void>((resolve) => {
    content.once('close', () => {
      clearInterval(timer);
      all.delete(one);
      notes.end(content.readableEnded, rows()).then(resolve, (error: unknown) => {
        deps.log.error({ err: error }, 'could not save the result of an export');
        resolve();
      });
    });
  });
  const one: Followed = {
    id,
    stop: () => {
      content.destroy();
      return over;
    },
  };
  all.add(one);
}

/** Stops all exports, because the process is ending. */
export async function stopExports(deps: Deps): Promise<void> {
  await Promise.all([...runningExports(deps).followed].map(({ stop }) => stop()));
}
