import type { Db, Trx } from '#server/db/database.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { HASH_COLUMNS, type Hashes, toHashes } from './store.ts';

/**
 * Records storage keys before files are stored under them, also for more files of an existing photo. At `dueAt`, keys without a
 * photo are removed with their files.
 */
export async function insertOrphanedFiles(trx: Trx, keys: readonly string[], dueAt: Instant): Promise<void> {
  await trx
    .insertInto('orphaned_photo_files')
    .values(keys.map((key) => ({ storage_key: key, due_at: dueAt })))
    .onConflict((conflict) => conflict.column('storage_key').doUpdateSet({ due_at: dueAt }))
    .execute();
}

/** Deletes the records of storage keys that now belong to photos, or whose files are gone. */
export async function deleteOrphanedFileRows(trx: Trx, keys: readonly string[]): Promise<void> {
  await trx.deleteFrom('orphaned_photo_files').where('storage_key', 'in', keys).execute();
}

/**
 * Returns the recorded keys among these that no photo has. A photo may have a recorded key: creating its renditions records the
 * key again, and may begin before the upload has deleted its record.
 */
export async function findOrphanedAmong(db: Db, keys: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('orphaned_photo_files')
    .select('storage_key')
    .where('storage_key', 'in', keys)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('photos')
            .select('photos.id')
            .whereRef('photos.storage_key', '=', 'orphaned_photo_files.storage_key'),
        ),
      ),
    )
    .execute();
  return rows.map((row) => row.storage_key);
}

/** Returns recorded keys that are due, the longest due first. */
export async function findDueOrphanedFiles(db: Db, now: Instant, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('orphaned_photo_files')
    .select('storage_key')
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(limit)
    .execute();
  return rows.map((row) => row.storage_key);
}

/** Returns the keys among these that a photo has, deleted or not. */
export async function findUsedKeys(db: Db, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('photos').select('storage_key').where('storage_key', 'in', keys).execute();
  return new Set(rows.map((row) => row.storage_key));
}

const ROWS_AT_ONCE = 200;

/** The files that a photo must have, with their SHA-256 by size where known. */
export type ExpectedFiles = Readonly<{
  id: number;
  storageKey: string;
  sha256: Hashes;
}>;

/** Yields every photo, deleted or not, by id. */
export async function* iteratePhotos(db: Db): AsyncGenerator<ExpectedFiles> {
  let last = 0;
  for (;;) {
    const rows = await db
      .selectFrom('photos')
      .select(['id', 'storage_key', ...HASH_COLUMNS])
      .where('id', '>', last)
      .orderBy('id')
      .limit(ROWS_AT_ONCE)
      .execute();
    for (const row of rows) {
      yield { id: row.id, storageKey: row.storage_key, sha256: toHashes(row) };
      last = row.id;
    }
    if (rows.length < ROWS_AT_ONCE) return;
  }
}

/** Makes the server create a photo's renditions again. */
export async function clearRenditions(db: Db, id: number): Promise<void> {
  await db
    .updateTable('photos')
    .set({ large_sha256: null, screen_sha256: null })
    .where('id', '=', id)
    .execute();
}

/** Returns the keys among these that the database knows, because a photo has them or their files will be removed. */
export async function findKnownKeys(db: Db, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const used = await findUsedKeys(db, keys);
  const leftovers = await db
    .selectFrom('orphaned_photo_files')
    .select('storage_key')
    .where('storage_key', 'in', keys)
    .execute();
  return new Set([...used, ...leftovers.map((row) => row.storage_key)]);
}
