import { type RawBuilder, sql } from 'kysely';
import type { CalendarDate, Instant } from '#shared/calendar-date.ts';
import type { Db, Trx } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import { isUnderLegalHold, type RowSubjects } from './legal-hold-store.ts';

/** The cutoff: rows older than this moment, or of an earlier day, are deleted. */
export type Cutoff = Readonly<{ moment: Instant; day: CalendarDate }>;

/** The end of the previous batch: the age and key of its last row. */
export type BatchPosition = readonly [at: string, key: number | string];

/** Up to `limit` rows after a position. */
export type Batch = Readonly<{ until: Cutoff; after: BatchPosition | undefined; limit: number }>;

/** The number of rows that a batch removed, and the batch's `end`, which is undefined if no expired rows are left. */
export type BatchResult = Readonly<{ removed: number; end: BatchPosition | undefined }>;

/** The functions that a feature provides for its rows with a retention period. */
export type ExpiringRows = Readonly<{
  /** The number of expired rows without a legal hold. */
  count: (db: Db, until: Cutoff) => Promise<number>;
  /** Reads the oldest remaining rows and deletes those without a legal hold. */
  remove: (trx: Trx, batch: Batch) => Promise<BatchResult>;
}>;

/** A table with a retention period; `key` is unique, and indexed together with `at`. */
export type ExpiringTable = Readonly<{
  table: keyof Tables;
  at: string;
  /** Whether `at` is a day. */
  isDay?: boolean;
  key?: string;
  about?: RowSubjects;
  /** A filter, if not all rows expire. */
  only?: RawBuilder<boolean>;
  /** A legal hold that `about` does not cover. */
  hold?: RawBuilder<boolean>;
  /** The column to blank instead of deleting the row. */
  blanked?: string;
}>;

/** Deletes or blanks the expired rows of a table, except those under a legal hold. */
export function expiringRows(aged: ExpiringTable): ExpiringRows {
  return {
    count: (db, until) => countOld(db, aged, until),
    remove: (trx, batch) => removeOld(trx, aged, batch),
  };
}

async function countOld(db: Db, aged: ExpiringTable, until: Cutoff): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(aged.table)}
    where ${sql.join([isOld(aged, until), ...expirableRows(aged)], sql` and `)}`.execute(db);
  return Number(rows[0]?.count ?? 0);
}

async function removeOld(
  trx: Trx,
  aged: ExpiringTable,
  { until, after, limit }: Batch,
): Promise<BatchResult> {
  const { table, key = 'id', at, blanked } = aged;
  const [moment, id] = [sql.ref(`${table}.${at}`), sql.ref(`${table}.${key}`)];
  const old = [isOld(aged, until), ...(aged.only === undefined ? [] : [aged.only])];
  if (after !== undefined) old.push(sql<boolean>`(${moment}, ${id}) > (${after[0]}, ${after[1]})`);
  const { rows } = await sql<{ at: string; key: number | string }>`select ${moment} as at, ${id} as key
    from ${sql.table(table)} where ${sql.join(old, sql` and `)}
    order by ${moment}, ${id} limit ${limit}`.execute(trx);
  const last = rows.at(-1);
  const end = rows.length < limit || last === undefined ? undefined : ([last.at, last.key] as const);
  if (rows.length === 0) return { removed: 0, end };
  const change =
    blanked === undefined
      ? sql`delete from ${sql.table(table)}`
      : sql`update ${sql.table(table)} set ${sql.ref(blanked)} = null`;
  const done = await sql`${change} where ${sql.join(
    [sql<boolean>`${id} in (${sql.join(rows.map((row) => row.key))})`, ...expirableRows(aged)],
    sql` and `,
  )}`.execute(trx);
  return { removed: Number(done.numAffectedRows ?? 0n), end };
}

function isOld({ table, at, isDay = false }: ExpiringTable, until: Cutoff): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(`${table}.${at}`)} < ${isDay ? until.day : until.moment}`;
}

// Rows without a legal hold that are not blanked yet.
function expirableRows({ table, about, hold, only, blanked }: ExpiringTable): RawBuilder<boolean>[] {
  return [
    ...(only === undefined ? [] : [only]),
    ...(about === undefined ? [] : [sql<boolean>`not ${isUnderLegalHold(about)}`]),
    ...(hold === undefined ? [] : [sql<boolean>`not ${hold}`]),
    ...(blanked === undefined ? [] : [sql<boolean>`${sql.ref(`${table}.${blanked}`)} is not null`]),
  ];
}
