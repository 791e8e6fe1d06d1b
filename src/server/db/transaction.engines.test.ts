import { expect, test } from 'vitest';
import { aPerson } from '#test/builders.ts';
import { ENGINE, startApp } from '#test/harness.ts';
import { transaction } from './database.ts';

const app = await startApp();

/** Sets the last name of the first person, waits for `between`, then that of the second. */
function rename(ids: readonly number[], name: string, between: () => Promise<void>) {
  return transaction(app.deps.database, async (trx) => {
    for (const [at, id] of ids.entries()) {
      if (at > 0) await between();
      await trx.updateTable('users').set({ last_name: name }).where('id', '=', id).execute();
    }
    return name;
  });
}

test('both of two deadlocked transactions succeed', async () => {
  const [ann, bob] = [await aPerson(app), await aPerson(app)];
  let begun = 0;
  const both = Promise.withResolvers<void>();
  // SQLite has one at a time anyway.
  const between = async () => {
    begun += 1;
    if (begun === 2 || ENGINE === 'sqlite') both.resolve();
    await both.promise;
  };
  const done = await Promise.all([
    rename([ann.id, bob.id], 'First', between),
    rename([bob.id, ann.id], 'Second', between),
  ]);
  expect(done).toEqual(['First', 'Second']);
  const rows = await app.deps.database.db
    .selectFrom('users')
    .select('last_name')
    .where('id', 'in', [ann.id, bob.id])
    .execute();
  expect(new Set(rows.map((row) => row.last_name)).size).toBe(1);
});

test('a transaction that deadlocks three times fails, and leaves nothing behind', async () => {
  const ann = await aPerson(app, { lastName: 'Before' });
  let times = 0;
  const lost = transaction(app.deps.database, async (trx) => {
    times += 1;
    await trx.updateTable('users').set({ last_name: 'Lost' }).where('id', '=', ann.id).execute();
    throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
  });
  await expect(lost).rejects.toThrow('deadlock');
  expect(times).toBe(3);
  const kept = await app.deps.database.db
    .selectFrom('users')
    .select('last_name')
    .where('id', '=', ann.id)
    .executeTakeFirst();
  expect(kept?.last_name).toBe('Before');
});
