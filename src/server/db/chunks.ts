import { setImmediate as turn } from 'node:timers/promises';

// A statement takes at most 65,535 values in PostgreSQL and 32,766 in SQLite.
const AT_ONCE = 500;

/** Processes many items in chunks, yielding to the event loop in between. */
export async function inChunks<Thing>(
  things: readonly Thing[],
  work: (some: readonly Thing[]) => Promise<unknown>,
): Promise<void> {
  for (let at = 0; at < things.length; at += AT_ONCE) {
    await work(things.slice(at, at + AT_ONCE));
    await turn();
  }
}

/** Like `inChunks`, for work that returns rows. Returns all of them in order. */
export async function collect<Thing, Row>(
  things: readonly Thing[],
  work: (some: readonly Thing[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  await inChunks(things, async (some) => {
    for (const row of await work(some)) rows.push(row);
  });
  return rows;
}
