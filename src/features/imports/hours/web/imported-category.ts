import { LANGUAGES, type Language } from '#shared/i18n/languages.ts';
import { foldForSearch } from '#shared/text-normalization.ts';

/** The name of the category that an import creates, in each language. It must match this feature's messages. */
export const IMPORTED_CATEGORY_NAMES: Readonly<Record<Language, string>> = {
  en: 'Imported hours',
  es: 'Horas importadas',
};

/**
 * Returns the suggested category for new activities: the one an earlier import created, in any language, otherwise the first
 * of `names`. Undefined if there are none.
 */
export function importedCategory(names: readonly string[]): string | undefined {
  const known = LANGUAGES.map((language) => foldForSearch(IMPORTED_CATEGORY_NAMES[language]));
  return names.find((name) => known.includes(foldForSearch(name))) ?? names[0];
}
