import { closeSync, openSync, readFileSync, readSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { writeDurably } from '../../storage/durable-file.ts';

/** The file that lists the valid marks of the database file. */
export const MARK_FILE = 'database.mark';
/** The offset of `user_version` in a SQLite file: https://sqlite.org/fileformat2.html#the_database_header */
const MARK_AT = 60;
const MARK_BYTES = 4;
/** The size of an empty log, which has only a header. */
const LOG_HEADER_BYTES = 32;

/**
 * Returns why a log (WAL) does not belong to the SQLite file next to it: if an old copy replaced the file after its server was
 * killed, SQLite would mix the two. Each start and each hour writes a new number into the file, copies have none, and a file
 * next to it lists the valid numbers. Any file is accepted if there is no log or no such list.
 */
export function foreignLogError(path: string): string | undefined {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if (log === undefined || log.size <= LOG_HEADER_BYTES) return undefined;
  const name = basename(path);
  const mark = databaseMark(path);
  if (mark === undefined)
    return `${name} is gone, but its log ${name}-wal is still there. Put the file back, or move the log away to start with a new database.`;
  const allowed = readAllowedMarks(path);
  if (allowed === undefined || allowed.includes(mark)) return undefined;
  return (
    `The log ${name}-wal does not belong to ${name}; nothing was changed. ` +
    `To start with it, move ${name}-wal and ${name}-shm away: they contain the last writes to the previous file. ` +
    `If you copied the file and its log here together, remove ${MARK_FILE}.`
  );
}

/** The number stored in the file itself, which its log may supersede; undefined if there is none. */
export function databaseMark(path: string): number | undefined {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) < MARK_AT + MARK_BYTES) return undefined;
  const header = Buffer.alloc(MARK_BYTES);
  const file = openSync(path, 'r');
  try {
    readSync(file, header, 0, MARK_BYTES, MARK_AT);
    return header.readInt32BE();
  } finally {
    closeSync(file);
  }
}

/** Sets the numbers that the file at a path may have. */
export function allowDatabaseMarks(path: string, marks: readonly number[]): void {
  writeDurably(markPath(path), `${marks.join('\n')}\n`);
}

/** Removes the list of valid marks, so that any file is accepted, before a copy replaces it. */
export function clearDatabaseMarks(path: string): void {
  rmSync(markPath(path), { force: true });
}

function readAllowedMarks(path: string): readonly number[] | undefined {
  try {
    return readFileSync(markPath(path), 'utf8').trim().split(/\s+/).map(Number);
  } catch {
    return undefined;
  }
}

function markPath(path: string): string {
  return join(dirname(path), MARK_FILE);
}
