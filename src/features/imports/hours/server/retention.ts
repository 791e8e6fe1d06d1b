import { expiringRows } from '#server/personal-data/expired-rows-store.ts';
import { isImportUnderLegalHold } from './store.ts';

/** Imports of hours by when they were begun; the entries stay. */
export const hoursImportRetention = expiringRows({
  table: 'time_entry_imports',
  at: 'imported_at',
  about: { school: 'time_entry_imports.school_id' },
  held: isImportUnderLegalHold,
});
