import type { Db, Trx } from '#server/db/database.ts';
import { RECIPIENT, type Recipient } from '#server/db/queries/recipient.ts';

/** Returns the administrators who get emails about backups: all who did not opt out. */
export async function listBackupEmailRecipients(db: Db): Promise<Recipient[]> {
  return db
    .selectFrom('users')
    .leftJoin('backup_email_preferences', 'backup_email_preferences.user_id', 'users.id')
    .select(RECIPIENT)
    .where('users.role', '=', 'admin')
    .where('users.is_active', '=', 1)
    .where((eb) =>
      eb.or([
        eb('backup_email_preferences.is_wanted', 'is', null),
        eb('backup_email_preferences.is_wanted', '=', 1),
      ]),
    )
    .orderBy('users.id')
    .execute();
}

/** Returns every active district administrator. */
export async function listAdministrators(db: Db): Promise<Recipient[]> {
  return db
    .selectFrom('users')
    .select(RECIPIENT)
    .where('role', '=', 'admin')
    .where('is_active', '=', 1)
    .orderBy('id')
    .execute();
}

/** Whether a user wants emails about backups; true by default. */
export async function wantsBackupEmail(db: Db, userId: number): Promise<boolean> {
  return (await findBackupEmailPreference(db, userId))?.wanted !== 0;
}

/** Returns a user's stored preference, or undefined. */
export function findBackupEmailPreference(db: Db, userId: number) {
  return db
    .selectFrom('backup_email_preferences')
    .select('is_wanted as wanted')
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** Stores whether a user wants emails about backups. */
export async function saveBackupEmailPreference(trx: Trx, userId: number, isWanted: boolean): Promise<void> {
  const choice = { is_wanted: isWanted ? 1 : 0 } as const;
  await trx
    .insertInto('backup_email_preferences')
    .values({ user_id: userId, ...choice })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(choice))
    .execute();
}

/** Deletes a user's preference. */
export async function deleteBackupEmailPreference(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('backup_email_preferences').where('user_id', '=', userId).execute();
}
