import { ENTRY_FIELDS } from '#features/time-entries/time-entry-fields.ts';
import type { Database } from '#server/db/database.ts';
import type { Row } from '#server/db/tables.ts';
import { fromColumns } from '#shared/entity-fields.ts';
import { insertRows, type NewRow } from './insert-rows.ts';

const AT_ONCE = 5_000;

/**
 * Adds to the district log what the demo's entries would have left there: without it `npm run doctor` reports thousands of
 * entries that were written past the product.
 */
export async function recordEntries(database: Database): Promise<void> {
  for (let last = 0, more = true; more; ) {
    const entries = await database.db
      .selectFrom('time_entries')
      .selectAll()
      .where('id', '>', last)
      .orderBy('id')
      .limit(AT_ONCE)
      .execute();
    await insertRows(database, 'audit', entries.flatMap(recordsOf));
    last = entries.at(-1)?.id ?? last;
    more = entries.length === AT_ONCE;
  }
}

function recordsOf(entry: Row<'time_entries'>): NewRow<'audit'>[] {
  const values = JSON.stringify(fromColumns(ENTRY_FIELDS, entry));
  const deed = {
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
  if (entry.deleted_at === null) return [deed];
  const removal = { ...deed, at: entry.deleted_at, action: 'entry.delete', before: values, after: null };
  return [deed, removal];
}
