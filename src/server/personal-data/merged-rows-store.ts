import { sql } from 'kysely';
import { inChunks } from '../db/chunks.ts';
import type { Db, Trx } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import type { Column } from './data-export.ts';

/** A merge of two accounts. `from` is removed, `into` survives. */
export type Merge = Readonly<{ id: number; from: number; into: number }>;

/** Encrypts and decrypts stored rows, since some contain secrets. */
export type RowEncryption = Readonly<{ seal: (text: string) => string; open: (sealed: string) => string }>;

/** A row with all of its columns, as the driver reads it. */
export type WholeRow = Readonly<Record<string, unknown>>;

/** A column that refers to a user, and the key of its table. */
export type UserColumn = Readonly<{ column: Column; key: string }>;

/** Moves an account's rows to the other account, and records which ones. Returns their number. */
export async function moveRows(trx: Trx, merge: Merge, { column, key }: UserColumn): Promise<number> {
  const { table, name } = parts(column);
  await sql`insert into account_merge_rows (merge_id, deed, place, row_id)
    select ${sql.lit(merge.id)}, 'moved', ${sql.lit(column)}, ${sql.ref(key)} from ${sql.table(table)}
    where ${sql.ref(name)} = ${merge.from} order by ${sql.ref(key)}`.execute(trx);
  const moved = await sql`update ${sql.table(table)} set ${sql.ref(name)} = ${merge.into}
    where ${sql.ref(name)} = ${merge.from}`.execute(trx);
  return Number(moved.numAffectedRows ?? 0n);
}

/** Moves rows back to their original account, except rows that belong to another user by now. */
export async function moveRowsBack(trx: Trx, merge: Merge, { column, key }: UserColumn): Promise<void> {
  const { table, name } = parts(column);
  await sql`update ${sql.table(table)} set ${sql.ref(name)} = ${merge.from}
    where ${sql.ref(name)} = ${merge.into} and ${sql.ref(key)} in (
      select row_id from account_merge_rows
      where merge_id = ${merge.id} and deed = 'moved' and place = ${column})`.execute(trx);
}

/** Removes a user's rows from a table and stores them encrypted. Returns them. */
export async function setAsideRows(
  trx: Trx,
  { seal }: RowEncryption,
  { merge, column, of }: { merge: Merge; column: Column; of: number },
): Promise<WholeRow[]> {
  const rows = await rowsOf(trx, column, of);
  await recordRows(
    trx,
    rows.map((row) => ({
      merge_id: merge.id,
      deed: 'aside',
      place: column,
      sealed: seal(JSON.stringify(row)),
    })),
  );
  await deleteRowsOf(trx, column, of);
  return rows;
}

/** Adds a row unless an equal one exists, and records it. */
export async function addMergedRow(
  trx: Trx,
  { seal }: RowEncryption,
  { merge, column, row }: { merge: Merge; column: Column; row: WholeRow },
): Promise<void> {
  if (!(await addRow(trx, column, row))) return;
  await recordRows(trx, [
    { merge_id: merge.id, deed: 'given', place: column, sealed: seal(JSON.stringify(row)) },
  ]);
}

/**
 * Removes added rows that have not changed, and restores rows that were set aside, each as returned by `toPutBack`; undefined
 * skips the row.
 */
export async function restoreSetAsideRows(
  trx: Trx,
  { open }: RowEncryption,
  merge: Merge,
  toPutBack: (column: Column, row: WholeRow) => WholeRow | undefined,
): Promise<void> {
  for (const { column, row } of await sealedRows(trx, merge.id, 'given', open)) {
    const same = Object.entries(row).map(
      ([name, value]) => sql`${sql.ref(name)} is not distinct from ${value}`,
    );
    await sql`delete from ${sql.table(parts(column).table)} where ${sql.join(same, sql` and `)}`.execute(trx);
  }
  for (const { column, row } of await sealedRows(trx, merge.id, 'aside', open)) {
    const now = toPutBack(column, row);
    if (now !== undefined && (await hasParents(trx, now))) await addRow(trx, column, now);
  }
}

/** The rows that a merge set aside for a column. */
export async function listSetAsideRows(
  db: Db,
  { open }: RowEncryption,
  { merge, column }: { merge: Merge; column: Column },
): Promise<WholeRow[]> {
  const rows = await sealedRows(db, merge.id, 'aside', open);
  return rows.filter((kept) => kept.column === column).map(({ row }) => row);
}

/** All of a user's rows of a table. */
export async function rowsOf(trx: Trx, column: Column, of: number): Promise<WholeRow[]> {
  const { table, name } = parts(column);
  const { rows } = await sql<WholeRow>`select * from ${sql.table(table)}
    where ${sql.ref(name)} = ${of}`.execute(trx);
  return rows;
}

/** Permanently deletes a user's rows of a table. */
export async function deleteRowsOf(trx: Trx, column: Column, of: number): Promise<void> {
  const { table, name } = parts(column);
  await sql`delete from ${sql.table(table)} where ${sql.ref(name)} = ${of}`.execute(trx);
}

/** Deletes the stored changes of merges, which can then no longer be undone. */
export async function deleteMergeHistory(trx: Trx, mergeIds: readonly number[]): Promise<void> {
  await inChunks(mergeIds, (some) =>
    trx.deleteFrom('account_merge_rows').where('merge_id', 'in', some).execute(),
  );
}

async function sealedRows(db: Db, mergeId: number, deed: 'aside' | 'given', open: RowEncryption['open']) {
  const rows = await db
    .selectFrom('account_merge_rows')
    .select(['place', 'sealed'])
    .where('merge_id', '=', mergeId)
    .where('deed', '=', deed)
    .execute();
  return rows.map(({ place, sealed }) => ({
    column: place as Column,
    row: JSON.parse(open(sealed ?? '')) as WholeRow,
  }));
}

// The parent of a row that was set aside may have been deleted.
const PARENTS = { school_id: 'schools', import_id: 'user_imports' } as const;

async function hasParents(trx: Trx, row: WholeRow): Promise<boolean> {
  for (const [name, table] of Object.entries(PARENTS)) {
    const id = row[name];
    if (id === undefined || id === null) continue;
    const { rows } = await sql`select 1 from ${sql.table(table)} where id = ${id}`.execute(trx);
    if (rows.length === 0) return false;
  }
  return true;
}

async function addRow(trx: Trx, column: Column, row: WholeRow): Promise<boolean> {
  const entries = Object.entries(row);
  const names = sql.join(entries.map(([name]) => sql.ref(name)));
  const values = sql.join(entries.map(([, value]) => value));
  const { numAffectedRows } = await sql`insert into ${sql.table(parts(column).table)} (${names})
    values (${values}) on conflict do nothing`.execute(trx);
  return Number(numAffectedRows ?? 0n) > 0;
}

type Note = Readonly<{ merge_id: number; deed: 'aside' | 'given'; place: string; sealed: string }>;

async function recordRows(trx: Trx, rows: readonly Note[]): Promise<void> {
  await inChunks(rows, (some) => trx.insertInto('account_merge_rows').values(some).execute());
}

function parts(column: Column): { table: keyof Tables; name: string } {
  const [table, name] = column.split('.') as [keyof Tables, string];
  return { table, name };
}
