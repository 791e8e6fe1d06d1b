import * as z from 'zod/mini';
import { commonMessages } from './common-messages.ts';
import { LANGUAGES, type Language } from './i18n/languages.ts';
import { foldForSearch, optionalText } from './text-normalization.ts';

/** The languages into which district content can be translated: all but the first. */
export const OTHER_LANGUAGES = LANGUAGES.slice(1) as readonly OtherLanguage[];
export type OtherLanguage = Exclude<Language, (typeof LANGUAGES)[0]>;

/** The wire field with a record's translations. Its errors are named 'translations.es.name'. */
export const TRANSLATIONS = 'translations';

/** A record's texts in other languages: `{ es: { name, description } }`; null if there are none. */
export type Translations<Text extends string> = Readonly<{
  [Other in OtherLanguage]?: Readonly<Record<Text, string | null>> | undefined;
}> | null;

/**
 * A change of translations. Omitted languages and texts do not change. Null removes a text, a language, or, in place of the
 * whole change, all translations.
 */
export type TranslationsChange<Text extends string> = Readonly<
  Partial<
    Record<OtherLanguage, Readonly<Partial<Record<Text, string | null | undefined>>> | null | undefined>
  >
> | null;

/** The query field that limits a list to records without a name in the given language. */
export const withoutNameQuery = {
  without: z.optional(z.enum(OTHER_LANGUAGES, commonMessages.invalidRequest)),
};

/** The schemas of a record's translations, from the length limit of each text. */
export function translationsOf<Text extends string>(limits: Readonly<Record<Text, number>>): Schemas<Text> {
  const names = Object.keys(limits) as Text[];
  const storedTexts = z.object(ofEach(names, () => z.nullable(z.string())));
  const given = z.nullish(z.object(ofEach(names, (name) => optionalText(limits[name]))));
  return {
    Shown: z.nullable(
      z.object(ofEach(OTHER_LANGUAGES, () => z.optional(storedTexts))),
    ) as Schemas<Text>['Shown'],
    // Rejects unknown languages instead of dropping them.
    Given: z.nullish(
      z.catchall(z.object(ofEach(OTHER_LANGUAGES, () => given)), z.undefined(commonMessages.invalidRequest)),
    ) as unknown as Schemas<Text>['Given'],
  };
}

type Schemas<Text extends string> = Readonly<{
  Shown: z.ZodMiniNullable<z.ZodMiniType<NonNullable<Translations<Text>>>>;
  Given: z.ZodMiniOptional<
    z.ZodMiniNullable<
      z.ZodMiniType<NonNullable<TranslationsChange<Text>>, NonNullable<TranslationsChange<Text>>>
    >
  >;
}>;

/** Applies a change of translations. Removes languages without any text; null if none are left. */
export function changedTranslations<Text extends string>(
  texts: readonly Text[],
  before: Translations<Text>,
  change: TranslationsChange<Text> | undefined,
): Translations<Text> {
  if (change === undefined) return before;
  if (change === null) return null;
  const after = OTHER_LANGUAGES.flatMap((language) => {
    const given = change[language];
    const kept = before?.[language];
    if (given === null || (given === undefined && kept === undefined)) return [];
    const all = ofEach(texts, (text) => (given?.[text] === undefined ? (kept?.[text] ?? null) : given[text]));
    return texts.every((text) => all[text] === null) ? [] : [[language, all] as const];
  });
  return after.length === 0 ? null : (Object.fromEntries(after) as Translations<Text>);
}

/** A record's text in the reader's language, else in the original one. */
export function translatedText<Text extends string, First extends string | null>(
  language: Language,
  text: Text,
  first: First,
  translations: Translations<Text>,
): string | First {
  const other = OTHER_LANGUAGES.find((one) => one === language);
  return (other === undefined ? null : translations?.[other]?.[text]) ?? first;
}

/** The translated names, folded for search and comparison; '' if there are none. */
function translatedKey(translations: Translations<'name'>): string {
  return OTHER_LANGUAGES.flatMap((language) => translations?.[language]?.name ?? [])
    .map(foldForSearch)
    .join('\n');
}

/** The columns that lists with translatable names sort and search by. */
export function nameKeys({
  name,
  translations,
}: Readonly<{ name: string; translations: Translations<'name'> }>) {
  return { name_key: foldForSearch(name), translated_key: translatedKey(translations) };
}

/** The names in a `translatedKey`. */
export function translatedNames(key: string): string[] {
  return key === '' ? [] : key.split('\n');
}

/** Maps every folded name to an id. An original name takes precedence over another row's translation. */
export function idsByAnyName(
  rows: readonly Readonly<{ id: number; name_key: string; translated_key: string }>[],
): Map<string, number> {
  const translated = rows.flatMap(({ id, translated_key }) =>
    translatedNames(translated_key).map((key) => [key, id] as const),
  );
  return new Map([...translated, ...rows.map(({ id, name_key }) => [name_key, id] as const)]);
}

/** Converts translations to and from their column. Texts missing from stored JSON are read as null. */
export const storedTranslations = <Text extends string>(texts: readonly Text[]) => ({
  toColumn: (value: Translations<Text>): string | null => (value === null ? null : JSON.stringify(value)),
  fromColumn: (stored: string | null): Translations<Text> =>
    stored === null ? null : changedTranslations<Text>(texts, null, JSON.parse(stored)),
});

function ofEach<Name extends string, Made>(
  names: readonly Name[],
  make: (name: Name) => Made,
): Record<Name, Made> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Made>;
}
