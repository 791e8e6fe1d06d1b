import { baseMessages } from '#base/messages.ts';
import { refuse } from '#base/refusal.ts';

/**
 * Refuses (409) a change that was made upon an older version than the stored one. `ifMatch` is the version that the
 * caller saw, undefined when it named none: then the change holds whatever was there.
 */
export function refuseStale(ifMatch: number | undefined, stored: { version: number }): void {
  if (ifMatch !== undefined && ifMatch !== stored.version)
    throw refuse.conflict(baseMessages.changedElsewhere);
}
