import type { Deps } from '#server/deps.ts';
import { type EmailContent, linkTo } from '#server/email/email.ts';
import {
  type EmailRecipient,
  emailTo,
  type PersonRecipient,
  productButton,
} from '#server/email/personal-email.ts';
import { type Message, messageFactory } from '#shared/i18n/message.ts';
import { LINKS } from '../contract.ts';
import type texts from '../messages.emails.en.json';

const say = messageFactory<typeof texts>('users');

/** Ways into an account that ended: providers by their titles, and whether there was anything of the others. */
export type Ended = Readonly<{
  providers: readonly string[];
  passkeys: boolean;
  authenticator: boolean;
  sessions: boolean;
}>;

/** What ended, in the words of a letter. */
export function describeEnded(ended: Ended | undefined): Message[] {
  if (ended === undefined) return [];
  return [
    ...ended.providers.map((title) => say('mailEndedProvider', { title })),
    ...(ended.passkeys ? [say('mailEndedPasskeys')] : []),
    ...(ended.authenticator ? [say('mailEndedAuthenticator')] : []),
    ...(ended.sessions ? [say('mailEndedSessions')] : []),
  ];
}

/** Tells the old address that the account now uses another one, and what ended with it. */
export function emailChangedEmail(
  deps: Deps,
  to: PersonRecipient,
  newEmail: string,
  ended?: Ended,
): EmailContent {
  const { districtName: district, supportEmail } = deps.config;
  return emailTo(deps, to, {
    subject: say('mailAddressSubject'),
    body: [
      // An address is as good as a name for a stranger's words.
      to.isProven
        ? say('mailAddress', { district, email: newEmail })
        : say('mailAddressUnproven', { district }),
      ...describeEnded(ended),
      say('mailNotYou', { email: supportEmail }),
    ],
  });
}

/** The link that verifies an address. It names nobody: the person who typed the address may not be its owner. */
export function confirmAddressEmail(deps: Deps, to: EmailRecipient, token: string): EmailContent {
  const { districtName: district } = deps.config;
  return emailTo(deps, to, {
    subject: say('mailConfirmSubject'),
    body: [say('mailConfirm', { district, hours: LINKS.confirmHours })],
    button: { label: say('mailConfirmButton'), url: linkTo(deps, 'verify', token) },
    footnotes: [say('mailIgnore')],
  });
}

/** The link that gives an account another address. It names nobody: the person who typed the address may not be its owner. */
export function confirmNewAddressEmail(deps: Deps, to: EmailRecipient, token: string): EmailContent {
  const { districtName: district } = deps.config;
  return emailTo(deps, to, {
    subject: say('mailConfirmSubject'),
    body: [say('mailMove', { district, hours: LINKS.confirmHours })],
    button: { label: say('mailConfirmButton'), url: linkTo(deps, 'verify', token) },
    footnotes: [say('mailIgnore')],
  });
}

/** Instead of it, when the address is another account's: to that one. */
export function addressTakenEmail(deps: Deps, to: EmailRecipient): EmailContent {
  const { districtName: district } = deps.config;
  return emailTo(deps, to, {
    subject: say('mailTakenSubject'),
    body: [say('mailTaken', { district })],
    button: productButton(deps),
    footnotes: [say('mailIgnore')],
  });
}

/** Instead of a confirmation, when the address has an account. */
export function alreadyRegisteredEmail(deps: Deps, to: EmailRecipient): EmailContent {
  const { districtName: district } = deps.config;
  return emailTo(deps, to, {
    subject: say('mailKnownSubject'),
    body: [say('mailKnown', { district })],
    button: productButton(deps),
    footnotes: [say('mailIgnore')],
  });
}

/** An administrator made the account: the link that sets its first password. */
export function welcomeEmail(deps: Deps, to: PersonRecipient, token: string): EmailContent {
  const { districtName: district } = deps.config;
  return firstPasswordEmail(deps, to, token, say('mailWelcome', { district, hours: LINKS.welcomeHours }));
}

/** A letter about a new account with the link that sets its first password; `told` says how it came about. */
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

/** The code of an invitation. */
export function invitationEmail(deps: Deps, to: EmailRecipient, schools: string, code: string): EmailContent {
  const { districtName: district } = deps.config;
  return emailTo(deps, to, {
    subject: say('mailInviteSubject', { district }),
    body: [say('mailInvite', { schools, days: LINKS.inviteDays })],
    button: { label: say('mailInviteButton'), url: linkTo(deps, 'invite', code) },
  });
}

/** How a request to join a school was decided. */
export function decidedLetter(
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
