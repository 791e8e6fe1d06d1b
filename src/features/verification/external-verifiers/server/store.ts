import { sql } from 'kysely';
import { collect, inChunks } from '#server/db/chunks.ts';
import type { Db, Trx } from '#server/db/database.ts';
import { shownName } from '#server/db/queries/translated-name.ts';
import { forUpdate } from '#server/db/row-locks.ts';
import type { CalendarDate, Instant } from '#shared/calendar-date.ts';
import { mailboxOf } from '#shared/email-address.ts';
import { fromHundredths } from '#shared/hours.ts';

/** An entry that waits for somebody outside, whom its activity names or else its volunteer. */
export type Asking = Readonly<{
  entryId: number;
  version: number;
  schoolId: number;
  school: string;
  /** What the school is called in other languages, as it is stored. */
  translations: string | null;
  address: string;
  volunteerId: number;
}>;

/** The newest letter to an address, and how often an entry was asked about. */
export type Asked = Readonly<{ entryId: number; version: number; letters: number; lastAt: Instant }>;

/** A letter about an entry as it is now, to whom it asks now; `madeAt` is null where none went. */
export type EmailAboutEntry = Readonly<{
  entryId: number;
  address: string;
  madeAt: Instant | null;
  /** The mail server refused it, it expired before it was taken, or it was taken out of the outbox. */
  hasFailed: boolean;
}>;

/** A letter as its link finds it. */
export type OpenVerifierEmail = Readonly<{
  id: number;
  schoolId: number;
  school: string;
  address: string;
  addressKey: string;
  endedAt: Instant | null;
}>;

/** An entry of a letter that still waits, as it was when the letter was written. */
export type VerifierEmailEntry = Readonly<{
  id: number;
  version: number;
  schoolId: number;
  userId: number;
  firstName: string;
  lastName: string;
  activity: string;
  date: CalendarDate;
  hours: number;
  notes: string | null;
}>;

function named(db: Db) {
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

const address = sql<string>`coalesce(activity.outside_verifier, entry.outside_verifier)`;

// As the note says; without one as the outbox tells it: dropped or taken away, or not tried again before it expires.
const HAS_FAILED = sql<number>`case when letter.delivery = 'failed' then 1 when letter.delivery = 'sent' then 0
  when letter.mail_id is not null and mail.sent_at is null
    and (mail.sealed is null or mail.due_at >= mail.expires_at) then 1 else 0 end`;

/** Entries that wait for somebody outside, in pages by id. */
export function findPendingVerifications(db: Db, afterId: number, limit: number): Promise<Asking[]> {
  return asking(db).where('entry.id', '>', afterId).orderBy('entry.id').limit(limit).execute();
}

/** One of them; undefined when it does not wait for anybody outside. */
export function findPendingVerification(db: Db, entryId: number): Promise<Asking | undefined> {
  return asking(db).where('entry.id', '=', entryId).executeTakeFirst();
}

function asking(db: Db) {
  return named(db)
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

/** Somebody's own entries that wait for somebody outside, the newest first; `fixed` is whom the activity itself names. */
export function findOwnPendingVerifications(
  db: Db,
  userId: number,
  limit: number,
): Promise<{ entryId: number; address: string; fixed: string | null }[]> {
  return named(db)
    .where('person.id', '=', userId)
    .where(sql<boolean>`${address} is not null`)
    .select(['entry.id as entryId', address.as('address'), 'activity.outside_verifier as fixed'])
    .orderBy('entry.id', 'desc')
    .limit(limit)
    .execute();
}

/** How often these entries were asked about at an address. */
export async function countRequestsFor(
  db: Db,
  addressKey: string,
  entryIds: readonly number[],
): Promise<Map<number, Asked>> {
  const found = new Map<number, Asked>();
  await inChunks(entryIds, async (some) => {
    const rows = await db
      .selectFrom('outside_letter_entries as asked')
      .innerJoin('outside_letters as letter', 'letter.id', 'asked.letter_id')
      .where('letter.address_key', '=', addressKey)
      .where('asked.entry_id', 'in', some)
      .groupBy('asked.entry_id')
      .select((eb) => [
        'asked.entry_id as entryId',
        eb.fn.max('asked.version').as('version'),
        eb.fn.countAll<number>().as('letters'),
        eb.fn.max('letter.made_at').as('lastAt'),
      ])
      .execute();
    for (const row of rows) found.set(row.entryId, { ...row, letters: Number(row.letters) });
  });
  return found;
}

/** The letters about entries that wait for somebody outside, oldest first; an entry without one has a row too. */
export async function findVerifierEmailsAbout(
  db: Db,
  entryIds: readonly number[],
): Promise<EmailAboutEntry[]> {
  const rows = await collect(entryIds, (some) =>
    named(db)
      .leftJoin('outside_letter_entries as asked', (join) =>
        join.onRef('asked.entry_id', '=', 'entry.id').onRef('asked.version', '=', 'entry.version'),
      )
      .leftJoin('outside_letters as letter', 'letter.id', 'asked.letter_id')
      .leftJoin('mail', 'mail.id', 'letter.mail_id')
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
    // An activity may name somebody else by now, whom nobody has asked.
    const isTheirs = addressKey === mailboxOf(row.address);
    return { ...row, madeAt: isTheirs ? madeAt : null, hasFailed: isTheirs && Number(failed) === 1 };
  });
}

/** When an address was written to last; undefined when never. */
export async function lastVerifierEmailTo(db: Db, addressKey: string): Promise<Instant | undefined> {
  const row = await db
    .selectFrom('outside_letters')
    .select('made_at')
    .where('address_key', '=', addressKey)
    .orderBy('made_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.made_at;
}

/**
 * Keeps a letter with what it asks about. Returns its id; undefined when another one about this school went to the
 * address on the same day.
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
    .insertInto('outside_letters')
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
      .insertInto('outside_letter_entries')
      .values(some.map(({ entryId, version }) => ({ letter_id: row.id, entry_id: entryId, version })))
      .execute(),
  );
  return row.id;
}

/** Notes which letter of the outbox carries these links, so that a bounce can be told. */
export async function linkToOutbox(trx: Trx, letterIds: readonly number[], mailId: number): Promise<void> {
  await trx.updateTable('outside_letters').set({ mail_id: mailId }).where('id', 'in', letterIds).execute();
}

/** Notes what became of letters that the outbox has sent or dropped, which it will forget before their links die. */
export async function saveDeliveryStatus(trx: Trx): Promise<void> {
  const mailWhere = (condition: ReturnType<typeof sql>) =>
    sql<boolean>`exists (select 1 from mail where mail.id = outside_letters.mail_id and (${condition}))`;
  await trx
    .updateTable('outside_letters')
    .set({ delivery: sql`case when ${mailWhere(sql`sent_at is not null`)} then 'sent' else 'failed' end` })
    .where('delivery', 'is', null)
    .where(mailWhere(sql`sent_at is not null or sealed is null`))
    .execute();
}

/** The letter of a link that has not expired, whether or not it was answered. */
export function findLetter(db: Db, tokenHash: string, now: Instant): Promise<OpenVerifierEmail | undefined> {
  return letterOf(db, tokenHash, now).executeTakeFirst();
}

/** The same, held until the transaction ends: of two answers at once the second sees what the first did. */
export async function holdLetter(
  trx: Trx,
  tokenHash: string,
  now: Instant,
): Promise<OpenVerifierEmail | undefined> {
  const row = await forUpdate(
    trx,
    trx.selectFrom('outside_letters').select('id').where('token_hash', '=', tokenHash),
  ).executeTakeFirst();
  return row === undefined ? undefined : findLetter(trx, tokenHash, now);
}

function letterOf(db: Db, tokenHash: string, now: Instant) {
  return db
    .selectFrom('outside_letters as letter')
    .innerJoin('schools as school', 'school.id', 'letter.school_id')
    .where('letter.token_hash', '=', tokenHash)
    .where('letter.expires_at', '>', now)
    .select([
      'letter.id',
      'school.id as schoolId',
      shownName('schools', 'school').as('school'),
      'letter.address',
      'letter.address_key as addressKey',
      'letter.ended_at as endedAt',
    ]);
}

/** The entries of a letter that still wait for its receiver and were not changed since. */
export async function findPendingEntries(
  db: Db,
  letterId: number,
): Promise<(VerifierEmailEntry & { address: string })[]> {
  const rows = await named(db)
    .innerJoin('outside_letter_entries as asked', (join) =>
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
      shownName('activities', 'activity').as('activity'),
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

/** The entries that a letter asks about, changed since or not. */
export async function askedIn(db: Db, letterId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('outside_letter_entries')
    .select('entry_id')
    .where('letter_id', '=', letterId)
    .execute();
  return rows.map((row) => row.entry_id);
}

/** How many entries a letter asked about, and how many of them its receiver decided since, by state. */
export async function countAnswers(
  db: Db,
  letterId: number,
): Promise<{ verified: number; declined: number }> {
  const rows = await db
    .selectFrom('outside_letter_entries as asked')
    .innerJoin('outside_letters as letter', 'letter.id', 'asked.letter_id')
    .innerJoin('time_entries as entry', 'entry.id', 'asked.entry_id')
    .where('asked.letter_id', '=', letterId)
    .whereRef('entry.decided_outside', '=', 'letter.address')
    .whereRef('entry.decided_at', '>=', 'letter.made_at')
    .groupBy('entry.verification')
    .select((eb) => ['entry.verification as state', eb.fn.countAll<number>().as('count')])
    .execute();
  const count = (state: 'verified' | 'declined') =>
    Number(rows.find((row) => row.state === state)?.count ?? 0);
  return { verified: count('verified'), declined: count('declined') };
}

/** Ends a letter: its link leads nowhere from now on. */
export async function expireVerifierEmail(trx: Trx, letterId: number, at: Instant): Promise<void> {
  await trx
    .updateTable('outside_letters')
    .set({ ended_at: at })
    .where('id', '=', letterId)
    .where('ended_at', 'is', null)
    .execute();
}

/** Ends every letter there is: whoever restores an older state has newer hours than it. */
export async function expireAllVerifierEmails(trx: Trx, at: Instant): Promise<void> {
  await trx.updateTable('outside_letters').set({ ended_at: at }).where('ended_at', 'is', null).execute();
}

/** Ends every letter to an address. */
export async function expireVerifierEmailsTo(trx: Trx, addressKey: string, at: Instant): Promise<void> {
  await trx
    .updateTable('outside_letters')
    .set({ ended_at: at })
    .where('address_key', '=', addressKey)
    .where('ended_at', 'is', null)
    .execute();
}

/** Deletes letters whose link stopped working before a moment. */
export async function deleteVerifierEmailsBefore(trx: Trx, moment: Instant): Promise<void> {
  await trx.deleteFrom('outside_letters').where('expires_at', '<', moment).execute();
}

/** Deletes the letters that went to an address. */
export async function deleteVerifierEmailsTo(trx: Trx, addressKey: string): Promise<void> {
  await trx.deleteFrom('outside_letters').where('address_key', '=', addressKey).execute();
}
