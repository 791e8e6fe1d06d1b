import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Migration, type MigrationResultSet, Migrator } from 'kysely/migration';
import type { Instant } from '#shared/calendar-date.ts';
import { errorMessage } from '#shared/errors.ts';
import { VERSION } from '../version.ts';
import type { Engine } from './column-types.ts';
import { type Database, DatabaseError, transaction, UpdateFailed } from './database.ts';
import { databaseFailure, isLockTimeout, isTemporaryFailure } from './database-errors.ts';
import { up as baseline } from './migrations/0001-baseline.ts';
import { getServerState, setServerState } from './server-state.ts';

const MIGRATIONS_TABLE = 'schema_migrations';
// No migration depends on the machine's clock.
const NEVER = '1970-01-01T00:00:00.000Z' as Instant;

type Migrate = ((db: Parameters<Migration['up']>[0], engine: Engine) => Promise<void>) & {
  /** Set if the migration only adds what servers of the previous version do not use, so that they can keep running. */
  rolls?: true;
};

/** Marks a migration that servers of the previous version tolerate, so that servers can be updated one by one. */
export const rolling = (up: Migrate): Migrate =>
  Object.assign((...given: Parameters<Migrate>) => up(...given), { rolls: true } as const);

/** The `server_state` row that names the newest migration every server of the database must know. */
const MUST_KNOW = 'must-know';
// Wait only briefly, then retry: while a rolling migration waits for a table lock, requests that need the table queue behind
// it.
const LOCK_WAIT = { seconds: 2, times: 30, pauseMs: 500 } as const;

/** The numbered, forward-only migrations by name. Tests add those of a later version. */
export const migrations: Record<string, Migrate> = { '0001-baseline': baseline };

/** The first migration of databases from before the baseline. */
const BEFORE_BASELINE = '0001-start';

/** The names of all migrations, in order. */
export const migrationNames = (): readonly string[] => Object.keys(migrations);

/** The names of migrations that servers of the previous version tolerate. */
export const rollingMigrations = (): readonly string[] =>
  migrationNames().filter((name) => migrations[name]?.rolls === true);

/** Whether all of these migrations may run while servers of the previous version are running. */
export function canRollUpdate(names: readonly string[]): boolean {
  return names.every((name) => rollingMigrations().includes(name));
}

/**
 * Migrates the database to the newest migration, or to `upTo` (for tests), under a lock and in one transaction. Returns the
 * names of the applied migrations: none if the database is up to date, or if a newer version migrated it. Throws
 * `DatabaseError`. `app/server/update.ts` copies the database first.
 */
export async function migrate(
  database: Database,
  options: { upTo?: string } = {},
): Promise<readonly string[]> {
  const run = (db: Database['db']) => {
    const migrator = new Migrator({
      db,
      provider: { getMigrations: async () => migrationsFor(database.engine) },
      migrationTableName: MIGRATIONS_TABLE,
      migrationLockTableName: 'schema_migrations_lock',
    });
    return options.upTo === undefined ? migrator.migrateToLatest() : migrator.migrateTo(options.upTo);
  };
  if (await isNewer(database)) return [];
  // Kysely begins no transaction on SQLite itself, where transactions share commits.
  const attempt = () => (database.engine === 'sqlite' ? inTransaction(database, run) : run(database.db));
  let { error, results = [] } = await attempt();
  for (let times = 1; isLockTimeout(error) && times < LOCK_WAIT.times; times += 1) {
    await setTimeout(LOCK_WAIT.pauseMs);
    ({ error, results = [] } = await attempt());
  }
  if (error !== undefined) {
    // A lock or an unreachable database is temporary. Anything else would fail again.
    const Kind = isTemporaryFailure(databaseFailure(error)) ? DatabaseError : UpdateFailed;
    throw new Kind(
      `The update to ${VERSION} failed; nothing was changed (${errorMessage(error)}). Start the previous version.`,
    );
  }
  return results.map((result) => result.migrationName);
}

async function inTransaction(database: Database, run: (db: Database['db']) => Promise<MigrationResultSet>) {
  let outcome: MigrationResultSet = {};
  const work = transaction(database, async (trx) => {
    outcome = await run(trx);
    if (outcome.error !== undefined) throw outcome.error;
  });
  await work.catch((error: unknown) => {
    outcome = { ...outcome, error };
  });
  return outcome;
}

function migrationsFor(engine: Engine): Record<string, Migration> {
  return Object.fromEntries(
    Object.entries(migrations).map(([name, up]) => [
      name,
      {
        up: async (db) => {
          const wait = up.rolls === true ? `${LOCK_WAIT.seconds}s` : '0';
          if (engine === 'postgres') await sql`select set_config('lock_timeout', ${wait}, true)`.execute(db);
          await up(db, engine);
          await setServerState(db, MUST_KNOW, mustKnowAfter(name), NEVER);
        },
      },
    ]),
  );
}

function mustKnowAfter(name: string): string {
  const upTo = migrationNames().filter((one) => one <= name);
  return upTo.findLast((one) => !rollingMigrations().includes(one)) ?? name;
}

/** Throws `DatabaseError` if the database needs an update, which only a start performs, or if `isNewer` throws. */
export async function requireUpToDate(database: Database): Promise<void> {
  if (await isNewer(database)) return;
  const applied = await appliedMigrations(database);
  if (migrationNames().every((name) => applied.includes(name))) return;
  throw new DatabaseError('The database needs an update. Run npm start once, then this command again.');
}

/**
 * Whether a newer version has changed the tables in a way that this version tolerates. Throws `DatabaseError` if this version
 * does not tolerate it, or if that is unknown, as after a restore, because this version would write wrong rows.
 */
export async function isNewer(database: Pick<Database, 'db'>): Promise<boolean> {
  const applied = await appliedMigrations(database);
  if (applied.includes(BEFORE_BASELINE)) {
    throw new UpdateFailed(
      'The database is from before version 1.0.0 and cannot be updated. Start with an empty DATA_DIR or database.',
    );
  }
  const unknown = applied.filter((name) => !migrationNames().includes(name));
  if (unknown.length === 0) return false;
  const isComplete = migrationNames().every((name) => applied.includes(name));
  const mustKnow = isComplete ? await getServerState(database.db, MUST_KNOW) : undefined;
  if (mustKnow !== undefined && migrationNames().includes(mustKnow)) return true;
  throw new UpdateFailed(
    `The database was made by a newer version of this program (${unknown.join(', ')}). Start that version, or restore a backup from before the update.`,
  );
}

/** Whether a newer version has changed the tables since this server started, in a way that this server does not tolerate. */
export async function isOutdated(db: Database['db']): Promise<boolean> {
  const mustKnow = await getServerState(db, MUST_KNOW);
  return mustKnow !== undefined && !migrationNames().includes(mustKnow);
}

/** The names of the applied migrations, in order; none when the database is empty. */
export async function appliedMigrations({ db }: Pick<Database, 'db'>): Promise<readonly string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === MIGRATIONS_TABLE)) return [];
  const rows = await sql<{
    name: string;
  }>`select name from ${sql.table(MIGRATIONS_TABLE)} order by name`.execute(db);
  return rows.rows.map((row) => row.name);
}
