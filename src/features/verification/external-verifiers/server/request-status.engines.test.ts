import { beforeEach, describe, expect, test } from 'vitest';
import { transaction } from '#server/db/database.ts';
import type { Row } from '#server/db/tables.ts';
import { recordOf } from '#test/audit-log.ts';
import {
  anActivity,
  anOutsideLetter,
  aPerson,
  aPersonWithRole,
  aSchool,
  editOf,
  SUPERVISOR,
} from '#test/builders.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { sendMail } from '#test/sent-emails.ts';
import { cleanUpVerifierEmails } from './emails.ts';

let app: TestApp;
let school: { id: number; name: string };
let ann: Awaited<ReturnType<typeof aPerson>>;
let maria: { token: string };
let fair: Awaited<ReturnType<typeof anActivity>>;
beforeEach(async () => {
  app = await startApp();
  school = await aSchool(app, { verification: 'on' });
  ann = await aPerson(app, { schools: [school] });
  maria = await aPersonWithRole(app, 'coordinator', school);
  fair = await anActivity(app, { school });
  await app.deps.database.db
    .updateTable('activities')
    .set({ verification: 'outside', external_verifier: SUPERVISOR })
    .where('id', '=', fair.id)
    .execute();
});

/** Logs hours, about which the verifier is emailed immediately. */
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
const mail = () => app.deps.database.db.updateTable('emails').where('kind', '=', 'outside-verifier');

describe('the request to an external verifier', () => {
  test('appears in the queue with its address, time and status until the hours change', async () => {
    const id = await log();
    const at = app.clock.now();
    expect((await asked()).get(id)).toEqual({ to: SUPERVISOR, at, state: 'sent' });
    await sendMail(app);
    expect((await asked()).get(id)).toEqual({ to: SUPERVISOR, at, state: 'sent' });
    await app.call(`PUT /api/time-entries/${id}`, {
      token: ann.token,
      body: await editOf(app, id, { hours: 3 }),
    });
    expect((await asked()).get(id)).toBeNull();
  });

  test('has the status failed if the email failed or was dropped', async () => {
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

  test('shows the same status after the outbox has deleted the email', async () => {
    const { db } = app.deps.database;
    const cleanUp = () =>
      transaction(app.deps.database, (trx) => cleanUpVerifierEmails(trx, app.clock.now()));
    const id = await log();
    const forgotten = async (fate: Partial<Row<'emails'>>) => {
      const kept = await db.selectFrom('emails').selectAll().where('kind', '=', 'outside-verifier').execute();
      await mail().set(fate).execute();
      await cleanUp();
      await db.deleteFrom('emails').where('kind', '=', 'outside-verifier').execute();
      const { state } = (await asked()).get(id) as { state: string };
      await db.updateTable('external_verifier_requests').set({ delivery: null }).execute();
      await db.insertInto('emails').values(kept).execute();
      return state;
    };
    expect(await forgotten({ sent_at: app.clock.now(), sealed: null })).toBe('sent');
    expect(await forgotten({ sealed: null, dropped_at: app.clock.now(), failure: 'expired' })).toBe('failed');
    // Removed from the outbox before it was sent.
    expect(await forgotten({ attempts: 1 })).toBe('failed');
    // The stored status does not follow later changes of the outbox.
    await mail().set({ sealed: null, dropped_at: app.clock.now(), failure: 'expired' }).execute();
    await cleanUp();
    await mail().set({ sent_at: app.clock.now(), dropped_at: null, failure: null }).execute();
    await cleanUp();
    expect((await asked()).get(id)).toMatchObject({ state: 'failed' });
  });

  test('shows that the verifier has unsubscribed, also for later hours', async () => {
    const { token, entries } = await anOutsideLetter(app, { by: ann, activity: fair });
    const at = app.clock.now();
    await app.call(`POST /api/verify/${token}`, { body: { stop: true } });
    const later = await log();
    const found = await asked();
    expect(found.get(entries[0]?.id)).toEqual({ to: SUPERVISOR, at, state: 'stopped' });
    expect(found.get(later)).toEqual({ to: SUPERVISOR, at: null, state: 'stopped' });
  });

  test('is null once the activity names another verifier or the school verifies it', async () => {
    const id = await log();
    const { db } = app.deps.database;
    const activity = db.updateTable('activities').where('id', '=', fair.id);
    await activity.set({ external_verifier: 'other@outside.example' }).execute();
    expect((await asked()).get(id)).toBeNull();
    await activity.set({ external_verifier: SUPERVISOR, verification: 'school' }).execute();
    expect((await asked()).get(id)).toBeNull();
  });

  test('is hidden from volunteers and from the list of time entries', async () => {
    await log();
    const own = await app.call('GET /api/time-entries', { token: ann.token });
    const listed = await app.call(`GET /api/admin/time-entries?schoolId=${school.id}`, {
      token: maria.token,
    });
    expect([own.body.timeEntries.length, listed.body.timeEntries.length]).toEqual([1, 1]);
    for (const { body } of [own, listed]) expect(body.timeEntries[0]).not.toHaveProperty('asked');
    expect(own.text).not.toContain('"asked"');
  });

  test('is null for decided hours', async () => {
    const id = await log();
    await app.call('POST /api/admin/verifications', {
      token: maria.token,
      body: { decision: 'verify', entryIds: [id] },
    });
    const { body } = await desk('&status=verified');
    expect(body.entries).toMatchObject([{ id, asked: null }]);
  });
});

describe("the requests about a volunteer's own hours", () => {
  const own = async () =>
    (await app.call('GET /api/my-verifications/asked', { token: ann.token })).body.asked;
  const name = (id: number, address: string, token = ann.token) =>
    app.call(`POST /api/time-entries/${id}/supervisor`, { token, body: { address } });
  const letters = async () => {
    const rows = await app.deps.database.db
      .selectFrom('external_verifier_requests')
      .select('address')
      .orderBy('id')
      .execute();
    return rows.map(({ address }) => address);
  };
  const TYPO = 'coach@clubb.example';
  /** The activity lets volunteers name the verifier. */
  const leaveItOpen = () =>
    app.deps.database.db
      .updateTable('activities')
      .set({ external_verifier: null })
      .where('id', '=', fair.id)
      .execute();

  test('show the status of the email, or that it will be sent later', async () => {
    const first = await log();
    const second = await log();
    const at = app.clock.now();
    expect(await own()).toEqual([
      { entryId: second, to: SUPERVISOR, at: null, state: 'later', isNamedHere: false },
      { entryId: first, to: SUPERVISOR, at, state: 'sent', isNamedHere: false },
    ]);
    await mail()
      .set((eb) => ({ due_at: eb.ref('expires_at'), failure: 'EENVELOPE 550' }))
      .execute();
    expect((await own())[1]).toMatchObject({ entryId: first, state: 'failed' });
  });

  test('are hidden from other users', async () => {
    await log();
    const { body } = await app.call('GET /api/my-verifications/asked', { token: maria.token });
    expect(body.asked).toEqual([]);
  });

  test('move all hours of the same verifier to a newly named one, and email the new one immediately', async () => {
    await leaveItOpen();
    const [first, second] = [await log({ outsideVerifier: TYPO }), await log()];
    const third = await log({ outsideVerifier: 'aunt@club.example' });
    const reply = await name(second, SUPERVISOR);
    expect(reply.body).toEqual({
      entryIds: [first, second],
      message: `We will ask ${SUPERVISOR} to confirm your hours`,
    });
    expect(await letters()).toEqual([TYPO, 'aunt@club.example', SUPERVISOR]);
    const found = new Map((await own()).map((one: { entryId: number }) => [one.entryId, one]));
    for (const id of [first, second]) {
      expect(found.get(id)).toMatchObject({ to: SUPERVISOR, state: 'sent', isNamedHere: true });
    }
    expect(found.get(third)).toMatchObject({ to: 'aunt@club.example' });
    const [last] = (await recordOf(app, 'time-entry', first)).slice(-2);
    expect(last).toMatchObject({
      action: 'entry.name-supervisor',
      before: { by: TYPO },
      after: { by: SUPERVISOR },
    });
    // The first email, sent by mistake, no longer applies to the current version.
    expect((await asked()).get(first)).toMatchObject({ to: SUPERVISOR });
  });

  test('stay unchanged when the volunteer names the same verifier again', async () => {
    await leaveItOpen();
    const id = await log({ outsideVerifier: SUPERVISOR });
    expect((await name(id, SUPERVISOR)).body.entryIds).toEqual([]);
    expect(await own()).toMatchObject([{ entryId: id, state: 'sent' }]);
    expect(await letters()).toEqual([SUPERVISOR]);
  });

  test('reject an invalid verifier, and any verifier if the activity names one', async () => {
    const fixed = await log();
    expect((await name(fixed, 'other@club.example')).status).toBe(409);
    await leaveItOpen();
    const id = await log({ outsideVerifier: TYPO });
    const tired = 'tired@club.example';
    const { token } = await anOutsideLetter(app, {
      by: ann,
      activity: await anActivity(app, { school }),
      address: tired,
    });
    const stopped = await app.call(`POST /api/verify/${token}`, { body: { stop: true } });
    expect(stopped.status, stopped.text).toBe(200);
    for (const address of [ann.email, '', 'nobody', tired]) {
      const { status, body } = await name(id, address);
      expect([address, status, Object.keys(body.fields ?? {}).length]).toEqual([address, 400, 1]);
    }
    expect((await name(id, 'other@club.example', maria.token)).status).toBe(404);
    expect((await own()).find(({ entryId }: { entryId: number }) => entryId === id)).toMatchObject({
      to: TYPO,
    });
  });
});
