import { statSync } from 'node:fs';

/** The files of an open SQLite database, as they lay in their folder when it was opened. */
export type SqliteFiles = Readonly<{
  /** Throws `DatabaseFilesReplaced` when another file, or none, lies where the open one did. */
  requireInPlace: () => void;
  /** The same, but looks only when they were found gone before: for what comes before a write. */
  refuseWhileGone: () => void;
}>;

/** Writes go into files that are no longer in the data folder: it was deleted or replaced. */
export class DatabaseFilesReplaced extends Error {
  readonly code = 'PLACE_GONE';

  constructor() {
    super('the data folder was removed or replaced while the server runs');
  }
}

/** Remembers which files lie at the path of a database that was just opened. A look costs a few microseconds. */
export function watchDatabaseFiles(path: string): SqliteFiles {
  const paths = [path, `${path}-wal`];
  const known = paths.map(identityOf);
  let isGone = false;
  const requireInPlace = () => {
    isGone = paths.some((each, index) => identityOf(each) !== known[index]);
    if (isGone) throw new DatabaseFilesReplaced();
  };
  return {
    requireInPlace,
    refuseWhileGone: () => {
      if (isGone) requireInPlace();
    },
  };
}

function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev}:${found.ino}`;
}
