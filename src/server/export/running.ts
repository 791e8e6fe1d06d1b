import type { Deps } from '../deps.ts';
import type { Making } from './in-worker.ts';

/** How many files one process makes at a time: each takes a processor and holds back a moment of the database. */
export const FILES_AT_ONCE = 2;

const NOTE_EVERY_MS = 1_000;
// A reader that takes nothing for so long is gone, whatever its connection says.
const STALLED_AFTER_MS = 120_000;

type Followed = Readonly<{ id: number; stop: () => Promise<void> }>;

type Turns = { starting: number; followed: Set<Followed> };

// By what every lane of one process has in common.
const turns = new WeakMap<Deps['config'], Turns>();

/** Whether as many files are being made as may be at a time. */
export function isBusy(deps: Deps): boolean {
  const { starting, followed } = turnsOf(deps);
  return starting + followed.size >= FILES_AT_ONCE;
}

/** Counts a file from before there is anything of it to follow. */
export async function starting<Started>(deps: Deps, start: () => Promise<Started>): Promise<Started> {
  const here = turnsOf(deps);
  here.starting += 1;
  try {
    return await start();
  } finally {
    here.starting -= 1;
  }
}

/** Stops a file at once when this process makes it. */
export function stopExport(deps: Deps, id: number): void {
  for (const one of turnsOf(deps).followed) if (one.id === id) void one.stop();
}

// Long because the states of one run are told here and nowhere else.
/**
 * Notes every second how far a file has come, and in the end whether it is whole. It is stopped when a note answers
 * that nobody wants it any more, and when its reader takes nothing for two minutes.
 */
export function follow(
  deps: Deps,
  id: number,
  { content, rows }: Making,
  notes: {
    progress: (rows: number) => Promise<boolean>;
    end: (isWhole: boolean, rows: number) => Promise<void>;
  },
): void {
  const all = turnsOf(deps).followed;
  let [last, lastAt] = [-1, performance.now()];
  const fail = (error: unknown) => {
    deps.log.error({ err: error }, 'an export failed');
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
        deps.log.error({ err: error }, 'the end of an export could not be noted');
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

/** Stops all files that are being made, since the process ends. */
export async function stopExports(deps: Deps): Promise<void> {
  await Promise.all([...turnsOf(deps).followed].map(({ stop }) => stop()));
}

function turnsOf(deps: Deps): Turns {
  const known = turns.get(deps.config) ?? { starting: 0, followed: new Set() };
  turns.set(deps.config, known);
  return known;
}
