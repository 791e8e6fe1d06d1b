import { setTimeout as pause } from 'node:timers/promises';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  type QueryResult,
  sql,
} from 'kysely';
import type pg from 'pg';
import { databaseFailure } from './failures.ts';
import { connectionsFor, type LaneName, limitsOf } from './lanes.ts';
import { poolOf } from './pool.ts';
import { CompilerForPostgres } from './query-compilers.ts';
import { type LogPlace, readPoint } from './read-point.ts';
import type { Tables } from './tables.ts';

type Db = Kysely<Tables>;

/** The standby that lists and reports are read from, and how far it may be behind. */
export type StandbySettings = Readonly<{
  url: string;
  lagSeconds: number;
  /** Is told when the standby begins or ceases to be read from. */
  tell: (state: StandbyState) => void;
}>;

/**
 * `used`: reads go there. `behind`: it lags more than it may. `gone`: it does not answer. In the last two the leader
 * answers. `lagSeconds` is null while that is unknown; `reads` counts the queries that the standby answered.
 */
export type StandbyState = Readonly<{
  is: 'used' | 'behind' | 'gone';
  lagSeconds: number | null;
  reads: number;
}>;

/** A standby of an open database. */
export type Standby = Readonly<{
  /** Reads of a lane: at the standby where it has what the request must see, else at the leader. No transactions. */
  readsOf: (lane: LaneName, leader: Db) => Db;
  state: () => StandbyState;
  close: () => Promise<void>;
}>;

const LOOK_EVERY_MS = 1_000;
const ANSWER_MS = 2_000;
const LATE_MS = 2_000;

/** How far a server's log goes, and which district's log it is: places of another one say nothing. */
export type LogSeen = Readonly<{ place: LogPlace; of: string }>;

const OF = `(select system_identifier from pg_control_system()) || ' ' || current_database() as "of"`;
// What the server of a connection has: replayed, or, where a standby has taken over, confirmed.
const REPLAYED = `select pg_wal_lsn_diff(case when pg_is_in_recovery() then pg_last_wal_replay_lsn()
  else pg_current_wal_flush_lsn() end, '0/0') as place, ${OF}`;

/** How far the leader has confirmed. */
export async function confirmedBy(leader: Db): Promise<LogSeen> {
  const asked = sql<LogSeen>`select pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0') as place, ${sql.raw(OF)}`;
  const [seen] = (await asked.execute(leader)).rows;
  if (seen === undefined) throw new Error('the leader did not say how far it is');
  return seen;
}

/** Whether the standby of a connection has replayed what the leader had confirmed. Throws when it is no standby of it. */
export async function hasReplayed(client: pg.ClientBase, confirmed: LogSeen): Promise<boolean> {
  return (await replayedBy(client, confirmed.of)) >= confirmed.place;
}

async function replayedBy(client: pg.ClientBase, of: string | undefined): Promise<LogPlace> {
  const [seen] = (await client.query<LogSeen>(REPLAYED)).rows;
  if (seen?.of !== of) throw new Error('DATABASE_READ_URL is no standby of DATABASE_URL');
  return seen?.place ?? Number.NEGATIVE_INFINITY;
}

/** How a standby is, for a program that reads nothing from it. */
export async function standbyNow(url: string, leader: Db): Promise<StandbyState['is']> {
  const pool = poolOf(url, 1, { connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS });
  try {
    const confirmed = await confirmedBy(leader);
    const client = await pool.connect();
    const isThere = await hasReplayed(client, confirmed).finally(() => client.release());
    // What was confirmed in this moment may be on its way.
    return isThere || (await pause(LATE_MS).then(() => again(pool, confirmed))) ? 'used' : 'behind';
  } catch {
    return 'gone';
  } finally {
    await pool.end();
  }
}

async function again(pool: pg.Pool, confirmed: LogSeen): Promise<boolean> {
  const client = await pool.connect();
  return hasReplayed(client, confirmed).finally(() => client.release());
}

/** Opens a standby and looks every second how it is. `leader` is asked how far it is. */
export function openStandby(
  settings: StandbySettings,
  leader: Db,
  limits: Readonly<{ requestSeconds: number; processes: number }>,
): Standby {
  const readers: Reader[] = [];
  const watch = new Watch(settings, leader, () => {
    for (const reader of readers) reader.cut();
  });
  return {
    readsOf: (lane, ofLeader) => {
      const reader = new Reader(settings.url, { ...limits, lane, leader: ofLeader, watch });
      readers.push(reader);
      return new Kysely<Tables>({ dialect: new ReadingDialect(reader) });
    },
    state: () => watch.state(),
    close: async () => {
      await watch.close();
      await Promise.all(readers.map((reader) => reader.close()));
    },
  };
}

class Watch {
  readonly #settings: StandbySettings;
  readonly #leader: Db;
  readonly #pool: pg.Pool;
  readonly #whenGone: () => void;
  readonly #confirmed: { at: number; place: LogPlace }[] = [];
  #state: StandbyState = { is: 'gone', lagSeconds: null, reads: 0 };
  #timer: NodeJS.Timeout;
  #look: Promise<void> = Promise.resolve();
  #reads = 0;
  #isFirst = true;
  #isClosed = false;
  #of: string | undefined;

  constructor(settings: StandbySettings, leader: Db, whenGone: () => void) {
    this.#settings = settings;
    this.#leader = leader;
    this.#whenGone = whenGone;
    this.#pool = poolOf(settings.url, 1, { connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS });
    const lookAgain = () => {
      this.#look = this.#lookOnce();
      void this.#look.finally(() => {
        if (!this.#isClosed) this.#timer = setTimeout(lookAgain, LOOK_EVERY_MS).unref();
      });
    };
    this.#timer = setTimeout(lookAgain, 0).unref();
  }

  state(): StandbyState {
    return { ...this.#state, reads: this.#reads };
  }

  count(): void {
    this.#reads += 1;
  }

  /** Whose log it must be. */
  of(): string | undefined {
    return this.#of;
  }

  /** What every read must see: what was confirmed as long ago as the standby may be behind. */
  floor(): LogPlace {
    const longAgo = performance.now() - this.#settings.lagSeconds * 1_000;
    const old = this.#confirmed.findLast(({ at }) => at <= longAgo) ?? this.#confirmed[0];
    return old?.place ?? Number.POSITIVE_INFINITY;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#look;
    clearTimeout(this.#timer);
    await this.#pool.end();
  }

  async #lookOnce(): Promise<void> {
    await this.#askLeader().catch(() => undefined);
    const replayed = await this.#askStandby().catch(() => undefined);
    const is = replayed === undefined ? 'gone' : replayed >= this.floor() ? 'used' : 'behind';
    const changed = is !== this.#state.is || this.#isFirst;
    this.#state = { is, lagSeconds: replayed === undefined ? null : this.#lag(replayed), reads: this.#reads };
    this.#isFirst = false;
    // A machine that vanished says nothing: whoever waits for it is answered by the leader.
    if (is === 'gone') this.#whenGone();
    if (changed && !this.#isClosed) this.#settings.tell(this.state());
  }

  async #askLeader(): Promise<void> {
    const at = performance.now();
    const { place, of } = await confirmedBy(this.#leader);
    this.#of = of;
    this.#confirmed.push({ at, place });
    const longAgo = at - this.#settings.lagSeconds * 1_000;
    while ((this.#confirmed[1]?.at ?? at) < longAgo) this.#confirmed.shift();
  }

  async #askStandby(): Promise<LogPlace> {
    const client = await this.#pool.connect();
    try {
      const place = await replayedBy(client, this.#of);
      client.release();
      return place;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  #lag(replayed: LogPlace): number {
    if (replayed >= (this.#confirmed.at(-1)?.place ?? Number.POSITIVE_INFINITY)) return 0;
    const last = this.#confirmed.findLast(({ place }) => place <= replayed) ?? this.#confirmed[0];
    return last === undefined ? 0 : Math.round((performance.now() - last.at) / 1_000);
  }
}

type Reading = Readonly<{
  lane: LaneName;
  requestSeconds: number;
  processes: number;
  leader: Db;
  watch: Watch;
}>;

class Reader {
  readonly #reading: Reading;
  readonly #pool: pg.Pool;
  readonly #open = new Set<pg.PoolClient>();
  // Of several standbys behind one address each connection leads to one, and what that has replayed only grows.
  readonly #replayed = new WeakMap<pg.PoolClient, LogPlace>();

  constructor(url: string, reading: Reading) {
    this.#reading = reading;
    const limits = limitsOf(reading.lane, reading.requestSeconds);
    this.#pool = poolOf(url, connectionsFor(reading.lane, reading.processes), {
      beginning: { settings: limits },
      connectionTimeoutMillis: ANSWER_MS,
      // Later than its own limit: then it is not slow, but gone.
      query_timeout: secondsOf(limits) * 1_000 + LATE_MS,
    });
    this.#pool.on('connect', (client) => {
      this.#open.add(client);
      client.once('end', () => this.#open.delete(client));
    });
  }

  async read<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { leader, watch } = this.#reading;
    const mustSee = readPoint();
    if (mustSee !== undefined && watch.state().is === 'used') {
      const found = await this.#readThere<Row>(query, Math.max(mustSee, watch.floor()));
      if (found !== undefined) return found;
    }
    return leader.executeQuery<Row>(query as CompiledQuery<Row>);
  }

  /** Ends every connection, so that whoever waits for an answer asks the leader. */
  cut(): void {
    for (const client of this.#open) void (client as unknown as pg.Client).end().catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  // Undefined when it has not got there, or failed: the leader answers then, and says what is wrong if anything is.
  async #readThere<Row>(query: CompiledQuery, mustSee: LogPlace): Promise<QueryResult<Row> | undefined> {
    const client = await this.#pool.connect().catch(() => undefined);
    if (client === undefined) return undefined;
    try {
      if (!(await this.#hasReplayed(client, mustSee))) {
        client.release();
        return undefined;
      }
      const { rows } = await client.query(query.sql, [...query.parameters]);
      client.release();
      this.#reading.watch.count();
      return { rows: rows as Row[] };
    } catch (error) {
      const failure = databaseFailure(error);
      client.release(failure !== 'slow');
      if (failure === 'slow') throw error;
      return undefined;
    }
  }

  async #hasReplayed(client: pg.PoolClient, mustSee: LogPlace): Promise<boolean> {
    if ((this.#replayed.get(client) ?? Number.NEGATIVE_INFINITY) >= mustSee) return true;
    const place = await replayedBy(client, this.#reading.watch.of());
    this.#replayed.set(client, place);
    return place >= mustSee;
  }
}

function secondsOf(limits: readonly string[]): number {
  return Math.max(0, ...limits.map((limit) => Number(/statement_timeout = '(\d+)s'/.exec(limit)?.[1] ?? 0)));
}

class ReadingDialect {
  readonly #reader: Reader;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  createDriver(): Driver {
    return new ReadingDriver(this.#reader);
  }

  createQueryCompiler() {
    return new CompilerForPostgres();
  }

  createAdapter() {
    return new PostgresAdapter();
  }

  createIntrospector(db: Kysely<unknown>) {
    return new PostgresIntrospector(db);
  }
}

class ReadingDriver implements Driver {
  readonly #reader: Reader;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return {
      executeQuery: <Row>(query: CompiledQuery) => this.#reader.read<Row>(query),
      // biome-ignore lint/correctness/useYield: nothing is read piece by piece here
      streamQuery: async function* () {
        throw new Error('a standby streams nothing');
      },
    };
  }

  async beginTransaction(): Promise<never> {
    throw new Error('a standby has no transactions');
  }

  async commitTransaction(): Promise<void> {}

  async rollbackTransaction(): Promise<void> {}

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}
