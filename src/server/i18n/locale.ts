import { AsyncLocalStorage } from 'node:async_hooks';
import { LANGUAGES, type Language } from '#shared/i18n/languages.ts';

/** The language of a request, and its user after sign-in. */
export type RequestLocale = { language: Language; userId?: number };

/** The locale of the current request. It follows the async context, so that no function has to pass a language on. */
export const requestLocales = new AsyncLocalStorage<Readonly<RequestLocale>>();

const nameLanguages = new AsyncLocalStorage<Language>();

/**
 * The language for names that a district chose: that of `withNameLanguage`, else that of the request, else the first language,
 * in which they were written.
 */
export function currentNameLanguage(): Language {
  return nameLanguages.getStore() ?? requestLocales.getStore()?.language ?? LANGUAGES[0];
}

/** Runs `work` with names in this language, regardless of the request's language. */
export function withNameLanguage<Made>(language: Language, work: () => Made): Made {
  return nameLanguages.run(language, work);
}

/**
 * Produces each piece in the current request's locale, because a stream is consumed outside of that request's
 * context.
 */
export function keepRequestLocale<Piece>(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
  const inContext = AsyncLocalStorage.snapshot();
  const from = pieces[Symbol.asyncIterator]();
  return (async function* () {
    for (;;) {
      const { done, value } = await inContext(() => from.next());
      if (done === true) return;
      yield value;
    }
  })();
}
