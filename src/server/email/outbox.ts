import { randomUUID } from 'node:crypto';
import { type Instant, plusMilliseconds } from '#shared/calendar-date.ts';
import { inChunks } from '../db/chunks.ts';
import type { Db, Trx } from '../db/database.ts';
import type { Row } from '../db/tables.ts';
import type { Deps } from '../deps.ts';
import type { Person } from '../personal-data/data-export.ts';
import { type ExpiringRows, expiringRows } from '../personal-data/expired-rows-store.ts';
import { seal, unseal } from '../secrets.ts';
import type { EmailContent } from './email.ts';

/** A letter to be sent: its kind, its owner, and when it expires. */
export type OutgoingEmail = Readonly<{
  kind: string;
  userId: number | null;
  letter: EmailContent;
  at: Instant;
  /** When to send it; at once when left out. */
  dueAt?: Instant;
  expiresAt: Instant;
}>;

/** A letter that is ready to be posted to somebody: sealing many takes too long for a transaction. */
export type EncryptedEmail = Readonly<ReturnType<typeof encryptEmail>>;

/** A letter that this process has leased, and when the lease ends. */
export type LeasedEmail = Readonly<{
  id: number;
  kind: string;
  messageId: string;
  letter: EmailContent;
  at: Instant;
  attempts: number;
  leasedUntil: Instant;
}>;

const PURPOSE = 'mail';
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** The length of a lease: longer than any try takes. The letters of a process that died wait this long. */
export const LEASE_MS = 2 * MINUTE_MS;
const FIRST_PAUSE_MS = MINUTE_MS;
const LONGEST_PAUSE_MS = 360 * MINUTE_MS;
const KEPT_DAYS = 30;

/** How long a notice is still worth sending. */
export const NOTICE_DAYS = 3;

/**
 * Puts a letter into the outbox, in the transaction of what it is about: neither exists without the other. It is
 * stored sealed, since it may hold a link that opens an account. Returns its id. To a domain that receives no mail (RFC 2606)
 * nothing is sent.
 */
export async function queueEmail(trx: Trx, deps: Deps, posting: OutgoingEmail): Promise<number> {
  const isToNobody = posting.letter.to.address.toLowerCase().endsWith('.invalid');
  const { id } = await trx
    .insertInto('mail')
    .values({
      ...asRow(deps, posting),
      ...(isToNobody ? { sealed: null, dropped_at: posting.at, failure: 'nobody' } : {}),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Posts letters that were sealed before, each to its account. */
export async function queueEncryptedEmails(
  trx: Trx,
  letters: readonly { userId: number; letter: EncryptedEmail }[],
): Promise<void> {
  await inChunks(letters, (some) =>
    trx
      .insertInto('mail')
      .values(some.map(({ userId, letter }) => ({ ...letter, user_id: userId })))
      .execute(),
  );
}

/**
 * Does the same work as `post` for a letter that nobody gets, so that response times do not reveal who has an
 * account. The row is stored as already dropped.
 */
export async function simulateQueueEmail(trx: Trx, deps: Deps, posting: OutgoingEmail): Promise<void> {
  await trx
    .insertInto('mail')
    .values({ ...asRow(deps, posting), sealed: null, dropped_at: posting.at, failure: 'nobody' })
    .execute();
}

/** Drops waiting letters of these kinds for an account (or for none), because their links are dead. */
export async function dropPendingEmails(
  trx: Trx,
  userId: number | null,
  kinds: readonly string[],
  at: Instant,
): Promise<void> {
  await trx
    .updateTable('mail')
    .set({ sealed: null, dropped_at: at, failure: 'replaced', leased_until: null })
    .where('user_id', userId === null ? 'is' : '=', userId)
    .where('kind', 'in', kinds)
    .where('sealed', 'is not', null)
    .execute();
}

/**
 * Deletes every letter to a person, sent or not: those of the account, and those that wait for one of the addresses and
 * are no account's.
 */
export async function deleteEmailsTo(trx: Trx, deps: Deps, person: Person): Promise<void> {
  await deleteEmailsToUsers(trx, [person.id]);
  const others = await trx
    .selectFrom('mail')
    .selectAll()
    .where('user_id', 'is', null)
    .where('sealed', 'is not', null)
    .execute();
  const ids = others.flatMap((row) => {
    const address = readable(deps, row)?.to.address.toLowerCase();
    return address !== undefined && person.addresses.includes(address) ? [row.id] : [];
  });
  await inChunks(ids, (some) => trx.deleteFrom('mail').where('id', 'in', some).execute());
}

/** Deletes every letter of these kinds, whoever it is to. */
export async function deleteEmailsOfKinds(trx: Trx, kinds: readonly string[]): Promise<void> {
  await inChunks(kinds, (some) => trx.deleteFrom('mail').where('kind', 'in', some).execute());
}

/** Whether letters of a kind wait for a later moment than `at`. */
export async function isDueLater(trx: Trx, kind: string, at: Instant): Promise<boolean> {
  const row = await trx
    .selectFrom('mail')
    .select('id')
    .where('kind', '=', kind)
    .where('sealed', 'is not', null)
    .where('due_at', '>', at)
    // One that was given up waits for nothing.
    .whereRef('due_at', '<', 'expires_at')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The letters to an account with their kinds; their text is not kept once they are sent. */
export function emailsTo(db: Db, userId: number) {
  return db
    .selectFrom('mail')
    .select(['kind', 'created_at as createdAt', 'sent_at as sentAt'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
}

/** The ids of the letters to an account that still have a row. */
export async function emailIdsTo(db: Db, userId: number): Promise<number[]> {
  const rows = await db.selectFrom('mail').select('id').where('user_id', '=', userId).execute();
  return rows.map((row) => row.id);
}

/** Deletes every letter to these people, sent or not. */
export async function deleteEmailsToUsers(trx: Trx, userIds: readonly number[]): Promise<void> {
  await inChunks(userIds, (some) => trx.deleteFrom('mail').where('user_id', 'in', some).execute());
}

/**
 * Takes up to `limit` letters that are due. A conditional write takes each one, so several processes on one database
 * never have the same one; a letter that expired is dropped instead.
 */
export async function leaseDueEmails(deps: Deps, limit: number): Promise<LeasedEmail[]> {
  const { db } = deps.database;
  const now = deps.clock.now();
  const due = await waiting(db, now).limit(limit).execute();
  const taken: LeasedEmail[] = [];
  for (const { id, expires_at } of due) {
    if (expires_at <= now) {
      await drop(db, { id, at: now, failure: 'expired' });
      continue;
    }
    const row = await take(db, id, now);
    if (row === undefined) continue;
    const letter = readable(deps, row);
    if (letter === undefined) await drop(db, { id, at: now, failure: 'sealed with another key' });
    else taken.push(asTaken(row, letter));
  }
  return taken;
}

/** Marks a letter as sent. Returns false when it was deleted meanwhile, together with the person it was for. */
export async function markEmailSent(deps: Deps, mail: LeasedEmail): Promise<boolean> {
  const { db } = deps.database;
  await byLease(db, mail)
    .set({ sealed: null, sent_at: deps.clock.now(), leased_until: null, failure: null })
    .execute();
  const kept = await db.selectFrom('mail').select('id').where('id', '=', mail.id).executeTakeFirst();
  return kept !== undefined;
}

/** Schedules a letter's next attempt, after a pause that grows from a minute to six hours. */
export async function retryEmailLater(deps: Deps, mail: LeasedEmail, failure: string): Promise<void> {
  const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (mail.attempts - 1));
  await byLease(deps.database.db, mail)
    .set({ due_at: plusMilliseconds(deps.clock.now(), pause), leased_until: null, failure })
    .execute();
}

/** Returns a letter that was not attempted, because this process is stopping. */
export async function releaseEmail(deps: Deps, mail: LeasedEmail): Promise<void> {
  await byLease(deps.database.db, mail)
    .set({ leased_until: null, attempts: mail.attempts - 1 })
    .execute();
}

/**
 * Gives up on a letter: it is not tried again by itself, and dropped when it expires. Until then an administrator may
 * send it once more.
 */
export async function markEmailFailed(deps: Deps, mail: LeasedEmail, failure: string): Promise<void> {
  await byLease(deps.database.db, mail)
    .set((eb) => ({ due_at: eb.ref('expires_at'), leased_until: null, failure }))
    .execute();
}

/** The reasons of letters that nobody wants to send any more. */
const UNWANTED = ['nobody', 'replaced', 'dropped'];

/** A letter that was not sent. `to` is null when it cannot be read any more. */
export type UnsentEmail = Readonly<{
  id: number;
  kind: string;
  userId: number | null;
  to: string | null;
  createdAt: Instant;
  attempts: number;
  dueAt: Instant;
  state: 'waiting' | 'failed';
  reason: string | null;
}>;

/** Letters that wait or failed, the newest first, from below an id on. */
export async function listUnsentEmails(
  deps: Deps,
  { below, limit }: { below: number | undefined; limit: number },
): Promise<UnsentEmail[]> {
  const rows = await deps.database.db
    .selectFrom('mail')
    .selectAll()
    .where('sent_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('sealed', 'is not', null),
        eb.and([eb('dropped_at', 'is not', null), eb('failure', 'not in', UNWANTED)]),
      ]),
    )
    .$if(below !== undefined, (query) => query.where('id', '<', below ?? 0))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    userId: row.user_id,
    to: row.sealed === null ? null : (readable(deps, row)?.to.address ?? null),
    createdAt: row.created_at,
    attempts: row.attempts,
    dueAt: row.due_at,
    state: row.sealed === null || row.due_at >= row.expires_at ? 'failed' : 'waiting',
    reason: row.failure,
  }));
}

/** How many letters wait, how many failed within the last 30 days, and since when the oldest waits. */
export async function countUnsent(
  db: Db,
): Promise<{ waiting: number; failed: number; oldestAt: Instant | null }> {
  const waiting = await db
    .selectFrom('mail')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('created_at').as('oldestAt')])
    .where('sealed', 'is not', null)
    .whereRef('due_at', '<', 'expires_at')
    .executeTakeFirstOrThrow();
  const failed = await db
    .selectFrom('mail')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('sent_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb.and([eb('sealed', 'is not', null), eb('due_at', '>=', eb.ref('expires_at'))]),
        eb.and([eb('dropped_at', 'is not', null), eb('failure', 'not in', UNWANTED)]),
      ]),
    )
    .executeTakeFirstOrThrow();
  return {
    waiting: Number(waiting.count),
    failed: Number(failed.count),
    oldestAt: waiting.oldestAt ?? null,
  };
}

/** How many letters of a kind wait to be sent, those to be tried again later among them, and how many of them are due. */
export async function countOfKind(
  db: Db,
  kind: string,
  now: Instant,
): Promise<{ waiting: number; due: number }> {
  const { waiting, due } = await db
    .selectFrom('mail')
    .select((eb) => [
      eb.fn.countAll<number>().as('waiting'),
      eb.fn.sum<number | null>(eb.case().when('due_at', '<=', now).then(1).else(0).end()).as('due'),
    ])
    .where('sealed', 'is not', null)
    .where('kind', '=', kind)
    .whereRef('due_at', '<', 'expires_at')
    .executeTakeFirstOrThrow();
  return { waiting: Number(waiting), due: Number(due) };
}

/** A letter whose fate somebody wants to decide: what it is about, and whether it can be sent or is being sent. */
export async function findUnsent(
  trx: Trx,
  id: number,
  now: Instant,
): Promise<{ kind: string; userId: number | null; isOver: boolean; isBeingSent: boolean } | undefined> {
  const row = await trx
    .selectFrom('mail')
    .select(['kind', 'user_id', 'sealed', 'sent_at', 'expires_at', 'leased_until', 'failure'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined || row.sent_at !== null) return undefined;
  if (row.sealed === null && UNWANTED.includes(row.failure ?? '')) return undefined;
  return {
    kind: row.kind,
    userId: row.user_id,
    isOver: row.sealed === null || row.expires_at <= now,
    isBeingSent: row.leased_until !== null && row.leased_until > now,
  };
}

/** Makes a letter due now. */
export async function makeDue(trx: Trx, id: number, now: Instant): Promise<void> {
  await trx
    .updateTable('mail')
    .set({ due_at: now, leased_until: null })
    .where('id', '=', id)
    .where('sealed', 'is not', null)
    .execute();
}

/** Takes a letter out of the outbox for good. */
export async function deleteQueuedEmail(trx: Trx, id: number, now: Instant): Promise<void> {
  await trx
    .updateTable('mail')
    .set({ sealed: null, dropped_at: now, leased_until: null, failure: 'dropped' })
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .execute();
}

/** Letters by age, whatever became of them. */
export const expiredEmails: ExpiringRows = expiringRows({
  table: 'mail',
  at: 'created_at',
  about: { people: ['mail.user_id'] },
});

/** Removes letters that were sent or dropped long ago. */
export async function deleteOldEmails(trx: Trx, now: Instant): Promise<void> {
  await trx
    .deleteFrom('mail')
    .where('created_at', '<', plusMilliseconds(now, -KEPT_DAYS * DAY_MS))
    .execute();
}

/** Three days from now: for letters that contain no link. */
export function noticeExpiry(at: Instant): Instant {
  return plusMilliseconds(at, NOTICE_DAYS * DAY_MS);
}

function asRow(deps: Deps, { userId, ...rest }: OutgoingEmail) {
  return { ...encryptEmail(deps, rest), user_id: userId };
}

/** Encrypts a letter. */
export function encryptEmail(deps: Deps, posting: Omit<OutgoingEmail, 'userId'>) {
  const { kind, letter, at, dueAt, expiresAt } = posting;
  const [, domain = 'localhost'] = deps.config.mailFrom.address.split('@');
  return {
    message_id: `${randomUUID()}@${domain}`,
    kind,
    sealed: seal(deps.secretKey, PURPOSE, JSON.stringify(letter)),
    created_at: at,
    expires_at: expiresAt,
    due_at: dueAt ?? at,
  };
}

function waiting(db: Db, now: Instant) {
  return db
    .selectFrom('mail')
    .select(['id', 'expires_at'])
    .where('sealed', 'is not', null)
    .where('due_at', '<=', now)
    .where((eb) => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<=', now)]))
    .orderBy('due_at')
    .orderBy('id');
}

function take(db: Db, id: number, now: Instant): Promise<Row<'mail'> | undefined> {
  return db
    .updateTable('mail')
    .set((eb) => ({ leased_until: plusMilliseconds(now, LEASE_MS), attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('sealed', 'is not', null)
    .where('due_at', '<=', now)
    .where((eb) => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<=', now)]))
    .returningAll()
    .executeTakeFirst();
}

async function drop(
  db: Db,
  { id, at, failure }: { id: number; at: Instant; failure: string },
): Promise<void> {
  await db
    .updateTable('mail')
    .set({ sealed: null, dropped_at: at, leased_until: null, failure })
    .where('id', '=', id)
    .where('sealed', 'is not', null)
    .execute();
}

// Only the process that has the lease may write the result, and only before the lease ends.
function byLease(db: Db, mail: LeasedEmail) {
  return db
    .updateTable('mail')
    .where('id', '=', mail.id)
    .where('attempts', '=', mail.attempts)
    .where('leased_until', '=', mail.leasedUntil);
}

// After a change of SECRET_KEY, letters sealed before it cannot be read.
function readable(deps: Deps, row: Row<'mail'>): EmailContent | undefined {
  try {
    // Earlier versions spoke English alone and did not say so.
    return { language: 'en', ...JSON.parse(unseal(deps.secretKey, PURPOSE, row.sealed ?? '')) };
  } catch {
    return undefined;
  }
}

function asTaken(row: Row<'mail'>, letter: EmailContent): LeasedEmail {
  return {
    id: row.id,
    kind: row.kind,
    messageId: row.message_id,
    letter,
    at: row.created_at,
    attempts: row.attempts,
    leasedUntil: row.leased_until ?? row.due_at,
  };
}
