import type { Db, Trx } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { deleteEmailsTo, emailsTo } from '../email/outbox.ts';
import { deleteRepliesOf } from '../http/idempotency.ts';
import { deleteCountersOf } from '../http/rate-limit.ts';
import type { Column, Person, Section } from './data-export.ts';

// The personal data of the server layer: emails, stored replies, and rate limit counters.

/** The emails in a user's data export. */
export function exportPersonalData(db: Db, { id }: Person): readonly Section[] {
  return [{ name: 'mail', read: () => emailsTo(db, id) }];
}

/** Deletes emails to a user, stored replies that contain them, and the rate limit counters of their addresses. */
export async function deletePersonalData(trx: Trx, deps: Deps, person: Person): Promise<void> {
  await deleteEmailsTo(trx, deps, person);
  await deleteRepliesOf(trx, deps, person);
  // The account's attempts are counted under its id, which never equals a network's key, because those end in a dot or slash.
  await deleteCountersOf(trx, [...person.addresses, String(person.id)]);
}

export const DELETED_COLUMNS = [
  'emails.user_id',
  'emails.message_id',
  'emails.kind',
  'emails.sealed',
  'emails.failure',
  'idempotency_keys.owner',
  'idempotency_keys.key',
  'idempotency_keys.fingerprint',
  'idempotency_keys.reply',
  'idempotency_keys.made_id',
  'rate_limits.key',
] as const satisfies readonly Column[];

export const RETAINED_COLUMNS = {} as const satisfies Partial<Record<Column, string>>;
