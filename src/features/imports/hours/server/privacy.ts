import type { Db, Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import type { Column, Person, Section } from '#server/personal-data/data-export.ts';
import { expiringRows } from '#server/personal-data/expired-rows-store.ts';
import { deletePlannedEntries, findImportsWithPerson, isImportUnderLegalHold } from './store.ts';

/** What a person's download holds of imports: when hours of theirs came in with one, and how many entries. */
export function ownDataOf(db: Db, { id }: Person): readonly Section[] {
  return [{ name: 'timeEntryImports', read: () => findImportsWithPerson(db, id) }];
}

/** Takes the person's hours out of imports that are still at work; those that are made stay as all hours do. */
export async function forgetPerson(trx: Trx, _deps: Deps, { id }: Person): Promise<void> {
  await deletePlannedEntries(trx, id);
}

export const FORGETS = ['time_entry_import_pieces.entries'] as const satisfies readonly Column[];

const DONE = "what an administrator did; shown as 'Former volunteer' until it is swept";

export const KEEPS = {
  'time_entry_imports.imported_by': DONE,
  'time_entry_imports.undone_by': DONE,
  'time_entry_imports.state': 'one of five words that say how far an import is',
  'time_entry_imports.reason':
    'why hours of a closed period came in, as the record has it; swept with the import',
} as const satisfies Partial<Record<Column, string>>;

/** Imports of hours by when they were begun; the entries stay. */
export const hoursImportRetention = expiringRows({
  table: 'time_entry_imports',
  at: 'imported_at',
  about: { school: 'time_entry_imports.school_id' },
  held: isImportUnderLegalHold,
});
