import { isDeepStrictEqual } from 'node:util';
import { commonMessages } from '#shared/common-messages.ts';
import { errors } from '#shared/errors.ts';

/**
 * Refuses (409) a change based on an older version than the stored one. `ifMatch` is the version that the caller saw;
 * when it is undefined, the change is made whatever the version.
 */
export function throwIfStale(ifMatch: number | undefined, stored: { version: number }): void {
  if (ifMatch !== undefined && ifMatch !== stored.version)
    throw errors.conflict(commonMessages.changedElsewhere);
}

/**
 * Whether a change leaves every field of `after` as it was before. Then nothing is written: no version grows, nobody
 * else's `If-Match` goes stale, and the record does not tell of a change that was none.
 */
export function isUnchanged<After extends object>(before: After, after: After): boolean {
  return (Object.keys(after) as (keyof After)[]).every((name) =>
    isDeepStrictEqual(before[name], after[name]),
  );
}
