import { isDeepStrictEqual } from 'node:util';

/**
 * Whether a change leaves every field of `after` as it was before. Then nothing is written: no version grows, nobody
 * else's `If-Match` goes stale, and the record does not tell of a change that was none.
 */
export function isUnchanged<After extends object>(before: After, after: After): boolean {
  return (Object.keys(after) as (keyof After)[]).every((name) =>
    isDeepStrictEqual(before[name], after[name]),
  );
}
