import type { Db } from '#server/db/connect.ts';
import { type OwnEntry, ownDeletedEntries, ownEntries } from './own-data-store.ts';

/** Everything kept of a person's hours, page by page: by day, then what lies in the trash. */
export async function* ownEntriesOf(db: Db, userId: number): AsyncGenerator<readonly OwnEntry[]> {
  yield* ownEntries(db, userId);
  yield* ownDeletedEntries(db, userId);
}
