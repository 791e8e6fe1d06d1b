import { statSync } from 'node:fs';

/** Compares the files of an open SQLite database with those in its folder. */
export type SqliteFiles = Readonly<{
  /** Throws `DatabaseFilesReplaced` if the open file was deleted or replaced. */
  requireSameFiles: () => void;
  /** Repeats the check only if the files were missing before. Called before each write. */
  recheckIfMissing: () => void;
}>;

/** The error when the open files are no longer in the data folder, because it was deleted or replaced. */
export class DatabaseFilesReplaced extends Error {
  readonly code = 'PLACE_GONE';

  constructor() {
    super('the data folder was removed or replaced while the server runs');
  }
}

/** Remembers the files at the path of a database that was just opened. A check costs a few microseconds. */
export function watchDatabaseFiles(path: string): SqliteFiles {
  const paths = [path, `${path}-wal`];
  const known = paths.map(identityOf);
  let isGone = false;
  const requireInPlace = () => {
    isGone = paths.some((each, index) => identityOf(each) !== known[index]);
    if (isGone) throw new DatabaseFilesReplaced();
  };
  return {
    requireSameFiles: requireInPlace,
    recheckIfMissing: () => {
      if (isGone) requireInPlace();
    },
  };
}

/** Returns what identifies the file at a path, or undefined if there is none. */
export function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev}:${found.ino}`;
}
