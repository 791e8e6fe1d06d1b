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

/** PostgreSQL by a pool whose connections may be lost, with transactions that begin without a round trip of their own. */
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
  /** The answers to `begin` that are still under way. */
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

  // `begin` and the first statement travel together.
  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings) {
    if (settings.isolationLevel !== undefined || settings.accessMode !== undefined)
      return super.beginTransaction(connection, settings);
    const begun = connection.executeQuery(CompiledQuery.raw('begin'));
    // Whoever sends the first statement is told.
    begun.catch(() => undefined);
    this.#begun.set(connection, begun);
  }

  // The rollback fails when the connection is lost, but the server then rolls back anyway; the first error is thrown.
  override async rollbackTransaction(connection: Parameters<PostgresDriver['rollbackTransaction']>[0]) {
    await super.rollbackTransaction(connection).catch(() => undefined);
  }

  // Nothing that was written counts unless its transaction had begun.
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
