import type { Db, Trx } from '#server/db/database.ts';
import { RECIPIENT, type Recipient } from '#server/db/queries/recipient.ts';

/** The administrators who are told when backups fail: all who did not say otherwise. */
export async function backupEmailRecipients(db: Db): Promise<Recipient[]> {
  return db
    .selectFrom('users')
    .leftJoin('backup_mail', 'backup_mail.user_id', 'users.id')
    .select(RECIPIENT)
    .where('users.role', '=', 'admin')
    .where('users.is_active', '=', 1)
    .where((eb) => eb.or([eb('backup_mail.is_wanted', 'is', null), eb('backup_mail.is_wanted', '=', 1)]))
    .orderBy('users.id')
    .execute();
}

/** Every active administrator of the district. */
export async function administrators(db: Db): Promise<Recipient[]> {
  return db
    .selectFrom('users')
    .select(RECIPIENT)
    .where('role', '=', 'admin')
    .where('is_active', '=', 1)
    .orderBy('id')
    .execute();
}

/** Whether somebody wants letters about backups; by default they do. */
export async function wantsBackupEmail(db: Db, userId: number): Promise<boolean> {
  return (await findBackupEmailPreference(db, userId))?.wanted !== 0;
}

/** What somebody said about letters about backups; undefined when they never did. */
export function findBackupEmailPreference(db: Db, userId: number) {
  return db
    .selectFrom('backup_mail')
    .select('is_wanted as wanted')
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** Stores whether somebody wants letters about backups. */
export async function saveBackupEmailPreference(trx: Trx, userId: number, isWanted: boolean): Promise<void> {
  const choice = { is_wanted: isWanted ? 1 : 0 } as const;
  await trx
    .insertInto('backup_mail')
    .values({ user_id: userId, ...choice })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(choice))
    .execute();
}

/** Forgets what somebody said about letters about backups. */
export async function deleteBackupEmailPreference(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('backup_mail').where('user_id', '=', userId).execute();
}
