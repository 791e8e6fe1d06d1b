import { sql } from 'kysely';
import type { Instant } from '#shared/calendar-date.ts';
import { inChunks } from './db/chunks.ts';
import type { Db, Trx } from './db/database.ts';
import { deleteServerState, setServerState } from './db/server-state.ts';
import { type ExpiringRows, expiringRows } from './personal-data/expired-rows-store.ts';
import type { RowSubjects } from './personal-data/legal-hold-store.ts';

/**
 * The user behind an event, with the time and the request, as stored in the audit log. `userId` is null for the system and
 * before sign-in.
 */
export type Actor = Readonly<{
  userId: number | null;
  at: Instant;
  address: string | null;
  requestId: string | null;
}>;

/**
 * One row of the audit log. `action` is one of the ACTIONS of the audit feature. `before` and `after` hold
 * the record before and after the change, never a password or a token. `personId` is the person the record
 * belongs to; it can be omitted for an account.
 */
export type AuditEvent = Readonly<{
  action: string;
  subject: string;
  subjectId: number | null;
  schoolId?: number | null;
  personId?: number | null;
  before?: unknown;
  after?: unknown;
}>;

/** Appends an audit event in the transaction of the change itself. */
export async function recordEvent(trx: Trx, actor: Actor, event: AuditEvent): Promise<void> {
  await trx.insertInto('audit_events').values(toRow(actor, event)).execute();
}

/** The time of the newest event; undefined if there is none. */
export async function newestEventTime(db: Db): Promise<Instant | undefined> {
  const row = await db
    .selectFrom('audit_events')
    .select('at')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.at;
}

/** Appends many audit events. */
export async function recordEvents(trx: Trx, actor: Actor, events: readonly AuditEvent[]): Promise<void> {
  await inChunks(events, (chunk) =>
    trx
      .insertInto('audit_events')
      .values(chunk.map((deed) => toRow(actor, deed)))
      .execute(),
  );
}

/**
 * Blanks personal data about a deleted user in the audit log: the recorded values of their account, and the addresses they
 * acted from. The events themselves stay, with their time and ids.
 */
export async function redactUserFromAuditLog(trx: Trx, userId: number): Promise<void> {
  await redactAuditedValues(trx, 'user', [userId]);
  await trx
    .updateTable('audit_events')
    .set({ address: null })
    .where((eb) =>
      eb.or([
        eb('actor_id', '=', userId),
        // Failed sign-ins and requested links.
        eb.and([eb('actor_id', 'is', null), eb('subject', '=', 'user'), eb('subject_id', '=', userId)]),
      ]),
    )
    .execute();
}

/** Blanks the recorded values of some records. The events stay, with their time and actor. */
export async function redactAuditedValues(trx: Trx, subject: string, ids: readonly number[]): Promise<void> {
  await inChunks(ids, (some) =>
    trx
      .updateTable('audit_events')
      .set({ before: null, after: null })
      .where('subject', '=', subject)
      .where('subject_id', 'in', some)
      .execute(),
  );
}

/** Every user an event concerns: the actor, the owner of the record, and the account itself. */
const ABOUT: RowSubjects = {
  people: [
    'audit_events.actor_id',
    'audit_events.person_id',
    sql`case when audit_events.subject = 'user' then audit_events.subject_id end`,
  ],
  school: 'audit_events.school_id',
};

// The audit table's trigger allows deleting rows older than this value, in the transaction that sets it.
const DELETABLE_BEFORE = 'audit-delete-before';

const oldRows = expiringRows({ table: 'audit_events', at: 'at', about: ABOUT });

/** Audit events, by age. */
export const expiredAuditEvents: ExpiringRows = {
  count: oldRows.count,
  remove: async (trx, batch) => {
    const { moment } = batch.until;
    await setServerState(trx, DELETABLE_BEFORE, moment, moment);
    const removed = await oldRows.remove(trx, batch);
    await deleteServerState(trx, DELETABLE_BEFORE);
    return removed;
  },
};

/** The client addresses in audit events, by age. They are blanked and the rows stay, which the table's trigger allows. */
export const expiredAuditAddresses: ExpiringRows = expiringRows({
  table: 'audit_events',
  at: 'at',
  blanked: 'address',
  about: ABOUT,
});

function toRow(actor: Actor, event: AuditEvent) {
  const personId = event.personId ?? (event.subject === 'user' ? event.subjectId : null);
  return {
    at: actor.at,
    actor_id: actor.userId,
    action: event.action,
    subject: event.subject,
    subject_id: event.subjectId,
    school_id: event.schoolId ?? null,
    // The index on person_id covers only events caused by other users.
    person_id: personId === actor.userId ? null : personId,
    before: event.before === undefined ? null : JSON.stringify(event.before),
    after: event.after === undefined ? null : JSON.stringify(event.after),
    address: actor.address,
    request_id: actor.requestId,
  };
}
