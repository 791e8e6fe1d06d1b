import { sql } from 'kysely';
import type { Actor } from '#server/audit-log.ts';
import { collect } from '#server/db/chunks.ts';
import type { Db, Trx } from '#server/db/database.ts';
import { type ReopenedEntry, reopenDecisions } from '#server/entry-decisions-store.ts';
import { canonicalOwner } from '#shared/email-address.ts';
import { emailKey } from '../contract.ts';

/** The `emailKey` of an account's address; for a guest volunteer the one on the sheet, or ''. */
export async function addressKeyOf(db: Db, userId: number): Promise<string> {
  const row = await db
    .selectFrom('users')
    .select(['email_key', 'contact_email', 'is_walk_in'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  return row.is_walk_in === 1 ? emailKey(row.contact_email ?? '') : row.email_key;
}

/** Adds the current address of an account to its past ones. */
export async function rememberAddress(trx: Trx, userId: number): Promise<void> {
  const email_key = await addressKeyOf(trx, userId);
  if (email_key === '') return;
  await trx
    .insertInto('past_addresses')
    .values({ user_id: userId, email_key })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The addresses that an account had before its current one, as `emailKey` compares them. */
export async function pastAddressesOf(db: Db, userId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('past_addresses')
    .select('email_key')
    .where('user_id', '=', userId)
    .execute();
  return rows.map((row) => row.email_key);
}

/** Every current and past address of these accounts, including those on sign-in sheets. */
export function everyAddressOf(
  db: Db,
  userIds: readonly number[],
): Promise<{ userId: number; address: string }[]> {
  return collect(userIds, (some) =>
    db
      .selectFrom('users')
      .select(['id as userId', sql<string>`coalesce(contact_email, email_key)`.as('address')])
      .where('id', 'in', some)
      .unionAll(
        db
          .selectFrom('past_addresses')
          .select(['user_id as userId', 'email_key as address'])
          .where('user_id', 'in', some),
      )
      .execute(),
  );
}

/** Deletes the past addresses of an account. */
export async function forgetPastAddresses(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('past_addresses').where('user_id', '=', userId).execute();
}

/**
 * Stores an account's next address; every change of an address goes through this. The previous address is recorded, and hours
 * that were decided from the new one become pending again.
 */
export async function withAddress(
  trx: Trx,
  actor: Actor,
  { userId, email }: { userId: number; email: string },
  write: () => Promise<unknown>,
): Promise<void> {
  const isAnother = (await addressKeyOf(trx, userId)) !== emailKey(email);
  if (isAnother) await rememberAddress(trx, userId);
  await write();
  if (isAnother) await reopenOwnDecisions(trx, actor, userId);
}

/**
 * Resets hours to pending if their own volunteer decided on them, from their account or one of their addresses: a change of
 * address or a merge can turn another person's decision into one's own. Returns them, so that undoing a merge can restore them.
 */
export async function reopenOwnDecisions(trx: Trx, actor: Actor, userId: number): Promise<ReopenedEntry[]> {
  const own = new Set((await everyAddressOf(trx, [userId])).map(({ address }) => canonicalOwner(address)));
  return reopenDecisions(
    trx,
    actor,
    { userId, all: false },
    ({ decided_by, decided_by_external }) =>
      decided_by === userId || (decided_by_external !== null && own.has(canonicalOwner(decided_by_external))),
  );
}
