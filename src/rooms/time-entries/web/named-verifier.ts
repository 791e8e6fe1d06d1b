import type { Id } from '#base/id.ts';
import { readStored, writeStored } from '#web/lib/storage.ts';

const keyOf = (userId: Id, activityId: Id) => `outsideVerifier:${userId}:${activityId}`;

/** The supervisor whom somebody named for an activity in this browser; undefined when none. */
export function namedVerifier(userId: Id, activityId: Id): string | undefined {
  return readStored(keyOf(userId, activityId)) ?? undefined;
}

/** Remembers the supervisor, so that nobody is asked twice for the same activity. */
export function rememberVerifier(userId: Id, activityId: Id, address: string): void {
  writeStored(keyOf(userId, activityId), address);
}
