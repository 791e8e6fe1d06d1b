import type { Deps } from '#server/deps.ts';
import type { EmailContent } from '#server/email/email.ts';
import { emailTo, type PersonRecipient } from '#server/email/personal-email.ts';
import { unsubscribeLink } from '#server/email/unsubscribe-link.ts';
import { inRecipientLanguage } from '#server/i18n/recipient-language.ts';
import { translate } from '#server/i18n/translator.ts';
import { seal, unseal } from '#server/secrets.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { fullName } from '#shared/person-name.ts';
import type texts from '../messages.server.en.json';

const say = messageFactory<typeof texts>('announcements');

/** The sender. `places` names their district or schools; replies go to `email`. */
export type Sender = Readonly<{
  firstName: string;
  lastName: string;
  email: string;
  places: readonly string[];
}>;

/** The lines after the text: the sender, and how to reply. The email itself cannot be replied to. */
export function announcementClosing(deps: Deps, sender: Sender): string[] {
  return [
    translate(deps, signature(deps, sender)),
    translate(deps, say('letterAnswer', { email: sender.email })),
  ];
}

/** Returns the greeting of an announcement. */
export function announcementGreeting(deps: Deps, firstName: string): string {
  return translate(deps, say('letterHello', { firstName }));
}

/** Returns one recipient's email. The sender's text is used line by line as it is and never parsed as a message key. */
export function announcementEmail(
  given: Deps,
  sender: Sender,
  reader: Omit<PersonRecipient, 'id' | 'isProven'> & Readonly<{ id: number }>,
  content: Readonly<{ subject: string; text: string }>,
): EmailContent {
  const deps = inRecipientLanguage(given, reader);
  const { districtName: district } = deps.config;
  const frame = emailTo(
    deps,
    { ...reader, isProven: true },
    {
      subject: signature(deps, sender),
      body: [],
      footnotes: [say('letterWhy', { sender: fullName(sender), district })],
      stopAt: unsubscribeLink(deps, 'to-many', reader.id),
    },
  );
  const lines = content.text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((words) => ({ words, language: '' }));
  return {
    ...frame,
    subject: content.subject,
    paragraphs: [
      announcementGreeting(deps, reader.firstName),
      ...lines,
      ...announcementClosing(deps, sender),
    ],
  };
}

function signature(deps: Deps, sender: Sender) {
  const place = new Intl.ListFormat(deps.translator.language).format(sender.places);
  return say('letterFrom', { sender: fullName(sender), place });
}

/**
 * The stored data of an announcement until every email is queued: its text, its sender (the district or some schools), and the
 * reply address.
 */
export type AnnouncementContent = Readonly<{
  subject: string;
  text: string;
  places: readonly string[];
  email: string;
}>;

const PURPOSE = 'letter to many';

/** Encrypts an announcement, so that a copy of the database does not reveal the text. */
export function encryptAnnouncement({ secretKey }: Deps, content: AnnouncementContent): string {
  return seal(secretKey, PURPOSE, JSON.stringify(content));
}

/** Decrypts an announcement; undefined after a change of SECRET_KEY. */
export function decryptAnnouncement(
  { secretKey }: Deps,
  sealed: string | null,
): AnnouncementContent | undefined {
  try {
    const { place, ...content } = JSON.parse(unseal(secretKey, PURPOSE, sealed ?? ''));
    // Earlier versions stored the schools as one sentence.
    return place === undefined ? content : { ...content, places: [place] };
  } catch {
    return undefined;
  }
}
