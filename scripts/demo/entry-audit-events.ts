import { ENTRY_FIELDS } from '#features/time-entries/time-entry-fields.ts';
import type { Database } from '#server/db/database.ts';
import type { Row } from '#server/db/tables.ts';
import { fromColumns } from '#shared/entity-fields.ts';
import { insertRows, type NewRow } from './insert-rows.ts';

const BATCH = 5_000;

/** Adds the audit events of the demo's entries, because `npm run doctor` reports entries that have none. */
export async function addAuditEvents(database: Database): Promise<void> {
  for (let last = 0, more = true; more; ) {
    const entries = await database.db
      .selectFrom('time_entries')
      .selectAll()
      .where('id', '>', last)
      .orderBy('id')
      .limit(BATCH)
      .execute();
    await insertRows(database, 'audit_events', entries.flatMap(auditEventsOf));
    last = entries.at(-1)?.id ?? last;
    more = entries.length === BATCH;
  }
}

function auditEventsOf(entry: Row<'time_entries'>): NewRow<'audit_events'>[] {
  const values = JSON.stringify(fromColumns(ENTRY_FIELDS, entry));
  const created = {
    at: entry.created_at,
    actor_id: entry.user_id,
    action: 'entry.log',
    subject: 'time-entry',
    subject_id: entry.id,
    school_id: entry.school_id,
    before: null,
    after: values,
    address: null,
    request_id: null,
  };
  if (entry.deleted_at === null) return [created];
  const deleted = { ...created, at: entry.deleted_at, action: 'entry.delete', before: values, after: null };
  return [created, deleted];
}
