import type { Deps } from '#server/deps.ts';
import { inRecipientLanguage, type MessageRecipient } from '#server/i18n/recipient-language.ts';
import { htmlLanguage, translate } from '#server/i18n/translator.ts';
import { type Message, messageFactory } from '#shared/i18n/message.ts';
import type texts from '#shared/messages.server.en.json';
import { fullName } from '#shared/person-name.ts';
import { type EmailContent, type EmailParagraph, homePage } from './email.ts';

const say = messageFactory<typeof texts>('shared');

/**
 * The recipient of an email about their account. The name is left out until the address is confirmed, because an administrator
 * may have chosen the name and the address may belong to another person.
 */
export type PersonRecipient = EmailRecipient &
  Readonly<{ firstName: string; lastName: string; isProven: boolean }>;

/** An address, and the language of its owner. */
export type EmailRecipient = MessageRecipient & Readonly<{ email: string }>;

/** The button that opens the product. */
export function productButton(deps: Deps) {
  return { label: say('mailOpen'), url: homePage(deps) };
}

/** The notice in emails about a change that another person may have made. */
export function notYouNotice(deps: Deps): Message {
  return say('mailNotYou', { email: deps.config.supportEmail });
}

/** The footnote of an email that anyone can trigger by typing an address. */
export const IGNORE_NOTICE = say('mailIgnore');

/** The messages of an email, to which greeting and footer are added. */
export type EmailDraft = {
  subject: Message;
  /** Messages, or paragraphs that are already text, with their language. */
  body: readonly (Message | Exclude<EmailParagraph, string>)[];
  button?: { label: Message; url: string };
  footnotes?: readonly Message[];
  /** The URL that unsubscribes from this kind of email. */
  stopAt?: string;
};

/** Returns an email in its reader's language. It greets the reader by name if the address is confirmed. */
export function emailTo(
  given: Deps,
  to: PersonRecipient | EmailRecipient,
  content: EmailDraft,
): EmailContent {
  const deps = inRecipientLanguage(given, to);
  const { districtName: district, supportEmail: email } = deps.config;
  const isNamed = 'isProven' in to && to.isProven;
  const { email: address } = to;
  const hello = isNamed ? say('mailHello', { firstName: to.firstName }) : say('mailHelloAnybody');
  return {
    to: isNamed ? { name: fullName(to), address } : { name: '', address },
    language: htmlLanguage(deps.translator),
    subject: translate(deps, content.subject),
    paragraphs: [hello, ...content.body].map((paragraph) =>
      typeof paragraph === 'string' ? translate(deps, paragraph) : paragraph,
    ),
    button: content.button && { label: translate(deps, content.button.label), url: content.button.url },
    footnotes: [...(content.footnotes ?? []), say('mailFooter', { district, email })].map((message) =>
      translate(deps, message),
    ),
    stop:
      content.stopAt === undefined
        ? undefined
        : { label: translate(deps, say('mailStop')), url: content.stopAt },
  };
}
