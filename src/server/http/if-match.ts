import { baseMessages } from '#shared/common-messages.ts';
import { refuse } from '#shared/errors.ts';

/**
 * Refuses (409) a change based on an older version than the stored one. `ifMatch` is the version that the caller saw;
 * when it is undefined, the change is made whatever the version.
 */
export function throwIfStale(ifMatch: number | undefined, stored: { version: number }): void {
  if (ifMatch !== undefined && ifMatch !== stored.version)
    throw refuse.conflict(baseMessages.changedElsewhere);
}
