import { type CompiledQuery, type Insertable, sql } from 'kysely';
import { type Database, type Db, transaction } from '#server/db/database.ts';
import type { Tables } from '#server/db/tables.ts';

// PostgreSQL allows 65,535 values per statement, SQLite 32,766; a row here has at most 15.
const PER_STATEMENT = 500;
const PER_TRANSACTION = 50_000;

/** A row to insert. */
export type NewRow<T extends keyof Tables> = Insertable<Tables[T]>;

type NumberedTable = 'schools' | 'categories' | 'activities' | 'users';

/**
 * Inserts many rows, in transactions of 50,000; returns how many. All rows must have the same columns in the same order. The
 * statement of a full chunk is reused, because compiling it costs more than running it.
 */
export async function insertRows<T extends keyof Tables>(
  database: Database,
  table: T,
  rows: Iterable<NewRow<T>>,
): Promise<number> {
  let full: CompiledQuery | undefined;
  let count = 0;
  const source = rows[Symbol.iterator]();
  for (let more = true; more; ) {
    await transaction(database, async (trx) => {
      for (let written = 0; more && written < PER_TRANSACTION; ) {
        const chunk = takeFrom(source, PER_STATEMENT);
        more = chunk.length === PER_STATEMENT;
        if (chunk.length === 0) return;
        const statement: CompiledQuery = (more ? full : undefined) ?? compileInsert(trx, table, chunk);
        if (more) full = statement;
        await trx.executeQuery({ ...statement, parameters: chunk.flatMap(valuesOf) });
        written += chunk.length;
        count += chunk.length;
      }
    });
  }
  return count;
}

/** Inserts rows and returns their ids, in the order of the rows. */
export async function insertNumbered<T extends NumberedTable>(
  database: Database,
  table: T,
  rows: readonly NewRow<T>[],
): Promise<number[]> {
  await insertRows(database, table, rows);
  const { rows: all } = await sql<{ id: number }>`select id from ${sql.table(table)} order by id`.execute(
    database.db,
  );
  return all.slice(-rows.length).map(({ id }) => id);
}

function compileInsert(db: Db, table: string, rows: readonly object[]): CompiledQuery {
  const columns = Object.keys(rows[0] ?? {}).map((column) => sql.ref(column));
  const values = rows.map((row) => sql`(${sql.join(valuesOf(row))})`);
  return sql`insert into ${sql.table(table)} (${sql.join(columns)}) values ${sql.join(values)}`.compile(db);
}

function valuesOf(row: object): unknown[] {
  return Object.values(row);
}

function takeFrom<T>(source: Iterator<T>, most: number): T[] {
  const taken: T[] = [];
  while (taken.length < most) {
    const { done, value } = source.next();
    if (done === true) break;
    taken.push(value);
  }
  return taken;
}
