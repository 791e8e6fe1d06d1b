import { LANGUAGES, type Language } from '#shared/i18n/languages.ts';
import type { Deps } from '../deps.ts';
import { withNameLanguage } from './locale.ts';

/** The reader of a message: an account (null without one), and the language they chose (null if none). */
export type MessageRecipient = Readonly<{ id: number | null; language: Language | null }>;

/**
 * Translates for the recipient of a message, not for the user who caused it: into the language that the
 * recipient chose if the district offers it; else, when the recipient sent the current request, into that of
 * the request; else into the district's first language.
 */
export function inRecipientLanguage<Given extends TranslatorDeps>(
  deps: Given,
  reader: MessageRecipient,
): Given {
  return { ...deps, translator: deps.translators.forLanguage(recipientLanguage(deps, reader)) };
}

/** Runs `work` with names in the language of `inRecipientLanguage`. */
export function withRecipientNames<Made>(
  deps: TranslatorDeps,
  reader: MessageRecipient,
  read: () => Made,
): Made {
  return withNameLanguage(recipientLanguage(deps, reader), read);
}

/** The language that `inRecipientLanguage` uses for a recipient. */
export function recipientLanguage(deps: TranslatorDeps, reader: MessageRecipient): Language {
  const chosen = deps.config.languages.find((language) => language === reader.language);
  const requestLanguage = isRequester(deps, reader) ? deps.translators.locale()?.language : undefined;
  return chosen ?? requestLanguage ?? defaultLanguage(deps);
}

/** Translates for the user whose permissions a result is created with, such as a file whose link they requested. */
export function inViewerLanguage<Given extends TranslatorDeps>(
  deps: Given,
  { userId, language }: Readonly<{ userId: number; language?: Language }>,
): Given {
  return inRecipientLanguage(deps, { id: userId, language: language ?? null });
}

/** Returns `deps` with a translator for the district's first language, for text that is stored once and read by everyone. */
export function inDistrictLanguage<Given extends TranslatorDeps>(deps: Given): Given {
  return { ...deps, translator: deps.translators.forLanguage(defaultLanguage(deps)) };
}

/** The district's default language. */
export function defaultLanguage({
  config,
}: Readonly<{ config: Pick<Deps['config'], 'languages'> }>): Language {
  return config.languages[0] ?? LANGUAGES[0];
}

type TranslatorDeps = Pick<Deps, 'translator' | 'translators'> &
  Readonly<{ config: Pick<Deps['config'], 'languages'> }>;

// An anonymous requester causes emails only to the address that they typed, so they are the recipient.
function isRequester({ translators }: TranslatorDeps, { id }: MessageRecipient): boolean {
  const locale = translators.locale();
  return locale !== undefined && (locale.userId === undefined || locale.userId === id);
}
