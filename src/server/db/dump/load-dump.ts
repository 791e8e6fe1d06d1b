import { copyFileSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import pg from 'pg';
import { errorMessage } from '#shared/errors.ts';
import type { Engine } from '../column-types.ts';
import { DatabaseError, SQLITE_FILE, withDatabase } from '../database.ts';
import { migrate, migrationNames } from '../migrate.ts';
import type { DatabaseLocation } from '../snapshot.ts';
import { type DumpReader, readPostgresDump, readSqliteDump, type Value } from './dump-rows.ts';
import { runPostgresProgram } from './postgres-programs.ts';

const PARAMETERS_AT_ONCE = 20_000;

/** PostgreSQL code that drops all tables and functions, except those of extensions. */
export const EMPTY_THE_SCHEMA = `do $$ declare statement text; begin
  for statement in
    select 'drop table ' || oid::regclass || ' cascade' from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
    union all
    select 'drop function ' || oid::regprocedure || ' cascade' from pg_proc
      where pronamespace = 'public'::regnamespace and prokind = 'f' and not exists (
        select from pg_depend where objid = pg_proc.oid and classid = 'pg_proc'::regclass and deptype = 'e')
  loop execute statement; end loop;
end $$;`;

/** Whether a database exists: a SQLite file that is not empty, or a table, view or sequence in PostgreSQL. */
export async function hasDatabase({ databaseUrl, dataDir }: DatabaseLocation): Promise<boolean> {
  // A copy on a full disk leaves an empty file, which SQLite would turn into a new district.
  if (databaseUrl === undefined)
    return (statSync(join(dataDir, SQLITE_FILE), { throwIfNoEntry: false })?.size ?? 0) > 0;
  return withClient(databaseUrl, async (client) => {
    const { rowCount } = await client.query(
      `select from pg_class join pg_namespace on pg_namespace.oid = relnamespace
       where nspname = 'public' and relkind in ('r', 'p', 'v', 'S') limit 1`,
    );
    return rowCount !== 0;
  });
}

/** Loads a dump into an empty location, on either engine. Throws `DatabaseError` and removes what it created. */
export async function loadDump(
  dump: Readonly<{ engine: Engine; file: string; migration: string }>,
  place: DatabaseLocation,
): Promise<void> {
  if (!migrationNames().includes(dump.migration)) {
    throw new DatabaseError(
      'The backup is of a newer version of this program. Update the program, then restore.',
    );
  }
  const { databaseUrl, dataDir } = place;
  try {
    if (databaseUrl === undefined) await loadSqlite(dump, dataDir);
    else await loadPostgres(dump, databaseUrl, dataDir);
  } catch (error) {
    await removeLoadedDatabase(place);
    throw error;
  }
}

/** Removes a database from a location that was empty before. */
export async function removeLoadedDatabase({ databaseUrl, dataDir }: DatabaseLocation): Promise<void> {
  if (databaseUrl === undefined) {
    for (const end of ['', '-wal', '-shm']) rmSync(join(dataDir, `${SQLITE_FILE}${end}`), { force: true });
    return;
  }
  await withClient(databaseUrl, (client) => client.query(EMPTY_THE_SCHEMA));
}

type Source = Readonly<{ engine: Engine; file: string; migration: string }>;

const readerOf = ({ engine, file }: Source): DumpReader =>
  engine === 'sqlite' ? readSqliteDump(file) : readPostgresDump(file);

async function loadSqlite(dump: Source, dataDir: string): Promise<void> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (dump.engine === 'sqlite') {
    copyFileSync(dump.file, join(dataDir, SQLITE_FILE));
    return;
  }
  const empty = { databaseUrl: undefined, dataDir };
  await withDatabase(empty, (database) => migrate(database, { upTo: dump.migration }));
  const file = new BetterSqlite(join(dataDir, SQLITE_FILE));
  try {
    await fillSqlite(file, readerOf(dump));
  } finally {
    file.close();
  }
}

async function fillSqlite(file: BetterSqlite.Database, dump: DumpReader): Promise<void> {
  file.pragma('foreign_keys = OFF');
  file.exec('begin immediate');
  // The dump already contains the rows that triggers would write.
  const triggers = file
    .prepare<[], { name: string; sql: string }>(`select name, sql from sqlite_schema where type = 'trigger'`)
    .all();
  for (const { name } of triggers) file.exec(`drop trigger "${name}"`);
  for await (const { table, columns, rows } of dump.tables()) {
    file.exec(`delete from "${table}"`);
    const names = columns.map((column) => `"${column}"`).join(', ');
    const insert = file.prepare(
      `insert into "${table}" (${names}) values (${columns.map(() => '?').join(', ')})`,
    );
    for await (const row of rows) insert.run(...row);
  }
  const setLastId = file.prepare('update sqlite_sequence set seq = max(seq, ?) where name = ?');
  const addLastId = file.prepare('insert into sqlite_sequence (name, seq) values (?, ?)');
  for (const [table, id] of await dump.lastIds()) {
    if (setLastId.run(id, table).changes === 0) addLastId.run(table, id);
  }
  for (const { sql } of triggers) file.exec(sql);
  const [orphan] = file.pragma('foreign_key_check') as { table: string }[];
  if (orphan !== undefined)
    throw new DatabaseError(`The backup is damaged: rows of ${orphan.table} refer to nothing`);
  file.exec('commit');
}

async function loadPostgres(dump: Source, databaseUrl: string, dataDir: string): Promise<void> {
  if (dump.engine === 'postgres') {
    const args = ['--no-owner', '--no-privileges', '--exit-on-error', '--single-transaction', '--dbname='];
    const program = runPostgresProgram('pg_restore', [...args, dump.file], databaseUrl);
    program.stdout.resume();
    await program.finished;
    return;
  }
  const empty = { databaseUrl, dataDir };
  await withDatabase(empty, (database) => migrate(database, { upTo: dump.migration }));
  await withClient(databaseUrl, (client) => fillPostgres(client, readerOf(dump)));
}

async function fillPostgres(client: pg.Client, dump: DumpReader): Promise<void> {
  await client.query(`set time zone 'UTC'`);
  await client.query('begin');
  // The dump already contains the rows that triggers would write, and foreign keys may reject the order of its rows.
  const keys = await client.query<{ name: string; owner: string; definition: string }>(
    `select quote_ident(conname) as name, conrelid::regclass::text as owner, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
  );
  for (const { name, owner } of keys.rows) await client.query(`alter table ${owner} drop constraint ${name}`);
  for await (const { table, columns, rows } of dump.tables()) {
    await client.query(`alter table "${table}" disable trigger user`);
    await client.query(`delete from "${table}"`);
    let waiting: (readonly Value[])[] = [];
    for await (const row of rows) {
      waiting.push(row);
      if (waiting.length * columns.length < PARAMETERS_AT_ONCE) continue;
      await insertRows(client, table, columns, waiting);
      waiting = [];
    }
    await insertRows(client, table, columns, waiting);
    await client.query(`alter table "${table}" enable trigger user`);
  }
  for (const [table, id] of await dump.lastIds()) {
    await client.query(`select setval(pg_get_serial_sequence($1, 'id'), $2, true)`, [table, Math.max(1, id)]);
  }
  for (const { name, owner, definition } of keys.rows) {
    await client.query(`alter table ${owner} add constraint ${name} ${definition}`);
  }
  await client.query('commit');
}

async function insertRows(
  client: pg.Client,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly Value[])[],
): Promise<void> {
  if (rows.length === 0) return;
  const names = columns.map((column) => `"${column}"`).join(', ');
  const places = rows
    .map((_, row) => `(${columns.map((_name, at) => `$${row * columns.length + at + 1}`).join(', ')})`)
    .join(', ');
  await client.query(`insert into "${table}" (${names}) values ${places}`, rows.flat());
}

async function withClient<Result>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    const reason = errorMessage(error);
    throw new DatabaseError(`DATABASE_URL: the database could not be filled (${reason})`);
  } finally {
    await client.end().catch(() => undefined);
  }
}
