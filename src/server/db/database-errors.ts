import { errorCode } from '#shared/errors.ts';

/**
 * The kind of a database failure, from either engine's error codes. `unreachable`: the server is down or aborted this
 * transaction, or the SQLite file is locked, unreadable or damaged. `slow`: a statement or a wait for a lock took too long.
 * `full`: the disk is full. `readOnly`: the database accepts no writes. `gone`: its files are no longer where they were opened.
 */
export type DatabaseFailure =
  | 'unique'
  | 'foreignKey'
  | 'unreachable'
  | 'slow'
  | 'full'
  | 'readOnly'
  | 'gone'
  | undefined;

// SQLite's codes come with details (SQLITE_BUSY_SNAPSHOT); PostgreSQL's come in classes: 08 connection, 28 and 3D a
// role or a database that is gone, 53 resources, 57P operator, 58 input and output, XX a damaged page, 40 a transaction
// that lost against another.
const CODES: readonly (readonly [RegExp, DatabaseFailure])[] = [
  [/^(SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)|23505)$/, 'unique'],
  [/^(SQLITE_CONSTRAINT_FOREIGNKEY|23503)$/, 'foreignKey'],
  [/^(SQLITE_FULL|53100)$/, 'full'],
  [/^(PLACE_GONE|SQLITE_READONLY_DBMOVED)$/, 'gone'],
  [/^(SQLITE_READONLY.*|25006)$/, 'readOnly'],
  // Canceled, lock not acquired in time, idle in a transaction, transaction too long.
  [/^(SQLITE_INTERRUPT|57014|55P03|25P03|25P04)$/, 'slow'],
  [/^SQLITE_(BUSY|LOCKED|PROTOCOL|CANTOPEN|IOERR|NOMEM|CORRUPT|NOTADB)/, 'unreachable'],
  [/^(08...|28...|3D000|53...|55000|57P..|58...|XX00[12]|40...)$/, 'unreachable'],
  [/^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH)$/, 'unreachable'],
];

// The PostgreSQL driver reports a lost connection only in the error's message.
const LOST =
  /connection terminated|timeout exceeded when trying to connect|server closed the connection|not queryable/i;

/** The kind of failure behind a query's error; undefined for an unknown error. */
export function databaseFailure(error: unknown): DatabaseFailure {
  if (!(error instanceof Error)) return undefined;
  const code = errorCode(error) ?? '';
  const [, known] = CODES.find(([codes]) => codes.test(code)) ?? [];
  return known ?? (LOST.test(error.message) ? 'unreachable' : undefined);
}

/** Whether a failure is temporary, so that the same request may succeed later. */
export function isTemporaryFailure(failure: DatabaseFailure): boolean {
  return failure !== undefined && failure !== 'unique' && failure !== 'foreignKey';
}

/** Whether PostgreSQL timed out waiting for a lock. */
export function isLockTimeout(error: unknown): boolean {
  return errorCode(error) === '55P03';
}

const LOST_CODES: readonly unknown[] = ['40P01', '40001'];

/** Whether a transaction was rolled back because of another one and can be retried immediately. */
export function isSerializationFailure(error: unknown): boolean {
  return LOST_CODES.includes(errorCode(error));
}

/** Whether another process has the SQLite file locked. */
export function isBusy(error: unknown): boolean {
  return errorCode(error)?.startsWith('SQLITE_BUSY') === true;
}
