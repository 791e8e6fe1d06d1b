import { LANGUAGE_COOKIE, type Language } from '#shared/i18n/languages.ts';
import { reloadPage } from '../forms/unsaved-changes.ts';
import { PAGE_LANGUAGE, type Text } from './translate.ts';

/** Each language as its speakers call it. */
export const OWN_NAMES: Readonly<Record<Language, string>> = { en: 'English', es: 'Español' };

const YEAR_SECONDS = 31_536_000;

/** Keeps the language of this device, in which its next pages come; null leaves it to the browser. */
export function storeLanguage(language: Language | null): void {
  const age = language === null ? 0 : YEAR_SECONDS;
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API
  document.cookie = `${LANGUAGE_COOKIE}=${language ?? ''}; Path=/; Max-Age=${age}; SameSite=Lax${secure}`;
}

/** The language that this device keeps, if any. */
export function storedLanguage(): string | undefined {
  return new RegExp(`(?:^|; )${LANGUAGE_COOKIE}=(\\w+)`).exec(document.cookie)?.[1];
}

/** Keeps the language and loads the page again in it; false where the browser keeps nothing. */
export function turnTo(language: Language): boolean {
  storeLanguage(language);
  if (storedLanguage() !== language) return false;
  reloadPage();
  return true;
}

/**
 * The language of an account that this page does not speak though it could. None once this device keeps it: then the
 * page has come in another one all the same, and would again.
 */
export function otherAccountLanguage(
  language: Language | null,
  offered: readonly Language[],
): Language | null {
  const isMissed = language !== null && language !== PAGE_LANGUAGE && offered.includes(language);
  return isMissed && storedLanguage() !== language ? language : null;
}

/** The language of this page, for an account that is made on it: none where it is the district's first one. */
export function ownLanguage(offered: readonly Language[] | undefined): { language?: Language } {
  return offered === undefined || offered[0] === PAGE_LANGUAGE ? {} : { language: PAGE_LANGUAGE };
}

/** A language as the page calls it: 'Spanish', 'inglés'. */
export function languageName(name: string, { language }: Pick<Text, 'language'>): string {
  return new Intl.DisplayNames([language], { type: 'language' }).of(name) ?? name;
}

/** The language in which pages come where nothing is chosen: the first one offered that the browser asks for. */
export function browserLanguage(offered: readonly Language[]): Language | undefined {
  for (const tag of navigator.languages) {
    const known = offered.find((language) => language === nameIn(tag));
    if (known !== undefined) return known;
  }
  return offered[0];
}

/** How the browser writes a language, such as 'es-MX', where it has it. */
export function browserVariant(language: Language): string | undefined {
  return navigator.languages.find((tag) => nameIn(tag) === language);
}

function nameIn(tag: string): string {
  return tag.split('-', 1)[0] ?? '';
}
