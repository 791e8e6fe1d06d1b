import type { Db, Trx } from '#server/db/database.ts';
import { changesRows } from '#server/db/queries/changes-rows.ts';
import type { Row } from '#server/db/tables.ts';
import type { Instant } from '#shared/calendar-date.ts';

export type PasskeyRow = Row<'passkeys'>;

/** A person's passkeys, oldest first. */
export function passkeysOf(db: Db, userId: number): Promise<PasskeyRow[]> {
  return db.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('id').execute();
}

/** The passkey with a credential id. */
export function findPasskey(db: Db, credentialId: string): Promise<PasskeyRow | undefined> {
  return db.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId).executeTakeFirst();
}

/** Adds a passkey. Returns its id. */
export async function insertPasskey(
  trx: Trx,
  passkey: Omit<PasskeyRow, 'id' | 'last_used_at'>,
): Promise<number> {
  const { id } = await trx.insertInto('passkeys').values(passkey).returning('id').executeTakeFirstOrThrow();
  return id;
}

/**
 * Records a use. Returns false if the stored counter is not below the given one, which means that a clone was used, or if the
 * passkey was removed. Devices without a counter always send 0.
 */
export function recordPasskeyUse(
  trx: Trx,
  id: number,
  { counter, at }: { counter: number; at: Instant },
): Promise<boolean> {
  return changesRows(
    trx
      .updateTable('passkeys')
      .set({ counter, last_used_at: at })
      .where('id', '=', id)
      .where((eb) => (counter === 0 ? eb('counter', '=', 0) : eb('counter', '<', counter))),
  );
}

/** Renames a user's passkey. Undefined if the user has no such passkey. */
export function setPasskeyName(
  trx: Trx,
  userId: number,
  id: number,
  name: string,
): Promise<PasskeyRow | undefined> {
  return trx
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst();
}

/** Deletes a passkey. */
export async function deletePasskey(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('passkeys').where('id', '=', id).execute();
}

/** Deletes all of a user's passkeys. Returns how many. */
export async function deletePasskeysOf(trx: Trx, userId: number): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('passkeys')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** The passkeys for a person's data export. */
export function ownPasskeys(db: Db, userId: number) {
  return db
    .selectFrom('passkeys')
    .select(['name', 'rp_id as worksAt', 'created_at as addedAt', 'last_used_at as lastUsedAt'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
}

/** Records until its expiry that a challenge was answered. Returns false if it was answered before. */
export function insertAnsweredChallenge(trx: Trx, challengeHash: string, until: Instant): Promise<boolean> {
  return changesRows(
    trx
      .insertInto('used_challenges')
      .values({ challenge_hash: challengeHash, expires_at: until })
      .onConflict((conflict) => conflict.doNothing()),
  );
}

/** Deletes records of answered challenges once the challenge has expired, because expiry alone then prevents reuse. */
export async function deleteExpiredChallenges(trx: Trx, now: Instant): Promise<void> {
  await trx.deleteFrom('used_challenges').where('expires_at', '<', now).execute();
}
