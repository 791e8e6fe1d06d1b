import { beforeAll, expect, test } from 'vitest';
import { type Instant, plusMilliseconds } from '#base/calendar-date.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { ADDRESS_DAYS, blankOldAddresses } from './old-addresses.ts';

const DAY_MS = 86_400_000;

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

const aRow = (at: Instant, address: string | null, action = 'session.fail') =>
  app.deps.database.db
    .insertInto('audit')
    .values({ at, actor_id: null, action, subject: 'user', subject_id: null, address, after: '{"x":1}' })
    .returning('id')
    .executeTakeFirstOrThrow();
const rows = () => app.deps.database.db.selectFrom('audit').selectAll().orderBy('id').execute();

test('the record forgets after 90 days from where something was done, and nothing else', async () => {
  const now = app.clock.now();
  const limit = plusMilliseconds(now, -ADDRESS_DAYS * DAY_MS);
  // More than one batch, all of one moment.
  for (let n = 0; n < 1100; n++) await aRow(plusMilliseconds(limit, -DAY_MS), `192.0.2.${n % 250}`);
  const last = await aRow(plusMilliseconds(limit, -1), '198.51.100.1');
  const young = await aRow(limit, '198.51.100.2');
  const before = await rows();
  await blankOldAddresses(app.deps);
  const after = await rows();
  expect(after.filter(({ address }) => address !== null).map(({ id }) => id)).toEqual([young.id]);
  expect(after.map((row) => ({ ...row, address: null }))).toEqual(
    before.map((row) => ({ ...row, address: null })),
  );
  expect(after.find(({ id }) => id === last.id)).toMatchObject({ action: 'session.fail', after: '{"x":1}' });

  app.clock.advance(1);
  await blankOldAddresses(app.deps);
  expect((await rows()).filter(({ address }) => address !== null)).toEqual([]);
});

test('the record takes no other address in place of one', async () => {
  const { db } = app.deps.database;
  const { id } = await aRow(app.clock.now(), '198.51.100.3');
  const other = db.updateTable('audit').set({ address: '198.51.100.4' }).where('id', '=', id).execute();
  await expect(other).rejects.toThrow('append-only');
});
