import i18next, { type i18n } from 'i18next';
import { LANGUAGES, type Language, LOCALES } from './languages.ts';
import { type MessageValues, readMessage } from './message.ts';
import { formatNumber } from './number-format.ts';

/** Messages by namespace and key. */
export type MessageCatalogs = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Creates a message catalog. Values are not escaped here, because React and the email builder escape them. */
export function createMessageCatalog(language: Language, texts: MessageCatalogs): i18n {
  const catalogue = i18next.createInstance();
  catalogue.init({
    // The messages are registered under the plain language, to which the library falls back.
    lng: LOCALES[language],
    fallbackLng: LANGUAGES[0],
    resources: { [language]: countedTexts(language, texts) },
    defaultNS: 'base',
    interpolation: { escapeValue: false },
    initAsync: false,
  });
  // Otherwise the library would create a new formatter for each number.
  catalogue.services.formatter?.add('number', (value, locale) => formatNumber(value, locale ?? language));
  return catalogue;
}

/** Adds the messages of a lazily loaded screen. */
export function addMessages(catalogue: i18n, language: Language, texts: MessageCatalogs): void {
  for (const [room, words] of Object.entries(texts)) {
    catalogue.addResourceBundle(language, room, pluralMessages(language, words), true, true);
  }
}

type Words = MessageCatalogs[string];

// Spanish uses the plural form `many` for a million; use the `other` form instead.
function pluralMessages(language: Language, words: Words): Words {
  if (!countsMany(language)) return words;
  const many = Object.entries(words)
    .filter(([key]) => key.endsWith('_other'))
    .map(([key, text]) => [key.replace(/_other$/, '_many'), text] as const);
  return { ...Object.fromEntries(many), ...words };
}

const manyCounting = new Map<Language, boolean>();

function countsMany(language: Language): boolean {
  const known = manyCounting.get(language);
  if (known !== undefined) return known;
  const found = new Intl.PluralRules(language).resolvedOptions().pluralCategories.includes('many');
  manyCounting.set(language, found);
  return found;
}

function countedTexts(language: Language, texts: MessageCatalogs): MessageCatalogs {
  return Object.fromEntries(
    Object.entries(texts).map(([room, words]) => [room, pluralMessages(language, words)]),
  );
}

type MessageTranslator = Readonly<{ t: (key: string, values: MessageValues) => string }>;

/** Renders a message. A string that is not a message (a library's own text) becomes `otherwise`. */
export function render(catalogue: MessageTranslator, message: string, otherwise: string): string {
  const known = readMessage(message);
  return known === undefined ? otherwise : catalogue.t(known.key, known.values);
}
