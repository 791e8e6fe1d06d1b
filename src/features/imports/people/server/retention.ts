import { agedRows } from '#server/personal-data/expired-rows-store.ts';
import { isImportHeld } from './store.ts';

/** Imported lists by when they were imported; the people stay. */
export const agedImports = agedRows({ table: 'user_imports', at: 'imported_at', held: isImportHeld });
