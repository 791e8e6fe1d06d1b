import type { Db } from '#server/db/database.ts';
import { databaseFailure, isTemporaryFailure } from '#server/db/database-errors.ts';

/** Whether anybody has a passkey for this relying party; not while the database cannot say. */
export async function hasAnyPasskey(db: Db, rpId: string): Promise<boolean> {
  try {
    const query = db.selectFrom('passkeys').select('id').where('rp_id', '=', rpId).limit(1);
    return (await query.executeTakeFirst()) !== undefined;
  } catch (error) {
    // The sign-in page shows without the database.
    if (isTemporaryFailure(databaseFailure(error))) return false;
    throw error;
  }
}
