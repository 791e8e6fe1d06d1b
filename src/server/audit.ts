import type { Instant } from '#base/calendar-date.ts';
import type { Trx } from './db/connect.ts';

/** Who acts, when and from where, as the record keeps it. `userId` is null for the system and before sign-in. */
export type Actor = Readonly<{
  userId: number | null;
  at: Instant;
  address: string | null;
  requestId: string | null;
}>;

/** What happened to what. `before` and `after` hold what changed; never a password or a token. */
export type Deed = Readonly<{
  action: string;
  subject: string;
  subjectId: number | null;
  schoolId?: number | null;
  before?: unknown;
  after?: unknown;
}>;

/** Adds to the append-only record, in the transaction of the change itself. */
export async function record(trx: Trx, actor: Actor, deed: Deed): Promise<void> {
  await trx
    .insertInto('audit')
    .values({
      at: actor.at,
      actor_id: actor.userId,
      action: deed.action,
      subject: deed.subject,
      subject_id: deed.subjectId,
      school_id: deed.schoolId ?? null,
      before: deed.before === undefined ? null : JSON.stringify(deed.before),
      after: deed.after === undefined ? null : JSON.stringify(deed.after),
      address: actor.address,
      request_id: actor.requestId,
    })
    .execute();
}
