import { basename, dirname, join } from 'node:path';
import { type Actor, recordEvent } from '#server/audit-log.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import { databaseFailure } from '#server/db/database-errors.ts';
import type { Deps } from '#server/deps.ts';
import type { SaveCreatedId } from '#server/http/idempotency.ts';
import type { UploadedFile } from '#server/http/multipart.ts';
import { type Acting, actorOf, canAt, type Request } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { EMPTY } from '#server/images/image-type.ts';
import { assertDefined } from '#shared/assert-defined.ts';
import { plusMilliseconds } from '#shared/calendar-date.ts';
import { commonMessages } from '#shared/common-messages.ts';
import { fieldsOf, newRecordValues } from '#shared/entity-fields.ts';
import { errors } from '#shared/errors.ts';
import { messages, type Photo, type PhotoUpload, type Review, UPLOAD } from '../contract.ts';
import { PHOTO_FIELDS } from '../photo-fields.ts';
import { requireActivity, toPhotoAudience, withLinks } from './actions.ts';
import { deleteOrphanedFileRows, findOrphanedAmong, insertOrphanedFiles } from './orphaned-files-store.ts';
import { fileName, newStorageKey, orphanDueAt, removeFiles, UPLOAD_SIZES } from './photo-files.ts';
import { readPhotoSettings } from './settings.ts';
import {
  countAddedSince,
  findDuplicateUploads,
  findPhotos,
  insertPhoto,
  lockPhotoActivity,
  type NewPhoto,
  UNNAMED_FILE,
} from './store.ts';

const DAY_MS = 86_400_000;

/** An upload with its prepared sizes stored in its folder. */
type PreparedUpload = Readonly<{
  file: UploadedFile;
  storageKey: string;
  width: number;
  height: number;
  sha256: NewPhoto['sha256'];
}>;

/** The reply to a repeated upload: its photos in the order of the files, and how many were new. */
type UploadOutcome = Readonly<{ ids: readonly number[]; added: number }>;

/**
 * Adds photos to an activity of the viewer's schools: all of them or none. For an image that the activity already has, by the
 * uploaded bytes, the existing photo is returned. Creates the sizes, records the storage keys, stores the files, and only then
 * writes the rows. So a row always has its files, and files without a row are known.
 */
export async function uploadPhotos(
  deps: Deps,
  { viewer, request }: Acting,
  call: { activityId: number; upload: PhotoUpload; files: readonly UploadedFile[] },
  once: (
    run: (trx: Trx) => Promise<UploadOutcome>,
    madeId: SaveCreatedId<UploadOutcome>,
  ) => Promise<UploadOutcome>,
): Promise<{ photos: Photo[]; added: number; message: string }> {
  const { db } = deps.database;
  const activity = await requireActivity(db, viewer, call.activityId, call.upload.schoolId);
  const settings = await readPhotoSettings(deps, db);
  requireFiles(call.files);
  requireConsent(settings.consent, call.upload);
  await checkDailyLimit(deps, { viewer, request }, call.files.length);
  const review: Review =
    settings.review && !canAt(viewer, 'manage photos', activity.schoolId) ? 'waiting' : 'visible';

  const prepared = await prepareUploads(deps, await skipDuplicates(deps, activity.id, call.files));
  const outcome = await withStoredFiles(deps, request, prepared, () =>
    once(
      async (trx) => {
        await lockPhotoActivity(trx, activity.id);
        return insertAll(trx, { viewer, request }, { ...call, activity, review, prepared });
      },
      ({ ids }) => ids[0],
    ),
  );
  const photos = await findPhotos(db, toPhotoAudience(deps, viewer), viewer.schools, outcome.ids);
  return {
    photos: photos.map((photo) => withLinks(deps, request.at, photo)),
    added: outcome.added,
    message: translate(deps, messageFor(outcome, review)),
  };
}

function requireFiles(files: readonly UploadedFile[]): void {
  if (files.length === 0) throw errors.invalid(messages.noFiles, { photos: messages.noFiles });
}

function requireConsent(isRequired: boolean, upload: PhotoUpload): void {
  if (isRequired && upload.consent !== true) {
    throw errors.invalid(messages.consentRequired, { consent: messages.consentRequired });
  }
}

async function checkDailyLimit(deps: Deps, { viewer, request }: Acting, more: number): Promise<void> {
  const dayAgo = plusMilliseconds(request.at, -DAY_MS);
  const added = await countAddedSince(deps.database.db, viewer.userId, dayAgo);
  if (added + more > UPLOAD.aDay) throw errors.tooManyTries(messages.dailyLimit, 3600);
}

// Decoding is the most expensive step, so images that the activity has, or that were sent twice, are skipped first.
async function skipDuplicates(
  deps: Deps,
  activityId: number,
  files: readonly UploadedFile[],
): Promise<readonly UploadedFile[]> {
  const hashes = files.map((file) => file.sha256);
  const existing = await findDuplicateUploads(deps.database.db, activityId, hashes);
  return files.filter(({ sha256 }, index) => !existing.has(sha256) && hashes.indexOf(sha256) === index);
}

function prepareUploads(deps: Deps, files: readonly UploadedFile[]): Promise<PreparedUpload[]> {
  return Promise.all(files.map((file) => prepareUpload(deps, file)));
}

async function prepareUpload(deps: Deps, file: UploadedFile): Promise<PreparedUpload> {
  const storageKey = newStorageKey();
  const orders = UPLOAD_SIZES.map((stored) => ({
    path: join(dirname(file.path), fileName(storageKey, stored)),
    format: stored.format,
    width: stored.side,
    height: stored.side,
  }));
  const outcome = await deps.imageWorkers.render({ source: file.path, orders });
  if (!outcome.ok) {
    if (outcome.reason === 'full') throw errors.storageFull(commonMessages.storageFull);
    const name = file.name === '' ? basename(file.path) : file.name;
    const message =
      outcome.reason !== 'type'
        ? messages[outcome.reason](name)
        : outcome.found === EMPTY
          ? messages.empty(name)
          : messages.invalidType(name, typeForMessage(outcome.found, file));
    throw errors.invalid(message, { photos: message });
  }
  const [full, view, thumbnail] = outcome.made.map(({ sha256 }) => sha256);
  return {
    file,
    storageKey,
    width: outcome.width,
    height: outcome.height,
    sha256: { full: assertDefined(full), view: assertDefined(view), thumbnail: assertDefined(thumbnail) },
  };
}

// For unknown content the message names the claimed type, unless that type is an image.
function typeForMessage(found: string, { statedType }: UploadedFile): string {
  return found !== 'unknown' || statedType.startsWith('image/') ? found : statedType;
}

/**
 * Stores the files, runs `insert`, and removes the files that no photo has afterwards. After a database failure the rows may
 * exist, so the hourly job removes the files instead.
 */
async function withStoredFiles(
  deps: Deps,
  request: Request,
  prepared: readonly PreparedUpload[],
  insert: () => Promise<UploadOutcome>,
): Promise<UploadOutcome> {
  if (prepared.length === 0) return insert();
  const keys = prepared.map((one) => one.storageKey);
  await transaction(deps.database, (trx) => insertOrphanedFiles(trx, keys, orphanDueAt(request.at)));
  let isCertain = true;
  try {
    for (const { storageKey, file } of prepared) {
      for (const stored of UPLOAD_SIZES) {
        const name = fileName(storageKey, stored);
        await deps.files.put(name, join(dirname(file.path), name));
      }
    }
    return await insert();
  } catch (error) {
    isCertain = databaseFailure(error) === undefined;
    throw error;
  } finally {
    if (isCertain) await removeUnused(deps, keys);
  }
}

async function removeUnused(deps: Deps, keys: readonly string[]): Promise<void> {
  try {
    const unused = await findOrphanedAmong(deps.database.db, keys);
    if (unused.length === 0) return;
    await removeFiles(deps.files, unused);
    await transaction(deps.database, (trx) => deleteOrphanedFileRows(trx, unused));
  } catch (error) {
    // They are recorded, so the hourly job removes them. The upload's reply does not depend on it.
    deps.log.warn({ err: error }, 'could not delete the files of a failed upload, the cleanup job will');
  }
}

type Insertion = Readonly<{
  activity: { id: number; schoolId: number };
  upload: PhotoUpload;
  review: Review;
  files: readonly UploadedFile[];
  prepared: readonly PreparedUpload[];
}>;

// Runs under the activity's lock, so its photos cannot change until the rows are written.
async function insertAll(
  trx: Trx,
  { viewer, request }: Acting,
  { activity, upload, review, files, prepared }: Insertion,
): Promise<UploadOutcome> {
  const hashes = files.map((file) => file.sha256);
  const ids = new Map(await findDuplicateUploads(trx, activity.id, hashes));
  const used: string[] = [];
  for (const { file, storageKey, width, height, sha256 } of prepared) {
    if (ids.has(file.sha256)) continue;
    const photo: NewPhoto = {
      activityId: activity.id,
      schoolId: activity.schoolId,
      userId: viewer.userId,
      ...newRecordValues(PHOTO_FIELDS, { ...upload, containsStudents: upload.containsStudents === true }),
      review,
      originalName: file.name === '' ? UNNAMED_FILE : file.name,
      bytes: file.bytes,
      width,
      height,
      storageKey,
      sourceSha256: file.sha256,
      sha256,
      at: request.at,
    };
    const id = await insertPhoto(trx, photo);
    ids.set(file.sha256, id);
    used.push(storageKey);
    await recordUpload(trx, actorOf(viewer, request), { id, photo, consent: upload.consent === true });
  }
  if (used.length > 0) await deleteOrphanedFileRows(trx, used);
  const inOrder = hashes.flatMap((hash) => ids.get(hash) ?? []);
  return { ids: [...new Set(inOrder)], added: used.length };
}

async function recordUpload(
  trx: Trx,
  actor: Actor,
  { id, photo, consent }: { id: number; photo: NewPhoto; consent: boolean },
): Promise<void> {
  const { activityId, schoolId, review } = photo;
  await recordEvent(trx, actor, {
    action: 'photo.upload',
    subject: 'photo',
    subjectId: id,
    schoolId,
    after: { activityId, ...fieldsOf(PHOTO_FIELDS, photo), consent, review },
  });
}

function messageFor({ ids, added }: UploadOutcome, review: Review) {
  if (added === 0) return messages.allThere(ids.length);
  return review === 'waiting' ? messages.uploadedForReview(added) : messages.uploaded(added);
}
