import { sql } from 'kysely';
import type { Db, Trx } from '#server/db/database.ts';
import type { Instant } from '#shared/calendar-date.ts';

/** Whether an account has a second proof. Recovery codes alone are none. */
export async function hasTwoFactor(db: Db, userId: number): Promise<boolean> {
  const { rows } = await sql`select 1 from totp_secrets where user_id = ${userId}
    union all select 1 from passkeys where user_id = ${userId}`.execute(db);
  return rows.length > 0;
}

/**
 * What decides whether an administrator has to set up a second proof: the setting as it is kept, whether they have one, and
 * since when they are a district administrator (`startGracePeriod`, or the account's whole life) or one of a school (`startGracePeriod`, or
 * the oldest role).
 */
export async function findTwoFactorStatus(
  db: Db,
  name: string,
  userId: number,
): Promise<{ setting: unknown; has: boolean; promotedAt: Instant | null; grantedAt: Instant | null }> {
  type Standing = {
    setting: string | null;
    has: number | string;
    begins_at: Instant | null;
    made_at: Instant | null;
    granted_at: Instant | null;
  };
  const { rows } = await sql<Standing>`select
    (select value from district_settings where name = ${name}) as setting,
    (select count(*) from totp_secrets where user_id = ${userId})
      + (select count(*) from passkeys where user_id = ${userId}) as has,
    (select begins_at from second_proof_waits where user_id = ${userId}) as begins_at,
    (select created_at from users where id = ${userId}) as made_at,
    (select min(created_at) from user_grants where user_id = ${userId} and role = 'school-admin') as granted_at`.execute(
    db,
  );
  const [row] = rows;
  return {
    setting: row?.setting === null || row?.setting === undefined ? undefined : JSON.parse(row.setting),
    has: Number(row?.has ?? 0) > 0,
    promotedAt: row?.begins_at ?? row?.made_at ?? null,
    grantedAt: row?.begins_at ?? row?.granted_at ?? null,
  };
}

/** Keeps when an account first became an administrator's, of the district or of a school: its days of grace come once. */
export async function startGracePeriod(trx: Trx, userId: number, at: Instant): Promise<void> {
  await trx
    .insertInto('second_proof_waits')
    .values({ user_id: userId, begins_at: at })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute();
}

/** Deletes it. */
export async function deleteGracePeriod(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('second_proof_waits').where('user_id', '=', userId).execute();
}

/** What a person's download says of their second proof: that there is one, never its secret. */
export async function exportTwoFactorStatus(db: Db, userId: number) {
  const totp = await db
    .selectFrom('totp_secrets')
    .select(['created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  const codes = await db
    .selectFrom('recovery_codes')
    .select((eb) => [eb.fn.countAll<number>().as('left'), eb.fn.min('created_at').as('made_at')])
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return {
    authenticator: totp === undefined ? null : { addedAt: totp.created_at, lastUsedAt: totp.last_used_at },
    recoveryCodesLeft: Number(codes.left),
    recoveryCodesMadeAt: codes.made_at,
  };
}
