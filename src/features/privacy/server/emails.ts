import { type Addressee, letterTo } from '#features/users/server/emails.ts';
import type { Deps } from '#server/deps.ts';
import type { Letter } from '#server/email/email.ts';
import { sayFrom } from '#shared/i18n/message.ts';
import type texts from '../messages.emails.en.json';

const say = sayFrom<typeof texts>('privacy');

/** A deletion request was declined, with the reason if one was given. */
export function keptLetter(deps: Deps, to: Addressee, reason: string | null): Letter {
  const { districtName: district, supportEmail: email } = deps.config;
  return letterTo(deps, to, {
    subject: say('mailKeptSubject'),
    body: [
      say('mailKept', { district }),
      ...(reason === null ? [] : [say('mailKeptReason', { reason })]),
      say('mailKeptQuestion', { email }),
    ],
  });
}

/** The last letter to somebody who was erased. */
export function erasedLetter(deps: Deps, to: Addressee): Letter {
  const { districtName: district } = deps.config;
  return letterTo(deps, to, { subject: say('mailErasedSubject'), body: [say('mailErased', { district })] });
}
