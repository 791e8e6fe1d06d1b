import { setImmediate as nextTurn } from 'node:timers/promises';

const AT_ONCE = 500;

/** Maps many items in order and yields to the event loop every 500, so requests are served in between. */
export async function mapYielding<Thing, Made>(
  things: readonly Thing[],
  work: (thing: Thing) => Made,
): Promise<Made[]> {
  const results: Made[] = [];
  for (const thing of things) {
    results.push(work(thing));
    if (results.length % AT_ONCE === 0) await nextTurn();
  }
  return results;
}
