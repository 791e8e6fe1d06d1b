/** The supported languages; the first one is the default. */
export const LANGUAGES = ['en', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The Intl locale of each language for days, numbers and lists. */
export const LOCALES: Readonly<Record<Language, string>> = { en: 'en', es: 'es-US' };

/** Sorts languages into the order of LANGUAGES and removes duplicates. */
export function inOrder(languages: readonly Language[]): Language[] {
  return LANGUAGES.filter((language) => languages.includes(language));
}

/** The cookie with the language chosen on a device. */
export const LANGUAGE_COOKIE = 'language';

/** The longest Accept-Language header that is parsed. */
const HEADER_LENGTH = 500;

/** The language of `languages` that a browser prefers by the weights in Accept-Language; undefined if none matches. */
export function acceptedLanguage<Known extends string>(
  languages: readonly Known[],
  header: string | undefined,
): Known | undefined {
  const weighed = (header ?? '')
    .slice(0, HEADER_LENGTH)
    .split(',')
    .map((part) => {
      const [tag = '', ...settings] = part.trim().toLowerCase().split(';');
      const weight = settings.map((one) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(one)?.[1]).find(Boolean);
      return { name: tag.split('-', 1)[0] ?? '', weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  for (const { name } of weighed) {
    const known = languages.find((language) => language === name);
    if (known !== undefined) return known;
  }
  return undefined;
}
