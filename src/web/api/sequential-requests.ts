import { CallError } from './call.ts';

/** An item that failed, and why. */
export type Failed<Item> = Readonly<{ item: Item; error: CallError }>;

/**
 * Does the same to many items, one after the other, and goes on when one fails; `onDone` gets the number finished.
 * Returns the failed items. If the server cannot be reached or denies access, it stops and the rest counts as failed.
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

// No answer, signed out, no longer an administrator, too many requests.
const ENDS: readonly number[] = [0, 401, 403, 429];
