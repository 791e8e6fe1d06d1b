import { type Addressee, emailTo } from '#features/users/server/emails.ts';
import type { Deps } from '#server/deps.ts';
import type { EmailContent } from '#server/email/email.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import type texts from '../messages.emails.en.json';

const say = messageFactory<typeof texts>('privacy');

/** A deletion request was declined, with the reason if one was given. */
export function deletionDeclinedEmail(deps: Deps, to: Addressee, reason: string | null): EmailContent {
  const { districtName: district, supportEmail: email } = deps.config;
  return emailTo(deps, to, {
    subject: say('mailKeptSubject'),
    body: [
      say('mailKept', { district }),
      ...(reason === null ? [] : [say('mailKeptReason', { reason })]),
      say('mailKeptQuestion', { email }),
    ],
  });
}

/** The last letter to somebody who was erased. */
export function accountDeletedEmail(deps: Deps, to: Addressee): EmailContent {
  const { districtName: district } = deps.config;
  return emailTo(deps, to, { subject: say('mailErasedSubject'), body: [say('mailErased', { district })] });
}
