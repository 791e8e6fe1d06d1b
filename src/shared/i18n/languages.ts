/** The languages that the whole product speaks; the first one is spoken where nothing else is asked for. */
export const LANGUAGES = ['en', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];

/** How each language writes its days, numbers and lists: a name for Intl. */
export const LOCALES: Readonly<Record<Language, string>> = { en: 'en', es: 'es-US' };

/** These languages in the order of all of them, without doubles. */
export function inOrder(languages: readonly Language[]): Language[] {
  return LANGUAGES.filter((language) => languages.includes(language));
}

/** The cookie that keeps the language chosen on a device. */
export const LANGUAGE_COOKIE = 'language';

/** The longest header that is read. */
const HEADER_LENGTH = 500;

/**
 * The language that a browser asks for, by the weights of its header Accept-Language, out of those given; undefined when
 * it wants none of them.
 */
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
