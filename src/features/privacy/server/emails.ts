import type { Deps } from '#server/deps.ts';
import type { EmailContent } from '#server/email/email.ts';
import { emailTo, type PersonRecipient } from '#server/email/personal-email.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import type texts from '../messages.server.en.json';

const say = messageFactory<typeof texts>('privacy');

/** The email about a declined deletion request, with the reason if one was given. */
export function deletionDeclinedEmail(deps: Deps, to: PersonRecipient, reason: string | null): EmailContent {
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

/** The final email to a person whose account was deleted. */
export function accountDeletedEmail(deps: Deps, to: PersonRecipient): EmailContent {
  const { districtName: district } = deps.config;
  return emailTo(deps, to, { subject: say('mailErasedSubject'), body: [say('mailErased', { district })] });
}
