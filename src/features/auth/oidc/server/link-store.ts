import type { Db, Trx } from '#server/db/database.ts';
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
