import { LANGUAGE_COOKIE, LANGUAGES } from '#shared/i18n/languages.ts';

type Cookies = Readonly<{ get: (name: string) => Promise<{ value?: string | undefined } | null> }>;

/**
 * The language in which the server would send the page: the one chosen on this device, else the browser's
 * first supported one, else `own`. Undefined if the worker cannot read cookies.
 */
export async function preferredLanguage(own: string): Promise<string | undefined> {
  const { cookieStore } = self as { cookieStore?: Cookies };
  if (cookieStore === undefined) return undefined;
  const chosen = (await cookieStore.get(LANGUAGE_COOKIE))?.value;
  const asked = navigator.languages.map((tag) => tag.split('-', 1)[0] ?? '');
  return [chosen ?? '', ...asked].find((tag) => LANGUAGES.some((language) => language === tag)) ?? own;
}
