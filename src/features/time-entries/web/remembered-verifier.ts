import type { Id } from '#shared/id.ts';
import { readStored, removeStored, writeStored } from '#web/api/browser-storage.ts';
import { onSessionEnd } from '#web/api/session.ts';

const PREFIX = 'outsideVerifier:';

// The next person on a shared computer does not read whom somebody asked.
onSessionEnd(() => removeStored(PREFIX));

const keyOf = (userId: Id, activityId: Id) => `${PREFIX}${userId}:${activityId}`;

/** The supervisor whom somebody named for an activity in this browser since they signed in; undefined when none. */
export function rememberedVerifier(userId: Id, activityId: Id): string | undefined {
  return readStored(keyOf(userId, activityId)) ?? undefined;
}

/** Remembers the supervisor, so that nobody is asked twice for the same activity. */
export function rememberVerifier(userId: Id, activityId: Id, address: string): void {
  writeStored(keyOf(userId, activityId), address);
}
