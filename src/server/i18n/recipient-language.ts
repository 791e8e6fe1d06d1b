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

/** Reads names for whoever reads them then, in the language of `inRecipientLanguage`. */
export function withRecipientNames<Made>(deps: Speaking, reader: MessageRecipient, read: () => Made): Made {
  return withNameLanguage(recipientLanguage(deps, reader), read);
}

/** In which language `inRecipientLanguage` speaks to somebody. */
export function recipientLanguage(deps: Speaking, reader: MessageRecipient): Language {
  const chosen = deps.config.languages.find((language) => language === reader.language);
  const asked = isAskedBy(deps, reader) ? deps.translators.locale()?.language : undefined;
  return chosen ?? asked ?? defaultLanguage(deps);
}

/** Speaks to the person whose rights something is made with, such as a file whose link they asked for. */
export function inViewerLanguage<Given extends Speaking>(
  deps: Given,
  { userId, language }: Readonly<{ userId: number; language?: Language }>,
): Given {
  return inRecipientLanguage(deps, { id: userId, language: language ?? null });
}

/** Speaks the district's first language: for what is stored once and read by everybody. */
export function inDistrictLanguage<Given extends Speaking>(deps: Given): Given {
  return { ...deps, translator: deps.translators.forLanguage(defaultLanguage(deps)) };
}

/** The language that a district speaks where nothing else is asked for. */
export function defaultLanguage({
  config,
}: Readonly<{ config: Pick<Deps['config'], 'languages'> }>): Language {
  return config.languages[0] ?? LANGUAGES[0];
}

type Speaking = Pick<Deps, 'translator' | 'translators'> &
  Readonly<{ config: Pick<Deps['config'], 'languages'> }>;

// Somebody who has not signed in asks for themselves: they write to the address that they name.
function isAskedBy({ translators }: Speaking, { id }: MessageRecipient): boolean {
  const listener = translators.locale();
  return listener !== undefined && (listener.userId === undefined || listener.userId === id);
}
