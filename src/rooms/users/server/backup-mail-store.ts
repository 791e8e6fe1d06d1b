import type { Db } from '#server/db/connect.ts';

/** An administrator to be told about backups. */
export type BackupReader = Readonly<{ id: number; email: string; firstName: string; lastName: string }>;

/** The administrators who are told when backups fail. */
export async function backupReaders(db: Db): Promise<BackupReader[]> {
  return db
    .selectFrom('users')
    .select(['id', 'email', 'first_name as firstName', 'last_name as lastName'])
    .where('role', '=', 'admin')
    .where('is_active', '=', 1)
    .orderBy('id')
    .execute();
}
