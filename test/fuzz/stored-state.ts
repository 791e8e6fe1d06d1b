import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { ACTIONS } from '#features/audit/contract.ts';
import { sessionAttemptSource } from '#features/auth/server/login-throttling.ts';
import type { Deps } from '#server/deps.ts';
import type { TestApp } from '#test/harness.ts';

/** Columns that a rejected request may change: the last use of a session, and counts of failures. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  sessions: 'last_used_at',
  users: 'failed_logins',
  known_devices: 'failed_logins',
};
/** Tables that count failures, of accounts and addresses and of the server. */
const COUNTERS = ['rate_limits', 'system_warnings'];

const FAILURES = Object.entries(ACTIONS).flatMap(([action, { kind }]) => (kind === 'fail' ? [action] : []));

/** A checksum of each table's rows by the table's name, without what a rejected request may change. */
export async function storedState({ deps }: TestApp): Promise<ReadonlyMap<string, string>> {
  const tables = await tablesOf(deps.database);
  if (deps.database.engine === 'postgres') return stateOnPostgres(deps, tables);
  const sums = tables.map(async (table) => {
    const { rows } = await sql<
      Record<string, unknown>
    >`select * from ${sql.table(table)} where ${isCompared(deps, table)}`.execute(deps.database.db);
    return [table, checksumOf(table, rows)] as const;
  });
  return new Map(await Promise.all(sums));
}

// PostgreSQL computes the checksums, because fetching all rows takes longer than the requests.
async function stateOnPostgres(deps: Deps, tables: readonly string[]) {
  const each = tables.map((table) => {
    const row = sql`to_jsonb(t) - ${sql.lit(`{${LEFT_OUT[table] ?? ''}}`)}::text[]`;
    return sql`select ${sql.lit(table)} as name, count(*) || ' rows, ' || coalesce(sum(hashtextextended((${row})::text, 0)), 0) as sum
      from ${sql.table(table)} t where ${isCompared(deps, table)}`;
  });
  const { rows } = await sql<{ name: string; sum: string }>`${sql.join(each, sql` union all `)}`.execute(
    deps.database.db,
  );
  return new Map(rows.map(({ name, sum }) => [name, sum]));
}

/** The row count of each table by its name. This is fast, and sees every administrator's change by its audit event. */
export async function storedCounts({ deps }: TestApp): Promise<ReadonlyMap<string, string>> {
  const tables = await tablesOf(deps.database);
  const each = tables.map(
    (table) =>
      sql`select ${sql.lit(table)} as name, count(*) as count from ${sql.table(table)} where ${isCompared(deps, table)}`,
  );
  const { rows } = await sql<{ name: string; count: number }>`${sql.join(each, sql` union all `)}`.execute(
    deps.database.db,
  );
  return new Map(rows.map(({ name, count }) => [name, `${count} rows`]));
}

function isCompared(deps: Deps, table: string) {
  if (table === 'audit_events') return sql`action not in (${sql.join(FAILURES.map((one) => sql.lit(one)))})`;
  // A wrong password in an open session is counted in a row of this table.
  if (table === 'known_devices') return sql`mark <> ${sql.lit(sessionAttemptSource(deps, 0).mark ?? '')}`;
  return sql`1 = 1`;
}

function checksumOf(table: string, rows: readonly Record<string, unknown>[]): string {
  const left = LEFT_OUT[table];
  const texts = rows.map((row) => JSON.stringify(row, (name, value) => (name === left ? undefined : value)));
  return `${texts.length} rows, ${hash('sha1', texts.join('\n'), 'base64').slice(0, 8)}`;
}

/** The tables that differ, with their checksums before and after. */
export function differences(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string[] {
  return [...after].flatMap(([table, sum]) =>
    before.get(table) === sum ? [] : [`${table}: ${before.get(table)} -> ${sum}`],
  );
}

const known = new WeakMap<TestApp['deps']['database'], string[]>();

async function tablesOf(database: TestApp['deps']['database']): Promise<string[]> {
  const found = known.get(database) ?? (await database.db.introspection.getTables()).map(({ name }) => name);
  known.set(database, found);
  return found.filter((name) => !COUNTERS.includes(name));
}
