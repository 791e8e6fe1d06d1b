import { sql } from 'kysely';
import type { Db, Trx } from '#server/db/database.ts';
import { forEachLanguageSql } from '#server/db/queries/translated-name.ts';
import type { CalendarDate, Instant } from '#shared/calendar-date.ts';
import { fromHundredths } from '#shared/hours.ts';
import { OWN_DATA_COLUMNS } from '../time-entry-fields.ts';
import type { Status } from '../verification-status.ts';

/** An entry in a user's data export: the fields of `OWN_DATA_COLUMNS`, its times, and its verification, if it has one. */
export type OwnEntry = Readonly<{ id: number; createdAt: Instant; deletedAt: Instant | null }> &
  Readonly<Record<string, unknown>>;

const ROWS_AT_ONCE = 500;

/** Reads a user's entries, except deleted ones, in pages ordered by day. */
export function readOwnEntries(db: Db, userId: number): AsyncGenerator<readonly OwnEntry[]> {
  const follows = (last: Row) =>
    sql`and (time_entries.entry_date, time_entries.id) > (${last.entry_date}, ${last.id})`;
  return readPages(db, userId, { kind: sql`is null`, order: sql`entry_date, time_entries.id`, follows });
}

/** Reads a user's deleted entries in pages ordered by id. A separate query, because deleted entries have their own index. */
export function readOwnDeletedEntries(db: Db, userId: number): AsyncGenerator<readonly OwnEntry[]> {
  const follows = (last: Row) => sql`and time_entries.id > ${last.id}`;
  return readPages(db, userId, { kind: sql`is not null`, order: sql`id`, follows });
}

/** Removes the external verifiers that a volunteer named. */
export async function clearNamedVerifiers(trx: Trx, userId: number): Promise<void> {
  await trx
    .updateTable('time_entries')
    .set({ external_verifier: null })
    .where('user_id', '=', userId)
    .where('external_verifier', 'is not', null)
    .execute();
}

type Row = Readonly<{
  id: number;
  entry_date: CalendarDate;
  created_at: Instant;
  deleted_at: Instant | null;
  verification: Status | null;
  counted_hundredths: number;
  decided_at: Instant | null;
  decided_by_external: string | null;
  decision_note: string | null;
  reopen_note: string | null;
  external_verifier: string | null;
}> &
  Readonly<Record<string, unknown>>;

type SqlFragment = ReturnType<typeof sql>;

async function* readPages(
  db: Db,
  userId: number,
  query: { kind: SqlFragment; order: SqlFragment; follows: (last: Row) => SqlFragment },
): AsyncGenerator<readonly OwnEntry[]> {
  let last: Row | undefined;
  do {
    const { rows } = await sql<Row>`${shownColumns()} where time_entries.user_id = ${userId}
      and time_entries.deleted_at ${query.kind} ${last === undefined ? sql`` : query.follows(last)}
      order by time_entries.${query.order} limit ${ROWS_AT_ONCE}`.execute(db);
    if (rows.length > 0) yield rows.map(toOwnEntry);
    last = rows.length < ROWS_AT_ONCE ? undefined : rows.at(-1);
  } while (last !== undefined);
}

function toOwnEntry(row: Row): OwnEntry {
  const values = OWN_DATA_COLUMNS.map(({ name, field, from }) => [
    name,
    from === undefined ? field.fromColumn(row[`own_${name}`]) : row[`own_${name}`],
  ]);
  return {
    id: row.id,
    ...Object.fromEntries(values),
    createdAt: row.created_at,
    deletedAt: row.deleted_at,
    ...(row.verification === null ? {} : { verification: exportVerification(row) }),
  };
}

// The verification of the hours. The name of the school's verifier is left out, as on the volunteer's screens.
function exportVerification(row: Row) {
  return {
    status: row.verification,
    hoursThatCount: fromHundredths(row.counted_hundredths),
    decidedAt: row.decided_at,
    decidedOutside: row.decided_by_external,
    decisionNote: row.decision_note,
    reopenNote: row.reopen_note,
    outsideVerifier: row.external_verifier,
  };
}

const shownColumns = forEachLanguageSql((shownIn) => {
  const selected = OWN_DATA_COLUMNS.map(({ name, field, from }) => {
    const [table, column] = (from ?? `time_entries.${field.column}`).split('.') as [string, string];
    return `${column === 'name' ? shownIn(table, column) : `${table}.${column}`} as "own_${name}"`;
  });
  return sql.raw(`select time_entries.id, time_entries.entry_date, time_entries.created_at,
    time_entries.deleted_at, time_entries.verification, time_entries.counted_hundredths,
    time_entries.decided_at, time_entries.decided_by_external, time_entries.decision_note, time_entries.reopen_note,
    time_entries.external_verifier, ${selected.join(', ')}
  from time_entries
  join activities on activities.id = time_entries.activity_id
  join categories on categories.id = activities.category_id
  join schools on schools.id = time_entries.school_id`);
});

/** Entries that are not deleted. */
export const isNotDeleted = sql<boolean>`time_entries.deleted_at is null`;

/** Deleted entries. */
export const isDeleted = sql<boolean>`time_entries.deleted_at is not null`;
