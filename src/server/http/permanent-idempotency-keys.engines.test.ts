import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { instantOf, millisecondsOf } from '#shared/calendar-date.ts';
import { anActivity, anAdministrator, aPerson, aSchool } from '#test/builders.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { phonePhoto } from '#test/images/draw-image.ts';
import { upload } from '#test/upload.ts';
import { transaction } from '../db/database.ts';
import { deleteExpiredReplies } from './idempotency.ts';

const DAYS = 86_400_000;

let app: TestApp;
let ann: Awaited<ReturnType<typeof aPerson>>;
let activity: Awaited<ReturnType<typeof anActivity>>;
beforeAll(async () => {
  app = await startApp();
  const school = await aSchool(app);
  ann = await aPerson(app, { schools: [school] });
  activity = await anActivity(app, { school });
});

const log = (key: string, body: object = {}, by = ann) =>
  app.call('POST /api/time-entries', {
    token: by.token,
    body: { activityId: activity.id, hours: 1, ...body },
    headers: { 'idempotency-key': key },
  });

/** The hourly job, as many days later as given. */
const cleanUpAfter = (days: number) =>
  transaction(app.deps.database, (trx) =>
    deleteExpiredReplies(trx, instantOf(millisecondsOf(app.clock.now()) + days * DAYS)),
  );

const rowOf = (key: string) =>
  app.deps.database.db
    .selectFrom('idempotency_keys')
    .select(['reply', 'made_id'])
    .where('key', '=', key)
    .executeTakeFirst();

async function countOf(table: 'time_entries' | 'photos'): Promise<number> {
  return (await app.deps.database.db.selectFrom(table).select('id').execute()).length;
}

describe('the idempotency key of logged hours', () => {
  test.each([2, 400])('still prevents a second entry %i days after the reply was lost', async (days) => {
    const key = randomUUID();
    const first = await log(key);
    const before = await countOf('time_entries');
    await cleanUpAfter(days);
    const again = await log(key);
    expect([again.status, again.body.made]).toEqual([409, first.body.timeEntry.id]);
    expect(await countOf('time_entries')).toBe(before);
    expect(await rowOf(key)).toEqual({ reply: null, made_id: first.body.timeEntry.id });
  });

  test('returns 409 with the id of the stored entry even if the retry has another day or other hours', async () => {
    const key = randomUUID();
    const first = await log(key);
    const again = await log(key, { entryDate: '2026-01-05', hours: 3 });
    expect([again.status, again.body.made]).toEqual([409, first.body.timeEntry.id]);
  });

  test('can be used again if the hours were rejected', async () => {
    const key = randomUUID();
    expect((await log(key, { hours: 99 })).status).toBe(400);
    expect((await log(key, { entryDate: '2999-01-01' })).status).toBe(400);
    expect((await log(key)).status).toBe(201);
  });

  test('belongs to one user: the same key from another user logs a separate entry', async () => {
    const key = randomUUID();
    const school = { id: activity.schoolId };
    const bob = await aPerson(app, { schools: [school] });
    const [hers, his] = [await log(key), await log(key, {}, bob)];
    expect(his.status).toBe(201);
    expect(his.body.timeEntry.id).not.toBe(hers.body.timeEntry.id);
  });

  test('is deleted with its user', async () => {
    const cleo = await aPerson(app, { schools: [{ id: activity.schoolId }] });
    const key = randomUUID();
    await log(key, {}, cleo);
    await cleanUpAfter(3);
    const { token } = await anAdministrator(app);
    await app.call(`POST /api/admin/users/${cleo.id}/erase`, { token });
    expect(await rowOf(key)).toBeUndefined();
  });
});

test('the idempotency key of a photo prevents a second upload even after permanent deletion', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const files = [{ name: 'fair.jpg', content: await phonePhoto(40, 30) }];
  const first = await upload(app, { by: ann, to: activity, files, headers });
  await app.deps.database.db.deleteFrom('photos').execute();
  await cleanUpAfter(2);
  const again = await upload(app, { by: ann, to: activity, files, headers });
  expect([again.status, again.body.made]).toEqual([409, first.body.photos[0].id]);
  expect(await countOf('photos')).toBe(0);
});

test('other idempotency keys expire after a day', async () => {
  const { token } = await anAdministrator(app);
  const key = randomUUID();
  const body = { name: 'Maple Hall' };
  await app.call('POST /api/admin/schools', { token, body, headers: { 'idempotency-key': key } });
  expect((await rowOf(key))?.made_id).toBeNull();
  await cleanUpAfter(2);
  expect(await rowOf(key)).toBeUndefined();
});
