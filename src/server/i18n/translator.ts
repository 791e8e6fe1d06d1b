import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { LANGUAGES, type Language } from '#shared/i18n/languages.ts';
import type { Message, MessageValues } from '#shared/i18n/message.ts';
import { createMessageCatalog, type MessageCatalogs, render } from '#shared/i18n/message-catalog.ts';
import { type RequestLocale, requestLocales } from './locale.ts';

const SOURCES = join(import.meta.dirname, '../..');

/**
 * All messages of a language by namespace (the name of their folder) and key, read from the `messages*.<language>.json` files
 * of shared/, web/ and the features. Only for the server: a browser gets the files that its screens import.
 */
export function loadMessages(language: string): MessageCatalogs {
  const messages: Record<string, Record<string, string>> = {};
  for (const file of messageFiles(language)) {
    const namespace = basename(dirname(file));
    messages[namespace] = { ...messages[namespace], ...JSON.parse(readFileSync(file, 'utf8')) };
  }
  return messages;
}

/** The message files of a language, sorted. */
export function messageFiles(language: string): string[] {
  return globSync(`{shared,web,features/**}/messages*.${language}.json`, { cwd: SOURCES })
    .sort()
    .map((file) => join(SOURCES, file));
}

/** Translates into one language; `language` is its name for Intl. */
export type Translator = Readonly<{
  language: string;
  t: (key: string, values?: MessageValues) => string;
}>;

/**
 * Returns the message in the language of `deps.translator`: that of the request, unless `deps` were created for a recipient.
 */
export function translate(deps: Readonly<{ translator: Translator }>, message: Message): string {
  return render(deps.translator, message, message);
}

/** The translators of all languages. */
export type TranslatorSet = Readonly<{
  /** Translates for the locale of `withLocale`; outside of it into the first language. */
  translator: Translator;
  /** The translator of one language, independent of the request. */
  forLanguage: (language: Language) => Translator;
  /** The locale set by `withLocale`; undefined outside of it. */
  locale: () => Readonly<RequestLocale> | undefined;
  /** Runs `work`, and everything that it starts, with this locale. */
  withLocale: <Made>(locale: RequestLocale, work: () => Made) => Made;
}>;

/** Loads the messages of all languages. */
export function createTranslators(): TranslatorSet {
  const translators = new Map<Language, Translator>(
    LANGUAGES.map((language) => [language, createTranslator(language)]),
  );
  const inLanguage = (language: Language) => {
    const translator = translators.get(language);
    if (translator === undefined) throw new Error(`There are no texts in the language ${language}`);
    return translator;
  };
  const current = () => inLanguage(requestLocales.getStore()?.language ?? LANGUAGES[0]);
  return {
    translator: {
      get language() {
        return current().language;
      },
      t: (key, values) => current().t(key, values),
    },
    forLanguage: inLanguage,
    locale: () => requestLocales.getStore(),
    withLocale: (locale, work) => requestLocales.run(locale, work),
  };
}

/** A translator's language as an HTML lang attribute: 'es'. */
export function htmlLanguage({ language }: Pick<Translator, 'language'>): string {
  return new Intl.Locale(language).language;
}

function createTranslator(language: Language): Translator {
  const catalogue = createMessageCatalog(language, loadMessages(language));
  return { language: catalogue.language, t: (key, values = {}) => catalogue.t(key, values) };
}
