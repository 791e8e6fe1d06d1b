import { PostgresDialect, type PostgresDialectConfig, PostgresDriver } from 'kysely';
import { CompilerForPostgres } from '../query-compilers.ts';

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
