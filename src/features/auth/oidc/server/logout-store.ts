import type { Trx } from '#server/db/database.ts';
import type { Instant } from '#shared/calendar-date.ts';

/** Keeps the mark of a message that somebody signed out; a unique violation means that it came before. */
export async function insertLogout(trx: Trx, mark: string, expiresAt: Instant): Promise<void> {
  await trx.insertInto('provider_logouts').values({ token_hash: mark, expires_at: expiresAt }).execute();
}

/** Keeps the mark of a session at a service that ended, or of a person whose sessions there ended. */
export async function insertEndedSession(trx: Trx, mark: string, expiresAt: Instant): Promise<void> {
  await trx
    .insertInto('provider_logouts')
    .values({ token_hash: mark, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('token_hash').doUpdateSet({ expires_at: expiresAt }))
    .execute();
}

/**
 * Whether a session at a service has ended. If not, it ends after this transaction: a row that another transaction adds
 * with the same key waits for this one's end.
 */
export async function hasEnded(trx: Trx, mark: string, at: Instant): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('provider_logouts')
    .values({ token_hash: mark, expires_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if ((numInsertedOrUpdatedRows ?? 0n) === 0n) return true;
  await trx.deleteFrom('provider_logouts').where('token_hash', '=', mark).execute();
  return false;
}

/**
 * Until when a mark is kept; `at` when there is none. Another transaction that keeps it waits for this one's end, and this
 * one for the other's.
 */
export async function keptUntil(trx: Trx, mark: string, at: Instant): Promise<Instant> {
  const { expires_at: until } = await trx
    .insertInto('provider_logouts')
    .values({ token_hash: mark, expires_at: at })
    .onConflict((conflict) => conflict.column('token_hash').doUpdateSet({ token_hash: mark }))
    .returning('expires_at')
    .executeTakeFirstOrThrow();
  if (until === at) await trx.deleteFrom('provider_logouts').where('token_hash', '=', mark).execute();
  return until;
}

/** Removes the marks of messages that are too old to be believed again. */
export async function sweepProviderLogouts(trx: Trx, now: Instant): Promise<void> {
  await trx.deleteFrom('provider_logouts').where('expires_at', '<', now).execute();
}
