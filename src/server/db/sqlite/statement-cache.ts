import type BetterSqlite from 'better-sqlite3';

const MAX_STATEMENTS = 500;

/** The prepared statements of one connection, by text. */
export type Statements = Readonly<{
  prepare: (text: string) => BetterSqlite.Statement<unknown[]>;
  close: () => void;
}>;

/** Caches prepared statements: preparing costs more than most reads. */
export function cacheStatements(file: BetterSqlite.Database): Statements {
  const cached = new Map<string, BetterSqlite.Statement<unknown[]>>();
  return {
    close: () => file.close(),
    prepare: (text: string) => {
      const known = cached.get(text);
      if (known !== undefined) return known;
      const statement = file.prepare<unknown[]>(text);
      if (cached.size >= MAX_STATEMENTS) cached.clear();
      cached.set(text, statement);
      return statement;
    },
  };
}
