import { type RawBuilder, sql } from 'kysely';
import { searchWords } from '#shared/text-normalization.ts';
import type { SchoolScope } from '../../http/viewer.ts';

/** Whether a row's school is within a scope. */
export function inSchools(column: string, scope: SchoolScope): RawBuilder<boolean> {
  return scope === 'all' ? sql<boolean>`1 = 1` : isOneOf(column, scope);
}

/** Whether a column has one of some values. */
export function isOneOf(column: string, values: readonly number[]): RawBuilder<boolean> {
  const [only, ...others] = values;
  if (only === undefined) return sql<boolean>`1 = 0`;
  // `=` for a single value, because both engines then read the index in the order of the list.
  if (others.length === 0) return sql<boolean>`${sql.ref(column)} = ${only}`;
  return sql<boolean>`${sql.ref(column)} in (${sql.join(values)})`;
}

/**
 * Matches rows in which a folded column, or one of several, contains each word of a search, in any order. A
 * blank search matches all.
 */
export function containsWords(columns: string | readonly string[], search: string): RawBuilder<boolean> {
  const tests = searchWords(search).map((word) => {
    const like = sql`like ${`%${word.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`;
    const found = [columns].flat().map((column) => sql<boolean>`${sql.ref(column)} ${like}`);
    return found.length === 1 ? sql`${found[0]}` : sql`(${sql.join(found, sql` or `)})`;
  });
  return tests.length === 0 ? sql<boolean>`1 = 1` : sql<boolean>`(${sql.join(tests, sql` and `)})`;
}
