import { sql } from 'kysely';
import { collect } from '#server/db/chunks.ts';
import type { Db, Trx } from '#server/db/connect.ts';
import { emailKey } from '../contract.ts';

/** Stores the present address of an account among its past ones, unless it is `kept`. A walk-in has none of its own. */
export async function rememberAddress(trx: Trx, userId: number, kept?: string): Promise<void> {
  await trx
    .insertInto('past_addresses')
    .columns(['user_id', 'email_key'])
    .expression((eb) =>
      eb
        .selectFrom('users')
        .select(['id', 'email_key'])
        .where('id', '=', userId)
        .where('is_walk_in', '=', 0)
        .where('email_key', '<>', kept === undefined ? '' : emailKey(kept)),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The addresses that an account had before its present one, as `emailKey` compares them. */
export async function pastAddressesOf(db: Db, userId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('past_addresses')
    .select('email_key')
    .where('user_id', '=', userId)
    .execute();
  return rows.map((row) => row.email_key);
}

/** Every address that accounts have, had before, or left on a sign-in sheet as walk-ins. */
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

/** Forgets the past addresses of an account. */
export async function forgetPastAddresses(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('past_addresses').where('user_id', '=', userId).execute();
}
