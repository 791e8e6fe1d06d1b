import { type NotNull, type RawBuilder, sql } from 'kysely';
import { toActivityRef } from '#features/activities/activity-ref.ts';
import type { Db, Trx } from '#server/db/database.ts';
import { containsWords, inSchools } from '#server/db/queries/conditions.ts';
import { countRows } from '#server/db/queries/count-rows.ts';
import { afterName, beforeId, type Page } from '#server/db/queries/pagination.ts';
import { toPersonRef } from '#server/db/queries/person-ref.ts';
import { translatedActivityColumns, translatedName } from '#server/db/queries/translated-name.ts';
import { forUpdate } from '#server/db/row-locks.ts';
import type { Row } from '#server/db/tables.ts';
import { canAt, hiddenPhotoSchools, type SchoolScope, scopeFor, type Viewer } from '#server/http/viewer.ts';
import { isUnderLegalHold } from '#server/personal-data/legal-hold-store.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { columnsIn, fromColumns, toColumns, type ValuesOf } from '#shared/entity-fields.ts';
import { canChangePhoto, type DeletedPhoto, type Photo, type Review, type Size } from '../contract.ts';
import { PHOTO_FIELDS } from '../photo-fields.ts';

/** The name of a photo's file when it is unknown, or was deleted with its uploader's account. */
export const UNNAMED_FILE = 'photo';

/** The viewer, and the setting `PHOTO_MANAGERS`, which decides who may change a photo. */
export type PhotoAudience = Readonly<{ viewer: Viewer; managers: 'members' | 'uploader' }>;

/** A stored photo: every field except its links, plus the values that the links are signed with. */
export type StoredPhoto = Omit<Photo, 'signedUrl' | 'thumbnailSignedUrl' | 'linksExpireAt'> &
  Readonly<{ reviewRound: number }>;

/** Selects the photos to list: those of an activity, or of the schools in scope. */
export type PhotoFilter = Readonly<{ schools: SchoolScope; activityId?: number }>;

export type NewPhoto = ValuesOf<typeof PHOTO_FIELDS> &
  Readonly<{
    activityId: number;
    schoolId: number;
    userId: number;
    review: Review;
    originalName: string;
    bytes: number;
    width: number;
    height: number;
    storageKey: string;
    sourceSha256: string;
    sha256: Readonly<{ full: string; view: string; thumbnail: string }>;
    at: Instant;
  }>;

/** Returns a page of photos that the viewer may see, latest first, plus one row that shows whether there are more. */
export async function pageOfPhotos(
  db: Db,
  audience: PhotoAudience,
  filter: PhotoFilter,
  page: Page,
): Promise<StoredPhoto[]> {
  const rows = await selectPhotos(db)
    .where(visiblePhotos(audience.viewer, filter))
    .where(beforeId('photos', page))
    .orderBy('photos.id', 'desc')
    .limit(page.limit + 1)
    .execute();
  return rows.map((row) => toPhoto(audience, row));
}

/** Counts the photos of a list. */
export function countPhotos(db: Db, viewer: Viewer, filter: PhotoFilter): Promise<number> {
  return countRows(db.selectFrom('photos').where(visiblePhotos(viewer, filter)));
}

/** Returns a photo that the viewer may see, or undefined. */
export async function findPhoto(
  db: Db,
  audience: PhotoAudience,
  schools: SchoolScope,
  id: number,
): Promise<StoredPhoto | undefined> {
  const row = await selectPhotos(db)
    .where('photos.id', '=', id)
    .where(visiblePhotos(audience.viewer, { schools }))
    .executeTakeFirst();
  return row === undefined ? undefined : toPhoto(audience, row);
}

/** Returns the photos among these that the viewer may see, in the given order. */
export async function findPhotos(
  db: Db,
  audience: PhotoAudience,
  schools: SchoolScope,
  ids: readonly number[],
): Promise<StoredPhoto[]> {
  const rows = await selectPhotos(db)
    .where('photos.id', 'in', ids)
    .where(visiblePhotos(audience.viewer, { schools }))
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    return row === undefined ? [] : [toPhoto(audience, row)];
  });
}

/** Returns a page of deleted photos, latest deletion first, plus one row that shows whether there are more. */
export async function pageOfDeletedPhotos(
  db: Db,
  audience: PhotoAudience,
  schools: SchoolScope,
  page: Page,
): Promise<(StoredPhoto & Pick<DeletedPhoto, 'deletedAt' | 'deletedBy'>)[]> {
  const after =
    page.after === undefined
      ? sql<boolean>`1 = 1`
      : sql<boolean>`(photos.deleted_at, photos.id) < (${page.after[0]}, ${page.after[1]})`;
  const rows = await selectPhotos(db)
    .leftJoin('users as remover', 'remover.id', 'photos.deleted_by')
    .select(['photos.deleted_at', 'remover.id as remover_id'])
    .select(['remover.first_name as remover_first', 'remover.last_name as remover_last'])
    .where(inSchools('photos.school_id', schools))
    .where('photos.deleted_at', 'is not', null)
    .where(after)
    .orderBy('photos.deleted_at', 'desc')
    .orderBy('photos.id', 'desc')
    .limit(page.limit + 1)
    .$narrowType<{ deleted_at: NotNull }>()
    .execute();
  return rows.map((row) => ({
    ...toPhoto(audience, row),
    deletedAt: row.deleted_at,
    deletedBy: toPersonRef(row.remover_id, row.remover_first, row.remover_last),
  }));
}

/** Counts the deleted photos. */
export function countDeletedPhotos(db: Db, schools: SchoolScope): Promise<number> {
  return countRows(
    db.selectFrom('photos').where(inSchools('school_id', schools)).where('deleted_at', 'is not', null),
  );
}

/**
 * Returns a page of activities that have photos, by name, with the count and the latest photo that all members see, plus one
 * row that shows whether there are more.
 */
export async function pageOfActivitiesWithPhotos(
  db: Db,
  { schools, search }: { schools: SchoolScope; search: string },
  page: Page,
) {
  const livePhotos = sql`photos.activity_id = activities.id and photos.deleted_at is null`;
  const latestVisible = sql<
    number | null
  >`(select max(photos.id) from photos where ${livePhotos} and photos.review = 'visible')`;
  const rows = await db
    .selectFrom('activities')
    .innerJoin('categories', 'categories.id', 'activities.category_id')
    .select(translatedActivityColumns())
    .select([
      'activities.school_id',
      'activities.name_key',
      sql<number>`(select count(*) from photos where ${livePhotos})`.as('photos'),
      latestVisible.as('latest_id'),
    ])
    .where(inSchools('activities.school_id', schools))
    .where(containsWords(['activities.name_key', 'activities.translated_key'], search))
    .where(sql<boolean>`exists (select 1 from photos where ${livePhotos})`)
    .where(afterName('activities', page))
    .orderBy('activities.name_key')
    .orderBy('activities.id')
    .limit(page.limit + 1)
    .execute();
  return rows.map((row) => {
    const { id, name, category } = toActivityRef(row);
    return {
      id,
      name,
      nameKey: row.name_key,
      category,
      schoolId: row.school_id,
      photoCount: row.photos,
      latestId: row.latest_id,
    };
  });
}

/** The columns with the SHA-256 of a photo's files. */
export const HASH_COLUMNS = [
  'photos.sha256',
  'photos.view_sha256',
  'photos.thumbnail_sha256',
  'photos.large_sha256',
  'photos.screen_sha256',
] as const;

type HashColumns = Pick<
  Row<'photos'>,
  'sha256' | 'view_sha256' | 'thumbnail_sha256' | 'large_sha256' | 'screen_sha256'
>;

/**
 * The SHA-256 of a photo's files in hex. Null means that the hash is unknown or, for a deferred size, that there is no file.
 */
export type Hashes = Readonly<Record<Size, string | null>>;

/** Maps the hash columns to sizes. */
export function toHashes(row: HashColumns): Hashes {
  return {
    full: row.sha256,
    view: row.view_sha256,
    thumbnail: row.thumbnail_sha256,
    large: row.large_sha256,
    screen: row.screen_sha256,
  };
}

/** Returns the fields of a photo that its links depend on, deleted or not. */
export async function findPhotoFile(db: Db, id: number) {
  const row = await db
    .selectFrom('photos')
    .select(['id', 'review_round as reviewRound', 'deleted_at as deletedAt', 'storage_key as storageKey'])
    .select(HASH_COLUMNS)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && { ...row, sha256: toHashes(row) };
}

/** Returns the latest photo that lacks renditions, deleted or not, except those in `except`. */
export async function nextPhotoWithoutRenditions(db: Db, except: readonly number[]) {
  return db
    .selectFrom('photos')
    .select(['id', 'storage_key as storageKey'])
    .where('screen_sha256', 'is', null)
    .where((eb) => (except.length === 0 ? eb.lit(true) : eb('id', 'not in', except)))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Saves which renditions were created. The version is unchanged, since users see no difference. */
export async function insertRenditions(
  trx: Trx,
  id: number,
  { large, screen }: Pick<Hashes, 'large' | 'screen'>,
): Promise<void> {
  await trx
    .updateTable('photos')
    .set({ large_sha256: large, screen_sha256: screen })
    .where('id', '=', id)
    .execute();
}

/** Locks a photo, deleted or not, until the transaction ends. Returns undefined if there is none. */
export function lockPhoto(trx: Trx, id: number) {
  return forUpdate(
    trx,
    trx
      .selectFrom('photos')
      .select(['id', 'user_id', 'activity_id', 'school_id', 'deleted_at', 'deleted_by', 'source_sha256'])
      .where('id', '=', id),
  ).executeTakeFirst();
}

/** Locks an activity until the transaction ends, so that concurrent uploads add its photos one after the other. */
export async function lockPhotoActivity(trx: Trx, activityId: number): Promise<void> {
  await forUpdate(trx, trx.selectFrom('activities').select('id').where('id', '=', activityId)).execute();
}

/**
 * Returns the photos of an activity that these uploads would duplicate, by the SHA-256 of the uploaded file. Ignores deleted
 * ones.
 */
export async function findDuplicateUploads(
  db: Db,
  activityId: number,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('photos')
    .select(['id', 'source_sha256'])
    .where('activity_id', '=', activityId)
    .where('source_sha256', 'in', hashes)
    .where('deleted_at', 'is', null)
    .execute();
  return new Map(rows.map((row) => [row.source_sha256 ?? '', row.id]));
}

/** Counts the photos that the user has added since a moment, deleted ones included. */
export function countAddedSince(db: Db, userId: number, since: Instant): Promise<number> {
  return countRows(db.selectFrom('photos').where('user_id', '=', userId).where('created_at', '>=', since));
}

/** Adds a photo. Returns its id. */
export async function insertPhoto(trx: Trx, photo: NewPhoto): Promise<number> {
  const { id } = await trx
    .insertInto('photos')
    .values({
      activity_id: photo.activityId,
      school_id: photo.schoolId,
      user_id: photo.userId,
      ...toColumns(PHOTO_FIELDS, photo),
      review: photo.review,
      original_name: photo.originalName,
      file_size: photo.bytes,
      width: photo.width,
      height: photo.height,
      storage_key: photo.storageKey,
      source_sha256: photo.sourceSha256,
      sha256: photo.sha256.full,
      view_sha256: photo.sha256.view,
      thumbnail_sha256: photo.sha256.thumbnail,
      created_at: photo.at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Changes a caption. */
export async function updateCaption(trx: Trx, id: number, caption: string | null): Promise<void> {
  await trx
    .updateTable('photos')
    .set((eb) => ({ caption, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

/** Soft-deletes a photo, or restores it if `deleted` is null. */
export async function markPhotoDeleted(
  trx: Trx,
  id: number,
  deleted: { at: Instant; by: number } | null,
): Promise<void> {
  await trx
    .updateTable('photos')
    .set((eb) => ({
      deleted_at: deleted?.at ?? null,
      deleted_by: deleted?.by ?? null,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute();
}

/**
 * Permanently deletes up to `limit` photos that were deleted before a moment, except those under a legal hold. Their files
 * become due for removal.
 */
export async function purgePhotos(trx: Trx, before: Instant, limit: number): Promise<void> {
  await trx
    .deleteFrom('photos')
    .where(
      'id',
      'in',
      trx
        .selectFrom('photos')
        .select('id')
        .where('deleted_at', '<', before)
        .where(
          sql<boolean>`not ${isUnderLegalHold({ people: ['photos.user_id'], school: 'photos.school_id' })}`,
        )
        .orderBy('deleted_at')
        .orderBy('id')
        .limit(limit),
    )
    .execute();
}

/** Selects the columns that `toPhoto` needs. */
export function selectPhotos(db: Db) {
  return db
    .selectFrom('photos')
    .innerJoin('activities', 'activities.id', 'photos.activity_id')
    .innerJoin('categories', 'categories.id', 'activities.category_id')
    .innerJoin('users', 'users.id', 'photos.user_id')
    .select([
      'photos.id',
      ...columnsIn('photos', PHOTO_FIELDS),
      'photos.original_name',
      'photos.file_size',
      'photos.width',
      'photos.height',
      'photos.created_at',
      'photos.google_photos_url',
      'photos.google_photos_id',
      'photos.school_id',
      'photos.review',
      'photos.review_round',
      'photos.version',
      'photos.user_id',
      'users.first_name',
      'users.last_name',
      'activities.id as activity_id',
      translatedName('activities').as('activity_name'),
      'activities.active_from',
      'categories.id as category_id',
      translatedName('categories').as('category_name'),
      'categories.color as category_color',
      'categories.kind as category_kind',
    ]);
}

type PhotoRow = Awaited<ReturnType<ReturnType<typeof selectPhotos>['execute']>>[number];

/** Maps a row to a photo. Only administrators get the uploader (specification section 6). */
export function toPhoto({ viewer, managers }: PhotoAudience, row: PhotoRow): StoredPhoto {
  const isMember = viewer.schoolIds.includes(row.school_id);
  const isManager = canAt(viewer, 'manage photos', row.school_id);
  const mayChange = canChangePhoto({ userId: viewer.userId, isMember, isManager }, row.user_id, managers);
  return {
    id: row.id,
    ...fromColumns(PHOTO_FIELDS, row),
    originalName: row.original_name,
    fileSize: row.file_size,
    width: row.width,
    height: row.height,
    createdAt: row.created_at,
    googlePhotosUrl: row.google_photos_url,
    googlePhotosId: row.google_photos_id,
    user: canAt(viewer, 'see photos', row.school_id)
      ? toPersonRef(row.user_id, row.first_name, row.last_name)
      : null,
    activity: {
      id: row.activity_id,
      name: row.activity_name,
      activeFrom: row.active_from,
      category: {
        id: row.category_id,
        name: row.category_name,
        color: row.category_color,
        kind: row.category_kind,
      },
    },
    schoolId: row.school_id,
    review: row.review,
    reviewRound: row.review_round,
    version: row.version,
    canEdit: mayChange,
    canDelete: mayChange,
  };
}

// Administrators see every photo that is not deleted. Uploaders also see their own pending ones.
function visiblePhotos(viewer: Viewer, { schools, activityId }: PhotoFilter): RawBuilder<boolean> {
  const inScope =
    activityId === undefined
      ? inSchools('photos.school_id', schools)
      : sql<boolean>`photos.activity_id = ${activityId} and ${inSchools('photos.school_id', schools)}`;
  const all = scopeFor(viewer, 'see photos');
  if (all === 'all') return sql<boolean>`photos.deleted_at is null and ${inScope}`;
  const others = all.length === 0 ? sql`` : sql`or ${inSchools('photos.school_id', all)}`;
  const hidden = hiddenPhotoSchools(viewer);
  const approvedOnly =
    hidden.length === 0
      ? sql``
      : sql`and (photos.user_id = ${viewer.userId} or photos.school_id not in (${sql.join(hidden)}))`;
  return sql<boolean>`photos.deleted_at is null and ${inScope} ${approvedOnly}
    and (photos.review = 'visible' or (photos.review = 'waiting' and photos.user_id = ${viewer.userId}) ${others})`;
}
