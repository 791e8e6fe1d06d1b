import { emailKey } from '#features/users/contract.ts';
import { redactAuditedValues, redactUserFromAuditLog } from '#server/audit-log.ts';
import type { Db, Trx } from '#server/db/database.ts';
import type { Row } from '#server/db/tables.ts';
import type { Deps } from '#server/deps.ts';
import { allPages, type Column, type Person, type Section } from '#server/personal-data/data-export.ts';
import { exportableAuditValues } from './data-export-fields.ts';
import { findDeletedAccountValues, findInviteValues, listEventsOf } from './store.ts';

/** The audit events for a person's data export: what they did and what was done to them. */
export function exportPersonalData(db: Db, { id }: Person): readonly Section[] {
  return [{ name: 'record', pages: () => exportEvents(db, id) }];
}

/**
 * Redacts a person's values in the audit log: of the account, of deleted accounts with one of their addresses (such as one
 * whose import was undone), and of invitations to any of their addresses.
 */
export async function deletePersonalData(trx: Trx, _deps: Deps, person: Person): Promise<void> {
  await redactAuditedValues(trx, 'invite', findSubjectsWithAddress(person, await findInviteValues(trx)));
  const former = findSubjectsWithAddress(person, await findDeletedAccountValues(trx));
  for (const id of [person.id, ...former]) await redactUserFromAuditLog(trx, id);
}

export const DELETED_COLUMNS = [
  'audit_events.before',
  'audit_events.after',
  'audit_events.address',
] as const satisfies readonly Column[];

const EVENT_REASON = "the district's record of what happened; people appear under their current names";

export const RETAINED_COLUMNS = {
  'audit_events.actor_id': EVENT_REASON,
  'audit_events.action': EVENT_REASON,
  'audit_events.subject': EVENT_REASON,
  'audit_events.person_id': EVENT_REASON,
  'audit_events.request_id': 'a request number in the server log, which identifies no one',
} as const satisfies Partial<Record<Column, string>>;

async function* exportEvents(db: Db, userId: number) {
  for await (const rows of allPages(db, userId, listEventsOf))
    yield rows.map((row) => exportableAuditValues(userId, row));
}

// Returns the ids of subjects whose values contain one of a person's addresses.
function findSubjectsWithAddress(
  person: Person,
  rows: readonly Pick<Row<'audit_events'>, 'subject_id' | 'before' | 'after'>[],
): number[] {
  const theirs = rows.filter((row) =>
    listAddresses(row).some((address) => person.addresses.includes(address)),
  );
  return theirs.flatMap((row) => row.subject_id ?? []);
}

function listAddresses(row: Pick<Row<'audit_events'>, 'before' | 'after'>): string[] {
  return [row.before, row.after].flatMap((saved) => {
    const { email } = saved === null ? {} : JSON.parse(saved);
    return typeof email === 'string' ? [emailKey(email)] : [];
  });
}
