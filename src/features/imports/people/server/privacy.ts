import type { Db, Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import type { Column, Person, Section } from '#server/personal-data/data-export.ts';
import { expiringRows } from '#server/personal-data/expired-rows-store.ts';
import { deleteImportTracesOf, isImportUnderLegalHold, listImportsOf } from './store.ts';

/** The people imports in a person's data export: those that created their account or added them to a school. */
export function exportPersonalData(db: Db, { id }: Person): readonly Section[] {
  return [{ name: 'imports', read: () => listImportsOf(db, id) }];
}

/** Deletes the links between a person and the imports that created or added them. */
export async function deletePersonalData(trx: Trx, _deps: Deps, person: Person): Promise<void> {
  await deleteImportTracesOf(trx, person.id);
}

export const DELETED_COLUMNS = [
  'user_import_users.user_id',
  'user_import_memberships.user_id',
] as const satisfies readonly Column[];

export const RETAINED_COLUMNS = {
  'user_imports.imported_by': "an administrator's action; shown as 'Former volunteer' until it is deleted",
} as const satisfies Partial<Record<Column, string>>;

/** Deletes records of people imports by date, but not the people they created. */
export const peopleImportRetention = expiringRows({
  table: 'user_imports',
  at: 'imported_at',
  hold: isImportUnderLegalHold,
});
