import { type Addressee, emailTo, openProduct } from '#features/users/server/emails.ts';
import type { Deps } from '#server/deps.ts';
import type { Letter } from '#server/email/email.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import type texts from '../messages.emails.en.json';

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
