import { type RawBuilder, sql } from 'kysely';
import { wordsOf } from '#shared/text-normalization.ts';

/**
 * A folded column, or one of several, contains each word of a search, in any order. A blank search matches all.
 */
export function containsWords(columns: string | readonly string[], search: string): RawBuilder<boolean> {
  const tests = wordsOf(search).map((word) => {
    const like = sql`like ${`%${word.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`;
    const found = [columns].flat().map((column) => sql<boolean>`${sql.ref(column)} ${like}`);
    return found.length === 1 ? sql`${found[0]}` : sql`(${sql.join(found, sql` or `)})`;
  });
  return tests.length === 0 ? sql<boolean>`1 = 1` : sql<boolean>`(${sql.join(tests, sql` and `)})`;
}
