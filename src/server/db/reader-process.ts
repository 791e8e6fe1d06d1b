import BetterSqlite from 'better-sqlite3';
import { keepStatements } from './kept-statements.ts';
import type { ReaderAnswer, ReaderQuestion } from './reader.ts';

// A process of its own: a query that reads a whole district takes seconds, and SQLite answers within the call.
const file = new BetterSqlite(process.argv[2] ?? '', { readonly: true, fileMustExist: true });
const { prepare } = keepStatements(file);

process.on('message', ({ id, text, parameters }: ReaderQuestion) => {
  process.send?.({ id, ...answerTo(text, parameters) } satisfies ReaderAnswer);
});
// The server is gone.
process.on('disconnect', () => process.exit());

function answerTo(text: string, parameters: readonly unknown[]) {
  try {
    return { rows: prepare(text).all(parameters) };
  } catch (error) {
    const { message = 'unknown', code } = error as { message?: string; code?: string };
    return { message, code };
  }
}
