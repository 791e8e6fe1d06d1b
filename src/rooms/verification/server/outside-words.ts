import { acceptedLanguage, LANGUAGES, type Language } from '#base/language.ts';
import { sayFrom } from '#base/message.ts';
import type texts from '../outside-text.en.json';

export const say = sayFrom<typeof texts>('verification');

/**
 * The language to answer supervisors in, who have no account that says which: the one asked for, else the browser's, by
 * the weights of its header.
 */
export function languageOf(wanted: string | undefined, accepted: string | undefined): Language {
  const asked = LANGUAGES.find((language) => language === wanted);
  return asked ?? acceptedLanguage(LANGUAGES, accepted) ?? LANGUAGES[0];
}
