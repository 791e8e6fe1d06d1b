import { isDeepStrictEqual } from 'node:util';
import { commonMessages } from '#shared/common-messages.ts';
import { errors } from '#shared/errors.ts';

/**
 * Throws 409 if the caller saw an older version than the stored one. `ifMatch` is the version that the caller
 * saw; undefined skips the check.
 */
export function throwIfStale(ifMatch: number | undefined, stored: { version: number }): void {
  if (ifMatch !== undefined && ifMatch !== stored.version)
    throw errors.conflict(commonMessages.changedElsewhere);
}

/**
 * Whether a change leaves every field of `after` as it was. Then nothing is written: the version stays, other clients'
 * `If-Match` stays valid, and the audit log gets no empty event.
 */
export function isUnchanged<After extends object>(before: After, after: After): boolean {
  return (Object.keys(after) as (keyof After)[]).every((name) =>
    isDeepStrictEqual(before[name], after[name]),
  );
}
