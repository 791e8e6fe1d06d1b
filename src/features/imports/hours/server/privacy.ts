import type { Db, Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import type { Column, Person, Section } from '#server/personal-data/data-export.ts';
import { expiringRows } from '#server/personal-data/expired-rows-store.ts';
import { deletePlannedEntries, findImportsWithPerson, isImportUnderLegalHold } from './store.ts';

/** The hours imports in a person's data export: when their hours were imported, and how many entries. */
export function exportPersonalData(db: Db, { id }: Person): readonly Section[] {
  return [{ name: 'timeEntryImports', read: () => findImportsWithPerson(db, id) }];
}

/** Removes the person's planned hours from running imports; entries already created stay, as all hours do. */
export async function deletePersonalData(trx: Trx, _deps: Deps, { id }: Person): Promise<void> {
  await deletePlannedEntries(trx, id);
}

export const DELETED_COLUMNS = ['time_entry_import_chunks.entries'] as const satisfies readonly Column[];

const DONE = "an administrator's action; shown as 'Former volunteer' until it is deleted";

export const RETAINED_COLUMNS = {
  'time_entry_imports.imported_by': DONE,
  'time_entry_imports.undone_by': DONE,
  'time_entry_imports.state': 'one of five states of an import',
  'time_entry_imports.reason': 'why hours of a closed period were imported; deleted with the import',
} as const satisfies Partial<Record<Column, string>>;

/** Deletes records of hours imports by start date, but not the entries they created. */
export const hoursImportRetention = expiringRows({
  table: 'time_entry_imports',
  at: 'imported_at',
  about: { school: 'time_entry_imports.school_id' },
  hold: isImportUnderLegalHold,
});
