import BetterSqlite from 'better-sqlite3';
import { cacheStatements, type Statements } from './statement-cache.ts';
import { registerTimeZoneFunctions } from './time-zone-functions.ts';

/** A query on a SQLite file, and the rows or the error that it returns. */
export type ReadRequest = Readonly<{ path: string; text: string; parameters: readonly unknown[] }>;
export type ReadReply = Readonly<{ rows: unknown[] } | { message: string; code: string | undefined }>;

let statements: Statements | undefined;

/** Runs a query. All queries of a process use the same file. */
export function work({ path, text, parameters }: ReadRequest): ReadReply {
  try {
    statements ??= openStatements(path);
    return { rows: statements.prepare(text).all(parameters) };
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    return { message, code };
  }
}

function openStatements(path: string): Statements {
  const file = new BetterSqlite(path, { readonly: true, fileMustExist: true });
  registerTimeZoneFunctions(file);
  return cacheStatements(file);
}
