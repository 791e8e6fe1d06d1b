import { agedRows } from '#server/personal-data/expired-rows-store.ts';
import { isImportHeld } from './store.ts';

/** Imports of hours by when they were begun; the entries stay. */
export const agedHoursImports = agedRows({
  table: 'time_entry_imports',
  at: 'imported_at',
  about: { school: 'time_entry_imports.school_id' },
  held: isImportHeld,
});
