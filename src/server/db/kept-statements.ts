import type BetterSqlite from 'better-sqlite3';
import type { SqliteDialectConfig } from 'kysely';

const STATEMENTS_KEPT = 500;

/** The same database, but a statement that was prepared once is used again: preparing costs more than most reads. */
export function keepStatements(
  file: BetterSqlite.Database,
): Extract<SqliteDialectConfig['database'], { prepare: unknown }> {
  const kept = new Map<string, BetterSqlite.Statement>();
  return {
    close: () => file.close(),
    prepare: (text: string) => {
      const known = kept.get(text);
      if (known !== undefined) return known;
      const statement = file.prepare(text);
      if (kept.size >= STATEMENTS_KEPT) kept.clear();
      kept.set(text, statement);
      return statement;
    },
  };
}
