import { LINK_MINUTES } from '#features/auth/magic-link/contract.ts';
import type { Deps } from '#server/deps.ts';
import { type EmailContent, type EmailParagraph, homePage, linkTo } from '#server/email/email.ts';
import { inRecipientLanguage, type MessageRecipient } from '#server/i18n/recipient-language.ts';
import { htmlLanguage, translate } from '#server/i18n/translator.ts';
import type { Message } from '#shared/i18n/message.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { fullName } from '#shared/person-name.ts';
import { LINKS } from '../contract.ts';
import type texts from '../messages.emails.en.json';

const say = messageFactory<typeof texts>('users');

/**
 * The recipient of a letter. Whoever made the account wrote the name; while nobody has proven the address, it may belong to
 * somebody else, who must not be sent a stranger's words.
 */
export type Addressee = EmailAddressee & Readonly<{ firstName: string; lastName: string; isProven: boolean }>;

/** An address, with who reads what is sent there. */
export type EmailAddressee = MessageRecipient & Readonly<{ email: string }>;

/** The link that sets a new password. */
export function passwordResetEmail(deps: Deps, to: Addressee, token: string): EmailContent {
  const { districtName: district } = deps.config;
  return emailTo(deps, to, {
    subject: say('mailResetSubject'),
    body: [say('mailReset', { district, minutes: LINKS.resetMinutes })],
    button: { label: say('mailResetButton'), url: linkTo(deps, 'token', token) },
    footnotes: [say('mailIgnore')],
  });
}

/** The link that signs in. */
export function magicLinkEmail(deps: Deps, to: Addressee, token: string): EmailContent {
  const { districtName: district } = deps.config;
  return emailTo(deps, to, {
    subject: say('mailSignInSubject'),
    body: [say('mailSignIn', { district, minutes: LINK_MINUTES })],
    button: { label: say('mailSignInButton'), url: linkTo(deps, 'signin-link', token) },
    footnotes: [say('mailIgnore')],
  });
}

/** Instead of it while nobody has confirmed the address: the link that sets a password. */
export function choosePasswordFirstEmail(deps: Deps, to: Addressee, token: string): EmailContent {
  const { districtName: district } = deps.config;
  return emailTo(deps, to, {
    subject: say('mailSignInSubject'),
    body: [say('mailSignInFirst', { district, minutes: LINKS.resetMinutes })],
    button: { label: say('mailResetButton'), url: linkTo(deps, 'token', token) },
    footnotes: [say('mailIgnore')],
  });
}

/** Instead of a password that somebody else had chosen, when the account gets rights: the link to choose another. */
export function newRightsEmail(deps: Deps, to: Addressee, token: string, ended: Ended): EmailContent {
  const { districtName: district, supportEmail: email } = deps.config;
  return emailTo(deps, to, {
    subject: say('mailRightsSubject'),
    body: [
      say('mailRights', { district, hours: LINKS.welcomeHours }),
      ...said(ended),
      say('mailNotYou', { email }),
    ],
    button: { label: say('mailResetButton'), url: linkTo(deps, 'token', token) },
  });
}

/** The password was changed, by a link or by somebody signed in; a link may have ended other ways in. */
export function passwordChangedEmail(deps: Deps, to: Addressee, ended?: Ended): EmailContent {
  const { districtName: district, supportEmail: email } = deps.config;
  return emailTo(deps, to, {
    subject: say('mailChangedSubject'),
    body: [say('mailChanged', { district }), ...said(ended), say('mailNotYou', { email })],
  });
}

/** Ways into an account that ended: providers by their titles, and whether there was anything of the others. */
export type Ended = Readonly<{
  providers: readonly string[];
  passkeys: boolean;
  authenticator: boolean;
  sessions: boolean;
}>;

/** An address was proven for the first time, and what was attached to the account before has ended. */
export function removedSignInsEmail(deps: Deps, to: Addressee, ended: Ended): EmailContent {
  const { districtName: district, supportEmail: email } = deps.config;
  return emailTo(deps, to, {
    subject: say('mailEndedSubject'),
    body: [say('mailEnded', { district }), ...said(ended), say('mailNotYou', { email })],
  });
}

/** What ended, in the words of a letter. */
export function said(ended: Ended | undefined): Message[] {
  if (ended === undefined) return [];
  return [
    ...ended.providers.map((title) => say('mailEndedProvider', { title })),
    ...(ended.passkeys ? [say('mailEndedPasskeys')] : []),
    ...(ended.authenticator ? [say('mailEndedAuthenticator')] : []),
    ...(ended.sessions ? [say('mailEndedSessions')] : []),
  ];
}

/** An account at another service, by its title in the settings, now opens this one, or does so no longer. */
export function providerLinkEmail(deps: Deps, to: Addressee, title: string, isLinked: boolean): EmailContent {
  const { districtName: district, supportEmail: email } = deps.config;
  return emailTo(deps, to, {
    subject: isLinked ? say('mailLinkedSubject', { title }) : say('mailUnlinkedSubject', { title }),
    body: [
      isLinked ? say('mailLinked', { title, district }) : say('mailUnlinked', { title, district }),
      say('mailNotYou', { email }),
    ],
  });
}

/** Tells the old address that the account now uses another one, and what ended with it. */
export function emailChangedEmail(deps: Deps, to: Addressee, newEmail: string, ended?: Ended): EmailContent {
  const { districtName: district, supportEmail } = deps.config;
  return emailTo(deps, to, {
    subject: say('mailAddressSubject'),
    body: [
      // An address is as good as a name for a stranger's words.
      to.isProven
        ? say('mailAddress', { district, email: newEmail })
        : say('mailAddressUnproven', { district }),
      ...said(ended),
      say('mailNotYou', { email: supportEmail }),
    ],
  });
}

/** The link that verifies an address. It names nobody: whoever typed the address may not be its owner. */
export function confirmAddressEmail(deps: Deps, to: EmailAddressee, token: string): EmailContent {
  const { districtName: district } = deps.config;
  return emailTo(deps, to, {
    subject: say('mailConfirmSubject'),
    body: [say('mailConfirm', { district, hours: LINKS.confirmHours })],
    button: { label: say('mailConfirmButton'), url: linkTo(deps, 'verify', token) },
    footnotes: [say('mailIgnore')],
  });
}

/** The link that gives an account another address. It names nobody: whoever typed the address may not be its owner. */
export function confirmNewAddressEmail(deps: Deps, to: EmailAddressee, token: string): EmailContent {
  const { districtName: district } = deps.config;
  return emailTo(deps, to, {
    subject: say('mailConfirmSubject'),
    body: [say('mailMove', { district, hours: LINKS.confirmHours })],
    button: { label: say('mailConfirmButton'), url: linkTo(deps, 'verify', token) },
    footnotes: [say('mailIgnore')],
  });
}

/** Instead of it, when the address is another account's: to that one. */
export function addressTakenEmail(deps: Deps, to: EmailAddressee): EmailContent {
  const { districtName: district } = deps.config;
  return emailTo(deps, to, {
    subject: say('mailTakenSubject'),
    body: [say('mailTaken', { district })],
    button: openProduct(deps),
    footnotes: [say('mailIgnore')],
  });
}

/** Instead of a confirmation, when the address has an account. */
export function alreadyRegisteredEmail(deps: Deps, to: EmailAddressee): EmailContent {
  const { districtName: district } = deps.config;
  return emailTo(deps, to, {
    subject: say('mailKnownSubject'),
    body: [say('mailKnown', { district })],
    button: openProduct(deps),
    footnotes: [say('mailIgnore')],
  });
}

/** An administrator made the account: the link that sets its first password. */
export function welcomeEmail(deps: Deps, to: Addressee, token: string): EmailContent {
  const { districtName: district } = deps.config;
  return firstPasswordEmail(deps, to, token, say('mailWelcome', { district, hours: LINKS.welcomeHours }));
}

/** A letter about a new account with the link that sets its first password; `told` says how it came about. */
export function firstPasswordEmail(deps: Deps, to: Addressee, token: string, told: Message): EmailContent {
  const { districtName: district } = deps.config;
  return emailTo(deps, to, {
    subject: say('mailWelcomeSubject', { district }),
    body: [told],
    button: { label: say('mailWelcomeButton'), url: linkTo(deps, 'token', token) },
  });
}

/** The code of an invitation. */
export function invitationEmail(deps: Deps, to: EmailAddressee, schools: string, code: string): EmailContent {
  const { districtName: district } = deps.config;
  return emailTo(deps, to, {
    subject: say('mailInviteSubject', { district }),
    body: [say('mailInvite', { schools, days: LINKS.inviteDays })],
    button: { label: say('mailInviteButton'), url: linkTo(deps, 'invite', code) },
  });
}

/** How a request to join a school was decided. */
export function decidedLetter(deps: Deps, to: Addressee, school: string, isApproved: boolean): EmailContent {
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
    button: openProduct(deps),
  });
}

/** The button that leads to the product. */
export function openProduct(deps: Deps) {
  return { label: say('mailOpen'), url: homePage(deps) };
}

/** The messages of a letter; greeting and footer are added to them. */
export type EmailDraft = {
  subject: Message;
  /** What is in no catalogue brings its own words, with their language. */
  body: readonly (Message | Exclude<EmailParagraph, string>)[];
  button?: { label: Message; url: string };
  footnotes?: readonly Message[];
  /** The address at which letters like this one are stopped. */
  stopAt?: string;
};

/** A letter to a person, greeted by name, or only to an address, in the language of its reader. */
export function emailTo(given: Deps, to: Addressee | EmailAddressee, content: EmailDraft): EmailContent {
  const deps = inRecipientLanguage(given, to);
  const { districtName: district, supportEmail: email } = deps.config;
  const isNamed = 'isProven' in to && to.isProven;
  const { email: address } = to;
  const hello = isNamed ? say('mailHello', { firstName: to.firstName }) : say('mailHelloAnybody');
  return {
    to: isNamed ? { name: fullName(to), address } : { name: '', address },
    language: htmlLanguage(deps.translator),
    subject: translate(deps, content.subject),
    paragraphs: [hello, ...content.body].map((said) =>
      typeof said === 'string' ? translate(deps, said) : said,
    ),
    ...(content.button === undefined
      ? {}
      : { button: { label: translate(deps, content.button.label), url: content.button.url } }),
    footnotes: [...(content.footnotes ?? []), say('mailFooter', { district, email })].map((message) =>
      translate(deps, message),
    ),
    ...(content.stopAt === undefined
      ? {}
      : { stop: { label: translate(deps, say('mailStop')), url: content.stopAt } }),
  };
}
