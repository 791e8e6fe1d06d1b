import type { Language } from '#shared/i18n/languages.ts';

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
