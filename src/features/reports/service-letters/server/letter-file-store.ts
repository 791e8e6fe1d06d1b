import type { Db, Trx } from '#server/db/database.ts';
import { changesRows } from '#server/db/queries/changes-rows.ts';
import { hasRows } from '#server/db/queries/count-rows.ts';
import type { Row } from '#server/db/tables.ts';
import { type Instant, plusMilliseconds } from '#shared/calendar-date.ts';

export type LetterFileRow = Row<'service_letter_files'>;

/** A process that reported no progress for this long is considered dead. */
export const STALE_AFTER_MS = 30_000;

/** Inserts the record of a letter file, which is rendered when its link is opened. Stores only a hash of the link. */
export function insertFile(
  trx: Trx,
  made: Pick<LetterFileRow, 'token_hash' | 'user_id' | 'form' | 'total' | 'created_at' | 'expires_at'>,
): Promise<LetterFileRow> {
  return trx.insertInto('service_letter_files').values(made).returningAll().executeTakeFirstOrThrow();
}

/** Returns the file of this link, if the link is still usable. */
export function findOpenFile(db: Db, tokenHash: string, now: Instant): Promise<LetterFileRow | undefined> {
  return db
    .selectFrom('service_letter_files')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('started_at', 'is', null)
    .where('outcome', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/** Returns the user's own batch file. */
export function findOwnFile(db: Db, userId: number, id: number): Promise<LetterFileRow | undefined> {
  return db
    .selectFrom('service_letter_files')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** Whether a file of this user is being rendered. */
export function isMakingFile(db: Db, userId: number, now: Instant): Promise<boolean> {
  return hasRows(
    db
      .selectFrom('service_letter_files')
      .where('user_id', '=', userId)
      .where('outcome', 'is', null)
      .where('seen_at', '>', plusMilliseconds(now, -STALE_AFTER_MS)),
  );
}

/** Uses up a file's link. Returns false if another request was faster. `by` is the process that renders the file. */
export function startFile(trx: Trx, id: number, { at, by }: { at: Instant; by: string }): Promise<boolean> {
  return changesRows(
    trx
      .updateTable('service_letter_files')
      .set({ started_at: at, seen_at: at, made_by: by })
      .where('id', '=', id)
      .where('started_at', 'is', null)
      .where('outcome', 'is', null),
  );
}

/** Makes a link usable again after its file could not be rendered. */
export async function releaseLink(db: Db, id: number): Promise<void> {
  await db
    .updateTable('service_letter_files')
    .set({ started_at: null, seen_at: null, made_by: null })
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .execute();
}

/** Saves how many letters were rendered. Returns false if the file was stopped. */
export function saveLetterProgress(db: Db, id: number, done: number, at: Instant): Promise<boolean> {
  return changesRows(
    db
      .updateTable('service_letter_files')
      .set({ done, seen_at: at })
      .where('id', '=', id)
      .where('outcome', 'is', null),
  );
}

/** Saves a file's outcome unless it has one. Returns whether it was saved. */
export function finishFile(
  db: Db,
  id: number,
  outcome: NonNullable<LetterFileRow['outcome']>,
  done?: number,
): Promise<boolean> {
  return changesRows(
    db
      .updateTable('service_letter_files')
      .set({ outcome, ...(done === undefined ? {} : { done }) })
      .where('id', '=', id)
      .where('outcome', 'is', null),
  );
}

const LINK_RETENTION_HOURS = 24;

/** Deletes links a day after they were made; the letters stay. */
export async function deleteOldLetterFiles(trx: Trx, now: Instant): Promise<void> {
  const before = plusMilliseconds(now, -LINK_RETENTION_HOURS * 3_600_000);
  await trx.deleteFrom('service_letter_files').where('created_at', '<', before).execute();
}
