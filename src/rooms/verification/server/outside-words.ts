import i18next from 'i18next';
import { acceptedLanguage } from '#base/language.ts';
import { type Message, readMessage, sayFrom } from '#base/message.ts';
import en from '../outside-text.en.json' with { type: 'json' };
import es from '../outside-text.es.json' with { type: 'json' };

/** A language that supervisors are spoken to in; whoever they are, they have no account that says which. */
export const OUTSIDE_LANGUAGES = ['en', 'es'] as const;
export type OutsideLanguage = (typeof OUTSIDE_LANGUAGES)[number];

export const say = sayFrom<typeof en>('verification');

const catalogue = i18next.createInstance();
catalogue.init({
  lng: 'en',
  fallbackLng: 'en',
  resources: { en: { verification: en }, es: { verification: es } },
  defaultNS: 'verification',
  interpolation: { escapeValue: false },
  initAsync: false,
});

/** Renders one of this page's sentences; any other message in the words of `otherwise`. */
export function words(language: OutsideLanguage, message: Message, otherwise: (message: Message) => string) {
  const known = readMessage(message);
  if (known === undefined || !catalogue.exists(known.key, known.values)) return otherwise(message);
  return catalogue.t(known.key, { ...known.values, lng: language });
}

/** The language to answer in: the one asked for, else the browser's, by the weights of its header. */
export function languageOf(wanted: string | undefined, accepted: string | undefined): OutsideLanguage {
  const asked = OUTSIDE_LANGUAGES.find((language) => language === wanted);
  return asked ?? acceptedLanguage(OUTSIDE_LANGUAGES, accepted) ?? OUTSIDE_LANGUAGES[0];
}
