import type { Db, Trx } from '#server/db/database.ts';
import type { Row } from '#server/db/tables.ts';
import type { Instant } from '#shared/calendar-date.ts';

/** By what a return is found: its token, what it is for, and the browser that it belongs to. */
export type ReturnKey = Readonly<{
  tokenHash: string;
  purpose: Row<'provider_returns'>['purpose'];
  browserHash: string;
}>;

/** Keeps what a service said about somebody until their browser fetches it. */
export async function insertPendingProviderSignIn(
  db: Db,
  { tokenHash, purpose, browserHash }: ReturnKey,
  { sealed, expiresAt }: { sealed: string; expiresAt: Instant },
): Promise<void> {
  await db
    .insertInto('provider_returns')
    .values({ token_hash: tokenHash, purpose, browser_hash: browserHash, sealed, expires_at: expiresAt })
    .execute();
}

/** What was kept, sealed; undefined when it is unknown, another browser's, used or too old. */
export async function findPendingProviderSignIn(
  db: Db,
  key: ReturnKey,
  now: Instant,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('provider_returns')
    .select('sealed')
    .where('token_hash', '=', key.tokenHash)
    .where('purpose', '=', key.purpose)
    .where('browser_hash', '=', key.browserHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row?.sealed;
}

/** The same, once: of two requests with one token the second finds nothing. */
export async function claimPendingProviderSignIn(
  db: Db,
  key: ReturnKey,
  now: Instant,
): Promise<string | undefined> {
  const row = await db
    .deleteFrom('provider_returns')
    .where('token_hash', '=', key.tokenHash)
    .where('purpose', '=', key.purpose)
    .where('browser_hash', '=', key.browserHash)
    .where('expires_at', '>', now)
    .returning('sealed')
    .executeTakeFirst();
  return row?.sealed;
}

/** Removes what nobody fetched. */
export async function sweepProviderReturns(trx: Trx, now: Instant): Promise<void> {
  await trx.deleteFrom('provider_returns').where('expires_at', '<', now).execute();
}
