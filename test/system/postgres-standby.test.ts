import { sql } from 'kysely';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { openDatabase } from '#server/db/database.ts';
import { atEnd, startApp } from '../harness.ts';
import { startPostgres } from '../postgres-server.ts';

async function aPostgres(role: 'leader' | 'standby'): Promise<string> {
  const { url, stop } = await startPostgres({ role });
  atEnd(stop);
  return url;
}

test('database connections that break during setup are released', async () => {
  const databaseUrl = await aPostgres('leader');
  const database = await openDatabase({ databaseUrl, dataDir: '' }, { requestSeconds: 5 });
  const reports = database.withPool('reports').db;
  const { query } = pg.Client.prototype;
  const broken = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...given
  ) {
    if (String(given[0]).startsWith('set time zone')) void this.end();
    return Reflect.apply(query, this, given);
  });
  const asked = () => sql<{ one: number }>`select 1 as one`.execute(reports);
  // More of them than there are connections.
  for (let times = 0; times < 5; times += 1) await expect(asked()).rejects.toThrow();
  broken.mockRestore();
  expect((await asked()).rows).toEqual([{ one: 1 }]);
  await database.close();
});

test('a server on a standby does not start until the standby is promoted', async () => {
  const url = await aPostgres('standby');
  await expect(startApp({ DATABASE_URL: url })).rejects.toThrow('points to a read-only replica');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('select pg_promote()');
  await client.end();
  const promoted = await startApp({ DATABASE_URL: url });
  expect((await promoted.call('GET /readyz')).status).toBe(200);
  await promoted.close();
});
