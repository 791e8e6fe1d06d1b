import type { Instant } from '#base/calendar-date.ts';
import type { Trx } from '#server/db/connect.ts';

/** Keeps the mark of a message that somebody signed out; a unique violation means that it came before. */
export async function insertLogout(trx: Trx, mark: string, expiresAt: Instant): Promise<void> {
  await trx.insertInto('provider_logouts').values({ token_hash: mark, expires_at: expiresAt }).execute();
}

/** Removes the marks of messages that are too old to be believed again. */
export async function sweepProviderLogouts(trx: Trx, now: Instant): Promise<void> {
  await trx.deleteFrom('provider_logouts').where('expires_at', '<', now).execute();
}
