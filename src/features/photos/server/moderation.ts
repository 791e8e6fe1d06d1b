import { findRequestedSchools } from '#features/schools/server/actions.ts';
import { recordEvent } from '#server/audit-log.ts';
import { transaction } from '#server/db/database.ts';
import { pageByKey } from '#server/db/queries/pagination.ts';
import type { Deps } from '#server/deps.ts';
import { type Acting, actorOf, type Viewer } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { errors } from '#shared/errors.ts';
import { messages, type Photo } from '../contract.ts';
import { requirePhoto, toPhotoAudience, withLinks } from './actions.ts';
import { countHideRequest, notifyAboutHiddenPhoto } from './emails.ts';
import { countWaitingPhotos, markReported, markVisible, pageOfPhotosToReview } from './moderation-store.ts';
import { lockPhoto } from './store.ts';

/** Returns a page of photos that wait for a decision, oldest upload first. */
export async function listPhotosToReview(
  deps: Deps,
  { viewer, request }: Acting,
  query: { schoolId?: number | undefined; limit?: number | undefined; cursor?: string | undefined },
) {
  const { db } = deps.database;
  const schools = await findRequestedSchools(db, viewer, query.schoolId);
  const list = `photos to review ${query.schoolId ?? ''}`;
  const { rows, nextCursor } = await pageByKey(deps.secretKey, list, query, {
    read: (page) => pageOfPhotosToReview(db, toPhotoAudience(deps, viewer), schools, page),
    keyOf: ({ id }) => [id],
  });
  const photos = rows.map((photo) => ({ ...withLinks(deps, request.at, photo), takedown: photo.takedown }));
  return { photos, nextCursor, pagination: { total: await countWaitingPhotos(db, schools) } };
}

/** Counts the photos that wait for a decision. */
export async function countPhotosToReview(deps: Deps, viewer: Viewer, schoolId: number | undefined) {
  const { db } = deps.database;
  return { count: await countWaitingPhotos(db, await findRequestedSchools(db, viewer, schoolId)) };
}

/** Makes a photo visible. Throws 404 if it is gone, 409 if it was already decided. */
export function approvePhoto(
  deps: Deps,
  { viewer, request }: Acting,
  id: number,
): Promise<{ photo: Photo; message: string }> {
  return transaction(deps.database, async (trx) => {
    const row = await lockPhoto(trx, id);
    const before = await requirePhoto(trx, deps, viewer, id);
    if (before.review === 'visible') throw errors.conflict(messages.nothingToReview);
    await markVisible(trx, id);
    await recordEvent(trx, actorOf(viewer, request), {
      action: 'photo.approve',
      subject: 'photo',
      subjectId: id,
      schoolId: before.schoolId,
      personId: row?.user_id ?? null,
      before: { review: before.review },
      after: { review: 'visible' },
    });
    const photo = await requirePhoto(trx, deps, viewer, id);
    return { photo: withLinks(deps, request.at, photo), message: translate(deps, messages.approved) };
  });
}

/**
 * Hides a photo from everyone except administrators, and emails them. Every user who sees the photo may do this; its links stop
 * working immediately. Repeating the request changes nothing. Throws 429 if the viewer has sent too many requests.
 */
export async function hidePhoto(
  deps: Deps,
  { viewer, request }: Acting,
  call: { id: number; reason: string | null },
): Promise<{ message: string }> {
  const reply = { message: translate(deps, messages.takenDown) };
  const { review } = await requirePhoto(deps.database.db, deps, viewer, call.id);
  if (review === 'reported') return reply;
  const isIndividual = await countHideRequest(deps, viewer, request);
  return transaction(deps.database, async (trx) => {
    const row = await lockPhoto(trx, call.id);
    const photo = await requirePhoto(trx, deps, viewer, call.id);
    if (photo.review === 'reported') return reply;
    await markReported(trx, call.id, { at: request.at, by: viewer.userId, reason: call.reason });
    await recordEvent(trx, actorOf(viewer, request), {
      action: 'photo.takedown',
      subject: 'photo',
      subjectId: call.id,
      schoolId: photo.schoolId,
      personId: row?.user_id ?? null,
      before: { review: photo.review },
      // The photo stores the reason until the decision. The audit log does not, because it is permanent.
      after: { review: 'reported' },
    });
    await notifyAboutHiddenPhoto(trx, deps, request, {
      photo,
      reason: call.reason,
      isIndividual,
    });
    return reply;
  });
}
