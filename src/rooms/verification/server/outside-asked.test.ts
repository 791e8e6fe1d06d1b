import { beforeEach, describe, expect, test } from 'vitest';
import type { Row } from '#server/db/tables.ts';
import { aHolder, anActivity, anOutsideLetter, aPerson, aSchool, SUPERVISOR } from '#test/builders.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { sendMail } from '#test/outbox.ts';
import { recordOf } from '#test/record.ts';
import { sweepOutsideLetters } from './outside-letters.ts';

let app: TestApp;
let school: { id: number; name: string };
let ann: Awaited<ReturnType<typeof aPerson>>;
let maria: { token: string };
let fair: Awaited<ReturnType<typeof anActivity>>;
beforeEach(async () => {
  app = await startApp();
  school = await aSchool(app, { verification: 'on' });
  ann = await aPerson(app, { schools: [school] });
  maria = await aHolder(app, 'coordinator', school);
  fair = await anActivity(app, { school });
  await app.deps.database.db
    .updateTable('activities')
    .set({ verification: 'outside', outside_verifier: SUPERVISOR })
    .where('id', '=', fair.id)
    .execute();
});

/** Logs hours, about which the supervisor is asked at once. */
async function log(body: object = {}): Promise<number> {
  const reply = await app.call('POST /api/time-entries', {
    token: ann.token,
    body: { activityId: fair.id, hours: 2, ...body },
  });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.timeEntry.id;
}

const desk = (query = '') =>
  app.call(`GET /api/admin/verifications?schoolId=${school.id}${query}`, { token: maria.token });
const asked = async () => {
  const { body } = await desk();
  return new Map(body.entries.map((one: { id: number; asked: unknown }) => [one.id, one.asked]));
};
const mail = () => app.deps.database.db.updateTable('mail').where('kind', '=', 'outside-verifier');

describe('who was asked outside', () => {
  test('is shown at the desk, with the day, and says no more once the hours were changed', async () => {
    const id = await log();
    const at = app.clock.now();
    expect((await asked()).get(id)).toEqual({ to: SUPERVISOR, at, state: 'sent' });
    await sendMail(app);
    expect((await asked()).get(id)).toEqual({ to: SUPERVISOR, at, state: 'sent' });
    await app.call(`PUT /api/time-entries/${id}`, { token: ann.token, body: { hours: 3 } });
    expect((await asked()).get(id)).toBeNull();
  });

  test('is told apart where the letter was given up or dropped', async () => {
    const id = await log();
    await mail()
      .set((eb) => ({ due_at: eb.ref('expires_at'), failure: 'EENVELOPE 550' }))
      .execute();
    expect((await asked()).get(id)).toMatchObject({ to: SUPERVISOR, state: 'failed' });
    await mail().set({ sealed: null, dropped_at: app.clock.now(), failure: 'expired' }).execute();
    expect((await asked()).get(id)).toMatchObject({ state: 'failed' });
    await mail().set({ sent_at: app.clock.now(), dropped_at: null, failure: null }).execute();
    expect((await asked()).get(id)).toMatchObject({ state: 'sent' });
  });

  test('is remembered when the outbox has forgotten the letter', async () => {
    const { db } = app.deps.database;
    const sweep = () => db.transaction().execute((trx) => sweepOutsideLetters(trx as never, app.clock.now()));
    const id = await log();
    const forgotten = async (fate: Partial<Row<'mail'>>) => {
      const kept = await db.selectFrom('mail').selectAll().where('kind', '=', 'outside-verifier').execute();
      await mail().set(fate).execute();
      await sweep();
      await db.deleteFrom('mail').where('kind', '=', 'outside-verifier').execute();
      const { state } = (await asked()).get(id) as { state: string };
      await db.updateTable('outside_letters').set({ delivery: null }).execute();
      await db.insertInto('mail').values(kept).execute();
      return state;
    };
    expect(await forgotten({ sent_at: app.clock.now(), sealed: null })).toBe('sent');
    expect(await forgotten({ sealed: null, dropped_at: app.clock.now(), failure: 'expired' })).toBe('failed');
    // Taken away while it waited: nobody got it.
    expect(await forgotten({ attempts: 1 })).toBe('failed');
    // What is noted stays, whatever is done to the outbox later.
    await mail().set({ sealed: null, dropped_at: app.clock.now(), failure: 'expired' }).execute();
    await sweep();
    await mail().set({ sent_at: app.clock.now(), dropped_at: null, failure: null }).execute();
    await sweep();
    expect((await asked()).get(id)).toMatchObject({ state: 'failed' });
  });

  test('wants no letters: hours that came later say so too, without a day', async () => {
    const { token, entries } = await anOutsideLetter(app, { by: ann, activity: fair });
    const at = app.clock.now();
    await app.call(`POST /api/verify/${token}`, { body: { stop: true } });
    const later = await log();
    const found = await asked();
    expect(found.get(entries[0]?.id)).toEqual({ to: SUPERVISOR, at, state: 'stopped' });
    expect(found.get(later)).toEqual({ to: SUPERVISOR, at: null, state: 'stopped' });
  });

  test('is nobody where the activity names another one by now, or the school verifies', async () => {
    const id = await log();
    const { db } = app.deps.database;
    const activity = db.updateTable('activities').where('id', '=', fair.id);
    await activity.set({ outside_verifier: 'other@outside.example' }).execute();
    expect((await asked()).get(id)).toBeNull();
    await activity.set({ outside_verifier: SUPERVISOR, verification: 'school' }).execute();
    expect((await asked()).get(id)).toBeNull();
  });

  test('is not in what volunteers read, nor in the list of time entries', async () => {
    await log();
    const own = await app.call('GET /api/time-entries', { token: ann.token });
    const listed = await app.call(`GET /api/admin/time-entries?schoolId=${school.id}`, {
      token: maria.token,
    });
    expect([own.body.timeEntries.length, listed.body.timeEntries.length]).toEqual([1, 1]);
    for (const { body } of [own, listed]) expect(body.timeEntries[0]).not.toHaveProperty('asked');
    expect(own.text).not.toContain('"asked"');
  });

  test('is null for hours that somebody decided', async () => {
    const id = await log();
    await app.call('POST /api/admin/verifications', {
      token: maria.token,
      body: { decision: 'verify', entryIds: [id] },
    });
    const { body } = await desk('&status=verified');
    expect(body.entries).toMatchObject([{ id, asked: null }]);
  });
});
