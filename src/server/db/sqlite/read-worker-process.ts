import BetterSqlite from 'better-sqlite3';
import type { ReaderAnswer, ReaderQuestion } from './read-workers.ts';
import { keepStatements } from './statement-cache.ts';
import { teachTimeZones } from './time-zone-functions.ts';

// A process of its own: a query that reads a whole district takes seconds, and SQLite answers within the call.
const file = new BetterSqlite(process.argv[2] ?? '', { readonly: true, fileMustExist: true });
teachTimeZones(file);
const { prepare } = keepStatements(file);

process.on('message', ({ text, parameters }: ReaderQuestion) => {
  process.send?.(answerTo(text, parameters) satisfies ReaderAnswer);
});
// The server is gone.
process.on('disconnect', () => process.exit());

function answerTo(text: string, parameters: readonly unknown[]): ReaderAnswer {
  try {
    return { rows: prepare(text).all(parameters) };
  } catch (error) {
    const { message = 'unknown', code } = error as { message?: string; code?: string };
    return { message, code };
  }
}
