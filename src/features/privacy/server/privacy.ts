import type { Db, Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import type { Column, Person, Section } from '#server/personal-data/data-export.ts';
import { findDeletionRequest, removeDeletionRequest } from './store.ts';

/** The deletion request for a person's data export. */
export function exportPersonalData(db: Db, { id }: Person): readonly Section[] {
  return [{ name: 'erasureRequest', read: async () => (await findDeletionRequest(db, id)) ?? null }];
}

/** Removes the deletion request once it is carried out. */
export async function deletePersonalData(trx: Trx, _deps: Deps, person: Person): Promise<void> {
  await removeDeletionRequest(trx, person.id);
}

export const DELETED_COLUMNS = [
  'deletion_requests.user_id',
  'deletion_requests.reason',
] as const satisfies readonly Column[];

export const RETAINED_COLUMNS = {} as const satisfies Partial<Record<Column, string>>;
