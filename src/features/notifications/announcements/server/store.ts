import { collect, inChunks } from '#server/db/chunks.ts';
import type { Db, Trx } from '#server/db/database.ts';
import { countRows } from '#server/db/queries/count-rows.ts';
import { RECIPIENT } from '#server/db/queries/recipient.ts';
import { type Instant, plusMilliseconds } from '#shared/calendar-date.ts';
import { ANNOUNCEMENT_LIMITS } from '../contract.ts';

const DAY_MS = 86_400_000;

/** Returns which of these users opted out of announcements. */
export async function findUnsubscribed(db: Db, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = await collect(ids, (some) =>
    db.selectFrom('announcement_unsubscribes').select('user_id').where('user_id', 'in', some).execute(),
  );
  return new Set(rows.map((row) => row.user_id));
}

/** Whether a user gets announcements. */
export async function wantsAnnouncements(db: Db, userId: number): Promise<boolean> {
  return !(await findUnsubscribed(db, [userId])).has(userId);
}

/** Turns announcements on or off for a user. */
export async function savePreference(trx: Trx, userId: number, wants: boolean, at: Instant): Promise<void> {
  if (wants) {
    await trx.deleteFrom('announcement_unsubscribes').where('user_id', '=', userId).execute();
    return;
  }
  await trx
    .insertInto('announcement_unsubscribes')
    .values({ user_id: userId, stopped_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Turns announcements off for a user without a session, unless the account is deleted. */
export async function saveUnsubscribe(trx: Trx, userId: number, at: Instant): Promise<void> {
  const person = await trx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('erased_at', 'is', null)
    .executeTakeFirst();
  if (person !== undefined) await savePreference(trx, userId, false, at);
}

/** Returns a user's name and address, and whether the address is confirmed. */
export async function findSenderContact(db: Db, userId: number) {
  const { confirmedAt, ...own } = await db
    .selectFrom('users')
    .select(['first_name as firstName', 'last_name as lastName', 'email', 'email_verified_at as confirmedAt'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  return { ...own, isConfirmed: confirmedAt !== null };
}

/** Counts a user's announcements since an instant. */
export function countAnnouncementsSince(db: Db, senderId: number, since: Instant): Promise<number> {
  return countRows(
    db.selectFrom('announcements').where('sent_by', '=', senderId).where('created_at', '>', since),
  );
}

/** Stores an announcement and its recipients. */
export async function insertAnnouncement(
  trx: Trx,
  mailing: Readonly<{ senderId: number; subject: string; sealed: string; at: Instant }>,
  people: readonly number[],
): Promise<number> {
  const { senderId, subject, sealed, at } = mailing;
  const { id } = await trx
    .insertInto('announcements')
    .values({ sent_by: senderId, subject, sealed, total: people.length, created_at: at })
    .returning('id')
    .executeTakeFirstOrThrow();
  await inChunks(people, (some) =>
    trx
      .insertInto('announcement_recipients')
      .values(some.map((user_id) => ({ announcement_id: id, user_id })))
      .execute(),
  );
  return id;
}

/** Returns a user's recent announcements, newest first. */
export async function listRecentAnnouncements(db: Db, senderId: number) {
  const rows = await db
    .selectFrom('announcements')
    .select(['id', 'subject', 'total', 'posted', 'created_at as createdAt', 'finished_at as finishedAt'])
    .where('sent_by', '=', senderId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(ANNOUNCEMENT_LIMITS.listed)
    .execute();
  return rows.map(({ finishedAt, ...row }) => ({ ...row, isFinished: finishedAt !== null }));
}

/** Returns unfinished announcements, least progress first, so that a short list does not wait for a long one. */
export function listUnfinishedAnnouncements(db: Db) {
  return db
    .selectFrom('announcements')
    .innerJoin('users', 'users.id', 'announcements.sent_by')
    .select([
      'announcements.id',
      'announcements.sealed',
      'announcements.created_at as createdAt',
      'users.id as senderId',
      'users.first_name as firstName',
      'users.last_name as lastName',
    ])
    .where('announcements.finished_at', 'is', null)
    .orderBy('announcements.posted')
    .orderBy('announcements.id')
    .execute();
}

/** Returns the next recipients, even if their account has changed since. */
export async function findNextRecipients(db: Db, mailingId: number, limit: number) {
  return db
    .selectFrom('announcement_recipients')
    .innerJoin('users', 'users.id', 'announcement_recipients.user_id')
    .select(RECIPIENT)
    .where('announcement_recipients.announcement_id', '=', mailingId)
    .orderBy('announcement_recipients.user_id')
    .limit(limit)
    .execute();
}

/**
 * Removes recipients from an announcement's list and returns those to email. Only one server gets each recipient. Leaves
 * out people who opted out, cannot be emailed any more, or belong to none of the sender's schools.
 */
export async function claimAnnouncementRecipients(
  trx: Trx,
  mailingId: number,
  ids: readonly number[],
  schools: 'all' | readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const claimed = await trx
    .deleteFrom('announcement_recipients')
    .where('announcement_id', '=', mailingId)
    .where('user_id', 'in', ids)
    .returning('user_id')
    .execute();
  if (claimed.length === 0) return new Map();
  const reachable = await trx
    .selectFrom('users')
    .select(['id', 'email'])
    .where(
      'id',
      'in',
      claimed.map((row) => row.user_id),
    )
    .where('is_active', '=', 1)
    .where('is_walk_in', '=', 0)
    .where('erased_at', 'is', null)
    .where('email_verified_at', 'is not', null)
    .$if(schools !== 'all', (query) =>
      query.where('id', 'in', selectMembers(trx, schools === 'all' ? [] : schools)),
    )
    .execute();
  const stopped = await findUnsubscribed(
    trx,
    reachable.map(({ id }) => id),
  );
  return new Map(reachable.filter(({ id }) => !stopped.has(id)).map(({ id, email }) => [id, email]));
}

// Selects the users that the user list shows to a viewer of these schools.
function selectMembers(db: Db, schools: readonly number[]) {
  return db
    .selectFrom('user_schools')
    .select('user_id')
    .where('school_id', 'in', schools)
    .unionAll(db.selectFrom('user_grants').select('user_id').where('school_id', 'in', schools));
}

/** Adds to the number of queued emails of an announcement. */
export async function addDeliveredCount(trx: Trx, mailingId: number, count: number): Promise<void> {
  await trx
    .updateTable('announcements')
    .set((eb) => ({ posted: eb('posted', '+', count) }))
    .where('id', '=', mailingId)
    .execute();
}

/** Finishes an announcement and deletes its text and remaining recipients. */
export async function finishAnnouncement(trx: Trx, mailingId: number, at: Instant): Promise<void> {
  await trx.deleteFrom('announcement_recipients').where('announcement_id', '=', mailingId).execute();
  await trx
    .updateTable('announcements')
    .set({ sealed: null, finished_at: at })
    .where('id', '=', mailingId)
    .where('finished_at', 'is', null)
    .execute();
}

/** Deletes unfinished announcements after a restore, because more emails were sent than the restored state records. */
export async function deleteUnfinishedAnnouncements(trx: Trx): Promise<void> {
  await trx.deleteFrom('announcements').where('finished_at', 'is', null).execute();
}

/** Deletes announcements 30 days after they finished; their events remain in the audit log. */
export async function deleteOldAnnouncements(trx: Trx, now: Instant): Promise<void> {
  await trx
    .deleteFrom('announcements')
    .where('finished_at', '<', plusMilliseconds(now, -ANNOUNCEMENT_LIMITS.retentionDays * DAY_MS))
    .execute();
}

/** Returns a user's data export: the announcements they sent, and whether they opted out. */
export async function exportAnnouncements(db: Db, userId: number) {
  const sent = await db
    .selectFrom('announcements')
    .select(['subject', 'total', 'posted', 'created_at as createdAt'])
    .where('sent_by', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const stop = await db
    .selectFrom('announcement_unsubscribes')
    .select('stopped_at as stoppedAt')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return { sent, stoppedAt: stop?.stoppedAt ?? null };
}

/** Deletes a user's announcements (which stops them), the user from lists of recipients, and their preference. */
export async function deleteAnnouncementsOf(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('announcements').where('sent_by', '=', userId).execute();
  await trx.deleteFrom('announcement_recipients').where('user_id', '=', userId).execute();
  await trx.deleteFrom('announcement_unsubscribes').where('user_id', '=', userId).execute();
}
