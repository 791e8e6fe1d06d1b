import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { transaction } from '#server/db/database.ts';
import { day } from '#shared/calendar-date.ts';
import { recordOf } from '#test/audit-log.ts';
import { anActivity, anAdministrator, aPerson, aPersonWithRole, aSchool, editOf } from '#test/builders.ts';
import { startApp, type TestApp, TODAY } from '#test/harness.ts';
import { addImportedEntries } from './imported-hours.ts';

let app: TestApp;
let admin: { id: number; token: string };
let school: { id: number; name: string };
let ann: { id: number; token: string; email: string };
let activity: { id: number; schoolId: number };

beforeAll(async () => {
  app = await startApp();
  admin = await anAdministrator(app);
  school = await aSchool(app, { name: 'Lincoln' });
  ann = await aPerson(app, { schools: [school], firstName: 'Ann' });
  activity = await anActivity(app, { school, name: 'Book fair' });
  await put(`schools/${school.id}`, { verification: 'on' });
});

const send = (methodAndPath: string, token: string, body?: object) =>
  app.call(methodAndPath, { token, ...(body === undefined ? {} : { body }) });
const put = (what: string, body: object) => send(`PUT /api/admin/${what}`, admin.token, body);
const log = (body: object = {}, token = ann.token) =>
  send('POST /api/time-entries', token, { activityId: activity.id, hours: 2, ...body });
const LOCKED = 'Verified hours can no longer be changed. Ask Lincoln to reopen them.';

/** Decides as the verification feature does. */
async function decide(id: number, status: 'verified' | 'declined', counted = 200) {
  await app.deps.database.db
    .updateTable('time_entries')
    .set({
      verification: status,
      counted_hundredths: status === 'verified' ? counted : 0,
      decided_by: admin.id,
      decided_at: app.clock.now(),
      decision_note: status === 'declined' ? 'You were not there' : null,
    })
    .where('id', '=', id)
    .execute();
}

async function anOwnEntry(status?: 'verified' | 'declined') {
  const { body } = await log();
  if (status !== undefined) await decide(body.timeEntry.id, status);
  return body.timeEntry.id as number;
}

describe('the data export', () => {
  test('includes the verification of hours only at schools that verify them', async () => {
    const eve = await aPerson(app, { schools: [school], firstName: 'Eve' });
    const { body } = await log({}, eve.token);
    await decide(body.timeEntry.id, 'declined');
    await send(`POST /api/time-entries/${body.timeEntry.id}/reopen-request`, eve.token, {
      note: 'I was at the door',
    });
    const other = await aSchool(app, {});
    const joe = await aPerson(app, { schools: [other] });
    const there = await anActivity(app, { school: other });
    await send('POST /api/time-entries', joe.token, { activityId: there.id, hours: 1 });
    const dataOf = async (token: string) => JSON.parse((await send('GET /api/profile/data', token)).text);
    expect((await dataOf(eve.token)).timeEntries[0].verification).toEqual({
      status: 'declined',
      hoursThatCount: 0,
      decidedAt: app.clock.now(),
      decidedOutside: null,
      decisionNote: 'You were not there',
      reopenNote: 'I was at the door',
      outsideVerifier: null,
    });
    expect(Object.keys((await dataOf(joe.token)).timeEntries[0])).not.toContain('verification');
  });
});

describe('hours at a school that verifies them', () => {
  test('are waiting when logged, and do not count yet', async () => {
    const { status, body } = await log();
    expect(status).toBe(201);
    expect(body.timeEntry).toMatchObject({
      verification: {
        status: 'waiting',
        hours: 0,
        by: null,
        at: null,
        note: null,
        reopenRequested: false,
        reopenNote: null,
      },
      canEdit: true,
      canDelete: true,
    });
  });

  test('are locked for the volunteer once verified or declined, and name the school as verifier', async () => {
    for (const status of ['verified', 'declined'] as const) {
      const id = await anOwnEntry(status);
      const edit = await send(`PUT /api/time-entries/${id}`, ann.token, await editOf(app, id, { hours: 3 }));
      expect([edit.status, edit.body]).toEqual([409, { error: LOCKED }]);
      const removal = await send(`DELETE /api/time-entries/${id}`, ann.token);
      expect([removal.status, removal.body]).toEqual([409, { error: LOCKED }]);
      const { body } = await send('GET /api/time-entries', ann.token);
      expect(body.timeEntries.find((one: { id: number }) => one.id === id)).toMatchObject({
        canEdit: false,
        canDelete: false,
        verification: { status, by: 'your school', hours: status === 'verified' ? 2 : 0 },
      });
    }
  });

  test('stay verified when a coordinator edits them, and count with their new value', async () => {
    const { token, id: by } = await aPersonWithRole(app, 'coordinator', school);
    const id = await anOwnEntry('verified');
    const { body } = await send(`PUT /api/admin/time-entries/${id}`, token, { hours: 1.5 });
    expect(body.timeEntry.verification).toMatchObject({ status: 'verified', hours: 1.5 });
    const [row] = await app.deps.database.db
      .selectFrom('time_entries')
      .select(['decided_by', 'version', 'decided_version'])
      .where('id', '=', id)
      .execute();
    expect(row).toEqual({ decided_by: by, version: 2, decided_version: 2 });
    expect((await recordOf(app, 'time-entry', id)).at(-1)).toMatchObject({
      before: { verification: 'verified', countedHours: 2 },
      after: { verification: 'verified', countedHours: 1.5 },
    });
  });

  test('are waiting again after a move to another activity', async () => {
    const other = await anActivity(app, { school });
    const id = await anOwnEntry('verified');
    const { body } = await put(`time-entries/${id}`, { activityId: other.id });
    expect(body.timeEntry.verification).toMatchObject({ status: 'waiting', hours: 0, by: null, at: null });
  });

  test('have the same status after deletion and undo', async () => {
    const id = await anOwnEntry('verified');
    await send(`DELETE /api/admin/time-entries/${id}`, admin.token);
    const { body } = await send(`POST /api/time-entries/${id}/restore`, admin.token);
    expect(body.timeEntry.verification).toMatchObject({ status: 'verified', hours: 2 });
  });

  test('count without a decision at a trusted activity, and are locked', async () => {
    const trusted = await anActivity(app, { school });
    await put(`activities/${trusted.id}`, { verifiedBy: 'trusted' });
    const { body } = await log({ activityId: trusted.id });
    expect(body.timeEntry).toMatchObject({
      verification: { status: 'verified', hours: 2, by: null },
      canEdit: false,
    });
    const roster = await send('POST /api/admin/time-entries/roster', admin.token, {
      activityId: trusted.id,
      entries: [{ userId: ann.id, hours: 1 }],
    });
    expect(roster.body.timeEntries[0].verification).toMatchObject({ status: 'verified', hours: 1 });
  });

  test('are waiting even at a trusted activity if their volunteer may edit activities', async () => {
    const trusted = await anActivity(app, { school });
    await put(`activities/${trusted.id}`, { verifiedBy: 'trusted' });
    const here = { activityId: trusted.id, hours: 1 };
    const coordinator = await aPersonWithRole(app, 'coordinator', school, { schools: [school] });
    const days = { ...here, dates: ['2026-03-02', '2026-03-03'] };
    const several = await send('POST /api/time-entries/several', coordinator.token, days);
    const moved = (await log({}, coordinator.token)).body.timeEntry.id;
    const replies = [
      await log(here, coordinator.token),
      await log({ ...here, schoolId: school.id }, admin.token),
      await send(`PUT /api/time-entries/${moved}`, coordinator.token, here),
    ];
    const roster = await send('POST /api/admin/time-entries/roster', admin.token, {
      activityId: trusted.id,
      entries: [
        { userId: coordinator.id, hours: 1 },
        { userId: ann.id, hours: 1 },
      ],
    });
    const brought = {
      schoolId: school.id,
      activityId: trusted.id,
      entryDate: day(TODAY),
      hours: 1,
      notes: null,
    };
    const imported = await transaction(app.deps.database, (trx) =>
      addImportedEntries(
        trx,
        { userId: admin.id, at: app.clock.now(), address: null, requestId: null },
        [
          { ...brought, userId: coordinator.id },
          { ...brought, userId: ann.id },
        ],
        { importId: 1, verifiedBy: null, reason: null },
      ),
    );
    const { rows } = await sql<{ user_id: number; verification: string }>`select user_id, verification
      from time_entries where activity_id = ${trusted.id}`.execute(app.deps.database.db);
    const of = (id: number) => rows.filter((row) => row.user_id === id).map((row) => row.verification);
    expect([several, roster, ...replies].map(({ status }) => status)).toEqual([201, 201, 201, 201, 200]);
    expect(imported).toHaveLength(2);
    expect(of(coordinator.id)).toEqual(Array(6).fill('waiting'));
    expect(of(admin.id)).toEqual(['waiting']);
    expect(of(ann.id)).toEqual(['verified', 'verified']);
    const [first] = await recordOf(app, 'time-entry', replies[0]?.body.timeEntry.id);
    expect(first).not.toMatchObject({ after: { verification: 'verified' } });
  });

  test("are locked once verified even if they are an administrator's own", async () => {
    const { id, token } = await aPersonWithRole(app, 'school-admin', school);
    const { body } = await log({}, token);
    await decide(body.timeEntry.id, 'verified');
    expect(
      (
        await send(
          `PUT /api/time-entries/${body.timeEntry.id}`,
          token,
          await editOf(app, body.timeEntry.id, { hours: 9 }),
        )
      ).status,
    ).toBe(409);
    expect(body.timeEntry.user.id).toBe(id);
  });
});

describe('turning verification off and on', () => {
  test('hides and unlocks entries, then restores the status of unchanged ones', async () => {
    const here = await aSchool(app, { name: 'Here' });
    const place = await anActivity(app, { school: here });
    const bob = await aPerson(app, { schools: [here] });
    const logHere = async () => (await log({ activityId: place.id }, bob.token)).body.timeEntry.id;
    const older = await logHere();
    await put(`schools/${here.id}`, { verification: 'on' });
    const listed = async (id: number) => {
      const { body } = await send('GET /api/time-entries', bob.token);
      return body.timeEntries.find((one: { id: number }) => one.id === id);
    };
    expect((await listed(older)).verification.status).toBe('waiting');
    const [kept, changed] = [await logHere(), await logHere()];
    await decide(kept, 'verified');
    await decide(changed, 'verified');
    await put(`schools/${here.id}`, { verification: 'off' });
    expect(await listed(kept)).toMatchObject({ verification: null, canEdit: true });
    expect(
      (await send(`PUT /api/time-entries/${changed}`, bob.token, await editOf(app, changed, { hours: 5 })))
        .status,
    ).toBe(200);
    await put(`schools/${here.id}`, { verification: 'on' });
    expect((await listed(kept)).verification).toMatchObject({ status: 'verified', hours: 2 });
    expect((await listed(changed)).verification).toMatchObject({ status: 'waiting', hours: 0, at: null });
    const { rows } = await sql<{ verification: string | null }>`
      select verification from time_entries where school_id = ${here.id} order by id`.execute(
      app.deps.database.db,
    );
    expect(rows.map((row) => row.verification)).toEqual(['waiting', 'verified', 'waiting']);
  });
});

describe('a request to reopen hours', () => {
  const ask = (id: number, note = 'I stayed an hour longer', token = ann.token) =>
    send(`POST /api/time-entries/${id}/reopen-request`, token, { note });

  test("is possible once for the volunteer's own locked hours, and is audited", async () => {
    const id = await anOwnEntry('declined');
    const asked = await ask(id);
    expect([asked.status, asked.body.message]).toEqual([200, 'We asked Lincoln to reopen these hours']);
    expect(asked.body.timeEntry.verification).toMatchObject({
      reopenRequested: true,
      reopenNote: 'I stayed an hour longer',
    });
    expect((await ask(id)).status).toBe(409);
    expect((await recordOf(app, 'time-entry', id)).at(-1)).toMatchObject({ action: 'entry.ask-reopening' });
    expect((await ask(await anOwnEntry())).status).toBe(409);
    const cat = await aPerson(app, { schools: [school] });
    expect((await ask(await anOwnEntry('verified'), 'Mine', cat.token)).status).toBe(404);
    expect((await ask(await anOwnEntry('verified'), '  ')).status).toBe(400);
    expect((await ask(await anOwnEntry('verified'), 'x'.repeat(501))).status).toBe(400);
  });
});

describe('a closed period', () => {
  test('rejects changes by volunteers, and requires a reason from administrators', async () => {
    const here = await aSchool(app, { name: 'Closed' });
    const place = await anActivity(app, { school: here });
    const bob = await aPerson(app, { schools: [here] });
    const { body } = await log({ activityId: place.id, entryDate: '2026-02-10' }, bob.token);
    const { id } = body.timeEntry;
    await put(`schools/${here.id}`, { closedBefore: '2026-03-01' });
    const closed = { error: 'Hours before Mar 1 are closed. Ask Closed.' };
    for (const reply of [
      await log({ activityId: place.id, entryDate: '2026-02-28' }, bob.token),
      await send(`PUT /api/time-entries/${id}`, bob.token, await editOf(app, id, { hours: 1 })),
      await send(
        `PUT /api/time-entries/${id}`,
        bob.token,
        await editOf(app, id, { entryDate: '2026-03-02' }),
      ),
      await send(`DELETE /api/time-entries/${id}`, bob.token, { reason: 'I may not' }),
    ]) {
      expect([reply.status, reply.body]).toEqual([409, closed]);
    }
    expect((await log({ activityId: place.id, entryDate: '2026-03-01' }, bob.token)).status).toBe(201);
    const path = `/api/admin/time-entries/${id}`;
    const silent = await send(`PUT ${path}`, admin.token, { hours: 1 });
    expect([silent.status, Object.keys(silent.body.fields)]).toEqual([400, ['reason']]);
    expect((await send(`PUT ${path}`, admin.token, { hours: 1, reason: 'Late form' })).status).toBe(200);
    expect((await send(`DELETE ${path}`, admin.token)).status).toBe(400);
    expect((await send(`DELETE ${path}`, admin.token, { reason: 'Twice' })).status).toBe(200);
    const [, edit, removal] = await recordOf(app, 'time-entry', id);
    expect([edit?.after, removal?.before]).toMatchObject([{ reason: 'Late form' }, { reason: 'Twice' }]);
    const roster = { activityId: place.id, entryDate: '2026-02-01', entries: [{ userId: bob.id, hours: 1 }] };
    const made = (body: object) => send('POST /api/admin/time-entries/roster', admin.token, body);
    expect((await made(roster)).status).toBe(400);
    expect((await made({ ...roster, reason: 'Paper list' })).status).toBe(201);
  });

  test('is returned with the list of activities, for each school that has one', async () => {
    const [here, late, open] = [
      await aSchool(app, { name: 'Asks here' }),
      await aSchool(app, { name: 'Asks later' }),
      await aSchool(app, { name: 'Asks nowhere' }),
    ];
    const bob = await aPerson(app, { schools: [here, late, open] });
    const carl = await aPersonWithRole(app, 'coordinator', late, { schools: [late] });
    const closed = async (token: string, query = '') =>
      (await send(`GET /api/activities${query}`, token)).body.closed;
    expect(await closed(bob.token)).toBe(null);
    await put(`schools/${here.id}`, { closedBefore: '2026-03-01' });
    await put(`schools/${late.id}`, { closedBefore: '2026-02-01', lateAfterDays: 7 });
    const ofLate = {
      schoolId: late.id,
      before: '2026-02-25',
      message: 'Hours before Feb 25 are closed. Ask Asks later.',
    };
    expect(await closed(bob.token)).toEqual([
      { schoolId: here.id, before: '2026-03-01', message: 'Hours before Mar 1 are closed. Ask Asks here.' },
      ofLate,
    ]);
    expect(await closed(bob.token, `?schoolId=${late.id}`)).toEqual([ofLate]);
    expect(await closed(bob.token, `?schoolId=${open.id}`)).toBe(null);
    const inPanel = 'Hours before Feb 25 are closed. Use Time Entries in the Admin Panel.';
    expect(await closed(carl.token)).toEqual([{ ...ofLate, message: inPanel }]);
    expect(await closed(admin.token, `?schoolId=${here.id}`)).toMatchObject([{ before: '2026-03-01' }]);
  });

  test('can be set by age, and blocks restoring entries that were deleted before', async () => {
    const here = await aSchool(app, { name: 'Late' });
    const place = await anActivity(app, { school: here });
    const bob = await aPerson(app, { schools: [here] });
    const { body } = await log({ activityId: place.id, entryDate: '2026-02-10' }, bob.token);
    await send(`DELETE /api/time-entries/${body.timeEntry.id}`, bob.token);
    await put(`schools/${here.id}`, { lateAfterDays: 7 });
    const late = await log({ activityId: place.id, entryDate: '2026-02-24' }, bob.token);
    expect([late.status, late.body.error]).toEqual([409, 'Hours before Feb 25 are closed. Ask Late.']);
    expect((await log({ activityId: place.id, entryDate: '2026-02-25' }, bob.token)).status).toBe(201);
    const restored = await send(`POST /api/time-entries/${body.timeEntry.id}/restore`, bob.token);
    expect(restored.status).toBe(409);
    for (const days of [0, 367, 1.5]) {
      expect((await put(`schools/${here.id}`, { lateAfterDays: days })).status).toBe(400);
    }
  });
});

describe('an external verifier', () => {
  test('must be named once for an activity, and cannot be the volunteer', async () => {
    const outside = await anActivity(app, { school });
    await put(`activities/${outside.id}`, { verifiedBy: 'outside' });
    const of = { activityId: outside.id };
    const missing = await log(of);
    expect([missing.status, Object.keys(missing.body.fields)]).toEqual([400, ['outsideVerifier']]);
    const [name, domain] = ann.email.toUpperCase().split('@');
    expect((await log({ ...of, outsideVerifier: `${name}@${domain}` })).status).toBe(400);
    expect((await log({ ...of, outsideVerifier: 'coach@rink.example' })).status).toBe(201);
    const again = await log(of);
    expect(again.status).toBe(201);
    const row = await app.deps.database.db
      .selectFrom('time_entries')
      .select('external_verifier')
      .where('id', '=', again.body.timeEntry.id)
      .executeTakeFirst();
    expect(row).toEqual({ external_verifier: 'coach@rink.example' });
  });

  test('does not have to be named if the activity names one', async () => {
    const outside = await anActivity(app, { school });
    await put(`activities/${outside.id}`, { verifiedBy: 'outside', outsideVerifier: 'rink@town.example' });
    expect((await log({ activityId: outside.id })).status).toBe(201);
  });

  test('is removed when the school verifies the activity again', async () => {
    const outside = await anActivity(app, { school });
    const named = { verifiedBy: 'outside', outsideVerifier: 'rink@town.example' };
    expect((await put(`activities/${outside.id}`, named)).body.activity).toMatchObject(named);
    const back = await put(`activities/${outside.id}`, { verifiedBy: 'school' });
    expect(back.body.activity).toMatchObject({ verifiedBy: 'school', outsideVerifier: null });
  });
});
