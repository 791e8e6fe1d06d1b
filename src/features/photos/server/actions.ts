import { messages as activityMessages } from '#features/activities/contract.ts';
import { findActivityFor } from '#features/activities/server/actions.ts';
import { findRequestedSchools } from '#features/schools/server/actions.ts';
import { recordEvent } from '#server/audit-log.ts';
import { type Db, type Trx, transaction } from '#server/db/database.ts';
import { pageByKey } from '#server/db/queries/pagination.ts';
import type { Deps } from '#server/deps.ts';
import { throwIfStale } from '#server/http/change-checks.ts';
import type { FileAnswer } from '#server/http/route-mount.ts';
import { checkRestore, isDeleted, UNDO_WINDOW } from '#server/http/soft-delete.ts';
import { type Acting, actorOf, narrowTo, type Request, type Viewer } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { lockLegalHolds } from '#server/personal-data/legal-hold-store.ts';
import { type Instant, plusMilliseconds } from '#shared/calendar-date.ts';
import { fieldsOf } from '#shared/entity-fields.ts';
import { errors } from '#shared/errors.ts';
import { type CaptionChange, messages, type Photo, SIZES } from '../contract.ts';
import { PHOTO_FIELDS } from '../photo-fields.ts';
import { chooseRendition, fileName } from './photo-files.ts';
import { createLinks, isLinkCurrent, type SignedLink, secondsLeft } from './signed-links.ts';
import {
  countDeletedPhotos,
  countPhotos,
  findDuplicateUploads,
  findPhoto,
  findPhotoFile,
  findPhotos,
  lockPhoto,
  lockPhotoActivity,
  markPhotoDeleted,
  type PhotoAudience,
  type PhotoFilter,
  pageOfActivitiesWithPhotos,
  pageOfDeletedPhotos,
  pageOfPhotos,
  purgePhotos,
  type StoredPhoto,
  updateCaption,
} from './store.ts';

type PhotoReply = { photo: Photo; message: string };
type PageQuery = { limit?: number | undefined; cursor?: string | undefined };

const DAY_MS = 86_400_000;
const PURGE_BATCH_SIZE = 1000;

/** Returns a page of a school's photos, with the total. Throws 404 for a school outside the viewer's scope. */
export async function listSchoolPhotos(deps: Deps, acting: Acting, call: { id: number; query: PageQuery }) {
  const schools = await findRequestedSchools(deps.database.db, acting.viewer, call.id);
  return loadPhotoPage(deps, acting, `photos of school ${call.id}`, { schools }, call.query);
}

/** Returns a page of an activity's photos. Throws 404 if the activity is outside the viewer's schools or not of `schoolId`. */
export async function listActivityPhotos(
  deps: Deps,
  acting: Acting,
  call: { id: number; query: PageQuery & { schoolId?: number | undefined } },
) {
  const { id: activityId, schoolId } = await requireActivity(
    deps.database.db,
    acting.viewer,
    call.id,
    call.query.schoolId,
  );
  const schools = narrowTo(acting.viewer.schools, schoolId) ?? acting.viewer.schools;
  return loadPhotoPage(deps, acting, `photos of activity ${activityId}`, { schools, activityId }, call.query);
}

/** Returns a page of the photos of one school, or of all schools whose photos the viewer sees through a role. */
export async function listGrantedPhotos(
  deps: Deps,
  acting: Acting,
  query: PageQuery & { schoolId?: number | undefined },
) {
  const schools = await findRequestedSchools(deps.database.db, acting.viewer, query.schoolId);
  return loadPhotoPage(deps, acting, `photos of schools ${query.schoolId ?? ''}`, { schools }, query);
}

/** Returns a page of the activities that have photos, by name, each with the latest photo that all members see. */
export async function listActivitiesWithPhotos(
  deps: Deps,
  { viewer, request }: Acting,
  query: PageQuery & { schoolId?: number | undefined; search?: string | undefined },
) {
  const { db } = deps.database;
  const schools = await findRequestedSchools(db, viewer, query.schoolId);
  const search = query.search ?? '';
  const list = `activities with photos ${query.schoolId ?? ''} ${search}`;
  const { rows, nextCursor } = await pageByKey(deps.secretKey, list, query, {
    read: (page) => pageOfActivitiesWithPhotos(db, { schools, search }, page),
    keyOf: ({ nameKey, id }) => [nameKey, id],
  });
  const latest = rows.flatMap(({ latestId }) => latestId ?? []);
  const photos = new Map(
    (latest.length === 0 ? [] : await findPhotos(db, toPhotoAudience(deps, viewer), schools, latest)).map(
      (photo) => [photo.id, withLinks(deps, request.at, photo)],
    ),
  );
  return {
    activities: rows.map(({ latestId, ...activity }) => ({
      ...activity,
      latest: (latestId === null ? undefined : photos.get(latestId)) ?? null,
    })),
    nextCursor,
  };
}

/** Returns an activity of the viewer's schools. Throws 404 if there is none, or it is not of `schoolId`. */
export async function requireActivity(db: Db, viewer: Viewer, id: number, schoolId: number | undefined) {
  const activity = await findActivityFor(db, viewer.schools, id);
  if (activity === undefined || (schoolId !== undefined && schoolId !== activity.schoolId)) {
    throw errors.notFound(activityMessages.notFound);
  }
  return activity;
}

/** Returns a photo with new links. */
export async function readPhoto(deps: Deps, { viewer, request }: Acting, id: number) {
  const photo = withLinks(deps, request.at, await requirePhoto(deps.database.db, deps, viewer, id));
  return { photo, signedUrl: photo.signedUrl, thumbnailSignedUrl: photo.thumbnailSignedUrl };
}

/** Changes a caption; an omitted one stays. Throws 403 if the viewer may not, 409 if `ifMatch` is outdated. */
export function changeCaption(
  deps: Deps,
  { viewer, request }: Acting,
  call: { id: number; change: CaptionChange; ifMatch: number | undefined },
): Promise<PhotoReply> {
  return transaction(deps.database, async (trx) => {
    const before = await lockChangeablePhoto(trx, deps, viewer, call);
    const caption = call.change.caption === undefined ? before.caption : call.change.caption;
    if (caption !== before.caption) await updateCaption(trx, call.id, caption);
    const photo = await requirePhoto(trx, deps, viewer, call.id);
    const answer = {
      photo: withLinks(deps, request.at, photo),
      message: translate(deps, messages.captionUpdated),
    };
    if (caption === before.caption) return answer;
    await recordEvent(trx, actorOf(viewer, request), {
      action: 'photo.caption',
      subject: 'photo',
      subjectId: call.id,
      schoolId: photo.schoolId,
      personId: before.uploaderId,
      before: { caption: before.caption },
      after: { caption },
    });
    return answer;
  });
}

/** Soft-deletes a photo. Throws 403 if the viewer may not, 409 if `ifMatch` is outdated. */
export function deletePhoto(
  deps: Deps,
  { viewer, request }: Acting,
  call: { id: number; ifMatch: number | undefined },
): Promise<{ message: string }> {
  return transaction(deps.database, async (trx) => {
    const photo = await lockChangeablePhoto(trx, deps, viewer, call);
    await markPhotoDeleted(trx, call.id, { at: request.at, by: viewer.userId });
    await recordEvent(trx, actorOf(viewer, request), {
      action: 'photo.delete',
      subject: 'photo',
      subjectId: call.id,
      schoolId: photo.schoolId,
      personId: photo.uploaderId,
      before: { activityId: photo.activity.id, ...fieldsOf(PHOTO_FIELDS, photo) },
    });
    return { message: translate(deps, messages.deleted) };
  });
}

/**
 * Restores a deleted photo: members within 10 minutes and only what they deleted, administrators within 30 days. Returns a
 * photo that is not deleted unchanged. Throws 409 if the same image was uploaded again meanwhile.
 */
export function restorePhoto(deps: Deps, { viewer, request }: Acting, id: number): Promise<PhotoReply> {
  return transaction(deps.database, async (trx) => {
    const row = await lockPhoto(trx, id);
    if (isDeleted(row)) {
      checkRestore(viewer, request.at, row, messages);
      await lockPhotoActivity(trx, row.activity_id);
      const same = await findDuplicateUploads(trx, row.activity_id, [row.source_sha256 ?? '']);
      if (same.size > 0) throw errors.conflict(messages.alreadyThere);
      await markPhotoDeleted(trx, id, null);
      await recordEvent(trx, actorOf(viewer, request), {
        action: 'photo.restore',
        subject: 'photo',
        subjectId: id,
        schoolId: row.school_id,
        personId: row.user_id,
      });
    }
    const photo = await requirePhoto(trx, deps, viewer, id);
    return { photo: withLinks(deps, request.at, photo), message: translate(deps, messages.restored) };
  });
}

/**
 * Returns a page of deleted photos, with the total. Only administrators get their links, which stop working when the photo is
 * restored.
 */
export async function listDeletedPhotos(
  deps: Deps,
  { viewer, request }: Acting,
  query: PageQuery & { schoolId?: number | undefined },
) {
  const { db } = deps.database;
  const schools = await findRequestedSchools(db, viewer, query.schoolId);
  const list = `photo trash ${query.schoolId ?? ''}`;
  const { rows, nextCursor } = await pageByKey(deps.secretKey, list, query, {
    read: (page) => pageOfDeletedPhotos(db, toPhotoAudience(deps, viewer), schools, page),
    keyOf: (photo) => [photo.deletedAt, photo.id],
  });
  const photos = rows.map((photo) => ({
    ...withLinks(deps, request.at, photo),
    deletedAt: photo.deletedAt,
    deletedBy: photo.deletedBy,
    removedAt: plusMilliseconds(photo.deletedAt, UNDO_WINDOW.adminDays * DAY_MS),
  }));
  return { photos, nextCursor, pagination: { total: await countDeletedPhotos(db, schools) } };
}

/**
 * Returns the file of a signed link. A large image is the smallest AVIF file whose longest side has at least `side` pixels, if
 * the request accepts AVIF. Throws 403 if the link was changed or has expired, without reading the photo, so that the reply
 * does not reveal which photos exist. Throws 404 if the photo is gone, or was deleted after the link was made, and 403 if it
 * was reviewed or restored since.
 */
export async function readPhotoFile(
  deps: Deps,
  request: Request,
  link: SignedLink,
  side: number = SIZES.view,
): Promise<FileAnswer> {
  const keptSeconds = secondsLeft(deps.secretKey, link, request.at);
  if (keptSeconds === undefined) throw errors.forbidden(messages.linkInvalid);
  const photo = await findPhotoFile(deps.database.db, link.id);
  if (photo === undefined) throw errors.notFound(messages.notFound);
  if (!isLinkCurrent(deps.secretKey, photo, link)) {
    throw photo.deletedAt === null
      ? errors.forbidden(messages.linkInvalid)
      : errors.notFound(messages.notFound);
  }
  const rendition = chooseRendition(link.size, photo.sha256, { side, accept: request.accept ?? '' });
  if (rendition === undefined) throw errors.forbidden(messages.linkInvalid);
  const file = await deps.files.read(fileName(photo.storageKey, rendition));
  if (file === undefined) {
    deps.log.error(
      { photo: photo.id, size: rendition.size },
      'the file of a photo is missing. Run npm run photos -- scrub',
    );
    throw errors.notFound(messages.notFound);
  }
  return {
    name: `photo-${photo.id}-${rendition.size}.${rendition.ending}`,
    type: rendition.type,
    content: file.content,
    bytes: file.bytes,
    shown: { keptSeconds, variesBy: 'accept' },
  };
}

/**
 * Permanently deletes up to 1,000 photos that were deleted over 30 days ago and are not under a legal hold. `removeLeftovers`
 * removes their files.
 */
export async function purgeDeletedPhotos(trx: Trx, now: Instant): Promise<void> {
  await lockLegalHolds(trx);
  await purgePhotos(trx, plusMilliseconds(now, -UNDO_WINDOW.adminDays * DAY_MS), PURGE_BATCH_SIZE);
}

/** Returns the viewer with the setting that decides who may change photos. */
export function toPhotoAudience(deps: Deps, viewer: Viewer): PhotoAudience {
  return { viewer, managers: deps.config.photoManagers };
}

/** Returns a photo as sent to clients, with links that expire. */
export function withLinks(deps: Deps, now: Instant, photo: StoredPhoto): Photo {
  const { reviewRound, ...photoFields } = photo;
  return { ...photoFields, ...createLinks(deps.secretKey, photo, now) };
}

/** Returns a photo that the viewer may see. Throws 404 otherwise. */
export async function requirePhoto(db: Db, deps: Deps, viewer: Viewer, id: number): Promise<StoredPhoto> {
  const photo = await findPhoto(db, toPhotoAudience(deps, viewer), viewer.schools, id);
  if (photo === undefined) throw errors.notFound(messages.notFound);
  return photo;
}

async function loadPhotoPage(
  deps: Deps,
  { viewer, request }: Acting,
  list: string,
  filter: PhotoFilter,
  query: PageQuery,
) {
  const { db } = deps.database;
  const { rows, nextCursor } = await pageByKey(deps.secretKey, list, query, {
    read: (page) => pageOfPhotos(db, toPhotoAudience(deps, viewer), filter, page),
    keyOf: ({ id }) => [id],
  });
  const total = await countPhotos(db, viewer, filter);
  return {
    photos: rows.map((photo) => withLinks(deps, request.at, photo)),
    nextCursor,
    pagination: { total },
  };
}

async function lockChangeablePhoto(
  trx: Trx,
  deps: Deps,
  viewer: Viewer,
  call: { id: number; ifMatch: number | undefined },
): Promise<StoredPhoto & { uploaderId: number | null }> {
  const row = await lockPhoto(trx, call.id);
  const photo = await requirePhoto(trx, deps, viewer, call.id);
  if (!photo.canEdit) throw errors.forbidden(messages.uploaderOnly);
  throwIfStale(call.ifMatch, photo);
  return { ...photo, uploaderId: row?.user_id ?? null };
}
