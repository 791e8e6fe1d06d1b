import type { Db, Trx } from '#server/db/database.ts';
import { changesRows } from '#server/db/queries/changes-rows.ts';
import { hasRows } from '#server/db/queries/count-rows.ts';
import type { Row } from '#server/db/tables.ts';
import type { Instant } from '#shared/calendar-date.ts';

/** An export's row. */
export type StoredExport = Row<'exports'>;

/** Stores an export with the hash of its link; returns its row. */
export function insertExport(
  trx: Trx,
  made: Pick<
    StoredExport,
    'token_hash' | 'user_id' | 'format' | 'asked' | 'total' | 'created_at' | 'expires_at'
  >,
): Promise<StoredExport> {
  return trx.insertInto('exports').values(made).returningAll().executeTakeFirstOrThrow();
}

/** The export with this link, if the link is usable and its owner is still active. */
export function findOpenExport(db: Db, tokenHash: string, now: Instant): Promise<StoredExport | undefined> {
  return db
    .selectFrom('exports')
    .innerJoin('users', 'users.id', 'exports.user_id')
    .selectAll('exports')
    .where('exports.token_hash', '=', tokenHash)
    .where('exports.started_at', 'is', null)
    .where('exports.outcome', 'is', null)
    .where('exports.expires_at', '>', now)
    .where('users.is_active', '=', 1)
    .executeTakeFirst();
}

/** A person's own export, or undefined. */
export function findExport(db: Db, userId: number, id: number): Promise<StoredExport | undefined> {
  return db
    .selectFrom('exports')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/**
 * Whether an export of this user is running, which means that it is unfinished and reported progress after `since`.
 */
export function hasRunning(db: Db, userId: number, since: Instant): Promise<boolean> {
  return hasRows(
    db
      .selectFrom('exports')
      .where('user_id', '=', userId)
      .where('outcome', 'is', null)
      .where('seen_at', '>', since),
  );
}

/**
 * Marks an export as started, which uses up its link. Returns false if it was already started or ended. `by` is the process
 * that writes the file.
 */
export function startExport(
  trx: Trx,
  id: number,
  { at, total, by }: { at: Instant; total: number; by: string },
): Promise<boolean> {
  return changesRows(
    trx
      .updateTable('exports')
      .set({ started_at: at, seen_at: at, total, made_by: by })
      .where('id', '=', id)
      .where('started_at', 'is', null)
      .where('outcome', 'is', null),
  );
}

/** Stores the progress of an export; false when it was cancelled. */
export function saveExportProgress(db: Db, id: number, done: number, at: Instant): Promise<boolean> {
  return changesRows(
    db.updateTable('exports').set({ done, seen_at: at }).where('id', '=', id).where('outcome', 'is', null),
  );
}

/** Stores the outcome of an export, unless it already has one. */
export async function finishExport(
  db: Db,
  id: number,
  outcome: NonNullable<StoredExport['outcome']>,
  done?: number,
): Promise<void> {
  await db
    .updateTable('exports')
    .set({ outcome, ...(done === undefined ? {} : { done }) })
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .execute();
}

/** Removes exports created before a moment. */
export async function deleteExportsBefore(trx: Trx, before: Instant): Promise<void> {
  await trx.deleteFrom('exports').where('created_at', '<', before).execute();
}

/** The name of an existing school. */
export async function findSchoolName(db: Db, id: number): Promise<string> {
  const { name } = await db
    .selectFrom('schools')
    .select('name')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return name;
}

/** The exports that were started and have no outcome, each with the process that writes it. */
export function listUnfinishedExports(db: Db): Promise<{ id: number; made_by: string | null }[]> {
  return db
    .selectFrom('exports')
    .select(['id', 'made_by'])
    .where('started_at', 'is not', null)
    .where('outcome', 'is', null)
    .execute();
}
