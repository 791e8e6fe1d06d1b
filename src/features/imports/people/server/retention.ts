import { expiringRows } from '#server/personal-data/expired-rows-store.ts';
import { isImportUnderLegalHold } from './store.ts';

/** Imported lists by when they were imported; the people stay. */
export const peopleImportRetention = expiringRows({
  table: 'user_imports',
  at: 'imported_at',
  held: isImportUnderLegalHold,
});
