import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';

// A connection keeps each statement that has a name, so no more of them than this.
const NAMED = 500;
// A statement that runs once or twice is not worth keeping.
const NAMED_AT_USE = 3;
const COUNTED = 5_000;
const FOR_ITS_VALUES = '/* planned for its values */';
/** 'cached plan must not change result type': another process has changed the table since. */
const STALE = '0A000';

/**
 * Stands in a statement whose best plan hangs on its values, such as how many days lie between two: PostgreSQL plans it
 * at every use. With a plan for any values it takes a range for a few days, and then reads every school's entries.
 */
export const replanPerValue = sql.raw(FOR_ITS_VALUES);

/**
 * The connections of a pool: each gives its statements names, so that PostgreSQL parses and plans them once and not at
 * every use, unless `replanPerValue` stands in them. One that takes no writes any more is ended. Kysely does not do so itself. Hand the result to the pool as
 * `Client`. Without names PostgreSQL and the server took 1.95 times the CPU of a profile and 1.5 of an activity list.
 */
export function namedStatementClient(): new () => pg.Client {
  const names = nameGiver();
  return class NamingClient extends pg.Client {
    // biome-ignore lint/suspicious/noExplicitAny: pg declares ten ways to call it; this one fits all of them
    override query(...asked: any[]): any {
      const [text, values] = asked;
      const isPlain = asked.length === 2 && typeof text === 'string' && Array.isArray(values);
      return isPlain && values.length > 0 ? this.#ask(text, values) : this.#askAsIs(...asked);
    }

    async #ask(text: string, values: unknown[]) {
      const name = names.of(text);
      try {
        return await (name === undefined
          ? this.#askAsIs(text, values)
          : this.#askAsIs({ name, text, values }));
      } catch (error) {
        // The address may lead to the new leader by now: the pool makes another connection.
        if (isReadOnly(error)) void this.end();
        if (name === undefined || !isStale(error)) throw error;
        names.refuse(text);
        return this.#askAsIs(text, values);
      }
    }

    #askAsIs(...asked: unknown[]): Promise<pg.QueryResult> {
      return (super.query as (...asked: unknown[]) => Promise<pg.QueryResult>).apply(this, asked);
    }
  };
}

function nameGiver() {
  const uses = new Map<string, number>();
  const names = new Map<string, string | undefined>();
  return {
    /** The name of a statement that is used often, undefined for others. */
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
    refuse(text: string): void {
      names.set(text, undefined);
    },
  };
}

function isReadOnly(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '25006';
}

function isStale(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === STALE;
}
