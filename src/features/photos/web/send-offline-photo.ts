import { CallError } from '#web/api/call.ts';
import { upload } from '#web/api/upload.ts';
import { t } from '#web/i18n/translate.ts';
import { ConfirmationNeeded, type PendingChange } from '#web/offline/pending-changes.ts';
import { uploadPhotos } from '../contract.ts';
import type { OfflinePhoto } from './offline-photos.ts';

/** A photo takes minutes on a slow connection. */
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
