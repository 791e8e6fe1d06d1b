import { type RawBuilder, sql } from 'kysely';
import { beforeAll, expect, test, vi } from 'vitest';
import { aPerson } from '#test/builders.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { readingIn } from '../listeners.ts';
import { keptQuery } from './kept-query.ts';
import { shownName } from './shown-name.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

const build = vi.fn(
  ({ ids, than }: { ids: RawBuilder<unknown>; than: RawBuilder<unknown> | undefined }) =>
    sql<{ id: number }>`select id from users where id in (${ids})
      ${than === undefined ? sql`` : sql`and id > ${than}`} order by id`,
);
const idsIn = keptQuery<{ ids: readonly number[]; than: number | undefined }, { id: number }>(build);

test('a kept query is built once for each number of values, and answers for those that it is asked with', async () => {
  const { db } = app.deps.database;
  const [ana, ben, eve] = [await aPerson(app), await aPerson(app), await aPerson(app)];
  const ask = async (ids: number[], than?: number) => (await idsIn(db, { ids, than })).map(({ id }) => id);
  expect(await ask([ana.id, ben.id])).toEqual([ana.id, ben.id]);
  expect(await ask([eve.id, ben.id])).toEqual([ben.id, eve.id]);
  expect(build).toHaveBeenCalledTimes(1);
  expect(await ask([eve.id])).toEqual([eve.id]);
  expect(await ask([ana.id, eve.id], ana.id)).toEqual([eve.id]);
  expect(await ask([ana.id, ben.id], ben.id)).toEqual([]);
  expect(build).toHaveBeenCalledTimes(3);
  expect(await ask([])).toEqual([]);
});

test('a kept query that contains a value of its own is refused: everybody would be answered with it', async () => {
  const [mine] = [7];
  const query = keptQuery<{ id: number }, { id: number }>(
    ({ id }) => sql`select id from users where id = ${id} or id = ${mine}`,
  );
  await expect(query(app.deps.database.db, { id: 1 })).rejects.toThrow('a value of its own');
});

test('a kept query reads names in the language of whoever asks', async () => {
  const text = vi.fn(
    () => sql<{ name: string }>`select ${shownName('schools')} as name from schools where 1 = 0`,
  );
  const names = keptQuery<Record<never, never>, { name: string }>(text);
  const ask = (language: 'en' | 'es') => readingIn(language, () => names(app.deps.database.db, {}));
  await ask('en');
  await ask('es');
  await ask('es');
  expect(text).toHaveBeenCalledTimes(2);
});
