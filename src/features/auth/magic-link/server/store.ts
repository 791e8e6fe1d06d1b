import type { Db, Trx } from '#server/db/database.ts';
import { hasRows } from '#server/db/queries/count-rows.ts';
import type { Instant } from '#shared/calendar-date.ts';

/** The hash of a link's token, and the hash of the browser's key. */
export type LinkKey = Readonly<{ tokenHash: string; browserHash: string }>;

/** Stores a link for an account and deletes older links of the same browser. */
export async function replaceMagicLink(
  trx: Trx,
  userId: number,
  { tokenHash, browserHash }: LinkKey,
  { at, expiresAt }: { at: Instant; expiresAt: Instant },
): Promise<void> {
  await deleteOf(trx, userId, browserHash);
  await trx
    .insertInto('sign_in_links')
    .values({
      token_hash: tokenHash,
      user_id: userId,
      browser_hash: browserHash,
      created_at: at,
      expires_at: expiresAt,
    })
    .execute();
}

/** Does the work of `replaceMagicLink` and stores nothing, for an address without an account. */
export async function simulateMagicLinkInsert(trx: Trx, { tokenHash, browserHash }: LinkKey): Promise<void> {
  await deleteOf(trx, 0, browserHash);
  await trx.deleteFrom('sign_in_links').where('token_hash', '=', tokenHash).execute();
}

/** Uses up a link and returns its account. Undefined if the link is unknown, used, expired or another browser's. */
export async function claimMagicLink(trx: Trx, key: LinkKey, now: Instant): Promise<number | undefined> {
  const taken = await trx
    .deleteFrom('sign_in_links')
    .where('token_hash', '=', key.tokenHash)
    .where('browser_hash', '=', key.browserHash)
    .where('expires_at', '>', now)
    .returning('user_id')
    .executeTakeFirst();
  return taken?.user_id;
}

/** Whether a link is valid, in whichever browser. */
export function isUsableMagicLink(db: Db, tokenHash: string, now: Instant): Promise<boolean> {
  return hasRows(
    db.selectFrom('sign_in_links').where('token_hash', '=', tokenHash).where('expires_at', '>', now),
  );
}

/** Deletes the links of an account. */
export async function deleteMagicLinksOf(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('sign_in_links').where('user_id', '=', userId).execute();
}

/** Deletes links that can no longer be used. */
export async function deleteExpiredMagicLinks(trx: Trx, now: Instant): Promise<void> {
  await trx.deleteFrom('sign_in_links').where('expires_at', '<', now).execute();
}

async function deleteOf(trx: Trx, userId: number, browserHash: string): Promise<void> {
  await trx
    .deleteFrom('sign_in_links')
    .where('user_id', '=', userId)
    .where('browser_hash', '=', browserHash)
    .execute();
}
