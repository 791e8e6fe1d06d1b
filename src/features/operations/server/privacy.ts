import type { Db, Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import type { Column, Person, Section } from '#server/personal-data/data-export.ts';
import { deleteBackupEmailPreference, findBackupEmailPreference } from './store.ts';

/** Returns an administrator's preference about backup emails for the data export. */
export function exportPersonalData(db: Db, { id }: Person): readonly Section[] {
  return [{ name: 'backupMail', read: async () => (await findBackupEmailPreference(db, id)) ?? null }];
}

export async function deletePersonalData(trx: Trx, _deps: Deps, { id }: Person): Promise<void> {
  await deleteBackupEmailPreference(trx, id);
}

export const DELETED_COLUMNS = ['backup_email_preferences.user_id'] as const satisfies readonly Column[];

export const RETAINED_COLUMNS = {} as const satisfies Partial<Record<Column, string>>;
