import { LANGUAGE_COOKIE, type Language } from '#shared/i18n/languages.ts';
import { reloadPage } from '../forms/unsaved-changes.ts';
import { PAGE_LANGUAGE, type Text } from './translate.ts';

/** The name of each language in that language. */
export const OWN_NAMES: Readonly<Record<Language, string>> = { en: 'English', es: 'Español' };

const YEAR_SECONDS = 31_536_000;

/**
 * Stores this device's language in a cookie, which decides the language of later pages. Null leaves it to the browser.
 */
export function storeLanguage(language: Language | null): void {
  const age = language === null ? 0 : YEAR_SECONDS;
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API
  document.cookie = `${LANGUAGE_COOKIE}=${language ?? ''}; Path=/; Max-Age=${age}; SameSite=Lax${secure}`;
}

/** Returns the language stored on this device, if any. */
export function storedLanguage(): string | undefined {
  return new RegExp(`(?:^|; )${LANGUAGE_COOKIE}=(\\w+)`).exec(document.cookie)?.[1];
}

/** Stores the language and reloads the page in it. Returns false if the browser stores no cookies. */
export function switchLanguage(language: Language): boolean {
  storeLanguage(language);
  if (storedLanguage() !== language) return false;
  reloadPage();
  return true;
}

/**
 * Returns the account's language if the district offers it and this page is in another one. Null if this device has
 * already stored it: the server sent another language anyway, so a reload would not help.
 */
export function otherAccountLanguage(
  language: Language | null,
  offered: readonly Language[],
): Language | null {
  const isMissed = language !== null && language !== PAGE_LANGUAGE && offered.includes(language);
  return isMissed && storedLanguage() !== language ? language : null;
}

/** Returns the page's language for a new account, or nothing if it is the district's first language. */
export function ownLanguage(offered: readonly Language[] | undefined): { language?: Language } {
  return offered === undefined || offered[0] === PAGE_LANGUAGE ? {} : { language: PAGE_LANGUAGE };
}

/** Returns a language's name in the page's language: 'Spanish', 'inglés'. */
export function languageName(name: string, { language }: Pick<Text, 'language'>): string {
  return new Intl.DisplayNames([language], { type: 'language' }).of(name) ?? name;
}

/** Returns the default language of pages: the offered one that the browser prefers most, else the first one offered. */
export function browserLanguage(offered: readonly Language[]): Language | undefined {
  for (const tag of navigator.languages) {
    const known = offered.find((language) => language === nameIn(tag));
    if (known !== undefined) return known;
  }
  return offered[0];
}

/** Returns the browser's variant of a language, such as 'es-MX', if it has one. */
export function browserVariant(language: Language): string | undefined {
  return navigator.languages.find((tag) => nameIn(tag) === language);
}

function nameIn(tag: string): string {
  return tag.split('-', 1)[0] ?? '';
}
