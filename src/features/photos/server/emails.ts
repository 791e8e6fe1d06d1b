import { type Addressee, emailTo, openProduct } from '#features/users/server/emails.ts';
import type { Trx } from '#server/db/database.ts';
import type { Recipient } from '#server/db/queries/recipient.ts';
import type { Deps } from '#server/deps.ts';
import type { Letter } from '#server/email/email.ts';
import { isDueLater, noticeExpiry, post } from '#server/email/outbox.ts';
import {
  checkRateLimit,
  consumeAttempt,
  EMAILS_BY_SENDER,
  HIDE_PHOTO_EMAILS,
  HIDE_PHOTO_REQUESTS,
} from '#server/http/rate-limit.ts';
import type { Request, Viewer } from '#server/http/viewer.ts';
import { namesFor } from '#server/i18n/recipient-language.ts';
import { plusMilliseconds } from '#shared/calendar-date.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import type texts from '../messages.emails.en.json';
import { administratorsAmong, allAdministrators, namesOf, schoolAdministrators } from './moderation-store.ts';
import { photoSettings } from './settings.ts';
import type { StoredPhoto } from './store.ts';

const say = messageFactory<typeof texts>('photos');

/** Somebody asked to take a photo down, to an administrator. The picture does not travel by mail. */
export function hiddenPhotoEmail(
  deps: Deps,
  // Administrators choose no words for strangers.
  to: Omit<Addressee, 'isProven'>,
  about: { school: string; activity: string; reason: string | null },
): Letter {
  const { school, activity, reason } = about;
  return emailTo(
    deps,
    { ...to, isProven: true },
    {
      subject: say('mailTakedownSubject', { school }),
      body: [
        say('mailTakedown', { school, activity }),
        ...(reason === null ? [] : [say('mailTakedownReason', { reason })]),
      ],
      button: openProduct(deps),
      footnotes: [say('mailWhy')],
    },
  );
}

/** More were taken down than a letter each is sent about; it names neither photos nor reasons. */
export function hiddenPhotosEmail(deps: Deps, to: Omit<Addressee, 'isProven'>): Letter {
  return emailTo(
    deps,
    { ...to, isProven: true },
    {
      subject: say('mailTakedownsSubject'),
      body: [say('mailTakedowns')],
      button: openProduct(deps),
      footnotes: [say('mailWhy')],
    },
  );
}

/** What the letters of a request to take a photo down are known by in the outbox. */
export function hiddenPhotoEmailKind(photoId: number): string {
  return `photo-takedown-${photoId}`;
}

const COLLECTED_KIND = 'photo-takedowns';
const COLLECTED_MS = 3_600_000;

/**
 * Counts a request to take a photo down, before its transaction. Returns whether administrators get a letter about this
 * one photo; 429 when the viewer has asked for too many.
 */
export async function countHideRequest(
  { database }: Deps,
  { userId }: Viewer,
  { at }: Request,
): Promise<boolean> {
  await consumeAttempt(database, [{ key: `takedowns:${userId}`, policy: HIDE_PHOTO_REQUESTS }], at);
  const own = { key: `takedown-letters-by:${userId}`, policy: EMAILS_BY_SENDER };
  // One after the other: whoever is over their own limit uses up nothing of the district's.
  if (!(await checkRateLimit(database, [own], at))) return false;
  return checkRateLimit(database, [{ key: 'takedown-letters', policy: HIDE_PHOTO_EMAILS }], at);
}

/**
 * Tells the administrators of the district and of the photo's school of a photo that was taken down; of those without a
 * letter of their own, one letter within an hour tells that there are more.
 */
export async function notifyAboutHiddenPhoto(
  trx: Trx,
  deps: Deps,
  { at }: Request,
  takedown: { photo: StoredPhoto; reason: string | null; isTold: boolean },
): Promise<void> {
  const { photo, reason, isTold } = takedown;
  // Collected apart: what is known at one school does not keep another's from being told.
  for (const { kind, readers } of [
    { kind: COLLECTED_KIND, readers: await toldInDistrict(trx, deps) },
    { kind: `${COLLECTED_KIND}-${photo.schoolId}`, readers: await schoolAdministrators(trx, photo.schoolId) },
  ]) {
    if (!isTold && (await isDueLater(trx, kind, at))) continue;
    for (const to of readers) {
      const names = await namesFor(deps, to, () => namesOf(trx, photo.activity.id));
      const posting = { userId: to.id, at, expiresAt: noticeExpiry(at) };
      await post(
        trx,
        deps,
        isTold
          ? {
              ...posting,
              kind: hiddenPhotoEmailKind(photo.id),
              letter: hiddenPhotoEmail(deps, to, { ...names, reason }),
            }
          : {
              ...posting,
              kind,
              letter: hiddenPhotosEmail(deps, to),
              dueAt: plusMilliseconds(at, COLLECTED_MS),
            },
      );
    }
  }
}

// Those whom the district named, else all of its administrators.
async function toldInDistrict(trx: Trx, deps: Deps): Promise<Recipient[]> {
  const { notify } = await photoSettings(deps, trx);
  const chosen = await administratorsAmong(trx, notify);
  return chosen.length > 0 ? chosen : allAdministrators(trx);
}
