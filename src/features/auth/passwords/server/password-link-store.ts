import { inChunks } from '#server/db/chunks.ts';
import type { Db, Trx } from '#server/db/database.ts';
import { type Instant, plusMilliseconds } from '#shared/calendar-date.ts';

const EXPIRED_DAYS = 30;
const DAY_MS = 86_400_000;

/** Adds links that set a password, by the hashes of their tokens; older links of the accounts stay valid. */
export async function insertPasswordLinks(
  trx: Trx,
  links: readonly { userId: number; tokenHash: string }[],
  { at, expiresAt, isShown = false }: { at: Instant; expiresAt: Instant; isShown?: boolean },
): Promise<void> {
  await inChunks(links, (some) =>
    trx
      .insertInto('password_links')
      .values(
        some.map(({ userId, tokenHash }) => ({
          token_hash: tokenHash,
          user_id: userId,
          created_at: at,
          expires_at: expiresAt,
          is_shown: isShown ? (1 as const) : (0 as const),
        })),
      )
      .execute(),
  );
}

/** Deletes the links of an account. */
export async function deletePasswordLinksOf(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('password_links').where('user_id', '=', userId).execute();
}

/** Takes as long as an insert and stores nothing, for an address without an account. */
export async function simulatePasswordLinkInsert(trx: Trx, tokenHash: string): Promise<void> {
  await trx.deleteFrom('password_links').where('token_hash', '=', tokenHash).execute();
}

/** Returns the account of a usable link, if it is active. */
export function findPasswordLink(db: Db, tokenHash: string, now: Instant) {
  return db
    .selectFrom('password_links')
    .innerJoin('users', 'users.id', 'password_links.user_id')
    .select(['users.first_name', 'users.email'])
    .where('password_links.token_hash', '=', tokenHash)
    .where('password_links.used_at', 'is', null)
    .where('password_links.expires_at', '>', now)
    .where('users.is_active', '=', 1)
    .executeTakeFirst();
}

/**
 * Marks a link as used. Returns its account and whether an administrator saw the link; undefined if the link is unknown, used
 * or expired.
 */
export async function usePasswordLink(
  trx: Trx,
  tokenHash: string,
  now: Instant,
): Promise<{ userId: number; isShown: boolean } | undefined> {
  const used = await trx
    .updateTable('password_links')
    .set({ used_at: now })
    .where('token_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['user_id', 'is_shown'])
    .executeTakeFirst();
  return used && { userId: used.user_id, isShown: used.is_shown === 1 };
}

/** Deletes links 30 days after they expired. */
export async function deleteOldPasswordLinks(trx: Trx, now: Instant): Promise<void> {
  const oldest = plusMilliseconds(now, -EXPIRED_DAYS * DAY_MS);
  await trx.deleteFrom('password_links').where('expires_at', '<', oldest).execute();
}
