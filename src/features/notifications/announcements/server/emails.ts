import { type Addressee, letterTo } from '#features/users/server/emails.ts';
import type { Deps } from '#server/deps.ts';
import type { Letter } from '#server/email/email.ts';
import { stopLink } from '#server/email/unsubscribe-link.ts';
import { text } from '#server/http/error-replies.ts';
import { forReader } from '#server/i18n/recipient-language.ts';
import { sayFrom } from '#shared/i18n/message.ts';
import { fullName } from '#shared/person-name.ts';
import type texts from '../messages.emails.en.json';

const say = sayFrom<typeof texts>('announcements');

/** Who writes. `places` are their district or schools; answers go to `email`. */
export type Sender = Readonly<{
  firstName: string;
  lastName: string;
  email: string;
  places: readonly string[];
}>;

/** What stands after the text: who wrote, and how to answer. No letter can be answered by itself. */
export function closingOf(deps: Deps, sender: Sender): string[] {
  return [text(deps, from(deps, sender)), text(deps, say('letterAnswer', { email: sender.email }))];
}

/** How somebody is greeted. */
export function openingOf(deps: Deps, firstName: string): string {
  return text(deps, say('letterHello', { firstName }));
}

/** One person's copy. What the sender wrote stands as it is, line by line: nothing in it is read as a text of ours. */
export function letterFrom(
  given: Deps,
  sender: Sender,
  reader: Omit<Addressee, 'id' | 'isProven'> & Readonly<{ id: number }>,
  written: Readonly<{ subject: string; text: string }>,
): Letter {
  const deps = forReader(given, reader);
  const { districtName: district } = deps.config;
  const frame = letterTo(
    deps,
    { ...reader, isProven: true },
    {
      subject: from(deps, sender),
      body: [],
      footnotes: [say('letterWhy', { sender: fullName(sender), district })],
      stopAt: stopLink(deps, 'to-many', reader.id),
    },
  );
  const lines = written.text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((words) => ({ words, language: '' }));
  return {
    ...frame,
    subject: written.subject,
    paragraphs: [openingOf(deps, reader.firstName), ...lines, ...closingOf(deps, sender)],
  };
}

function from(deps: Deps, sender: Sender) {
  const place = new Intl.ListFormat(deps.catalogue.language).format(sender.places);
  return say('letterFrom', { sender: fullName(sender), place });
}
