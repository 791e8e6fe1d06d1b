import type { Db, Trx } from '#server/db/database.ts';
import { translatedName } from '#server/db/queries/translated-name.ts';
import { forUpdate } from '#server/db/row-locks.ts';
import type { CalendarDate, Instant } from '#shared/calendar-date.ts';
import { initialState } from './store.ts';

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
export type ImportedEntryRow = Readonly<{
  user_id: number;
  school_id: number;
  activity_id: number;
  hours_hundredths: number;
  entry_date: CalendarDate;
  notes: string | null;
}>;

/** Adds entries in one statement, and returns them as they are stored. */
export async function insertImportedEntries(trx: Trx, entries: readonly ImportedEntryRow[], at: Instant) {
  return trx
    .insertInto('time_entries')
    .values(
      entries.map((entry) => ({ ...entry, created_at: at, verification: initialState(entry.school_id) })),
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

/** Marks entries deleted. */
export async function softDeleteEntries(
  trx: Trx,
  ids: readonly number[],
  deleted: { at: Instant; by: number | null },
): Promise<void> {
  await trx
    .updateTable('time_entries')
    .set((eb) => ({ deleted_at: deleted.at, deleted_by: deleted.by, version: eb('version', '+', 1) }))
    .where('id', 'in', ids)
    .execute();
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
