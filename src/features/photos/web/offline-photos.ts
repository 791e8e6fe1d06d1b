import type { ReplyOf } from '#shared/endpoint.ts';
import type { Id } from '#shared/id.ts';
import { CallError } from '#web/api/call.ts';
import { randomKey } from '#web/api/random-key.ts';
import { gotNoAnswer } from '#web/api/unanswered.ts';
import { upload } from '#web/api/upload.ts';
import { t } from '#web/i18n/translate.ts';
import { ConfirmationNeeded, currentPendingStore, type PendingChange } from '#web/offline/pending-changes.ts';
import { uploadPhotos } from '../contract.ts';

/** A photo queued on this device; its file is stored separately. */
export type OfflinePhoto = Readonly<{
  activityId: Id;
  name: string;
  fields: Readonly<Record<string, string | undefined>>;
}>;

type UploadOptions = Readonly<{ onProgress: (sent: number) => void; signal: AbortSignal }>;

/**
 * Uploads a photo, or queues it on this device when the server cannot be reached. Throws a CallError if the server rejects the
 * photo or this device cannot queue it.
 */
export async function uploadOrQueue(
  photo: OfflinePhoto,
  file: Blob,
  options: UploadOptions,
): Promise<ReplyOf<typeof uploadPhotos> | { kept: string }> {
  const idempotencyKey = randomKey();
  const queue = (isTried: boolean) =>
    currentPendingStore()?.keep({ kind: 'photo', key: idempotencyKey, isTried, what: photo, file });
  if (currentPendingStore()?.hasNoConnection() === true && (await queue(false)) === 'queued')
    return queuedReply();
  try {
    const { activityId, name, fields } = photo;
    return await upload(uploadPhotos, {
      params: { id: activityId },
      fields,
      file,
      name,
      idempotencyKey,
      ...options,
    });
  } catch (error) {
    if (!gotNoAnswer(error)) throw error;
    const result = await queue(true);
    if (result === 'queued') return queuedReply();
    if (result === undefined) throw error;
    throw new CallError(0, t(result === 'full' ? 'photos:noRoomToKeep' : 'photos:cannotKeep'), true);
  }
}

function queuedReply() {
  return { kept: t('photos:keptForLater', { count: 1 }) };
}

export function isOfflinePhoto(waiting: PendingChange): waiting is PendingChange<OfflinePhoto> {
  return waiting.kind === 'photo';
}

/** Uploading a photo can take minutes on a slow connection. */
const TIMEOUT_MS = 5 * 60_000;

type Sending = Readonly<{ token: string; trying: () => Promise<void> }>;

/** Sends a queued photo in the session in which it was added. */
export async function sendOfflinePhoto(
  { key, what: photo }: PendingChange<OfflinePhoto>,
  file: Blob | undefined,
  { token, trying }: Sending,
): Promise<void> {
  if (file === undefined) throw new ConfirmationNeeded(t('photos:keptFileGone'));
  await trying();
  try {
    await upload(uploadPhotos, {
      params: { id: photo.activityId },
      fields: photo.fields,
      file,
      name: photo.name,
      idempotencyKey: key,
      token,
      onProgress: () => {},
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch (error) {
    // The photo arrived and only the reply was lost.
    if (!(error instanceof CallError) || error.made === undefined) throw error;
  }
}
