import { LANGUAGES, type Language } from '#shared/i18n/languages.ts';
import type { Deps } from '../deps.ts';
import { withNameLanguage } from './locale.ts';

/** Who reads something: an account, or null for none, and the language that they chose; null where they chose none. */
export type MessageRecipient = Readonly<{ id: number | null; language: Language | null }>;

/**
 * Speaks to whoever reads something, not to whoever caused it: in the language that they chose, where the district offers it;
 * else, when it answers a request of their own, in that of the request; else in the district's first one.
 */
export function inRecipientLanguage<Given extends Speaking>(deps: Given, reader: MessageRecipient): Given {
  return { ...deps, translator: deps.translators.forLanguage(recipientLanguage(deps, reader)) };
}

/** Runs `work` with names in the language of `inRecipientLanguage`. */
export function withRecipientNames<Made>(deps: Speaking, reader: MessageRecipient, read: () => Made): Made {
  return withNameLanguage(recipientLanguage(deps, reader), read);
}

/** In which language `inRecipientLanguage` speaks to somebody. */
export function recipientLanguage(deps: Speaking, reader: MessageRecipient): Language {
  const chosen = deps.config.languages.find((language) => language === reader.language);
  const asked = isAskedBy(deps, reader) ? deps.translators.locale()?.language : undefined;
  return chosen ?? asked ?? defaultLanguage(deps);
}

/** Translates for the person whose permissions a result is made with, such as a file whose link they requested. */
export function inViewerLanguage<Given extends Speaking>(
  deps: Given,
  { userId, language }: Readonly<{ userId: number; language?: Language }>,
): Given {
  return inRecipientLanguage(deps, { id: userId, language: language ?? null });
}

/** Translates into the district's first language: for what is stored once and read by everyone. */
export function inDistrictLanguage<Given extends Speaking>(deps: Given): Given {
  return { ...deps, translator: deps.translators.forLanguage(defaultLanguage(deps)) };
}

/** The district's default language. */
export function defaultLanguage({
  config,
}: Readonly<{ config: Pick<Deps['config'], 'languages'> }>): Language {
  return config.languages[0] ?? LANGUAGES[0];
}

type Speaking = Pick<Deps, 'translator' | 'translators'> &
  Readonly<{ config: Pick<Deps['config'], 'languages'> }>;

// An anonymous requester writes to the address that they typed, so they are the recipient.
function isAskedBy({ translators }: Speaking, { id }: MessageRecipient): boolean {
  const listener = translators.locale();
  return listener !== undefined && (listener.userId === undefined || listener.userId === id);
}
