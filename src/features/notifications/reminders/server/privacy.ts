import type { Db, Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import type { Column, Person, Section } from '#server/personal-data/data-export.ts';
import { deleteReminders, exportReminders } from './preference-store.ts';

/** Exports which reminders the person opted in to. */
export function exportPersonalData(db: Db, { id }: Person): readonly Section[] {
  return [{ name: 'reminders', read: () => exportReminders(db, id) }];
}

/** Deletes the person's reminder preferences. */
export async function deletePersonalData(trx: Trx, _deps: Deps, { id }: Person): Promise<void> {
  await deleteReminders(trx, id);
}

export const DELETED_COLUMNS = ['reminder_preferences.user_id'] as const satisfies readonly Column[];

export const RETAINED_COLUMNS = {} as const satisfies Partial<Record<Column, string>>;
