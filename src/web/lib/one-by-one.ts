import { CallError } from './call.ts';

/** What could not be done, and why. */
export type Failed<Item> = Readonly<{ item: Item; error: CallError }>;

/**
 * Does the same to many, one after the other, and goes on when one fails: `onDone` hears how many are through. What
 * failed comes back. A server that cannot be reached or lets nobody in ends it: the rest has failed as well.
 */
export async function oneByOne<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
  onDone: (done: number) => void,
): Promise<Failed<Item>[]> {
  const failed: Failed<Item>[] = [];
  for (const [at, item] of items.entries()) {
    try {
      await work(item);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      failed.push({ item, error });
      if (ENDS.includes(error.status)) {
        return [...failed, ...items.slice(at + 1).map((left) => ({ item: left, error }))];
      }
    }
    onDone(at + 1);
  }
  return failed;
}

// No answer, not signed in any more, no administrator any more, asked for too often.
const ENDS: readonly number[] = [0, 401, 403, 429];
