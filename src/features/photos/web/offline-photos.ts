import type { ReplyOf } from '#shared/endpoint.ts';
import type { Id } from '#shared/id.ts';
import { CallError } from '#web/api/call.ts';
import { randomKey } from '#web/api/random-key.ts';
import { gotNoAnswer } from '#web/api/unanswered.ts';
import { upload } from '#web/api/upload.ts';
import { t } from '#web/i18n/translate.ts';
import { currentPendingStore, type PendingChange } from '#web/offline/pending-changes.ts';
import { uploadPhotos } from '../contract.ts';

/** A photo queued on this device; its file is stored separately. */
export type OfflinePhoto = Readonly<{
  activityId: Id;
  name: string;
  fields: Readonly<Record<string, string | undefined>>;
}>;

type Travel = Readonly<{ onProgress: (sent: number) => void; signal: AbortSignal }>;

/** Uploads a photo, or queues it on this device when the server cannot be reached. Throws a CallError. */
export async function uploadOrQueue(
  what: OfflinePhoto,
  file: Blob,
  travel: Travel,
): Promise<ReplyOf<typeof uploadPhotos> | { kept: string }> {
  const idempotencyKey = randomKey();
  const keep = (isTried: boolean) =>
    currentPendingStore()?.keep({ kind: 'photo', key: idempotencyKey, isTried, what, file });
  if (currentPendingStore()?.isWithoutSignal() === true && (await keep(false)) === 'kept') return kept();
  try {
    const { activityId, name, fields } = what;
    return await upload(uploadPhotos, {
      params: { id: activityId },
      fields,
      file,
      name,
      idempotencyKey,
      ...travel,
    });
  } catch (error) {
    if (!gotNoAnswer(error)) throw error;
    const fate = await keep(true);
    if (fate === 'kept') return kept();
    if (fate === undefined) throw error;
    throw new CallError(0, t(fate === 'full' ? 'photos:noRoomToKeep' : 'photos:cannotKeep'), true);
  }
}

function kept() {
  return { kept: t('photos:keptForLater', { count: 1 }) };
}

export function isPhoto(waiting: PendingChange): waiting is PendingChange<OfflinePhoto> {
  return waiting.kind === 'photo';
}
