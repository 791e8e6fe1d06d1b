import { beforeEach, describe, expect, test } from 'vitest';
import { purgeDeletedPhotos } from '#features/photos/server/actions.ts';
import { transaction } from '#server/db/database.ts';
import {
  aCategory,
  anActivity,
  anAdministrator,
  anEntry,
  aPerson,
  aPhoto,
  aSchool,
  aSuggestion,
} from '#test/builders.ts';
import { sendDuring } from '#test/concurrent-requests.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { emailsSentTo } from '#test/sent-emails.ts';
import { insertHold } from './store.ts';

const DAY_MS = 86_400_000;
const COVERED = {
  error: "A legal hold covers this, so it can't be deleted. Lift the hold on the System screen first.",
};

let app: TestApp;
let admin: { id: number; token: string };
let school: { id: number; name: string };
beforeEach(async () => {
  app = await startApp();
  admin = await anAdministrator(app);
  school = await aSchool(app);
});

const send = (line: string, body?: object) =>
  app.call(line, { token: admin.token, ...(body === undefined ? {} : { body }) });
const hold = async (about: { userId: number } | { schoolId: number }) =>
  (await send('POST /api/admin/legal-holds', { reason: 'Court order', ...about })).body.hold.id as number;
const lift = (id: number) => send(`POST /api/admin/legal-holds/${id}/lift`);

/** What a call answers while a hold is in force, and after it was lifted. */
async function whileAndAfter(about: { userId: number } | { schoolId: number }, line: string, body?: object) {
  const id = await hold(about);
  const during = await send(line, body);
  await lift(id);
  const after = await send(line, body);
  return [during.status, during.body, after.status];
}
const REFUSED = [409, COVERED, 200];

describe('a legal hold blocks', () => {
  test('erasing the person, whose deletion request stays pending and never mentions the hold', async () => {
    const ann = await aPerson(app, { schools: [school] });
    const id = await hold({ userId: ann.id });
    const asked = await app.call('POST /api/profile/erasure-request', { token: ann.token, body: {} });
    expect([asked.status, asked.body.message]).toEqual([
      201,
      'Your request to delete your account was sent to the district',
    ]);
    const list = async () => (await send('GET /api/admin/erasure-requests')).body.erasureRequests;
    expect(await list()).toMatchObject([{ user: { id: ann.id }, isHeld: true }]);
    await app.call('POST /api/auth/forgot-password', { body: { email: ann.email } });
    const letters = await emailsSentTo(app, ann.email);
    expect(letters).not.toEqual([]);
    const refused = await send(`POST /api/admin/users/${ann.id}/erase`);
    expect([refused.status, refused.body]).toEqual([409, COVERED]);
    // The files of letters are deleted outside the transaction that is refused.
    expect(await emailsSentTo(app, ann.email)).toHaveLength(letters.length);
    const data = await app.call('GET /api/profile/data', { token: ann.token });
    const profile = await app.call('GET /api/profile', { token: ann.token });
    expect(`${data.text} ${profile.text}`).not.toMatch(/\bhold|\bheld|Court/i);
    await lift(id);
    expect(await list()).toMatchObject([{ isHeld: false }]);
    expect((await send(`POST /api/admin/users/${ann.id}/erase`)).status).toBe(200);
    const kept = await app.deps.database.db.selectFrom('legal_holds').select(['user_id', 'reason']).execute();
    expect(kept).toEqual([{ user_id: ann.id, reason: null }]);
  });

  test('erasing a member of the school, or someone who logged hours there', async () => {
    const ann = await aPerson(app, { schools: [school] });
    const bob = await aPerson(app);
    await anEntry(app, { by: bob, activity: await anActivity(app, { school }) });
    for (const { id } of [ann, bob]) {
      expect(await whileAndAfter({ schoolId: school.id }, `POST /api/admin/users/${id}/erase`)).toEqual(
        REFUSED,
      );
    }
  });

  test('deleting the person, or an account that has deleted items at the school', async () => {
    for (const about of ['person', 'photo', 'suggestion'] as const) {
      const ann = await aPerson(app);
      const activity = await anActivity(app, { school });
      if (about === 'photo') await aPhoto(app, { by: ann, activity, deletedBy: ann });
      if (about === 'suggestion') {
        const category = await aCategory(app, { school });
        const { id } = await aSuggestion(app, { by: ann, school, category });
        await send(`DELETE /api/admin/activity-suggestions/${id}`, { reason: 'Twice' });
      }
      const held = about === 'person' ? { userId: ann.id } : { schoolId: school.id };
      expect(await whileAndAfter(held, `DELETE /api/admin/users/${ann.id}`)).toEqual(REFUSED);
    }
  });

  test('deleting the school, its categories and its activities', async () => {
    const category = await aCategory(app, { school });
    const activity = await anActivity(app, { school, category });
    for (const line of [
      `DELETE /api/admin/activities/${activity.id}`,
      `DELETE /api/admin/categories/${category.id}`,
      `DELETE /api/admin/schools/${school.id}`,
    ]) {
      expect([line, ...(await whileAndAfter({ schoolId: school.id }, line))]).toEqual([line, ...REFUSED]);
    }
  });

  test('deleting a school with a deleted suggestion of the person', async () => {
    const ann = await aPerson(app);
    const category = await aCategory(app, { school });
    const { id } = await aSuggestion(app, { by: ann, school, category });
    await send(`DELETE /api/admin/activity-suggestions/${id}`, { reason: 'Twice' });
    expect((await send(`DELETE /api/admin/categories/${category.id}`)).status).toBe(200);
    expect(await whileAndAfter({ userId: ann.id }, `DELETE /api/admin/schools/${school.id}`)).toEqual(
      REFUSED,
    );
  });

  test('deleting an activity with deleted items of the person', async () => {
    const ann = await aPerson(app, { schools: [school] });
    const activity = await anActivity(app, { school });
    await anEntry(app, { by: ann, activity, deletedBy: ann });
    expect(await whileAndAfter({ userId: ann.id }, `DELETE /api/admin/activities/${activity.id}`)).toEqual(
      REFUSED,
    );
  });

  test('permanent deletion of a suggestion, but not soft deletion', async () => {
    const ann = await aPerson(app, { schools: [school] });
    const category = await aCategory(app, { school });
    const idea = async () => (await aSuggestion(app, { by: ann, school, category })).id;
    const line = `DELETE /api/admin/activity-suggestions/${await idea()}`;
    expect(await whileAndAfter({ userId: ann.id }, line)).toEqual(REFUSED);
    const other = `DELETE /api/admin/activity-suggestions/${await idea()}`;
    expect(await whileAndAfter({ schoolId: school.id }, other)).toEqual(REFUSED);
    await hold({ userId: ann.id });
    const marked = await send(`DELETE /api/admin/activity-suggestions/${await idea()}`, { reason: 'Twice' });
    expect(marked.status).toBe(200);
  });

  test('undoing an import for the people it covers, and the reply names them', async () => {
    const file = {
      csv: `firstName,lastName,email,role,schools\nAnn,A,ann@x.example,,${school.name}\nBob,B,bob@x.example,,${school.name}`,
    };
    const { key } = (await send('POST /api/admin/user-imports/preview', file)).body.preview;
    const made = await send('POST /api/admin/user-imports', { ...file, key, sendMail: false });
    expect(made.status).toBe(201);
    const ann = await app.deps.database.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', 'ann@x.example')
      .executeTakeFirstOrThrow();
    await hold({ userId: ann.id });
    const undone = await send(`POST /api/admin/user-imports/${made.body.userImport.id}/undo`);
    expect(undone.body).toMatchObject({
      kept: [{ user: { id: ann.id }, reason: 'a legal hold covers this' }],
    });
    const left = await app.deps.database.db
      .selectFrom('users')
      .select('email')
      .where('email', 'like', '%@x.example')
      .execute();
    expect(left).toEqual([{ email: 'ann@x.example' }]);
  });

  test('permanent deletion of photos, but not soft deletion by their uploader', async () => {
    const [ann, bob] = [await aPerson(app, { schools: [school] }), await aPerson(app, { schools: [school] })];
    const activity = await anActivity(app, { school });
    const own = await aPhoto(app, { by: ann, activity });
    await aPhoto(app, { by: bob, activity, deletedBy: bob });
    const id = await hold({ userId: ann.id });
    expect((await app.call(`DELETE /api/photos/${own.id}`, { token: ann.token })).status).toBe(200);
    app.clock.advance(31 * DAY_MS);
    const left = async () => {
      await transaction(app.deps.database, (trx) => purgeDeletedPhotos(trx, app.clock.now()));
      return app.deps.database.db.selectFrom('photos').select('id').execute();
    };
    expect(await left()).toEqual([{ id: own.id }]);
    admin = await anAdministrator(app);
    await lift(id);
    expect(await left()).toEqual([]);
  });

  test('a deletion that is submitted while the hold is being placed', async () => {
    const ann = await aPerson(app);
    const reply = await sendDuring(
      app,
      (trx) =>
        insertHold(trx, { userId: ann.id, schoolId: null, reason: 'x', by: admin.id, at: app.clock.now() }),
      () => send(`DELETE /api/admin/users/${ann.id}`),
    );
    expect([reply.status, reply.body]).toEqual([409, COVERED]);
  });
});
