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
    resources: { [language]: withManyForms(language, texts) },
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
  for (const [namespace, messages] of Object.entries(withManyForms(language, texts))) {
    catalogue.addResourceBundle(language, namespace, messages, true, true);
  }
}

// Spanish uses the plural form `many` for a million; use the `other` form instead.
function withManyForms(language: Language, texts: MessageCatalogs): MessageCatalogs {
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
  if (!pluralCategories.includes('many')) return texts;
  return Object.fromEntries(
    Object.entries(texts).map(([namespace, messages]) => {
      const many = Object.entries(messages)
        .filter(([key]) => key.endsWith('_other'))
        .map(([key, text]) => [key.replace(/_other$/, '_many'), text] as const);
      return [namespace, { ...Object.fromEntries(many), ...messages }];
    }),
  );
}

type MessageTranslator = Readonly<{ t: (key: string, values: MessageValues) => string }>;

/** Renders a message. A string that is not a message (a library's own text) becomes `otherwise`. */
export function render(catalogue: MessageTranslator, message: string, otherwise: string): string {
  const known = readMessage(message);
  return known === undefined ? otherwise : catalogue.t(known.key, known.values);
}
