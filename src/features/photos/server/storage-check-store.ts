import type { Db } from '#server/db/database.ts';
import { HASHES, type Hashes, toHashes } from './store.ts';

const ROWS_AT_ONCE = 200;

/** The files that a photo must have: by size their SHA-256, where it is known. */
export type Expected = Readonly<{
  id: number;
  storageKey: string;
  sha256: Hashes;
}>;

/** Every photo, in the trash or not, by id. */
export async function* everyPhoto(db: Db): AsyncGenerator<Expected> {
  let last = 0;
  for (;;) {
    const rows = await db
      .selectFrom('photos')
      .select(['id', 'storage_key', ...HASHES])
      .where('id', '>', last)
      .orderBy('id')
      .limit(ROWS_AT_ONCE)
      .execute();
    for (const row of rows) {
      yield {
        id: row.id,
        storageKey: row.storage_key,
        sha256: toHashes(row),
      };
      last = row.id;
    }
    if (rows.length < ROWS_AT_ONCE) return;
  }
}

/** Has the server make again what a photo has for screens. */
export async function clearRenditions(db: Db, id: number): Promise<void> {
  await db
    .updateTable('photos')
    .set({ large_sha256: null, screen_sha256: null })
    .where('id', '=', id)
    .execute();
}

/** Those of these names that the database knows: of a photo, or of files that are to be removed. */
export async function findKnownFiles(db: Db, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const photos = await db
    .selectFrom('photos')
    .select('storage_key')
    .where('storage_key', 'in', keys)
    .execute();
  const leftovers = await db
    .selectFrom('photo_leftovers')
    .select('storage_key')
    .where('storage_key', 'in', keys)
    .execute();
  return new Set([...photos, ...leftovers].map((row) => row.storage_key));
}
