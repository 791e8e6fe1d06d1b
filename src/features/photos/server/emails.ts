import type { Trx } from '#server/db/database.ts';
import { type Recipient, selectAdministrators } from '#server/db/queries/recipient.ts';
import type { Deps } from '#server/deps.ts';
import type { EmailContent } from '#server/email/email.ts';
import { isDueLater, queueEmail } from '#server/email/outbox.ts';
import { type EmailDraft, emailTo, productButton } from '#server/email/personal-email.ts';
import {
  checkRateLimit,
  consumeAttempt,
  EMAILS_BY_SENDER,
  HIDE_PHOTO_EMAILS,
  HIDE_PHOTO_REQUESTS,
} from '#server/http/rate-limit.ts';
import type { Request, Viewer } from '#server/http/viewer.ts';
import { withRecipientNames } from '#server/i18n/recipient-language.ts';
import { plusMilliseconds } from '#shared/calendar-date.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import type texts from '../messages.server.en.json';
import { findActivityNames, findAdministratorsAmong, listSchoolAdministrators } from './moderation-store.ts';
import { readPhotoSettings } from './settings.ts';
import type { StoredPhoto } from './store.ts';

const say = messageFactory<typeof texts>('photos');

// An email to an administrator. It does not contain the image.
function photoEmail(deps: Deps, to: Recipient, content: Pick<EmailDraft, 'subject' | 'body'>): EmailContent {
  return emailTo(
    deps,
    // Uses the name even if the address is not verified: administrators choose their own names, so a stranger cannot put text
    // into the email.
    { ...to, isProven: true },
    { ...content, button: productButton(deps), footnotes: [say('mailWhy')] },
  );
}

// The email about one request to hide a photo.
function hiddenPhotoEmail(
  deps: Deps,
  to: Recipient,
  about: { school: string; activity: string; reason: string | null },
): EmailContent {
  const { school, activity, reason } = about;
  return photoEmail(deps, to, {
    subject: say('mailTakedownSubject', { school }),
    body: [
      say('mailTakedown', { school, activity }),
      ...(reason === null ? [] : [say('mailTakedownReason', { reason })]),
    ],
  });
}

// The hourly summary sent instead of individual emails once the limit for hidden photos is reached. It names neither photos
// nor reasons.
function hiddenPhotosEmail(deps: Deps, to: Recipient): EmailContent {
  return photoEmail(deps, to, { subject: say('mailTakedownsSubject'), body: [say('mailTakedowns')] });
}

/** Returns the outbox kind of emails about a request to hide a photo. */
export function hiddenPhotoEmailKind(photoId: number): string {
  return `photo-takedown-${photoId}`;
}

const DIGEST_KIND = 'photo-takedowns';
const DIGEST_MS = 3_600_000;

/**
 * Counts a request to hide a photo, before its transaction. Returns whether administrators get an email about this photo alone.
 * Throws 429 if the viewer has sent too many requests.
 */
export async function countHideRequest(
  { database }: Deps,
  { userId }: Viewer,
  { at }: Request,
): Promise<boolean> {
  await consumeAttempt(database, [{ key: `takedowns:${userId}`, policy: HIDE_PHOTO_REQUESTS }], at);
  const perSender = { key: `takedown-letters-by:${userId}`, policy: EMAILS_BY_SENDER };
  // In sequence, so that a viewer over their own limit does not use up the district's.
  if (!(await checkRateLimit(database, [perSender], at))) return false;
  return checkRateLimit(database, [{ key: 'takedown-letters', policy: HIDE_PHOTO_EMAILS }], at);
}

/**
 * Emails the administrators of the district and of the photo's school about a hidden photo. Above the limit, they get one
 * summary email per hour instead.
 */
export async function notifyAboutHiddenPhoto(
  trx: Trx,
  deps: Deps,
  { at }: Request,
  hidden: { photo: StoredPhoto; reason: string | null; isIndividual: boolean },
): Promise<void> {
  const { photo, reason, isIndividual } = hidden;
  // One digest per group of recipients, so that a digest for one school does not suppress another's.
  for (const { kind, recipients } of [
    { kind: DIGEST_KIND, recipients: await districtRecipients(trx, deps) },
    {
      kind: `${DIGEST_KIND}-${photo.schoolId}`,
      recipients: await listSchoolAdministrators(trx, photo.schoolId),
    },
  ]) {
    if (!isIndividual && (await isDueLater(trx, kind, at))) continue;
    for (const to of recipients) {
      const names = await withRecipientNames(deps, to, () => findActivityNames(trx, photo.activity.id));
      const email = { userId: to.id, at };
      await queueEmail(
        trx,
        deps,
        isIndividual
          ? {
              ...email,
              kind: hiddenPhotoEmailKind(photo.id),
              letter: hiddenPhotoEmail(deps, to, { ...names, reason }),
            }
          : {
              ...email,
              kind,
              letter: hiddenPhotosEmail(deps, to),
              dueAt: plusMilliseconds(at, DIGEST_MS),
            },
      );
    }
  }
}

// Returns the administrators named in the settings, or all district administrators if none is named.
async function districtRecipients(trx: Trx, deps: Deps): Promise<Recipient[]> {
  const { notify } = await readPhotoSettings(deps, trx);
  const chosen = await findAdministratorsAmong(trx, notify);
  return chosen.length > 0 ? chosen : selectAdministrators(trx).execute();
}
