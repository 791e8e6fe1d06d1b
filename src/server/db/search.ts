import { type RawBuilder, sql } from 'kysely';
import { fold } from '#base/text.ts';

/** A folded column contains every word of a search, in any order. A blank search matches all. */
export function containsWords(column: string, search: string): RawBuilder<boolean> {
  const words = fold(search)
    .split(' ')
    .filter((word) => word !== '');
  const tests = words.map(
    (word) => sql<boolean>`${sql.ref(column)} like ${`%${word.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`,
  );
  return tests.length === 0 ? sql<boolean>`1 = 1` : sql<boolean>`(${sql.join(tests, sql` and `)})`;
}
