import { AsyncLocalStorage } from 'node:async_hooks';
import { LANGUAGES, type Language } from '#shared/i18n/languages.ts';

/** To whom something is said. Both are known once the person is who has signed in. */
export type RequestLocale = { language: Language; userId?: number };

/** Who sent the request that is being answered. It travels with the work, so that nobody passes a language on. */
export const requestLocales = new AsyncLocalStorage<Readonly<RequestLocale>>();

const readers = new AsyncLocalStorage<Language>();

/**
 * The language in which the names that a district gave are read: that of `withNameLanguage`, else that of whoever sent the
 * request; outside of one the first, in which they were given.
 */
export function currentNameLanguage(): Language {
  return readers.getStore() ?? requestLocales.getStore()?.language ?? LANGUAGES[0];
}

/** Runs `work` so that names are read in this language, whoever sent the request. */
export function withNameLanguage<Made>(language: Language, work: () => Made): Made {
  return readers.run(language, work);
}

/** Pieces that are each made for whoever listens now, since a stream is read on when nobody does. */
export function keepRequestLocale<Piece>(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
  const listening = AsyncLocalStorage.snapshot();
  const from = pieces[Symbol.asyncIterator]();
  return (async function* () {
    for (;;) {
      const { done, value } = await listening(() => from.next());
      if (done === true) return;
      yield value;
    }
  })();
}
