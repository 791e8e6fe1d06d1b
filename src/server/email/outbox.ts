import { randomUUID } from 'node:crypto';
import { type Instant, plusMilliseconds } from '#shared/calendar-date.ts';
import { inChunks } from '../db/chunks.ts';
import type { Db, Trx } from '../db/database.ts';
import { countRows, hasRows } from '../db/queries/count-rows.ts';
import { beforeId, type Page } from '../db/queries/pagination.ts';
import type { Row } from '../db/tables.ts';
import type { Deps } from '../deps.ts';
import type { Person } from '../personal-data/data-export.ts';
import { type ExpiringRows, expiringRows } from '../personal-data/expired-rows-store.ts';
import { seal, unseal } from '../secrets.ts';
import type { EmailContent } from './email.ts';

/** An email to queue. */
export type OutgoingEmail = Readonly<{
  kind: string;
  userId: number | null;
  letter: EmailContent;
  at: Instant;
  /** When to send it; immediately if omitted. */
  dueAt?: Instant;
  /** When it is no longer worth sending; the expiry of its link if it contains one. After three days if omitted. */
  expiresAt?: Instant;
}>;

/** An email that was encrypted before the transaction, because encrypting many takes too long inside one. */
export type EncryptedEmail = Readonly<ReturnType<typeof encryptEmail>>;

/** An email that this process has leased, and the end of the lease. */
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

/** How long a lease lasts: longer than any attempt. If a process dies, its emails wait this long. */
export const LEASE_MS = 2 * MINUTE_MS;
const FIRST_PAUSE_MS = MINUTE_MS;
const LONGEST_PAUSE_MS = 360 * MINUTE_MS;
const RETENTION_DAYS = 30;

/** For how many days a notice is worth sending. */
export const NOTICE_DAYS = 3;

/**
 * Queues an email in the transaction of the change that it announces, so that neither exists without the other. It is stored
 * encrypted, because it may contain a link that grants access to an account. Returns its id. An email to a `.invalid` domain,
 * which receives no mail (RFC 2606), is stored as already dropped.
 */
export async function queueEmail(trx: Trx, deps: Deps, email: OutgoingEmail): Promise<number> {
  const isUndeliverable = email.letter.to.address.toLowerCase().endsWith('.invalid');
  const { id } = await trx
    .insertInto('emails')
    .values({
      ...toRow(deps, email),
      ...(isUndeliverable ? { sealed: null, dropped_at: email.at, failure: 'nobody' } : {}),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Queues emails that were encrypted before, each for its account. */
export async function queueEncryptedEmails(
  trx: Trx,
  letters: readonly { userId: number; letter: EncryptedEmail }[],
): Promise<void> {
  await inChunks(letters, (some) =>
    trx
      .insertInto('emails')
      .values(some.map(({ userId, letter }) => ({ ...letter, user_id: userId })))
      .execute(),
  );
}

/**
 * Does the same work as `queueEmail` for a nonexistent recipient, so that response times do not reveal who
 * has an account. The row is stored as already dropped.
 */
export async function simulateQueueEmail(trx: Trx, deps: Deps, email: OutgoingEmail): Promise<void> {
  await trx
    .insertInto('emails')
    .values({ ...toRow(deps, email), sealed: null, dropped_at: email.at, failure: 'nobody' })
    .execute();
}

/** Drops pending emails of these kinds for an account (or for none), because their links are no longer valid. */
export async function dropPendingEmails(
  trx: Trx,
  userId: number | null,
  kinds: readonly string[],
  at: Instant,
): Promise<void> {
  await trx
    .updateTable('emails')
    .set({ sealed: null, dropped_at: at, failure: 'replaced', leased_until: null })
    .where('user_id', userId === null ? 'is' : '=', userId)
    .where('kind', 'in', kinds)
    .where('sealed', 'is not', null)
    .execute();
}

/**
 * Deletes every email to a user, sent or not: those of the account, and pending ones without an account to one of their
 * addresses.
 */
export async function deleteEmailsTo(trx: Trx, deps: Deps, person: Person): Promise<void> {
  await deleteEmailsToUsers(trx, [person.id]);
  const others = await trx
    .selectFrom('emails')
    .selectAll()
    .where('user_id', 'is', null)
    .where('sealed', 'is not', null)
    .execute();
  const ids = others.flatMap((row) => {
    const address = decryptContent(deps, row)?.to.address.toLowerCase();
    return address !== undefined && person.addresses.includes(address) ? [row.id] : [];
  });
  await inChunks(ids, (some) => trx.deleteFrom('emails').where('id', 'in', some).execute());
}

/** Deletes every email of these kinds, to any recipient. */
export async function deleteEmailsOfKinds(trx: Trx, kinds: readonly string[]): Promise<void> {
  await inChunks(kinds, (some) => trx.deleteFrom('emails').where('kind', 'in', some).execute());
}

/** Whether emails of a kind are scheduled for later than `at`. */
export function isDueLater(trx: Trx, kind: string, at: Instant): Promise<boolean> {
  return hasRows(
    trx
      .selectFrom('emails')
      .where('kind', '=', kind)
      .where('sealed', 'is not', null)
      .where('due_at', '>', at)
      // A failed email is no longer scheduled.
      .whereRef('due_at', '<', 'expires_at'),
  );
}

/** The kinds and times of the emails to an account; their content is deleted once they are sent. */
export function emailsTo(db: Db, userId: number) {
  return db
    .selectFrom('emails')
    .select(['kind', 'created_at as createdAt', 'sent_at as sentAt'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
}

/** The ids of the emails to an account that still have a row. */
export async function emailIdsTo(db: Db, userId: number): Promise<number[]> {
  const rows = await db.selectFrom('emails').select('id').where('user_id', '=', userId).execute();
  return rows.map((row) => row.id);
}

/** Deletes every email to these users, sent or not. */
export async function deleteEmailsToUsers(trx: Trx, userIds: readonly number[]): Promise<void> {
  await inChunks(userIds, (some) => trx.deleteFrom('emails').where('user_id', 'in', some).execute());
}

/**
 * Leases up to `limit` due emails with a conditional write each, so that processes on one database never get
 * the same one. Expired emails are dropped instead.
 */
export async function leaseDueEmails(deps: Deps, limit: number): Promise<LeasedEmail[]> {
  const { db } = deps.database;
  const now = deps.clock.now();
  const due = await waiting(db, now).limit(limit).execute();
  const leased: LeasedEmail[] = [];
  for (const { id, expires_at } of due) {
    if (expires_at <= now) {
      await dropEmail(db, { id, at: now, failure: 'expired' });
      continue;
    }
    const row = await leaseOne(db, id, now);
    if (row === undefined) continue;
    const letter = decryptContent(deps, row);
    if (letter === undefined) await dropEmail(db, { id, at: now, failure: 'sealed with another key' });
    else leased.push(toLeased(row, letter));
  }
  return leased;
}

/** Marks an email as sent. Returns false when it was deleted meanwhile, together with its recipient. */
export async function markEmailSent(deps: Deps, mail: LeasedEmail): Promise<boolean> {
  const { db } = deps.database;
  await updateLeased(db, mail)
    .set({ sealed: null, sent_at: deps.clock.now(), leased_until: null, failure: null })
    .execute();
  const row = await db.selectFrom('emails').select('id').where('id', '=', mail.id).executeTakeFirst();
  return row !== undefined;
}

/** Schedules the next attempt, after a delay that grows from a minute to six hours. */
export async function retryEmailLater(deps: Deps, mail: LeasedEmail, failure: string): Promise<void> {
  const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (mail.attempts - 1));
  await updateLeased(deps.database.db, mail)
    .set({ due_at: plusMilliseconds(deps.clock.now(), pause), leased_until: null, failure })
    .execute();
}

/** Releases an email whose attempt was aborted because this process is stopping. The attempt does not count. */
export async function releaseEmail(deps: Deps, mail: LeasedEmail): Promise<void> {
  await updateLeased(deps.database.db, mail)
    .set({ leased_until: null, attempts: mail.attempts - 1 })
    .execute();
}

/** Stops retrying an email. It is dropped when it expires; until then an administrator may resend it. */
export async function markEmailFailed(deps: Deps, mail: LeasedEmail, failure: string): Promise<void> {
  await updateLeased(deps.database.db, mail)
    .set((eb) => ({ due_at: eb.ref('expires_at'), leased_until: null, failure }))
    .execute();
}

/** The failures of emails that are no longer needed. */
const OBSOLETE = ['nobody', 'replaced', 'dropped'];

/** An unsent email. `to` is null if its content was deleted or can no longer be decrypted. */
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

/** Pending and failed emails of a page, newest first, and one more. */
export async function listUnsentEmails(deps: Deps, page: Page): Promise<UnsentEmail[]> {
  const rows = await deps.database.db
    .selectFrom('emails')
    .selectAll()
    .where('sent_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('sealed', 'is not', null),
        eb.and([eb('dropped_at', 'is not', null), eb('failure', 'not in', OBSOLETE)]),
      ]),
    )
    .where(beforeId('emails', page))
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    userId: row.user_id,
    to: row.sealed === null ? null : (decryptContent(deps, row)?.to.address ?? null),
    createdAt: row.created_at,
    attempts: row.attempts,
    dueAt: row.due_at,
    state: row.sealed === null || row.due_at >= row.expires_at ? 'failed' : 'waiting',
    reason: row.failure,
  }));
}

/**
 * The number of pending emails, of those that failed within the last 30 days, and since when the oldest is
 * pending.
 */
export async function countUnsent(
  db: Db,
): Promise<{ waiting: number; failed: number; oldestAt: Instant | null }> {
  const due = await db
    .selectFrom('emails')
    .select(({ fn }) => [fn.countAll<number>().as('waiting'), fn.min('created_at').as('oldestAt')])
    .where('sealed', 'is not', null)
    .whereRef('due_at', '<', 'expires_at')
    .executeTakeFirstOrThrow();
  const failed = await countRows(
    db
      .selectFrom('emails')
      .where('sent_at', 'is', null)
      .where((eb) =>
        eb.or([
          eb.and([eb('sealed', 'is not', null), eb('due_at', '>=', eb.ref('expires_at'))]),
          eb.and([eb('dropped_at', 'is not', null), eb('failure', 'not in', OBSOLETE)]),
        ]),
      ),
  );
  return { ...due, failed };
}

/** The number of pending emails of a kind, including those scheduled for later, and the number of due ones. */
export async function countOfKind(
  db: Db,
  kind: string,
  now: Instant,
): Promise<{ waiting: number; due: number }> {
  const { waiting, due } = await db
    .selectFrom('emails')
    .select((eb) => [
      eb.fn.countAll<number>().as('waiting'),
      eb.fn.sum<number | null>(eb.case().when('due_at', '<=', now).then(1).else(0).end()).as('due'),
    ])
    .where('sealed', 'is not', null)
    .where('kind', '=', kind)
    .whereRef('due_at', '<', 'expires_at')
    .executeTakeFirstOrThrow();
  return { waiting, due: due ?? 0 };
}

/** An unsent email for an administrator to act on: its kind, whether it can still be sent, and whether it is being sent now. */
export async function findUnsent(
  trx: Trx,
  id: number,
  now: Instant,
): Promise<{ kind: string; userId: number | null; isOver: boolean; isBeingSent: boolean } | undefined> {
  const row = await trx
    .selectFrom('emails')
    .select(['kind', 'user_id', 'sealed', 'sent_at', 'expires_at', 'leased_until', 'failure'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined || row.sent_at !== null) return undefined;
  if (row.sealed === null && OBSOLETE.includes(row.failure ?? '')) return undefined;
  return {
    kind: row.kind,
    userId: row.user_id,
    isOver: row.sealed === null || row.expires_at <= now,
    isBeingSent: row.leased_until !== null && row.leased_until > now,
  };
}

/** Makes a pending email due now. Has no effect on a sent or dropped one. */
export async function makeDue(trx: Trx, id: number, now: Instant): Promise<void> {
  await trx
    .updateTable('emails')
    .set({ due_at: now, leased_until: null })
    .where('id', '=', id)
    .where('sealed', 'is not', null)
    .execute();
}

/** Drops an unsent email: deletes its content, but not its row. */
export async function deleteQueuedEmail(trx: Trx, id: number, now: Instant): Promise<void> {
  await trx
    .updateTable('emails')
    .set({ sealed: null, dropped_at: now, leased_until: null, failure: 'dropped' })
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .execute();
}

/** Emails, by age, sent or not. */
export const expiredEmails: ExpiringRows = expiringRows({
  table: 'emails',
  at: 'created_at',
  about: { people: ['emails.user_id'] },
});

/** Deletes emails queued more than 30 days ago. */
export async function deleteOldEmails(trx: Trx, now: Instant): Promise<void> {
  await trx
    .deleteFrom('emails')
    .where('created_at', '<', plusMilliseconds(now, -RETENTION_DAYS * DAY_MS))
    .execute();
}

/** The expiry of emails that contain no link: three days from now. */
export function noticeExpiry(at: Instant): Instant {
  return plusMilliseconds(at, NOTICE_DAYS * DAY_MS);
}

function toRow(deps: Deps, { userId, ...rest }: OutgoingEmail) {
  return { ...encryptEmail(deps, rest), user_id: userId };
}

/** Encrypts an email into the columns of its row. */
export function encryptEmail(deps: Deps, email: Omit<OutgoingEmail, 'userId'>) {
  const { kind, letter, at, dueAt, expiresAt } = email;
  const [, domain = 'localhost'] = deps.config.mailFrom.address.split('@');
  return {
    message_id: `${randomUUID()}@${domain}`,
    kind,
    sealed: seal(deps.secretKey, PURPOSE, JSON.stringify(letter)),
    created_at: at,
    expires_at: expiresAt ?? noticeExpiry(at),
    due_at: dueAt ?? at,
  };
}

function waiting(db: Db, now: Instant) {
  return db
    .selectFrom('emails')
    .select(['id', 'expires_at'])
    .where('sealed', 'is not', null)
    .where('due_at', '<=', now)
    .where((eb) => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<=', now)]))
    .orderBy('due_at')
    .orderBy('id');
}

function leaseOne(db: Db, id: number, now: Instant): Promise<Row<'emails'> | undefined> {
  return db
    .updateTable('emails')
    .set((eb) => ({ leased_until: plusMilliseconds(now, LEASE_MS), attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('sealed', 'is not', null)
    .where('due_at', '<=', now)
    .where((eb) => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<=', now)]))
    .returningAll()
    .executeTakeFirst();
}

async function dropEmail(
  db: Db,
  { id, at, failure }: { id: number; at: Instant; failure: string },
): Promise<void> {
  await db
    .updateTable('emails')
    .set({ sealed: null, dropped_at: at, leased_until: null, failure })
    .where('id', '=', id)
    .where('sealed', 'is not', null)
    .execute();
}

// Only the process that holds the lease may write the result, and only before the lease ends.
function updateLeased(db: Db, mail: LeasedEmail) {
  return db
    .updateTable('emails')
    .where('id', '=', mail.id)
    .where('attempts', '=', mail.attempts)
    .where('leased_until', '=', mail.leasedUntil);
}

// Emails encrypted with an earlier SECRET_KEY cannot be read.
function decryptContent(deps: Deps, row: Row<'emails'>): EmailContent | undefined {
  try {
    // Earlier versions wrote only English and stored no language.
    return { language: 'en', ...JSON.parse(unseal(deps.secretKey, PURPOSE, row.sealed ?? '')) };
  } catch {
    return undefined;
  }
}

function toLeased(row: Row<'emails'>, letter: EmailContent): LeasedEmail {
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
