import { type RawBuilder, sql } from 'kysely';
import type { OtherLanguage } from '#shared/content-translations.ts';
import { LANGUAGES, type Language } from '#shared/i18n/languages.ts';
import { foldForSearch } from '#shared/text-normalization.ts';
import type { SchoolScope } from '../../http/viewer.ts';
import { currentNameLanguage } from '../../i18n/locale.ts';
import type { Db } from '../database.ts';
import { containsWords, inSchools } from './conditions.ts';

// The tables with names that a district chooses.
const NAMED = ['schools', 'categories', 'activities'] as const;
type Named = (typeof NAMED)[number];

/**
 * The name of a school, category or activity in the reader's language, else in the original one. `as` is the table's alias in
 * the query. In the first language it is just the column.
 */
export function translatedName<Name extends string | null = string>(
  table: Named,
  as: string = table,
): RawBuilder<Name> {
  return sql.raw<Name>(translationSql(currentNameLanguage(), as, 'name'));
}

// True for every row if the language is undefined.
function lacksTranslatedName(table: Named, language: OtherLanguage | undefined): RawBuilder<boolean> {
  return language === undefined
    ? sql<boolean>`1 = 1`
    : sql.raw<boolean>(`${table}.translations -> '${language}' ->> 'name' is null`);
}

/**
 * Filters a list with translatable names. A blank search matches all; `without` matches the rows without a name in this
 * language.
 */
export type NameFilter = Readonly<{
  schools: SchoolScope;
  search: string;
  without?: OtherLanguage | undefined;
}>;

/** Whether a row of a list matches a filter. */
export function matchesNames(table: Named, filter: NameFilter): RawBuilder<boolean> {
  const school = table === 'schools' ? 'schools.id' : `${table}.school_id`;
  const searched = containsWords([`${table}.name_key`, `${table}.translated_key`], filter.search);
  return sql<boolean>`${inSchools(school, filter.schools)} and ${searched}
    and ${lacksTranslatedName(table, filter.without)}`;
}

/** Counts the rows that match a filter. */
export async function countNames(db: Db, table: Named, filter: NameFilter): Promise<number> {
  const { count } = await db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(matchesNames(table, filter))
    .executeTakeFirstOrThrow();
  return count;
}

/** SQL built once per language, with columns that `shown` translates: `shown('schools', 'name')`. */
export function forEachLanguageSql<Made>(
  make: (shown: (table: string, column: Column) => string) => Made,
): () => Made {
  const made = new Map<Language, Made>();
  return () => {
    const language = currentNameLanguage();
    const known = made.get(language) ?? make((table, column) => translationSql(language, table, column));
    made.set(language, known);
    return known;
  };
}

/** Selects columns under their own names, with district names in the reader's language. */
export function selectTranslated(columns: readonly Readonly<{ column: string; name: string }>[]) {
  return columns.map(({ column, name }) => {
    const table = NAMED.find((one) => column === `${one}.name`);
    return (table === undefined ? sql.ref(column) : translatedName(table)).as(name);
  });
}

/** Sorts a short list by translated names; the database sorts only by the originals. */
export function sortByTranslatedName<Row extends Readonly<{ name: string }>>(rows: readonly Row[]): Row[] {
  if (currentNameLanguage() === LANGUAGES[0]) return [...rows];
  const keyed = rows.map((row) => ({ row, key: foldForSearch(row.name) }));
  return keyed.sort((a, b) => (a.key === b.key ? 0 : a.key < b.key ? -1 : 1)).map(({ row }) => row);
}

// The translatable columns, with their wire names.
const TEXTS = { name: 'name', description_prompt: 'descriptionPrompt' } as const;
type Column = keyof typeof TEXTS;

// Both engines support these operators, for text in SQLite and for JSON in PostgreSQL.
function translationSql(language: Language, table: string, column: Column): string {
  const first = `${table}.${column}`;
  if (language === LANGUAGES[0]) return first;
  return `coalesce(${table}.translations -> '${language}' ->> '${TEXTS[column]}', ${first})`;
}

const SAME_IN_ALL = [
  'activities.id as activity_id',
  'activities.is_active',
  'activities.active_from',
  'activities.requires_description',
  'categories.id as category_id',
  'categories.color as category_color',
  'categories.kind as category_kind',
] as const;

/** The joined columns of an activity (`ACTIVITY_REF_COLUMNS`), with texts in the reader's language. */
export const translatedActivityColumns = forEachLanguageSql((shown) => [
  ...SAME_IN_ALL,
  sql.raw<string>(shown('activities', 'name')).as('activity_name'),
  sql.raw<string | null>(shown('activities', 'description_prompt')).as('description_prompt'),
  sql.raw<string>(shown('categories', 'name')).as('category_name'),
]);

/** Raw SQL for `translatedActivityColumns`. */
export const translatedActivitySql = forEachLanguageSql((shown) =>
  [
    ...SAME_IN_ALL,
    `${shown('activities', 'name')} as activity_name`,
    `${shown('activities', 'description_prompt')} as description_prompt`,
    `${shown('categories', 'name')} as category_name`,
  ].join(', '),
);
