import { type RawBuilder, sql } from 'kysely';
import type { SchoolScope } from '../../http/viewer.ts';

/** Whether a row's school lies within a scope. */
export function inSchools(column: string, scope: SchoolScope): RawBuilder<boolean> {
  if (scope === 'all') return sql<boolean>`1 = 1`;
  const [only, ...others] = scope;
  if (only === undefined) return sql<boolean>`1 = 0`;
  // One school as `=`: only then do both engines read the index in the order of the list.
  if (others.length === 0) return sql<boolean>`${sql.ref(column)} = ${only}`;
  return sql<boolean>`${sql.ref(column)} in (${sql.join([...scope])})`;
}
