import { createInterface } from 'node:readline';
import BetterSqlite from 'better-sqlite3';
import { instantFromPostgres } from '../postgres/connection-pool.ts';
import { MIGRATION_TABLES } from './database-facts.ts';
import { runPostgresProgram } from './postgres-programs.ts';

/** A value in the form that both engines accept: instants as ISO strings, days as 'YYYY-MM-DD', images as bytes. */
export type Value = string | number | Uint8Array | null;

/** A table in a dump, with its columns and rows. */
export type DumpedTable = Readonly<{
  table: string;
  columns: readonly string[];
  rows: AsyncIterable<readonly Value[]>;
}>;

/** Reads all tables of a dump in sequence. Read one table's rows before the next table. */
export type DumpReader = Readonly<{
  tables: () => AsyncIterable<DumpedTable>;
  /** The last generated id, by table. */
  lastIds: () => Promise<ReadonlyMap<string, number>>;
}>;

/** Reads a SQLite dump. */
export function readSqliteDump(file: string): DumpReader {
  return {
    tables: async function* () {
      const dump = new BetterSqlite(file, { readonly: true, fileMustExist: true });
      try {
        for (const table of tablesOf(dump)) {
          const select = dump.prepare<[], Value[]>(`select * from "${table}"`).raw();
          const columns = select.columns().map(({ name }) => name);
          yield { table, columns, rows: asAsync(select.iterate()) };
        }
      } finally {
        dump.close();
      }
    },
    lastIds: async () => {
      const dump = new BetterSqlite(file, { readonly: true, fileMustExist: true });
      try {
        const rows = dump
          .prepare<[], { name: string; seq: number }>('select name, seq from sqlite_sequence')
          .all();
        return new Map(rows.map(({ name, seq }) => [name, seq]));
      } finally {
        dump.close();
      }
    },
  };
}

/** Reads a PostgreSQL dump without a server: pg_restore turns it into text. */
export function readPostgresDump(file: string): DumpReader {
  return {
    tables: async function* () {
      const types = await columnTypesOf(file);
      const program = runPostgresProgram('pg_restore', ['--data-only', '--file=-', file]);
      const lines = createInterface({ input: program.stdout, crlfDelay: Number.POSITIVE_INFINITY })[
        Symbol.asyncIterator
      ]();
      for (let line = await lines.next(); line.done !== true; line = await lines.next()) {
        const [, table, list = ''] = /^COPY public\.(\w+) \((.*)\) FROM stdin;$/.exec(line.value) ?? [];
        if (table === undefined) continue;
        const columns = list.split(', ').map((name) => name.replaceAll('"', ''));
        const read = columns.map((column) => readerOf(types.get(`${table}.${column}`) ?? 'text'));
        const rows = copiedRows(lines, read);
        if (MIGRATION_TABLES.includes(table)) for await (const _row of rows);
        else yield { table, columns, rows };
      }
      await program.finished;
    },
    lastIds: async () => {
      const program = runPostgresProgram('pg_restore', ['--data-only', '--file=-', file]);
      const ids = new Map<string, number>();
      for await (const line of createInterface({ input: program.stdout })) {
        const found = /setval\('public\.(\w+)_id_seq', (\d+), true\)/.exec(line);
        if (found?.[1] !== undefined) ids.set(found[1], Number(found[2]));
      }
      await program.finished;
      return ids;
    },
  };
}

function tablesOf(dump: BetterSqlite.Database): string[] {
  return dump
    .prepare<[], { name: string }>(
      `select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\' order by name`,
    )
    .all()
    .map(({ name }) => name)
    .filter((name) => !MIGRATION_TABLES.includes(name));
}

async function* asAsync<Row>(rows: Iterable<Row>): AsyncGenerator<Row> {
  yield* rows;
}

// 'users.created_at' -> 'timestamp with time zone', from the dump's own `create table` statements.
async function columnTypesOf(file: string): Promise<ReadonlyMap<string, string>> {
  const program = runPostgresProgram('pg_restore', ['--schema-only', '--file=-', file]);
  const types = new Map<string, string>();
  let table: string | undefined;
  for await (const line of createInterface({ input: program.stdout })) {
    table = /^CREATE TABLE public\.(\w+) \($/.exec(line)?.[1] ?? (line === ');' ? undefined : table);
    const column =
      /^ {4}"?(\w+)"? (timestamp\(3\) with time zone|date|bytea|bigint|smallint|integer|text)/.exec(line);
    if (table !== undefined && column?.[1] !== undefined)
      types.set(`${table}.${column[1]}`, column[2] ?? 'text');
  }
  await program.finished;
  return types;
}

async function* copiedRows(lines: AsyncIterator<string>, read: readonly ((text: string) => Value)[]) {
  for (let line = await lines.next(); line.done !== true && line.value !== '\\.'; line = await lines.next()) {
    yield line.value
      .split('\t')
      .map((field, at) => (field === '\\N' ? null : (read[at]?.(plain(field)) ?? null)));
  }
}

function readerOf(type: string): (text: string) => Value {
  if (type === 'bigint' || type === 'smallint' || type === 'integer') return Number;
  if (type === 'bytea') return (text) => Buffer.from(text.slice(2), 'hex');
  if (type.startsWith('timestamp')) return instantFromPostgres;
  return (text) => text;
}

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

// The escapes of PostgreSQL's COPY format.
function plain(field: string): string {
  return field.includes('\\')
    ? field.replace(/\\(.)/gs, (_, letter: string) => ESCAPES[letter] ?? letter)
    : field;
}
