import { sql } from 'kysely';
import { collect, inChunks } from '#server/db/chunks.ts';
import type { Db, Trx } from '#server/db/database.ts';
import { translatedName } from '#server/db/queries/translated-name.ts';
import { forUpdate } from '#server/db/row-locks.ts';
import type { CalendarDate, Instant } from '#shared/calendar-date.ts';
import { canonicalMailbox } from '#shared/email-address.ts';
import { fromHundredths } from '#shared/hours.ts';

/**
 * An entry that waits for an external verifier, whom its activity or its volunteer named. `translations` are the school's names
 * in other languages, as stored.
 */
export type PendingVerification = Awaited<ReturnType<typeof findPendingVerifications>>[number];

/** The number of emails to an address that included an entry, and the version and time of the latest. */
export type RequestCount = Readonly<{ entryId: number; version: number; letters: number; lastAt: Instant }>;

/** An email, found by the token of its link. */
export type OpenVerifierEmail = NonNullable<Awaited<ReturnType<typeof findVerifierEmail>>>;

/** A waiting entry of an email, unchanged since the email was written. */
export type VerifierEmailEntry = Awaited<ReturnType<typeof findPendingEntries>>[number];

function waitingEntries(db: Db) {
  return db
    .selectFrom('time_entries as entry')
    .innerJoin('activities as activity', 'activity.id', 'entry.activity_id')
    .innerJoin('schools as school', 'school.id', 'entry.school_id')
    .innerJoin('users as person', 'person.id', 'entry.user_id')
    .where('entry.verification', '=', 'waiting')
    .where('entry.deleted_at', 'is', null)
    .where('school.verification', '=', 'on')
    .where('activity.verification', '=', 'outside')
    .where('person.erased_at', 'is', null);
}

const address = sql<string>`coalesce(activity.external_verifier, entry.external_verifier)`;

// 1 if delivery failed. Uses the stored status if there is one. Otherwise, an unsent email has failed if it was dropped,
// removed, or will not be retried before it expires.
const HAS_FAILED = sql<number>`case when letter.delivery = 'failed' then 1 when letter.delivery = 'sent' then 0
  when letter.mail_id is not null and emails.sent_at is null
    and (emails.sealed is null or emails.due_at >= emails.expires_at) then 1 else 0 end`;

/** Entries that wait for an external verifier, in pages by id. */
export function findPendingVerifications(db: Db, afterId: number, limit: number) {
  return pendingVerifications(db).where('entry.id', '>', afterId).orderBy('entry.id').limit(limit).execute();
}

/** An entry that waits for an external verifier; undefined when it does not. */
export function findPendingVerification(db: Db, entryId: number) {
  return pendingVerifications(db).where('entry.id', '=', entryId).executeTakeFirst();
}

function pendingVerifications(db: Db) {
  return waitingEntries(db)
    .where(sql<boolean>`${address} is not null`)
    .select([
      'entry.id as entryId',
      'entry.version',
      'school.id as schoolId',
      'school.name as school',
      'school.translations',
      address.as('address'),
      'person.id as volunteerId',
    ]);
}

/**
 * A volunteer's own entries that wait for an external verifier, the newest first; `fixed` is the address that the
 * activity names, or null if the volunteer named it.
 */
export function findOwnPendingVerifications(
  db: Db,
  userId: number,
  limit: number,
): Promise<{ entryId: number; address: string; fixed: string | null }[]> {
  return waitingEntries(db)
    .where('person.id', '=', userId)
    .where(sql<boolean>`${address} is not null`)
    .select(['entry.id as entryId', address.as('address'), 'activity.external_verifier as fixed'])
    .orderBy('entry.id', 'desc')
    .limit(limit)
    .execute();
}

/** The number of emails to an address that included each of these entries, by entry id. */
export async function countRequestsFor(
  db: Db,
  addressKey: string,
  entryIds: readonly number[],
): Promise<Map<number, RequestCount>> {
  const rows = await collect(entryIds, (some) =>
    db
      .selectFrom('external_verifier_request_entries as asked')
      .innerJoin('external_verifier_requests as letter', 'letter.id', 'asked.letter_id')
      .where('letter.address_key', '=', addressKey)
      .where('asked.entry_id', 'in', some)
      .groupBy('asked.entry_id')
      .select((eb) => [
        'asked.entry_id as entryId',
        eb.fn.max('asked.version').as('version'),
        eb.fn.countAll<number>().as('letters'),
        eb.fn.max('letter.made_at').as('lastAt'),
      ])
      .execute(),
  );
  return new Map(rows.map((row) => [row.entryId, row]));
}

/**
 * The emails about the current version of entries to the external verifier they wait for now, oldest first. `madeAt` is null if
 * there is none; `hasFailed` if the mail server rejected it, it expired, or it was removed from the outbox.
 */
export async function findVerifierEmailsAbout(db: Db, entryIds: readonly number[]) {
  const rows = await collect(entryIds, (some) =>
    waitingEntries(db)
      .leftJoin('external_verifier_request_entries as asked', (join) =>
        join.onRef('asked.entry_id', '=', 'entry.id').onRef('asked.version', '=', 'entry.version'),
      )
      .leftJoin('external_verifier_requests as letter', 'letter.id', 'asked.letter_id')
      .leftJoin('emails', 'emails.id', 'letter.mail_id')
      .where('entry.id', 'in', some)
      .where(sql<boolean>`${address} is not null`)
      .select([
        'entry.id as entryId',
        address.as('address'),
        'letter.address_key as addressKey',
        'letter.made_at as madeAt',
        HAS_FAILED.as('failed'),
      ])
      .orderBy('letter.made_at')
      .execute(),
  );
  return rows.map(({ addressKey, madeAt, failed, ...row }) => {
    // By now the activity may name another verifier, who was not emailed.
    const isTheirs = addressKey === canonicalMailbox(row.address);
    return { ...row, madeAt: isTheirs ? madeAt : null, hasFailed: isTheirs && failed === 1 };
  });
}

/** When the last email to an address was created; undefined when never. */
export async function findLastEmailTime(db: Db, addressKey: string): Promise<Instant | undefined> {
  const row = await db
    .selectFrom('external_verifier_requests')
    .select('made_at')
    .where('address_key', '=', addressKey)
    .orderBy('made_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.made_at;
}

/**
 * Stores an email and its entries. Returns its id; undefined when the address already got one about this school on
 * the same day.
 */
export async function insertVerifierEmail(
  trx: Trx,
  letter: Readonly<{
    tokenHash: string;
    schoolId: number;
    address: string;
    addressKey: string;
    madeAt: Instant;
    madeDay: CalendarDate;
    expiresAt: Instant;
  }>,
  entries: readonly Readonly<{ entryId: number; version: number }>[],
): Promise<number | undefined> {
  const row = await trx
    .insertInto('external_verifier_requests')
    .values({
      token_hash: letter.tokenHash,
      school_id: letter.schoolId,
      address: letter.address,
      address_key: letter.addressKey,
      made_at: letter.madeAt,
      made_day: letter.madeDay,
      expires_at: letter.expiresAt,
    })
    .onConflict((conflict) => conflict.columns(['address_key', 'made_day', 'school_id']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (row === undefined) return undefined;
  await inChunks(entries, (some) =>
    trx
      .insertInto('external_verifier_request_entries')
      .values(some.map(({ entryId, version }) => ({ letter_id: row.id, entry_id: entryId, version })))
      .execute(),
  );
  return row.id;
}

/** Stores which outbox message has these links, so that bounces can be shown. */
export async function linkToOutbox(trx: Trx, letterIds: readonly number[], mailId: number): Promise<void> {
  await trx
    .updateTable('external_verifier_requests')
    .set({ mail_id: mailId })
    .where('id', 'in', letterIds)
    .execute();
}

/**
 * Stores the delivery status of emails that the outbox has sent or dropped, because it deletes its messages before
 * their links expire.
 */
export async function saveDeliveryStatus(trx: Trx): Promise<void> {
  const mailWhere = (condition: ReturnType<typeof sql>) =>
    sql<boolean>`exists (select 1 from emails where emails.id = external_verifier_requests.mail_id and (${condition}))`;
  await trx
    .updateTable('external_verifier_requests')
    .set({ delivery: sql`case when ${mailWhere(sql`sent_at is not null`)} then 'sent' else 'failed' end` })
    .where('delivery', 'is', null)
    .where(mailWhere(sql`sent_at is not null or sealed is null`))
    .execute();
}

/** The email of a link that has not expired, whether or not it was answered. */
export function findVerifierEmail(db: Db, tokenHash: string, now: Instant) {
  return db
    .selectFrom('external_verifier_requests as letter')
    .innerJoin('schools as school', 'school.id', 'letter.school_id')
    .where('letter.token_hash', '=', tokenHash)
    .where('letter.expires_at', '>', now)
    .select([
      'letter.id',
      'school.id as schoolId',
      translatedName('schools', 'school').as('school'),
      'letter.address',
      'letter.address_key as addressKey',
      'letter.ended_at as endedAt',
    ])
    .executeTakeFirst();
}

/**
 * Finds the email of a link like `findVerifierEmail`, and locks it until the transaction ends, so that the second of two
 * concurrent answers sees the first.
 */
export async function lockVerifierEmail(trx: Trx, tokenHash: string, now: Instant) {
  const row = await forUpdate(
    trx,
    trx.selectFrom('external_verifier_requests').select('id').where('token_hash', '=', tokenHash),
  ).executeTakeFirst();
  return row === undefined ? undefined : findVerifierEmail(trx, tokenHash, now);
}

/** The entries of an email that have not changed and still wait; `address` is the external verifier they wait for now. */
export async function findPendingEntries(db: Db, letterId: number) {
  const rows = await waitingEntries(db)
    .innerJoin('external_verifier_request_entries as asked', (join) =>
      join.onRef('asked.entry_id', '=', 'entry.id').onRef('asked.version', '=', 'entry.version'),
    )
    .where('asked.letter_id', '=', letterId)
    .select([
      'entry.id',
      'entry.version',
      'entry.school_id as schoolId',
      'entry.user_id as userId',
      'person.first_name as firstName',
      'person.last_name as lastName',
      translatedName('activities', 'activity').as('activity'),
      'entry.entry_date as date',
      'entry.hours_hundredths as hundredths',
      'entry.notes',
      address.as('address'),
    ])
    .orderBy('person.sort_key')
    .orderBy('entry.entry_date')
    .orderBy('entry.id')
    .execute();
  return rows.map(({ hundredths, ...row }) => ({ ...row, hours: fromHundredths(hundredths) }));
}

/** The ids of all entries of an email, changed since or not. */
export async function listRequestedEntryIds(db: Db, letterId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('external_verifier_request_entries')
    .select('entry_id')
    .where('letter_id', '=', letterId)
    .execute();
  return rows.map((row) => row.entry_id);
}

/** How many entries of an email its recipient has verified and declined since it was written. */
export async function countAnswers(
  db: Db,
  letterId: number,
): Promise<{ verified: number; declined: number }> {
  const rows = await db
    .selectFrom('external_verifier_request_entries as asked')
    .innerJoin('external_verifier_requests as letter', 'letter.id', 'asked.letter_id')
    .innerJoin('time_entries as entry', 'entry.id', 'asked.entry_id')
    .where('asked.letter_id', '=', letterId)
    .whereRef('entry.decided_by_external', '=', 'letter.address')
    .whereRef('entry.decided_at', '>=', 'letter.made_at')
    .groupBy('entry.verification')
    .select((eb) => ['entry.verification as state', eb.fn.countAll<number>().as('count')])
    .execute();
  const count = (state: 'verified' | 'declined') => rows.find((row) => row.state === state)?.count ?? 0;
  return { verified: count('verified'), declined: count('declined') };
}

/** Expires an email's link. */
export async function expireVerifierEmail(trx: Trx, letterId: number, at: Instant): Promise<void> {
  await expireLinks(trx, at).where('id', '=', letterId).execute();
}

/** Expires all links. After a restore, verifiers have emails about newer hours than the database. */
export async function expireAllVerifierEmails(trx: Trx, at: Instant): Promise<void> {
  await expireLinks(trx, at).execute();
}

/** Expires all links sent to an address. */
export async function expireVerifierEmailsTo(trx: Trx, addressKey: string, at: Instant): Promise<void> {
  await expireLinks(trx, at).where('address_key', '=', addressKey).execute();
}

function expireLinks(trx: Trx, at: Instant) {
  return trx.updateTable('external_verifier_requests').set({ ended_at: at }).where('ended_at', 'is', null);
}

/** Deletes emails whose links expired before a moment. */
export async function deleteVerifierEmailsBefore(trx: Trx, moment: Instant): Promise<void> {
  await trx.deleteFrom('external_verifier_requests').where('expires_at', '<', moment).execute();
}

/** Deletes the emails sent to an address. */
export async function deleteVerifierEmailsTo(trx: Trx, addressKey: string): Promise<void> {
  await trx.deleteFrom('external_verifier_requests').where('address_key', '=', addressKey).execute();
}
