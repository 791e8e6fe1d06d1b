import type { Db, Trx } from '#server/db/database.ts';
import { changesRows } from '#server/db/queries/changes-rows.ts';
import { hasRows } from '#server/db/queries/count-rows.ts';
import type { Row } from '#server/db/tables.ts';
import type { Instant } from '#shared/calendar-date.ts';

/** A person at a provider, the key of a link. */
export type Subject = Readonly<{ issuer: string; subject: string }>;

/** The link of a provider account, or undefined. */
export function findLink(db: Db, { issuer, subject }: Subject) {
  return db
    .selectFrom('provider_links')
    .select(['id', 'user_id'])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
}

/** An account's provider links, oldest first. */
export function providerLinksOf(db: Db, userId: number) {
  return db
    .selectFrom('provider_links')
    .select(['id', 'provider', 'issuer', 'subject', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
}

/** Whether an account still has a link. */
export function isLinked(db: Db, userId: number, id: number): Promise<boolean> {
  return hasRows(db.selectFrom('provider_links').where('id', '=', id).where('user_id', '=', userId));
}

/** Links a provider account; a unique violation means that it is already linked. Returns the link's id. */
export async function insertLink(
  trx: Trx,
  link: Subject & Readonly<{ userId: number; provider: string; at: Instant }>,
): Promise<number> {
  const { id } = await trx
    .insertInto('provider_links')
    .values({
      user_id: link.userId,
      provider: link.provider,
      issuer: link.issuer,
      subject: link.subject,
      created_at: link.at,
      last_used_at: link.at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Stores when a link was last used, and the current name of its provider in the settings. */
export async function touchLink(trx: Trx, id: number, provider: string, at: Instant): Promise<void> {
  await trx.updateTable('provider_links').set({ provider, last_used_at: at }).where('id', '=', id).execute();
}

/** Deletes a link. */
export async function deleteLink(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('provider_links').where('id', '=', id).execute();
}

/** Deletes all provider links of an account. */
export async function deleteProviderLinksOf(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('provider_links').where('user_id', '=', userId).execute();
}

/** Stores the mark of a logout token. A unique violation means that the token was used before. */
export async function insertLogout(trx: Trx, mark: string, expiresAt: Instant): Promise<void> {
  await trx.insertInto('provider_logouts').values({ token_hash: mark, expires_at: expiresAt }).execute();
}

/** Stores the mark of an ended provider session, or of a person whose provider sessions all ended. */
export async function insertEndedSession(trx: Trx, mark: string, expiresAt: Instant): Promise<void> {
  await trx
    .insertInto('provider_logouts')
    .values({ token_hash: mark, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('token_hash').doUpdateSet({ expires_at: expiresAt }))
    .execute();
}

/**
 * Whether a provider session has ended. If not, it cannot end before this transaction does: another transaction that inserts
 * the same key waits.
 */
export async function hasEnded(trx: Trx, mark: string, at: Instant): Promise<boolean> {
  const isNew = await changesRows(
    trx
      .insertInto('provider_logouts')
      .values({ token_hash: mark, expires_at: at })
      .onConflict((conflict) => conflict.doNothing()),
  );
  if (!isNew) return true;
  await trx.deleteFrom('provider_logouts').where('token_hash', '=', mark).execute();
  return false;
}

/** When a mark expires; `at` if it is not stored. Transactions with the same mark wait for each other. */
export async function findMarkExpiry(trx: Trx, mark: string, at: Instant): Promise<Instant> {
  const { expires_at: until } = await trx
    .insertInto('provider_logouts')
    .values({ token_hash: mark, expires_at: at })
    .onConflict((conflict) => conflict.column('token_hash').doUpdateSet({ token_hash: mark }))
    .returning('expires_at')
    .executeTakeFirstOrThrow();
  if (until === at) await trx.deleteFrom('provider_logouts').where('token_hash', '=', mark).execute();
  return until;
}

/** Deletes the expired marks of logout tokens, ended provider sessions and signed-out persons. */
export async function deleteExpiredProviderLogouts(trx: Trx, now: Instant): Promise<void> {
  await trx.deleteFrom('provider_logouts').where('expires_at', '<', now).execute();
}

/** The key of a stored callback: its token, purpose and browser. */
export type ReturnKey = Readonly<{
  tokenHash: string;
  purpose: Row<'provider_redirects'>['purpose'];
  browserHash: string;
}>;

/** Stores the identity that a provider returned until the browser fetches it. */
export async function insertPendingProviderSignIn(
  db: Db,
  { tokenHash, purpose, browserHash }: ReturnKey,
  { sealed, expiresAt }: { sealed: string; expiresAt: Instant },
): Promise<void> {
  await db
    .insertInto('provider_redirects')
    .values({ token_hash: tokenHash, purpose, browser_hash: browserHash, sealed, expires_at: expiresAt })
    .execute();
}

/** Returns a stored callback, still encrypted. Undefined if it is unknown, used, expired or another browser's. */
export async function findPendingProviderSignIn(
  db: Db,
  key: ReturnKey,
  now: Instant,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('provider_redirects')
    .select('sealed')
    .where('token_hash', '=', key.tokenHash)
    .where('purpose', '=', key.purpose)
    .where('browser_hash', '=', key.browserHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row?.sealed;
}

/** Claims a stored callback. The second of two requests with one token gets undefined. */
export async function claimPendingProviderSignIn(
  db: Db,
  key: ReturnKey,
  now: Instant,
): Promise<string | undefined> {
  const row = await db
    .deleteFrom('provider_redirects')
    .where('token_hash', '=', key.tokenHash)
    .where('purpose', '=', key.purpose)
    .where('browser_hash', '=', key.browserHash)
    .where('expires_at', '>', now)
    .returning('sealed')
    .executeTakeFirst();
  return row?.sealed;
}

/** Deletes callbacks that were never fetched. */
export async function deleteExpiredProviderSignIns(trx: Trx, now: Instant): Promise<void> {
  await trx.deleteFrom('provider_redirects').where('expires_at', '<', now).execute();
}

/** The provider accounts linked to this account. */
export function exportedProvidersOf(db: Db, userId: number) {
  return db
    .selectFrom('provider_links')
    .select(['provider', 'issuer', 'subject', 'created_at as linkedAt', 'last_used_at as lastUsedAt'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
}
