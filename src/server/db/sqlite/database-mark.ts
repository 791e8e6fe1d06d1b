import { closeSync, openSync, readFileSync, readSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { writeDurably } from '../../storage/durable-file.ts';

/** Which marks the file of the database may carry. */
export const MARK_FILE = 'database.mark';
/** Where SQLite keeps `user_version` in its file: https://sqlite.org/fileformat2.html#the_database_header */
const MARK_AT = 60;
const MARK_BYTES = 4;
/** A log of its header alone holds nothing. */
const LOG_HEADER_BYTES = 32;

/**
 * Why the log beside a SQLite file is not that file's: an old copy lies in the place of the one whose server was
 * killed, and SQLite would mix the two. The file carries a number that each start and each hour changes, copies carry none,
 * and a file beside it says which numbers are right. Without a log, or without that file, anything is.
 */
export function foreignLogError(path: string): string | undefined {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if (log === undefined || log.size <= LOG_HEADER_BYTES) return undefined;
  const name = basename(path);
  const mark = databaseMark(path);
  if (mark === undefined)
    return `${name} is gone, and its log ${name}-wal is there. Put the file back; to begin anew, move the log away.`;
  const allowed = marksFor(path);
  if (allowed === undefined || allowed.includes(mark)) return undefined;
  return (
    `${name} is not the file that the log ${name}-wal belongs to; nothing was changed. ` +
    `To start with it, move ${name}-wal and ${name}-shm away: they hold the last writes to the former file. ` +
    `Where the file and its log were copied here together, remove ${MARK_FILE}.`
  );
}

/** The number in the file itself, whatever its log says; undefined when there is none. */
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

/** Says which numbers the file at a path may carry. */
export function allowDatabaseMarks(path: string, marks: readonly number[]): void {
  writeDurably(placeFor(path), `${marks.join('\n')}\n`);
}

/** Allows any file, before a copy is put in its place. */
export function clearDatabaseMarks(path: string): void {
  rmSync(placeFor(path), { force: true });
}

function marksFor(path: string): readonly number[] | undefined {
  try {
    return readFileSync(placeFor(path), 'utf8').trim().split(/\s+/).map(Number);
  } catch {
    return undefined;
  }
}

function placeFor(path: string): string {
  return join(dirname(path), MARK_FILE);
}
