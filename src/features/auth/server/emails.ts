import { LINKS } from '#features/users/contract.ts';
import { describeRemovedSignIns } from '#features/users/server/emails.ts';
import type { RemovedSignIns } from '#features/users/server/sign-in-hooks.ts';
import type { Deps } from '#server/deps.ts';
import { type EmailContent, linkTo } from '#server/email/email.ts';
import { emailTo, IGNORE_NOTICE, notYouNotice, type PersonRecipient } from '#server/email/personal-email.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { LINK_MINUTES } from '../magic-link/contract.ts';
import type texts from '../messages.server.en.json';

const say = messageFactory<typeof texts>('auth');

/** The email with the link that sets a new password. */
export function passwordResetEmail(deps: Deps, to: PersonRecipient, token: string): EmailContent {
  const { districtName: district } = deps.config;
  return emailTo(deps, to, {
    subject: say('mailResetSubject'),
    body: [say('mailReset', { district, minutes: LINKS.resetMinutes })],
    button: { label: say('mailResetButton'), url: linkTo(deps, 'token', token) },
    footnotes: [IGNORE_NOTICE],
  });
}

/** The email with the link that signs in. */
export function magicLinkEmail(deps: Deps, to: PersonRecipient, token: string): EmailContent {
  const { districtName: district } = deps.config;
  return emailTo(deps, to, {
    subject: say('mailSignInSubject'),
    body: [say('mailSignIn', { district, minutes: LINK_MINUTES })],
    button: { label: say('mailSignInButton'), url: linkTo(deps, 'signin-link', token) },
    footnotes: [IGNORE_NOTICE],
  });
}

/** Replaces the sign-in email for an unconfirmed address: has a link that sets a password. */
export function choosePasswordFirstEmail(deps: Deps, to: PersonRecipient, token: string): EmailContent {
  const { districtName: district } = deps.config;
  return emailTo(deps, to, {
    subject: say('mailSignInSubject'),
    body: [say('mailSignInFirst', { district, minutes: LINKS.resetMinutes })],
    button: { label: say('mailResetButton'), url: linkTo(deps, 'token', token) },
    footnotes: [IGNORE_NOTICE],
  });
}

/** Sent when an account gains rights and its assigned password is removed: has a link that sets another. */
export function newRightsEmail(
  deps: Deps,
  to: PersonRecipient,
  token: string,
  ended: RemovedSignIns,
): EmailContent {
  const { districtName: district } = deps.config;
  return emailTo(deps, to, {
    subject: say('mailRightsSubject'),
    body: [
      say('mailRights', { district, hours: LINKS.welcomeHours }),
      ...describeRemovedSignIns(ended),
      notYouNotice(deps),
    ],
    button: { label: say('mailResetButton'), url: linkTo(deps, 'token', token) },
  });
}

/** Sent after a password was changed, by a link or by a signed-in user. A link may have removed other ways to sign in. */
export function passwordChangedEmail(deps: Deps, to: PersonRecipient, ended?: RemovedSignIns): EmailContent {
  const { districtName: district } = deps.config;
  return emailTo(deps, to, {
    subject: say('mailChangedSubject'),
    body: [say('mailChanged', { district }), ...describeRemovedSignIns(ended), notYouNotice(deps)],
  });
}

/** Sent after an address was confirmed for the first time, if earlier ways to sign in were removed. */
export function removedSignInsEmail(deps: Deps, to: PersonRecipient, ended: RemovedSignIns): EmailContent {
  const { districtName: district } = deps.config;
  return emailTo(deps, to, {
    subject: say('mailEndedSubject'),
    body: [say('mailEnded', { district }), ...describeRemovedSignIns(ended), notYouNotice(deps)],
  });
}

/** Sent after a provider account was linked or unlinked; names the provider by its title in the settings. */
export function providerLinkEmail(
  deps: Deps,
  to: PersonRecipient,
  title: string,
  isLinked: boolean,
): EmailContent {
  const { districtName: district } = deps.config;
  return emailTo(deps, to, {
    subject: isLinked ? say('mailLinkedSubject', { title }) : say('mailUnlinkedSubject', { title }),
    body: [
      isLinked ? say('mailLinked', { title, district }) : say('mailUnlinked', { title, district }),
      notYouNotice(deps),
    ],
  });
}
