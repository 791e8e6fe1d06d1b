import { parentPort, workerData } from 'node:worker_threads';
import BetterSqlite from 'better-sqlite3';
import { keepStatements } from './connect.ts';
import type { ReaderAnswer, ReaderQuestion } from './reader-thread.ts';

// A thread of its own: a question that reads a whole district takes seconds, and SQLite answers within the call.
const file = new BetterSqlite(workerData as string, { readonly: true, fileMustExist: true });
const { prepare } = keepStatements(file);

parentPort?.on('message', ({ id, text, parameters }: ReaderQuestion) => {
  parentPort?.postMessage({ id, ...answerTo(text, parameters) } satisfies ReaderAnswer);
});

function answerTo(text: string, parameters: readonly unknown[]) {
  try {
    return { rows: prepare(text).all(parameters) };
  } catch (error) {
    const { message = 'unknown', code } = error as { message?: string; code?: string };
    return { message, code };
  }
}
