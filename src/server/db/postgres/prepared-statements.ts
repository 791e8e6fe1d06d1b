import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { errorCode } from '#shared/errors.ts';

// A connection stores every named statement, so limit their number.
const NAMED = 500;
// A statement that runs once or twice is not worth preparing.
const NAMED_AT_USE = 3;
const COUNTED = 5_000;
const FOR_ITS_VALUES = '/* planned for its values */';
/** The error code of 'cached plan must not change result type', after another process has changed the table. */
const STALE = '0A000';

/**
 * Marks a statement whose best plan depends on its values, such as the length of a date range, so that
 * PostgreSQL plans it at every use. A generic plan for a range of a few days would read every school's
 * entries.
 */
export const replanPerValue = sql.raw(FOR_ITS_VALUES);

/**
 * Creates a pg `Client` class that names statements, so that PostgreSQL parses and plans them once instead of at every use,
 * unless they contain `replanPerValue`. It closes a connection that became read-only. Kysely does not name statements itself:
 * PostgreSQL and the server then took 1.95 times the CPU for a profile and 1.5 times for an activity list.
 */
export function namedStatementClient(): new () => pg.Client {
  const names = nameGiver();
  return class NamingClient extends pg.Client {
    // biome-ignore lint/suspicious/noExplicitAny: pg declares ten ways to call it; this one fits all of them
    override query(...args: any[]): any {
      const [text, values] = args;
      const isPlain = args.length === 2 && typeof text === 'string' && Array.isArray(values);
      return isPlain && values.length > 0
        ? this.#queryPrepared(text, values)
        : this.#queryUnprepared(...args);
    }

    async #queryPrepared(text: string, values: unknown[]) {
      const name = names.of(text);
      try {
        return await (name === undefined
          ? this.#queryUnprepared(text, values)
          : this.#queryUnprepared({ name, text, values }));
      } catch (error) {
        // The host name may point to the new leader by now, so let the pool open another connection.
        if (isReadOnly(error)) void this.end();
        if (name === undefined || !isStale(error)) throw error;
        names.exclude(text);
        return this.#queryUnprepared(text, values);
      }
    }

    #queryUnprepared(...args: unknown[]): Promise<pg.QueryResult> {
      return (super.query as (...args: unknown[]) => Promise<pg.QueryResult>).apply(this, args);
    }
  };
}

function nameGiver() {
  const uses = new Map<string, number>();
  const names = new Map<string, string | undefined>();
  return {
    /** Returns the name of a frequently used statement; undefined for others. */
    of(text: string): string | undefined {
      if (names.has(text)) return names.get(text);
      if (text.includes(FOR_ITS_VALUES)) return undefined;
      const used = (uses.get(text) ?? 0) + 1;
      if (uses.size >= COUNTED) uses.clear();
      uses.set(text, used);
      if (used < NAMED_AT_USE || names.size >= NAMED) return undefined;
      const name = createHash('sha256').update(text).digest('base64url');
      names.set(text, name);
      return name;
    },
    exclude(text: string): void {
      names.set(text, undefined);
    },
  };
}

function isReadOnly(error: unknown): boolean {
  return errorCode(error) === '25006';
}

function isStale(error: unknown): boolean {
  return errorCode(error) === STALE;
}
