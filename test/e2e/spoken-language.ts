import { loadMessages } from '#server/i18n/translator.ts';
import type { en } from '#shared/i18n/english-messages.ts';
import { LANGUAGES, LOCALES } from '#shared/i18n/languages.ts';
import type { MessageValues } from '#shared/i18n/message.ts';
import { createMessageCatalog } from '#shared/i18n/message-catalog.ts';
import type { MessageKey } from '#web/i18n/translate.ts';

/** The browsers' language, which the project in vitest.config.ts sets. */
export const SPOKEN = LANGUAGES.find((language) => language === process.env['SPOKEN']) ?? LANGUAGES[0];

/** The locale of that language, for Intl and browsers. */
export const LOCALE = LOCALES[SPOKEN];

const texts = loadMessages(SPOKEN);

/** The messages by catalog and key, in the tests' language. A test about a message itself spells it out. */
export const words = texts as typeof en;

const catalogue = createMessageCatalog(SPOKEN, texts);

/** Returns a message with its values, in the tests' language. */
export function saying(key: MessageKey, values: MessageValues = {}): string {
  return catalogue.t(key, values);
}

/** Returns a pattern for names that begin with these words. */
export function beginning(words: string): RegExp {
  return new RegExp(`^${escaped(words)}`);
}

/** Returns a pattern for a message that accepts any text for the values that are not given. */
export function like(key: MessageKey, values: MessageValues = {}): RegExp {
  const [namespace = '', name = ''] = key.split(':');
  const pieces = (texts[namespace]?.[name] ?? '').split(/\{\{([^},]*)[^}]*\}\}/);
  const filled = pieces.map((piece, at) => {
    const value = at % 2 === 0 ? piece : values[piece];
    return value === undefined ? '.*' : escaped(String(value));
  });
  return new RegExp(`^${filled.join('')}$`);
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
