import { loadMessages } from '#server/i18n/translator.ts';
import type { en } from '#shared/i18n/english-messages.ts';
import { LANGUAGES, LOCALES } from '#shared/i18n/languages.ts';
import type { MessageValues } from '#shared/i18n/message.ts';
import { createMessageCatalog } from '#shared/i18n/message-catalog.ts';
import type { MessageKey } from '#web/i18n/translate.ts';

/** The language that the browsers ask for, which the project of vitest.config.ts names. */
export const SPOKEN = LANGUAGES.find((language) => language === process.env['SPOKEN']) ?? LANGUAGES[0];

/** The name of that language for Intl, and for a browser. */
export const LOCALE = LOCALES[SPOKEN];

const texts = loadMessages(SPOKEN);

/**
 * What the screens say, by room and key, in the language that the browser tests run in. A test that is about a text
 * itself has it in full.
 */
export const words = texts as typeof en;

const catalogue = createMessageCatalog(SPOKEN, texts);

/** A text of the screens with its values filled in, in that language. */
export function saying(key: MessageKey, values: MessageValues = {}): string {
  return catalogue.t(key, values);
}

/** Names that begin with these words. */
export function beginning(words: string): RegExp {
  return new RegExp(`^${escaped(words)}`);
}

/** A text of the screens, with anything in the place of values that are not given. */
export function like(key: MessageKey, values: MessageValues = {}): RegExp {
  const [room = '', name = ''] = key.split(':');
  const pieces = (texts[room]?.[name] ?? '').split(/\{\{([^},]*)[^}]*\}\}/);
  const filled = pieces.map((piece, at) => {
    const value = at % 2 === 0 ? piece : values[piece];
    return value === undefined ? '.*' : escaped(String(value));
  });
  return new RegExp(`^${filled.join('')}$`);
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
