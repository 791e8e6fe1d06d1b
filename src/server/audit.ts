import { type RawBuilder, sql } from 'kysely';
import type { Instant } from '#base/calendar-date.ts';
import { inChunks } from './db/chunks.ts';
import type { Trx } from './db/connect.ts';
import { writeBoth } from './db/write-both.ts';

/** Who acts, when and from where, as the record keeps it. `userId` is null for the system and before sign-in. */
export type Actor = Readonly<{
  userId: number | null;
  at: Instant;
  address: string | null;
  requestId: string | null;
}>;

/**
 * What happened to what. `action` is one of the audit room's ACTIONS. `before` and `after` hold the thing as it was and
 * as it is; never a password or a token. `personId` is whose thing it is: of an account it need not be said.
 */
export type Deed = Readonly<{
  action: string;
  subject: string;
  subjectId: number | null;
  schoolId?: number | null;
  personId?: number | null;
  before?: unknown;
  after?: unknown;
}>;

/** Adds to the append-only record, in the transaction of the change itself. */
export async function record(trx: Trx, actor: Actor, deed: Deed): Promise<void> {
  await trx.insertInto('audit').values(asRow(actor, deed)).execute();
}

/**
 * Runs a write that answers its row, and adds it to the record with that row's id: for what is done most, since it is
 * one statement where the engine can. Answers the row; nothing, and no record of it, when the write found none.
 */
export function recordWrite<Row extends { id: number }>(
  trx: Trx,
  actor: Actor,
  write: RawBuilder<Row>,
  deed: Omit<Deed, 'subjectId'>,
): Promise<Row | undefined> {
  const { subject_id, ...values } = asRow(actor, { ...deed, subjectId: null });
  const columns = Object.keys(values).map((column) => sql.ref(column));
  return writeBoth(
    trx,
    write,
    ({ id, from }) =>
      sql`insert into audit (${sql.join(columns)}, subject_id) select ${sql.join(Object.values(values))}, ${id} ${from}`,
  );
}

/** Adds many deeds at once. */
export async function recordAll(trx: Trx, actor: Actor, deeds: readonly Deed[]): Promise<void> {
  await inChunks(deeds, (some) =>
    trx
      .insertInto('audit')
      .values(some.map((deed) => asRow(actor, deed)))
      .execute(),
  );
}

/**
 * Blanks what the record says of a person who is erased: the values around the account and its invitations, and the
 * addresses that the person came from. That it happened, when, and to which id stays.
 */
export async function blankPerson(trx: Trx, userId: number, inviteIds: readonly number[]): Promise<void> {
  await trx
    .updateTable('audit')
    .set({ before: null, after: null })
    .where((eb) =>
      eb.or([
        eb.and([eb('subject', '=', 'user'), eb('subject_id', '=', userId)]),
        eb.and([eb('subject', '=', 'invite'), eb('subject_id', 'in', inviteIds)]),
      ]),
    )
    .execute();
  await trx
    .updateTable('audit')
    .set({ address: null })
    .where((eb) =>
      eb.or([
        eb('actor_id', '=', userId),
        // Sign-ins that failed, and links that were asked for.
        eb.and([eb('actor_id', 'is', null), eb('subject', '=', 'user'), eb('subject_id', '=', userId)]),
      ]),
    )
    .execute();
}

function asRow(actor: Actor, deed: Deed) {
  const personId = deed.personId ?? (deed.subject === 'user' ? deed.subjectId : null);
  return {
    at: actor.at,
    actor_id: actor.userId,
    action: deed.action,
    subject: deed.subject,
    subject_id: deed.subjectId,
    school_id: deed.schoolId ?? null,
    // The index of persons is for what others did.
    person_id: personId === actor.userId ? null : personId,
    before: deed.before === undefined ? null : JSON.stringify(deed.before),
    after: deed.after === undefined ? null : JSON.stringify(deed.after),
    address: actor.address,
    request_id: actor.requestId,
  };
}
