import { acceptedLanguage, LANGUAGES, type Language } from '#shared/i18n/languages.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import type texts from '../../messages.external-verifiers.en.json';

export const say = messageFactory<typeof texts>('verification');

/**
 * The language for external verifiers, who have no account with one: the requested one, otherwise the browser's by
 * the weights of `Accept-Language`.
 */
export function languageOf(wanted: string | undefined, accepted: string | undefined): Language {
  const asked = LANGUAGES.find((language) => language === wanted);
  return asked ?? acceptedLanguage(LANGUAGES, accepted) ?? LANGUAGES[0];
}
