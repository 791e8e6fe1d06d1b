import BetterSqlite from 'better-sqlite3';
import type { ReadReply, ReadRequest } from './read-workers.ts';
import { cacheStatements } from './statement-cache.ts';
import { registerTimeZoneFunctions } from './time-zone-functions.ts';

// Runs in its own process, because a query over a whole district takes seconds and SQLite is synchronous.
const file = new BetterSqlite(process.argv[2] ?? '', { readonly: true, fileMustExist: true });
registerTimeZoneFunctions(file);
const { prepare } = cacheStatements(file);

process.on('message', ({ text, parameters }: ReadRequest) => {
  process.send?.(answerTo(text, parameters) satisfies ReadReply);
});
// The server exited.
process.on('disconnect', () => process.exit());

function answerTo(text: string, parameters: readonly unknown[]): ReadReply {
  try {
    return { rows: prepare(text).all(parameters) };
  } catch (error) {
    const { message = 'unknown', code } = error as { message?: string; code?: string };
    return { message, code };
  }
}
