import { type RawBuilder, sql } from 'kysely';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { aPerson } from '#test/builders.ts';
import { ENGINE, startApp } from '#test/harness.ts';
import type { Db } from './database.ts';
import { replanPerValue } from './postgres/prepared-statements.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a statement that joins tables', () => {
  test('is parsed once for different values', async () => {
    const app = await startApp();
    const people = [await aPerson(app), await aPerson(app), await aPerson(app)];
    const times = await app.deps.database.db.connection().execute(async (db) => {
      const ask = async () => {
        for (const { id } of people) await signedInDays(db, sql`users.id = ${id}`);
      };
      await ask();
      return ENGINE === 'sqlite' ? parsedMeanwhile(ask) : keptIn(db);
    });
    expect(times).toBe(ENGINE === 'sqlite' ? 0 : 1);
  });

  test('is not cached if it is marked to be planned for each value', async () => {
    const app = await startApp();
    const kept = await app.deps.database.db.connection().execute(async (db) => {
      for (const day of ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04']) {
        await signedInDays(db, sql`${replanPerValue} sessions.created_at > ${day}`);
      }
      return ENGINE === 'sqlite' ? 0 : keptIn(db);
    });
    expect(kept).toBe(0);
  });
});

async function signedInDays(db: Db, whose: RawBuilder<unknown>) {
  return sql`select users.first_name, sessions.created_at from users join sessions on sessions.user_id = users.id
    where ${whose}`.execute(db);
}

// The driver makes a function for the rows of a statement each time that SQLite has parsed it.
async function parsedMeanwhile(work: () => Promise<void>): Promise<number> {
  const made = vi.spyOn(globalThis, 'Function');
  await work();
  return made.mock.calls.length;
}

async function keptIn(db: Db): Promise<number> {
  const { rows } = await sql<{ times: number }>`select count(*) as times from pg_prepared_statements
    where statement like 'select users.first_name, sessions.created_at%'`.execute(db);
  return rows[0]?.times ?? 0;
}
