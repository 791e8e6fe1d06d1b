/** Kinds of database failure, from the error codes of both engines. */
export type DatabaseFailure = 'unique' | 'foreignKey' | 'unreachable' | 'full' | undefined;

// SQLite's codes come with details (SQLITE_BUSY_SNAPSHOT); PostgreSQL's come in classes: 08 connection, 53 resources,
// 57P operator, 58 input and output, 40 a transaction that lost against another.
const CODES: readonly (readonly [RegExp, DatabaseFailure])[] = [
  [/^(SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)|23505)$/, 'unique'],
  [/^(SQLITE_CONSTRAINT_FOREIGNKEY|23503)$/, 'foreignKey'],
  [/^(SQLITE_FULL|53100)$/, 'full'],
  [/^SQLITE_(BUSY|CANTOPEN|IOERR|READONLY)/, 'unreachable'],
  [/^(08...|53...|57P..|58...|40001|40P01)$/, 'unreachable'],
  [/^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH)$/, 'unreachable'],
];

// The PostgreSQL driver reports a lost connection only in the error's text.
const LOST =
  /connection terminated|timeout exceeded when trying to connect|server closed the connection|not queryable/i;

/** The kind of failure behind an error thrown by a query, or undefined for an error we do not know. */
export function databaseFailure(error: unknown): DatabaseFailure {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const [, known] = CODES.find(([codes]) => codes.test(code)) ?? [];
  return known ?? (LOST.test(error.message) ? 'unreachable' : undefined);
}
