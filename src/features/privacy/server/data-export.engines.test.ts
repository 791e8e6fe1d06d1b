import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { transaction } from '#server/db/database.ts';
import { asViewer } from '#server/http/viewer.ts';
import {
  aCategory,
  anActivity,
  anAdministrator,
  anEntry,
  aPerson,
  aPhoto,
  aSchool,
  aSuggestion,
  PASSWORD,
} from '#test/builders.ts';
import { NOW, startApp, type TestApp } from '#test/harness.ts';

let app: TestApp;
let school: { id: number; name: string };
beforeAll(async () => {
  app = await startApp();
  school = await aSchool(app, { name: 'Lincoln' });
});

const download = (token: string, query = '') => app.call(`GET /api/profile/data${query}`, { token });

async function aBusyVolunteer() {
  const category = await aCategory(app, { school, kind: 'event' });
  const activity = await anActivity(app, { school, category, name: '=HYPERLINK("http://evil.example")' });
  const ann = await aPerson(app, { schools: [school], firstName: 'Ann' });
  await anEntry(app, { by: ann, activity, hours: 1.5, date: '2026-03-01', notes: '+1, "quoted"\nand more' });
  await anEntry(app, { by: ann, activity, hours: 0.25, date: '2026-03-02', deletedBy: ann });
  const photo = await aPhoto(app, { by: ann, activity });
  await app.call(`POST /api/photos/${photo.id}/takedown`, { token: ann.token, body: { reason: 'My son' } });
  await aSuggestion(app, { by: ann, school, category });
  await app.call('PUT /api/my-activity-suggestions/mail', { token: ann.token, body: { decisions: false } });
  const other = await aPerson(app, { schools: [school], firstName: 'Somebody', lastName: 'Else' });
  await anEntry(app, { by: other, activity, notes: 'not yours' });
  return ann;
}

describe("a volunteer's data export", () => {
  test('is one JSON file with all of the volunteer’s data, and no one else’s', async () => {
    const ann = await aBusyVolunteer();
    const login = await app.call('POST /api/auth/login', { body: { email: ann.email, password: PASSWORD } });
    const reply = await download(ann.token);
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(reply.headers['content-disposition']).toBe(
      'attachment; filename="volunteer-data-2026-03-04.json"',
    );
    const data = JSON.parse(reply.text);
    expect(data.profile).toMatchObject({ id: ann.id, email: ann.email, firstName: 'Ann' });
    expect(data.memberships).toMatchObject([{ school: 'Lincoln', status: 'active' }]);
    expect(data.sessions).toHaveLength(2);
    expect(data.timeEntries).toMatchObject([
      { entryDate: '2026-03-01', hours: 1.5, category: expect.any(String), deletedAt: null },
      { entryDate: '2026-03-02', hours: 0.25, deletedAt: expect.any(String) },
    ]);
    expect(data.photos).toMatchObject([{ containsStudents: false, review: 'reported' }]);
    expect(data.photoTakedowns).toMatchObject([{ id: data.photos[0].id, reason: 'My son' }]);
    expect(data.suggestions).toMatchObject([
      { status: 'pending', category: expect.stringMatching(/^Category/), isYearLong: false, decidedAt: null },
    ]);
    expect(data.suggestionMail).toEqual({ decisions: 0, digest: 0 });
    expect(data.erasureRequest).toBeNull();
    expect(reply.text).not.toMatch(/not yours|Somebody|argon2|token_hash/);
    for (const token of [ann.token, login.body.token]) expect(reply.text).not.toContain(token);
  });

  test("contains the volunteer's own audit events with their IP address", async () => {
    const school = await aSchool(app);
    const ann = await aPerson(app, { schools: [school] });
    await app.call('PUT /api/profile', { token: ann.token, body: { firstName: 'Anna' } });
    const { record } = JSON.parse((await download(ann.token, '?format=json')).text);
    expect(record).toMatchObject([
      { action: 'account.edit', after: { firstName: 'Anna' }, address: '10.0.0.1' },
      { action: 'account.download', address: '10.0.0.1' },
    ]);
  });

  test('names the connected Google account only to its owner', async () => {
    const [ann, ada] = [await aPerson(app), await anAdministrator(app)];
    await app.deps.database.db
      .insertInto('drive_connection')
      .values({
        id: 1,
        refresh_token: 'sealed',
        access_token: null,
        access_expires_at: null,
        account: ann.email.toUpperCase(),
        connected_by: ada.id,
        connected_at: app.clock.now(),
        lost_at: null,
      })
      .execute();
    const connection = { connectedAt: app.clock.now(), lostAt: null };
    const seenBy = async ({ token }: { token: string }) =>
      JSON.parse((await download(token)).text).driveConnection;
    expect(await seenBy(ann)).toEqual({ ...connection, account: ann.email.toUpperCase() });
    expect(await seenBy(ada)).toEqual({ ...connection, account: null });
    expect(await seenBy(await aPerson(app))).toBeNull();
    await app.deps.database.db.deleteFrom('drive_connection').execute();
  });

  test('contains audit events by others about the hours and the account, without their IP addresses', async () => {
    const school = await aSchool(app);
    const ann = await aPerson(app, { schools: [school] });
    const admin = await anAdministrator(app);
    const activity = await anActivity(app, { school });
    await app.call('POST /api/admin/time-entries', {
      token: admin.token,
      body: { userId: ann.id, activityId: activity.id, hours: 2 },
    });
    await app.call(`PUT /api/admin/users/${ann.id}`, { token: admin.token, body: { lastName: 'Renamed' } });
    const { record } = JSON.parse((await download(ann.token, '?format=json')).text);
    expect(record).toMatchObject([
      { action: 'entry.log', after: { hours: 2 }, address: null },
      { action: 'account.change', after: { lastName: 'Renamed' }, address: null },
      { action: 'account.download' },
    ]);
  });

  test('is available as a CSV table of hours without formulas', async () => {
    const ann = await aBusyVolunteer();
    const reply = await download(ann.token, '?format=csv');
    expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(reply.headers['content-disposition']).toBe('attachment; filename="volunteer-data-2026-03-04.csv"');
    expect(
      reply.text.startsWith('\uFEFFDate,School,Category,Activity,Hours,Notes,Logged at,Deleted at\r\n'),
    ).toBe(true);
    expect(reply.text.replace(/,Category \d+,/, ',Category,')).toContain(
      `2026-03-01,Lincoln,Category,"'=HYPERLINK(""http://evil.example"")",1.5,"'+1, ""quoted""\nand more",2026-03-04T18:00:00.000Z,\r\n`,
    );
    expect(reply.text.trimEnd().split('\r\n')).toHaveLength(3);
  });

  test('is complete even if it takes more than one read', async () => {
    const school = await aSchool(app);
    const activity = await anActivity(app, { school });
    const ann = await aPerson(app, { schools: [school] });
    const { id } = await anEntry(app, { by: ann, activity });
    const { db } = app.deps.database;
    const { id: _, ...row } = await db
      .selectFrom('time_entries')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await transaction(app.deps.database, async (trx) => {
      for (let i = 0; i < 12; i++) {
        await trx
          .insertInto('time_entries')
          .values(Array.from({ length: 100 }, () => row))
          .execute();
      }
    });
    expect(JSON.parse((await download(ann.token)).text).timeEntries).toHaveLength(1201);
    expect((await download(ann.token, '?format=csv')).text.trimEnd().split('\r\n')).toHaveLength(1202);
  });

  test('does not block the event loop', async () => {
    const ann = await aBusyVolunteer();
    let isOver = false;
    const asked = download(ann.token).finally(() => {
      isOver = true;
    });
    let between = 0;
    while (!isOver) {
      await setImmediate();
      between += 1;
    }
    expect(between).toBeGreaterThan(10);
    expect((await asked).status).toBe(200);
  });

  test('runs one at a time per user, queues two more, and rejects the rest', async () => {
    const ann = await aBusyVolunteer();
    const viewer = asViewer({ userId: ann.id, sessionId: 1, role: 'user', schoolIds: [], grants: [] });
    const request = { at: NOW, address: '10.0.0.1', requestId: 'test', agent: 'test' };
    const gone = new AbortController().signal;
    const underway = await app.deps.reportWorkers.stream(
      { viewer, request, gone },
      async () => new PassThrough(),
    );
    const statuses: number[] = [];
    const asked = Array.from({ length: 4 }, async () => {
      const { status } = await download(ann.token);
      statuses.push(status);
    });
    await expect.poll(() => statuses).toEqual([429, 429]);
    underway.destroy();
    await Promise.all(asked);
    expect(statuses.slice(2)).toEqual([200, 200]);
    expect((await download(ann.token)).status).toBe(200);
  });

  test('requires a session and one of the two formats', async () => {
    expect((await app.call('GET /api/profile/data')).status).toBe(401);
    const ann = await aPerson(app);
    expect((await download(ann.token, '?format=xml')).status).toBe(400);
  });
});
