import { CallError } from './call.ts';

/** An item that failed, with its error. */
export type Failed<Item> = Readonly<{ item: Item; error: CallError }>;

/**
 * Runs `work` on each item, one after the other, and continues when one fails. `onDone` gets the number of finished items.
 * Returns the failed items. Stops if the server can't be reached, denies access or gets too many requests; the remaining items
 * count as failed.
 */
export async function runOneByOne<Item>(
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

// No response, signed out, no longer an administrator, too many requests.
const ENDS: readonly number[] = [0, 401, 403, 429];
