import { PostgresDialect, type PostgresDialectConfig, PostgresDriver } from 'kysely';
import pg from 'pg';
import type { Instant } from '#shared/calendar-date.ts';
import { CompilerForPostgres } from '../query-compilers.ts';
import { namedStatementClient } from './prepared-statements.ts';

/**
 * Converts a PostgreSQL timestamp in UTC: '2026-03-01 17:04:05.12+00' -> '2026-03-01T17:04:05.120Z'.
 * Truncates to milliseconds.
 */
export function instantFromPostgres(text: string): Instant {
  const [moment = '', fraction = ''] = text.replace('+00', '').split('.');
  return `${moment.replace(' ', 'T')}.${fraction.padEnd(3, '0').slice(0, 3)}Z` as Instant;
}

const CONNECT_TIMEOUT_MS = 5_000;
const KEEP_ALIVE_AFTER_MS = 10_000;
/** The error code of 'cannot execute ... in a read-only transaction', which a standby returns for a write. */
const READ_ONLY = '25006';

/** The first statement of every connection: read timestamps as UTC, whatever the server's time zone. */
const SET_UTC = `set time zone 'UTC'`;

/** How a pool's connections are initialized. */
export type ConnectionSetup = Readonly<{
  /** Statements that run first, such as limits. */
  settings?: readonly string[];
  /** Rejects a standby, because after a failover a host name may point to one for a while. */
  onlyLeader?: boolean;
}>;

/**
 * A PostgreSQL pool that reads numbers, days and instants as this product does; at most `max` connections,
 * opened on demand and closed after ten idle seconds.
 */
export function createPool(
  databaseUrl: string,
  max: number,
  { beginning = {}, ...more }: pg.PoolConfig & { beginning?: ConnectionSetup } = {},
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // A silently vanished database server must not block requests forever. There is no limit on a query
    // itself: a migration may take minutes.
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    types: { getTypeParser: parserOf },
    Client: namedStatementClient(),
    // Not in Kysely's hook, where a connection that breaks is never returned to the pool.
    onConnect: (client) => begin(client, beginning),
    ...more,
  });
  // A connection that breaks while idle, in the pool or inside a transaction, is replaced at its next use.
  // Without these listeners the error would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

// One message, so that a new connection costs one round trip.
async function begin(
  client: pg.ClientBase,
  { settings = [], onlyLeader = false }: ConnectionSetup,
): Promise<void> {
  const statements = [SET_UTC, ...settings, 'select pg_is_in_recovery() as is_standby'];
  const results = (await client.query(statements.join('; '))) as unknown as pg.QueryResult<{
    is_standby: boolean;
  }>[];
  if (onlyLeader && results.at(-1)?.rows[0]?.is_standby === true) {
    throw Object.assign(new Error('the database address points to a read-only replica'), { code: READ_ONLY });
  }
}

// By default the driver returns numbers as strings and days as Dates shifted by a time zone. Both engines
// must return the same values.
const OID = { int8: 20, numeric: 1700, date: 1082, timestamptz: 1184, json: 114 } as const;

function parserOf(oid: number, format?: 'text' | 'binary') {
  if (oid === OID.int8 || oid === OID.numeric) return Number;
  if (oid === OID.date || oid === OID.json) return (text: string) => text;
  if (oid === OID.timestamptz) return instantFromPostgres;
  return pg.types.getTypeParser(oid, format);
}

/** PostgreSQL through a pool whose connections may break. */
export class ReconnectingPostgresDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;

  constructor(config: PostgresDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver() {
    return new PatientPostgresDriver(this.#config);
  }

  override createQueryCompiler() {
    return new CompilerForPostgres();
  }
}

class PatientPostgresDriver extends PostgresDriver {
  // On a lost connection the rollback fails, but the server rolls back anyway; throw the original error.
  override async rollbackTransaction(connection: Parameters<PostgresDriver['rollbackTransaction']>[0]) {
    await super.rollbackTransaction(connection).catch(() => undefined);
  }
}
