import {
  CompiledQuery,
  type DatabaseConnection,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import { CompilerForPostgres } from '../query-compilers.ts';

/** PostgreSQL through a pool whose connections may break; `begin` needs no extra round trip. */
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
  /** The pending answers to `begin`. */
  readonly #begun = new WeakMap<DatabaseConnection, Promise<unknown>>();
  readonly #known = new WeakSet<DatabaseConnection>();

  override async acquireConnection(...given: Parameters<PostgresDriver['acquireConnection']>) {
    const connection = await super.acquireConnection(...given);
    if (!this.#known.has(connection)) {
      this.#known.add(connection);
      this.#waitForBegin(connection);
    }
    return connection;
  }

  // `begin` is sent together with the first statement.
  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings) {
    if (settings.isolationLevel !== undefined || settings.accessMode !== undefined)
      return super.beginTransaction(connection, settings);
    const begun = connection.executeQuery(CompiledQuery.raw('begin'));
    // The first statement throws it.
    begun.catch(() => undefined);
    this.#begun.set(connection, begun);
  }

  // On a lost connection the rollback fails, but the server rolls back anyway; throw the original error.
  override async rollbackTransaction(connection: Parameters<PostgresDriver['rollbackTransaction']>[0]) {
    await super.rollbackTransaction(connection).catch(() => undefined);
  }

  // A write does not count unless its transaction had begun.
  #waitForBegin(connection: DatabaseConnection): void {
    const run = connection.executeQuery.bind(connection);
    connection.executeQuery = async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
      const begun = this.#begun.get(connection);
      if (begun === undefined) return run<Row>(query);
      this.#begun.delete(connection);
      const [result] = await Promise.all([run<Row>(query), begun]);
      return result;
    };
  }
}
