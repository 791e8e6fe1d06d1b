import type { Db, Trx } from '#server/db/database.ts';
import type { Row } from '#server/db/tables.ts';
import type { Instant } from '#shared/calendar-date.ts';

/** Who somebody is at a service, by which a link is found. */
export type Subject = Readonly<{ issuer: string; subject: string }>;

/** The link of an account elsewhere, or undefined. */
export function findLink(db: Db, { issuer, subject }: Subject) {
  return db
    .selectFrom('provider_links')
    .select(['id', 'user_id'])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
}

/** The links of an account, oldest first. */
export function linksOf(db: Db, userId: number) {
  return db
    .selectFrom('provider_links')
    .select(['id', 'provider', 'issuer', 'subject', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
}

/** Whether an account still has a link. */
export async function isLinked(db: Db, userId: number, id: number): Promise<boolean> {
  const links = db.selectFrom('provider_links').select('id');
  return (await links.where('id', '=', id).where('user_id', '=', userId).executeTakeFirst()) !== undefined;
}

/** Links an account elsewhere; a unique violation means that it is linked already. Returns the link's id. */
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

/** Stores when a link was last used, and under which name its service is set now. */
export async function touchLink(trx: Trx, id: number, provider: string, at: Instant): Promise<void> {
  await trx.updateTable('provider_links').set({ provider, last_used_at: at }).where('id', '=', id).execute();
}

/** Ends a link. */
export async function deleteLink(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('provider_links').where('id', '=', id).execute();
}

/** Ends every link of an account. */
export async function deleteLinksOf(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('provider_links').where('user_id', '=', userId).execute();
}

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

/** By what a return is found: its token, what it is for, and the browser that it belongs to. */
export type ReturnKey = Readonly<{
  tokenHash: string;
  purpose: Row<'provider_redirects'>['purpose'];
  browserHash: string;
}>;

/** Keeps what a service said about somebody until their browser fetches it. */
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

/** What was kept, sealed; undefined when it is unknown, another browser's, used or too old. */
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

/** The same, once: of two requests with one token the second finds nothing. */
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

/** Removes what nobody fetched. */
export async function sweepProviderReturns(trx: Trx, now: Instant): Promise<void> {
  await trx.deleteFrom('provider_redirects').where('expires_at', '<', now).execute();
}
