import type { Deps } from '#server/deps.ts';
import type { EmailContent } from '#server/email/email.ts';
import { emailTo, type PersonRecipient, productButton } from '#server/email/personal-email.ts';
import { unsubscribeLink } from '#server/email/unsubscribe-link.ts';
import { inRecipientLanguage } from '#server/i18n/recipient-language.ts';
import { type CalendarDate, dayIn, formatDay } from '#shared/calendar-date.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import type { AdminSuggestion } from '../contract.ts';
import type texts from '../messages.server.en.json';
import type { PendingSuggestion } from './email-preferences-store.ts';

const say = messageFactory<typeof texts>('suggestions');

/** The email to the suggester about a decision. */
export function decisionEmail(deps: Deps, to: PersonRecipient, suggestion: AdminSuggestion): EmailContent {
  const { adminReason } = suggestion;
  const { subject, body } = decisionOf(suggestion);
  return emailTo(deps, to, {
    subject,
    body: [body, ...(adminReason === null ? [] : [say('mailReason', { reason: adminReason })])],
    button: productButton(deps),
    footnotes: [say('mailStop')],
  });
}

/** The digest of pending suggestions for an administrator: the oldest ones, and how many there are. */
export function digestEmail(
  deps: Deps,
  to: PersonRecipient & Readonly<{ id: number }>,
  pending: readonly PendingSuggestion[],
  count: number,
): EmailContent {
  const { districtName: district, timeZone } = deps.config;
  const { language } = inRecipientLanguage(deps, to).translator;
  const read = (day: CalendarDate) => formatDay(day, language);
  const more = count - pending.length;
  return emailTo(deps, to, {
    subject: say('mailDigestSubject', { count }),
    body: [
      say('mailDigest', { count, district }),
      ...pending.map(({ name, school, at }) =>
        say('mailDigestLine', { name, school, date: read(dayIn(timeZone, at)) }),
      ),
      ...(more > 0 ? [say('mailDigestMore', { count: more })] : []),
    ],
    button: productButton(deps),
    footnotes: [say('mailStop')],
    stopAt: unsubscribeLink(deps, 'suggestions', to.id),
  });
}

function decisionOf({ status, name, school, approvedActivity }: AdminSuggestion) {
  const values = { name, school: school.name };
  if (status === 'approved') {
    const isOpen = approvedActivity?.isActive === true;
    return {
      subject: say('mailApprovedSubject', { name }),
      body: say(isOpen ? 'mailApproved' : 'mailApprovedInactive', {
        ...values,
        activity: approvedActivity?.name ?? name,
      }),
    };
  }
  return status === 'rejected'
    ? { subject: say('mailRejectedSubject', { name }), body: say('mailRejected', values) }
    : { subject: say('mailDeletedSubject', { name }), body: say('mailDeleted', values) };
}
