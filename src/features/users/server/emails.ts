import type { Trx } from '#server/db/database.ts';
import type { Row } from '#server/db/tables.ts';
import type { Deps } from '#server/deps.ts';
import { type EmailContent, linkTo } from '#server/email/email.ts';
import { queueEmail } from '#server/email/outbox.ts';
import {
  type EmailRecipient,
  emailTo,
  IGNORE_NOTICE,
  notYouNotice,
  type PersonRecipient,
  productButton,
} from '#server/email/personal-email.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { type Message, messageFactory } from '#shared/i18n/message.ts';
import { LINKS } from '../contract.ts';
import type texts from '../messages.server.en.json';
import type { RemovedSignIns } from './sign-in-hooks.ts';
import { emailRecipientOf } from './store.ts';

const say = messageFactory<typeof texts>('users');

/** Describes the removed ways to sign in, as sentences of an email. */
export function describeRemovedSignIns(ended: RemovedSignIns | undefined): Message[] {
  if (ended === undefined) return [];
  return [
    ...ended.providers.map((title) => say('mailEndedProvider', { title })),
    ...(ended.passkeys ? [say('mailEndedPasskeys')] : []),
    ...(ended.authenticator ? [say('mailEndedAuthenticator')] : []),
    ...(ended.sessions ? [say('mailEndedSessions')] : []),
  ];
}

/** Emails the old address that the account now uses another one, and lists the sign-in methods that were removed. */
export async function queueEmailChangedEmail(
  trx: Trx,
  deps: Deps,
  { user, newEmail, ended, at }: { user: Row<'users'>; newEmail: string; ended: RemovedSignIns; at: Instant },
): Promise<void> {
  const { districtName: district } = deps.config;
  const to = emailRecipientOf(user);
  const letter = emailTo(deps, to, {
    subject: say('mailAddressSubject'),
    body: [
      // An unconfirmed address does not get the new one, because a stranger could put a message into an address as into a name.
      to.isProven
        ? say('mailAddress', { district, email: newEmail })
        : say('mailAddressUnproven', { district }),
      ...describeRemovedSignIns(ended),
      notYouNotice(deps),
    ],
  });
  await queueEmail(trx, deps, { kind: 'address-changed', userId: user.id, letter, at });
}

/**
 * The email with the link that confirms an address, or with `isMove` changes an account's address to it. It has no name, because
 * the person who entered the address may not own it.
 */
export function confirmAddressEmail(
  deps: Deps,
  to: EmailRecipient,
  { token, isMove }: { token: string; isMove: boolean },
): EmailContent {
  const { districtName: district } = deps.config;
  return emailTo(deps, to, {
    subject: say('mailConfirmSubject'),
    body: [say(isMove ? 'mailMove' : 'mailConfirm', { district, hours: LINKS.confirmHours })],
    button: { label: say('mailConfirmButton'), url: linkTo(deps, 'verify', token) },
    footnotes: [IGNORE_NOTICE],
  });
}

/** Sent instead of `confirmAddressEmail` to the account that has the address. */
export function addressTakenEmail(deps: Deps, to: EmailRecipient, isMove: boolean): EmailContent {
  const { districtName: district } = deps.config;
  return emailTo(deps, to, {
    subject: say(isMove ? 'mailTakenSubject' : 'mailKnownSubject'),
    body: [say(isMove ? 'mailTaken' : 'mailKnown', { district })],
    button: productButton(deps),
    footnotes: [IGNORE_NOTICE],
  });
}

/** Sent after an administrator created the account: has the link that sets its first password. */
export function welcomeEmail(deps: Deps, to: PersonRecipient, token: string): EmailContent {
  const { districtName: district } = deps.config;
  return firstPasswordEmail(deps, to, token, say('mailWelcome', { district, hours: LINKS.welcomeHours }));
}

/**
 * An email about a new account with the link that sets its first password; `told` is the sentence about how the account was
 * created.
 */
export function firstPasswordEmail(
  deps: Deps,
  to: PersonRecipient,
  token: string,
  told: Message,
): EmailContent {
  const { districtName: district } = deps.config;
  return emailTo(deps, to, {
    subject: say('mailWelcomeSubject', { district }),
    body: [told],
    button: { label: say('mailWelcomeButton'), url: linkTo(deps, 'token', token) },
  });
}

/** The email with the link of an invitation. */
export function invitationEmail(deps: Deps, to: EmailRecipient, schools: string, code: string): EmailContent {
  const { districtName: district } = deps.config;
  return emailTo(deps, to, {
    subject: say('mailInviteSubject', { district }),
    body: [say('mailInvite', { schools, days: LINKS.inviteDays })],
    button: { label: say('mailInviteButton'), url: linkTo(deps, 'invite', code) },
  });
}

/** The email about the decision on a request to join a school. */
export function membershipDecidedEmail(
  deps: Deps,
  to: PersonRecipient,
  school: string,
  isApproved: boolean,
): EmailContent {
  const { supportEmail: email } = deps.config;
  if (!isApproved) {
    return emailTo(deps, to, {
      subject: say('mailDeclinedSubject', { school }),
      body: [say('mailDeclined', { school, email })],
    });
  }
  return emailTo(deps, to, {
    subject: say('mailApprovedSubject', { school }),
    body: [say('mailApproved', { school })],
    button: productButton(deps),
  });
}
