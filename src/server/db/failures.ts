/** What went wrong in a database, read from either engine's error codes. */
export type DatabaseFailure = 'unique' | 'foreignKey' | 'unreachable' | 'full' | undefined;

const CODES: Readonly<Record<string, DatabaseFailure>> = {
  SQLITE_CONSTRAINT_UNIQUE: 'unique',
  SQLITE_CONSTRAINT_PRIMARYKEY: 'unique',
  '23505': 'unique',
  SQLITE_CONSTRAINT_FOREIGNKEY: 'foreignKey',
  '23503': 'foreignKey',
  SQLITE_FULL: 'full',
  '53100': 'full',
  SQLITE_BUSY: 'unreachable',
  SQLITE_CANTOPEN: 'unreachable',
  '53300': 'unreachable',
  '57P01': 'unreachable',
  '57P02': 'unreachable',
  '57P03': 'unreachable',
  ECONNREFUSED: 'unreachable',
  ECONNRESET: 'unreachable',
  ENOENT: 'unreachable',
  EPIPE: 'unreachable',
  ETIMEDOUT: 'unreachable',
};

// The PostgreSQL driver reports a lost connection by words alone.
const LOST = /connection terminated|timeout exceeded when trying to connect|server closed the connection/i;

/** The kind of failure behind an error thrown by a query, or nothing when it is none that we know. */
export function databaseFailure(error: unknown): DatabaseFailure {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code.startsWith('SQLITE_IOERR')) return 'unreachable';
  return CODES[code] ?? (LOST.test(error.message) ? 'unreachable' : undefined);
}
