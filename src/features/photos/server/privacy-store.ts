import type { Db, Trx } from '#server/db/database.ts';
import { selectTranslated, translatedName } from '#server/db/queries/translated-name.ts';
import { exportColumns, exportValues } from '#server/personal-data/data-export.ts';
import { PHOTO_FIELDS } from '../photo-fields.ts';

const COLUMNS = exportColumns('photos', PHOTO_FIELDS);

/** Returns photos that the user uploaded, with captions and file names but without the images. */
export async function listOwnPhotos(
  db: Db,
  userId: number,
  { last, limit }: { last: { id: number } | undefined; limit: number },
) {
  const rows = await db
    .selectFrom('photos')
    .innerJoin('activities', 'activities.id', 'photos.activity_id')
    .select([
      'photos.id',
      translatedName('activities').as('activity'),
      'photos.original_name as originalName',
      'photos.file_size as fileSize',
      'photos.created_at as createdAt',
      'photos.deleted_at as deletedAt',
      'photos.review',
    ])
    .select(selectTranslated(COLUMNS))
    .where('photos.user_id', '=', userId)
    .where('photos.id', '>', last?.id ?? 0)
    .orderBy('photos.id')
    .limit(limit)
    .execute();
  return rows.map((row) => exportValues(PHOTO_FIELDS, row));
}

/** Returns the user's pending requests to hide a photo, with their reasons. */
export const findHideRequestsOf = (db: Db, userId: number) =>
  db
    .selectFrom('photos')
    .innerJoin('activities', 'activities.id', 'photos.activity_id')
    .select([
      'photos.id',
      translatedName('activities').as('activity'),
      'photos.hidden_at as at',
      'photos.hidden_reason as reason',
    ])
    .where('photos.hidden_by', '=', userId)
    .orderBy('photos.id')
    .execute();

/** Returns ids of photos that the user uploaded or asked to hide. */
export async function findPhotoIdsAbout(db: Db, userId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('photos')
    .select('id')
    .where((eb) => eb.or([eb('user_id', '=', userId), eb('hidden_by', '=', userId)]))
    .execute();
  return rows.map((row) => row.id);
}

/** Replaces the file names of the user's photos, and clears the user's reasons for hiding photos. */
export async function clearPhotoPersonalData(trx: Trx, userId: number, originalName: string): Promise<void> {
  await trx
    .updateTable('photos')
    .set((eb) => ({ original_name: originalName, version: eb('version', '+', 1) }))
    .where('user_id', '=', userId)
    .execute();
  await trx
    .updateTable('photos')
    .set((eb) => ({ hidden_reason: null, version: eb('version', '+', 1) }))
    .where('hidden_by', '=', userId)
    .execute();
}
