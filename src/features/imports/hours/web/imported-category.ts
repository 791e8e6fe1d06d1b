import { LANGUAGES, type Language } from '#shared/i18n/languages.ts';
import { fold } from '#shared/text-normalization.ts';

/** The name of the category that an import makes, in each language, as in the texts of this room. */
export const IMPORTED: Readonly<Record<Language, string>> = {
  en: 'Imported hours',
  es: 'Horas importadas',
};

/**
 * The category of activities that an import makes: that of an earlier import, in whatever language it was run, else the
 * school's first one.
 */
export function importedCategory(names: readonly string[]): string | undefined {
  const known = LANGUAGES.map((language) => fold(IMPORTED[language]));
  return names.find((name) => known.includes(fold(name))) ?? names[0];
}
