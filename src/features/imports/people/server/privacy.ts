import type { Db, Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import type { Column, Person, Section } from '#server/personal-data/data-export.ts';
import { expiringRows } from '#server/personal-data/expired-rows-store.ts';
import { deleteImportTracesOf, importsOf, isImportUnderLegalHold } from './store.ts';

/** What a person's download holds of imports: the lists that they came with, or got a school by. */
export function ownDataOf(db: Db, { id }: Person): readonly Section[] {
  return [{ name: 'imports', read: () => importsOf(db, id) }];
}

/** Forgets that somebody came with an import, or got a school by one. */
export async function forgetPerson(trx: Trx, _deps: Deps, person: Person): Promise<void> {
  await deleteImportTracesOf(trx, person.id);
}

export const FORGETS = [
  'user_import_people.user_id',
  'user_import_memberships.user_id',
] as const satisfies readonly Column[];

export const KEEPS = {
  'user_imports.imported_by': "what an administrator did; shown as 'Former volunteer' until it is swept",
} as const satisfies Partial<Record<Column, string>>;

/** Imported lists by when they were imported; the people stay. */
export const peopleImportRetention = expiringRows({
  table: 'user_imports',
  at: 'imported_at',
  held: isImportUnderLegalHold,
});
