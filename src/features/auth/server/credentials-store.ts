import { sql } from 'kysely';
import { emailKey } from '#features/users/contract.ts';
import { collect } from '#server/db/chunks.ts';
import type { Db, Trx } from '#server/db/database.ts';
import { changesRows } from '#server/db/queries/changes-rows.ts';
import { hasRows } from '#server/db/queries/count-rows.ts';
import { forUpdate } from '#server/db/row-locks.ts';

/** After this many wrong passwords in a row, only an emailed link opens an account (security 2.3). */
export const MOST_FAILED_LOGINS = 100;

/**
 * Returns the active account at an address, to email it a link. Locked until the transaction ends, so that no link goes to an
 * address that is being changed. While no administrator can sign in, only the printed link opens the first administrator's
 * account: knowing its address must not be enough to invalidate that link.
 */
export function lockEmailRecipient(trx: Trx, email: string) {
  return forUpdate(
    trx,
    trx
      .selectFrom('users')
      .select(['id', 'email', 'first_name', 'last_name', 'email_verified_at', 'language'])
      .where('email_key', '=', emailKey(email))
      .where('is_active', '=', 1)
      .where('is_walk_in', '=', 0)
      .where(
        sql<boolean>`(users.role <> 'admin' or users.password_hash is not null or exists (select 1 from users as others
        where others.role = 'admin' and others.is_active = 1 and others.password_hash is not null))`,
      ),
  ).executeTakeFirst();
}

/** Returns the account fields for a password check. Throws if the account does not exist. */
export function findOwnCredentials(db: Db, id: number) {
  return db
    .selectFrom('users')
    .select(['id', 'email', 'first_name', 'last_name', 'email_verified_at'])
    .select(['password_hash', 'password_given_at', 'failed_logins'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

/** Which of these accounts have a password that an administrator assigned. */
export async function usersWithAssignedPassword(
  db: Db,
  userIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await collect(userIds, (some) =>
    db
      .selectFrom('users')
      .select('id')
      .where('id', 'in', some)
      .where('password_given_at', 'is not', null)
      .execute(),
  );
  return new Set(rows.map(({ id }) => id));
}

/**
 * Locks an account after a correct password. Returns false if the password was changed or the account was deactivated during
 * the check. On an unknown device, also false if too many wrong passwords came from unknown devices.
 */
export function claimSignIn(
  trx: Trx,
  { userId, passwordHash, isKnown }: { userId: number; passwordHash: string; isKnown: boolean },
): Promise<boolean> {
  return changesRows(
    trx
      .updateTable('users')
      .set((eb) => ({ failed_logins: eb.ref('failed_logins') }))
      .where('id', '=', userId)
      .where('password_hash', '=', passwordHash)
      .where('is_active', '=', 1)
      .$if(!isKnown, (query) => query.where('failed_logins', '<', MOST_FAILED_LOGINS)),
  );
}

/** Resets the count of wrong passwords from unknown devices. */
export async function resetFailedLogins(trx: Trx, userId: number): Promise<void> {
  await trx
    .updateTable('users')
    .set({ failed_logins: 0 })
    .where('id', '=', userId)
    .where('failed_logins', '>', 0)
    .execute();
}

/** Counts a wrong password from an unknown device. Takes the same time without an account (`null`). */
export async function countFailedLogin(trx: Trx, userId: number | null): Promise<void> {
  await trx
    .updateTable('users')
    .set((eb) => ({ failed_logins: eb('failed_logins', '+', 1) }))
    .where('id', '=', userId ?? 0)
    .execute();
}

/** Whether there is an active district administrator with a password. */
export function hasAdministrator(db: Db): Promise<boolean> {
  return hasRows(
    db
      .selectFrom('users')
      .where('role', '=', 'admin')
      .where('is_active', '=', 1)
      .where('password_hash', 'is not', null),
  );
}

/** Every administrator of the district, active or not. */
export function findAdministrators(db: Db) {
  return db
    .selectFrom('users')
    .select(['email', 'first_name', 'last_name', 'is_active', 'password_hash'])
    .where('role', '=', 'admin')
    .orderBy('id')
    .execute();
}

/** The first administrator, created by an earlier start, if that account still has no password; otherwise undefined. */
export function findUnclaimedAdministrator(db: Db) {
  return db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('role', '=', 'admin')
    .where('is_active', '=', 1)
    .where('password_hash', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

/** Makes an account an active district administrator, with the same password. */
export async function makeAdministrator(trx: Trx, id: number): Promise<void> {
  await trx
    .updateTable('users')
    .set((eb) => ({ role: 'admin', is_active: 1, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
}
