import type { Id } from '#shared/id.ts';
import { readStored, removeStored, writeStored } from '#web/api/browser-storage.ts';
import { onSessionEnd } from '#web/api/session.ts';

const PREFIX = 'outsideVerifier:';

// The next user of a shared computer must not see the address.
onSessionEnd(() => removeStored(PREFIX));

const keyOf = (userId: Id, activityId: Id) => `${PREFIX}${userId}:${activityId}`;

/**
 * The external verifier that a volunteer named for an activity in this browser since they signed in; undefined when
 * none.
 */
export function readRememberedVerifier(userId: Id, activityId: Id): string | undefined {
  return readStored(keyOf(userId, activityId)) ?? undefined;
}

/** Stores the external verifier, so that the form asks for it only once per activity. */
export function rememberVerifier(userId: Id, activityId: Id, address: string): void {
  writeStored(keyOf(userId, activityId), address);
}
