import type { Db, Trx } from '#server/db/database.ts';
import { translatedName } from '#server/db/queries/translated-name.ts';
import { forUpdate } from '#server/db/row-locks.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { type ColumnsOf, toColumns } from '#shared/entity-fields.ts';
import { ENTRY_FIELDS } from '../time-entry-fields.ts';
import { type EntryValues, initialState } from './store.ts';

const COLUMNS = [
  'id',
  'user_id',
  'school_id',
  'activity_id',
  'hours_hundredths',
  'entry_date',
  'notes',
  'verification',
] as const;

/** The row of an imported entry. */
export type ImportedEntryRow = ColumnsOf<typeof ENTRY_FIELDS>;

/** Adds entries in one statement, and returns them as they are stored. */
export async function insertImportedEntries(trx: Trx, entries: readonly EntryValues[], at: Instant) {
  return trx
    .insertInto('time_entries')
    .values(
      entries.map((entry) => ({
        ...toColumns(ENTRY_FIELDS, entry),
        created_at: at,
        verification: initialState(entry.schoolId),
      })),
    )
    .returning(COLUMNS)
    .execute();
}

/** Entries with their rows locked until the transaction ends. */
export async function lockImportedEntries(trx: Trx, ids: readonly number[]) {
  return forUpdate(
    trx,
    trx
      .selectFrom('time_entries')
      .select(COLUMNS)
      .select(['version', 'deleted_at', 'decided_at', 'reopen_asked_at', 'counted_hundredths'])
      .where('id', 'in', ids)
      .orderBy('id'),
  ).execute();
}

/** The activities among these whose hours are verified without a decision. */
export async function findTrustedActivities(trx: Trx, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = await trx
    .selectFrom('activities')
    .select('id')
    .where('id', 'in', ids)
    .where('verification', '=', 'trusted')
    .execute();
  return new Set(rows.map((row) => row.id));
}

/** The name and the verification terms of an existing school. */
export async function findSchoolVerificationTerms(db: Db, schoolId: number) {
  return db
    .selectFrom('schools')
    .select(['id', translatedName('schools').as('name'), 'verification', 'closed_before', 'late_after_days'])
    .where('id', '=', schoolId)
    .executeTakeFirstOrThrow();
}
