import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { LANGUAGES, type Language } from '#shared/i18n/languages.ts';
import type { Message, MessageValues } from '#shared/i18n/message.ts';
import { createMessageCatalog, type MessageCatalogs, render } from '#shared/i18n/message-catalog.ts';
import { type RequestLocale, requestLocales } from './locale.ts';

const SOURCES = join(import.meta.dirname, '../..');

/**
 * Every message of a language by namespace (the name of its folder) and key, read from the `messages*.<language>.json` files
 * of shared/, web/ and the features. For the server; a browser gets the files that its screens import.
 */
export function loadMessages(language: string): MessageCatalogs {
  const texts: Record<string, Record<string, string>> = {};
  for (const file of messageFiles(language)) {
    const room = basename(dirname(file));
    texts[room] = { ...texts[room], ...JSON.parse(readFileSync(file, 'utf8')) };
  }
  return texts;
}

/** The files of a language's texts, in order. */
export function messageFiles(language: string): string[] {
  return globSync(`{shared,web,features/**}/messages*.${language}.json`, { cwd: SOURCES })
    .sort()
    .map((file) => join(SOURCES, file));
}

/** What the product says in one language; `language` is its name for Intl. */
export type Translator = Readonly<{
  language: string;
  t: (key: string, values?: MessageValues) => string;
}>;

/** The message in the language of `deps.translator`: that of the request unless `deps` were made for a recipient. */
export function translate(deps: Readonly<{ translator: Translator }>, message: Message): string {
  return render(deps.translator, message, message);
}

/** In which language the server speaks. */
export type TranslatorSet = Readonly<{
  /** What it says to the listener of `speakingTo`, and outside of that in the first language. */
  translator: Translator;
  /** What it says in one language, whoever listens. */
  forLanguage: (language: Language) => Translator;
  /** Who that is; undefined outside of `speakingTo`. */
  locale: () => Readonly<RequestLocale> | undefined;
  /** Runs `work` so that it, and all that it begins, speaks to this listener. */
  withLocale: <Made>(listener: RequestLocale, work: () => Made) => Made;
}>;

/** Opens the catalogues of all languages. */
export function createTranslators(): TranslatorSet {
  const catalogues = new Map<Language, Translator>(
    LANGUAGES.map((language) => [language, catalogueOf(language)]),
  );
  const inLanguage = (language: Language) => {
    const catalogue = catalogues.get(language);
    if (catalogue === undefined) throw new Error(`There are no texts in the language ${language}`);
    return catalogue;
  };
  const now = () => inLanguage(requestLocales.getStore()?.language ?? LANGUAGES[0]);
  return {
    translator: {
      get language() {
        return now().language;
      },
      t: (key, values) => now().t(key, values),
    },
    forLanguage: inLanguage,
    locale: () => requestLocales.getStore(),
    withLocale: (listener, work) => requestLocales.run(listener, work),
  };
}

/** How what is said in a catalogue's language is marked in HTML: 'es'. */
export function htmlLanguage({ language }: Pick<Translator, 'language'>): string {
  return new Intl.Locale(language).language;
}

function catalogueOf(language: Language): Translator {
  const catalogue = createMessageCatalog(language, loadMessages(language));
  return { language: catalogue.language, t: (key, values = {}) => catalogue.t(key, values) };
}
