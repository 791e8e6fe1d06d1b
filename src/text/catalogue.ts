import i18next, { type i18n } from 'i18next';
import { readMessage } from '#base/message.ts';
import { en } from './en.ts';

/** A language that the product speaks. */
export const LANGUAGES = ['en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Loads the catalogue for one language. Texts are shown as they are: React and the mail builder escape. */
export function loadCatalogue(language: Language): i18n {
  const catalogue = i18next.createInstance();
  catalogue.init({
    lng: language,
    fallbackLng: 'en',
    resources: { en },
    defaultNS: 'base',
    interpolation: { escapeValue: false },
    initAsync: false,
  });
  return catalogue;
}

/** Renders a message. A string that is no message (a library's own words) becomes `otherwise`. */
export function render(catalogue: i18n, message: string, otherwise: string): string {
  const known = readMessage(message);
  return known === undefined ? otherwise : catalogue.t(known.key, known.values);
}
