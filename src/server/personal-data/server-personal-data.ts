import type { Db, Trx } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { deleteEmailsTo, emailsTo } from '../email/outbox.ts';
import { deleteRepliesOf } from '../http/idempotency.ts';
import { deleteCountersOf } from '../http/rate-limit.ts';
import type { Column, Person, Section } from './data-export.ts';

// What is kept about people below all rooms: letters, replies for repeats, and counted tries.

/** What a person's download holds of letters. */
export function ownDataOf(db: Db, { id }: Person): readonly Section[] {
  return [{ name: 'mail', read: () => emailsTo(db, id) }];
}

/** Forgets letters to a person, replies that name them, and what was tried at their addresses. */
export async function forgetPerson(trx: Trx, deps: Deps, person: Person): Promise<void> {
  await deleteEmailsTo(trx, deps, person);
  await deleteRepliesOf(trx, deps, person);
  // What an account tried is counted under its id; networks, which end in dots or slashes, are never taken for one.
  await deleteCountersOf(trx, [...person.addresses, String(person.id)]);
}

export const FORGETS = [
  'mail.user_id',
  'mail.message_id',
  'mail.kind',
  'mail.sealed',
  'mail.failure',
  'idempotency_keys.owner',
  'idempotency_keys.key',
  'idempotency_keys.fingerprint',
  'idempotency_keys.reply',
  'idempotency_keys.made_id',
  'try_limits.key',
] as const satisfies readonly Column[];

export const KEEPS = {} as const satisfies Partial<Record<Column, string>>;
