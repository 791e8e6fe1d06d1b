import { beforeAll, describe, expect, test } from 'vitest';
import { verifyRollups } from '#features/time-entries/rollups/server/rollups.ts';
import { FLAGS } from '#features/time-entries/verification-status.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import { plusMilliseconds } from '#shared/calendar-date.ts';
import { recordOf } from '#test/audit-log.ts';
import { anActivity, anAdministrator, aPerson, aPersonWithRole, aSchool, editOf } from '#test/builders.ts';
import { sendDuring } from '#test/concurrent-requests.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { readPages } from '#test/list-requests.ts';
import { deleteOldDecisionSnapshots } from './actions.ts';

let app: TestApp;
let admin: { id: number; token: string };
beforeAll(async () => {
  app = await startApp();
  admin = await anAdministrator(app);
});

const send = (methodAndPath: string, token: string, body?: object) =>
  app.call(methodAndPath, { token, ...(body === undefined ? {} : { body }) });
const DESK = '/api/admin/verifications';

/** A school that verifies hours, with its coordinator, a volunteer and an activity. */
async function aDesk() {
  const school = await aSchool(app);
  const activity = await anActivity(app, { school });
  const ann = await aPerson(app, { schools: [school], firstName: 'Ann' });
  const maria = await aPersonWithRole(app, 'coordinator', school);
  const on = { verification: 'on' };
  await send(`PUT /api/admin/schools/${school.id}`, admin.token, on);
  const log = async (body: object = {}, token = ann.token): Promise<number> => {
    const reply = await send('POST /api/time-entries', token, { activityId: activity.id, hours: 2, ...body });
    expect(reply.status, reply.text).toBe(201);
    return reply.body.timeEntry.id;
  };
  const list = (query = '', token = maria.token) => send(`GET ${DESK}?schoolId=${school.id}${query}`, token);
  const decide = (body: object, token = maria.token) => send(`POST ${DESK}`, token, body);
  return { school, activity, ann, maria, log, list, decide };
}

describe('the verification queue', () => {
  test('lists waiting entries, oldest day first, in pages with totals', async () => {
    const { list, log, decide, maria, school } = await aDesk();
    const days = ['2026-03-03', '2026-02-10', '2026-03-01', '2026-02-10', '2026-03-04'];
    const ids = [];
    for (const entryDate of days) ids.push(await log({ entryDate, hours: 1.25 }));
    const [a, b, c, d, e] = ids;
    const { body } = await list();
    expect(body.entries.map((one: { id: number }) => one.id)).toEqual([b, d, c, a, e]);
    expect([body.total, body.totalHours, body.nextCursor]).toEqual([5, 6.25, null]);
    const pages = await readPages(app, `${DESK}?schoolId=${school.id}`, maria.token, 2);
    const read = pages.flatMap((page) => page['entries'] as { id: number }[]).map(({ id }) => id);
    expect(read).toEqual([b, d, c, a, e]);
    await decide({ decision: 'verify', entryIds: [a] });
    expect((await list()).body.total).toBe(4);
    expect((await list('&status=verified')).body.entries.map((one: { id: number }) => one.id)).toEqual([a]);
    expect((await list('&startDate=2026-03-01&endDate=2026-03-02')).body.total).toBe(1);
    expect((await list('&startDate=2026-03-02&endDate=2026-03-01')).status).toBe(400);
  });

  test('lists entries logged more than 21 days ago first, on every page', async () => {
    const { list, log, maria, school } = await aDesk();
    const { db } = app.deps.database;
    const days = ['2026-01-20', '2026-02-09', '2026-02-01', '2026-01-05', '2026-02-09', '2026-03-02'];
    const ids: number[] = [];
    for (const entryDate of days) ids.push(await log({ entryDate }));
    const loggedAgo = async (id: number | undefined, days: number) => {
      const at = plusMilliseconds(app.clock.now(), -days * 86_400_000);
      await db
        .updateTable('time_entries')
        .set({ created_at: at })
        .where('id', '=', id ?? 0)
        .execute();
    };
    const [a, b, c, d, e, f] = ids;
    await loggedAgo(b, 23);
    await loggedAgo(c, 22);
    // Logged on the 21st day before, which is not more than 21 days ago.
    await loggedAgo(e, 21);
    const expected = [c, b, d, a, e, f];
    const read = (await list()).body.entries as { id: number; isLate: boolean }[];
    expect(read.map(({ id, isLate }) => [id, isLate])).toEqual(
      expected.map((id) => [id, [b, c].includes(id)]),
    );
    for (const limit of [1, 2, 3, 5]) {
      const pages = await readPages(app, `${DESK}?schoolId=${school.id}`, maria.token, limit);
      const paged = pages.flatMap((page) => page['entries'] as { id: number }[]).map(({ id }) => id);
      expect(paged, `pages of ${limit}`).toEqual(expected);
    }
  });

  test('excludes other schools and schools that do not verify hours', async () => {
    const [here, there] = [await aDesk(), await aDesk()];
    await here.log();
    const [elsewhere] = [await there.log()];
    expect((await here.list('', there.maria.token)).status).toBe(404);
    expect((await send(`GET ${DESK}`, there.maria.token)).body).toMatchObject({ total: 1 });
    const reply = await here.decide({ decision: 'verify', entryIds: [elsewhere] });
    expect(reply.body).toEqual({
      changed: 0,
      batch: null,
      skipped: [{ id: elsewhere, why: 'Time entry not found' }],
    });
    await send(`PUT /api/admin/schools/${here.school.id}`, admin.token, { verification: 'off' });
    expect((await here.list()).body).toMatchObject({ total: 0, entries: [] });
  });

  test('is readable by auditors, who cannot decide', async () => {
    const { list, log, decide, school } = await aDesk();
    const auditor = await aPersonWithRole(app, 'auditor', school);
    const id = await log();
    expect((await list('', auditor.token)).body.total).toBe(1);
    expect((await decide({ decision: 'verify', entryIds: [id] }, auditor.token)).status).toBe(403);
  });
});

describe('a verification decision', () => {
  test('verifies all or the given hours, and is audited', async () => {
    const { list, log, decide, maria } = await aDesk();
    const [whole, part] = [await log(), await log()];
    expect((await decide({ decision: 'verify', entryIds: [whole] })).body).toMatchObject({
      changed: 1,
      skipped: [],
      batch: expect.any(Number),
    });
    await decide({ decision: 'verify', entryIds: [part], hours: 1.5 });
    const { body } = await list('&status=verified');
    expect(body.entries.map((one: { verification: object }) => one.verification)).toMatchObject([
      { status: 'verified', hours: 2, by: expect.stringContaining(maria.firstName), at: app.clock.now() },
      { status: 'verified', hours: 1.5 },
    ]);
    expect(body.entries[1].hours).toBe(2);
    expect((await recordOf(app, 'time-entry', part)).at(-1)).toMatchObject({
      action: 'entry.verify',
      before: { verification: 'waiting', countedHours: 0 },
      after: { verification: 'verified', countedHours: 1.5 },
    });
  });

  test('declines with a reason that the volunteer sees, and reopens', async () => {
    const { log, decide, ann } = await aDesk();
    const id = await log();
    const silent = await decide({ decision: 'decline', entryIds: [id] });
    expect([silent.status, Object.keys(silent.body.fields)]).toEqual([400, ['reason']]);
    await decide({ decision: 'decline', entryIds: [id], reason: 'You were not there' });
    const own = async () => (await send('GET /api/time-entries', ann.token)).body.timeEntries[0].verification;
    expect(await own()).toMatchObject({
      status: 'declined',
      hours: 0,
      note: 'You were not there',
      by: 'your school',
    });
    await decide({ decision: 'reopen', entryIds: [id], reason: 'Please correct the day' });
    expect(await own()).toMatchObject({
      status: 'waiting',
      by: null,
      at: null,
      note: 'Please correct the day',
    });
    expect(
      (await send(`PUT /api/time-entries/${id}`, ann.token, await editOf(app, id, { hours: 1 }))).status,
    ).toBe(200);
  });

  test('returns 400 and changes nothing if the request is invalid or inconsistent', async () => {
    const { log, decide, list } = await aDesk();
    const ids = [await log(), await log()];
    for (const body of [
      { decision: 'verify', entryIds: [] },
      { decision: 'verify' },
      { decision: 'verify', filter: {} },
      { decision: 'verify', entryIds: ids, filter: {}, expectedTotal: 2 },
      { decision: 'verify', entryIds: ids, hours: 1 },
      { decision: 'decline', entryIds: ids, reason: 'x'.repeat(501) },
      { decision: 'decline', entryIds: [ids[0]], reason: 'no', hours: 1 },
      { decision: 'verify', entryIds: [ids[0]], hours: 25 },
      { decision: 'bless', entryIds: ids },
    ]) {
      expect([body, (await decide(body)).status]).toEqual([body, 400]);
    }
    const left = (await list()).body.entries;
    expect(left.map(({ id, version }: Record<string, number>) => [id, version])).toEqual([
      [ids[0], 1],
      [ids[1], 1],
    ]);
  });

  test('never applies to the verifier’s own hours', async () => {
    const { log, decide, maria } = await aDesk();
    const id = await log({}, maria.token);
    expect((await decide({ decision: 'verify', entryIds: [id] })).body).toMatchObject({
      changed: 0,
      skipped: [{ id, why: "You can't verify your own hours. Ask someone else." }],
    });
    expect((await decide({ decision: 'verify', entryIds: [id] }, admin.token)).body.changed).toBe(1);
  });

  test('applies once per entry when two verifiers decide concurrently', async () => {
    const { school, log, decide, list } = await aDesk();
    const tom = await aPersonWithRole(app, 'school-admin', school);
    const ids = [];
    for (let made = 0; made < 12; made++) ids.push(await log());
    const replies = await Promise.all([
      decide({ decision: 'verify', entryIds: ids }),
      decide({ decision: 'decline', entryIds: ids, reason: 'No' }, tom.token),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    const [one, other] = replies.map(({ body }) => body);
    expect(one.changed + other.changed).toBe(12);
    expect(one.skipped.length + other.skipped.length).toBe(12);
    const told = [...one.skipped, ...other.skipped].map(({ why }: { why: string }) => why);
    for (const why of told) expect(why).toMatch(/^.+ has already (verified|declined) these hours$/);
    expect((await list('&status=verified')).body.total).toBe(one.changed);
  });

  test('applies once per entry when two verifiers decide on two replicas', async () => {
    const { school, log, decide, list } = await aDesk();
    const tom = await aPersonWithRole(app, 'school-admin', school);
    const { dataDir: DATA_DIR, databaseUrl, clock } = app;
    const SECRET_KEY = app.deps.secretKey.toString('utf8');
    const place = {
      DATA_DIR,
      SECRET_KEY,
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    };
    const other = await startApp(place, { clock });
    const ids: number[] = [];
    for (let made = 0; made < 12; made++) ids.push(await log());
    const replies = await Promise.all(
      [ids.slice(0, 8), ids.slice(4)].flatMap((some, at) => [
        decide({ decision: 'verify', entryIds: some }),
        other.call(`POST ${DESK}`, {
          token: tom.token,
          body: { decision: 'decline', entryIds: at === 0 ? some.toReversed() : some, reason: 'No' },
        }),
      ]),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
    expect(sum(replies.map(({ body }) => body.changed))).toBe(12);
    expect(sum(replies.map(({ body }) => body.skipped.length))).toBe(20);
    for (const { why } of replies.flatMap(({ body }) => body.skipped)) {
      expect(why).toMatch(/^.+ has already (verified|declined) these hours$/);
    }
    const counted = (await list('&status=verified')).body.total + (await list('&status=declined')).body.total;
    expect(counted).toBe(12);
    expect(await verifyRollups(app.deps.database)).toEqual([]);
  });

  test('by filter requires the number of entries that the user saw', async () => {
    const { school, log, decide, list } = await aDesk();
    for (let made = 0; made < 3; made++) await log();
    const filter = { schoolId: school.id };
    await log();
    const late = await decide({ decision: 'verify', filter, expectedTotal: 3 });
    expect([late.status, late.body.total]).toEqual([409, 4]);
    expect((await list()).body.total).toBe(4);
    expect((await decide({ decision: 'verify', filter, expectedTotal: 4 })).body.changed).toBe(4);
    const back = { decision: 'reopen', filter: { ...filter, status: 'verified' }, expectedTotal: 4 };
    expect((await decide(back)).body.changed).toBe(4);
  });
});

describe('hours that change during a decision', () => {
  const edit = (id: number) => (trx: Trx) =>
    trx
      .updateTable('time_entries')
      .set((eb) => ({ hours_hundredths: 2000, version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .execute();
  const WHY = 'These hours changed after you opened them. Please check again.';

  test('are skipped if the request has outdated versions', async () => {
    const { log, decide, list, ann } = await aDesk();
    const [same, other] = [await log(), await log()];
    await send(`PUT /api/time-entries/${other}`, ann.token, await editOf(app, other, { hours: 20 }));
    const named = { entryIds: [same, other], versions: [1, 1] };
    const reply = await decide({ decision: 'verify', ...named });
    expect(reply.body).toMatchObject({ changed: 1, skipped: [{ id: other, why: WHY }] });
    expect((await list()).body.entries.map((one: { id: number }) => one.id)).toEqual([other]);
    expect((await decide({ decision: 'reopen', ...named })).body).toMatchObject({ changed: 0 });
    const half = await decide({ decision: 'verify', entryIds: [same, other], versions: [2] });
    expect([half.status, Object.keys(half.body.fields)]).toEqual([400, ['versions']]);
  });

  test('are not verified by a filter if the request has an outdated total of hours', async () => {
    const { school, log, decide, ann } = await aDesk();
    const [id] = [await log(), await log()];
    await send(`PUT /api/time-entries/${id}`, ann.token, await editOf(app, id, { hours: 20 }));
    const all = { decision: 'verify', filter: { schoolId: school.id }, expectedTotal: 2 };
    const late = await decide({ ...all, expectedHours: 4 });
    expect([late.status, late.body.total, late.body.error]).toEqual([
      409,
      2,
      'The hours of these entries have changed. Please check again.',
    ]);
    expect((await decide({ ...all, expectedHours: 22 })).body.changed).toBe(2);
  });

  test('are not verified unseen when they change concurrently', async () => {
    const { school, log, decide, list } = await aDesk();
    const [id] = [await log(), await log()];
    const all = { decision: 'verify', filter: { schoolId: school.id }, expectedTotal: 2, expectedHours: 4 };
    const reply = await sendDuring(app, edit(id), () => decide(all));
    expect([200, 409]).toContain(reply.status);
    const waiting = (await list()).body.entries.map((one: { id: number }) => one.id);
    expect(waiting).toContain(id);
    const named = await sendDuring(app, edit(id), () =>
      decide({ decision: 'verify', entryIds: [id], versions: [2] }),
    );
    expect(named.body).toMatchObject({ changed: 0, skipped: [{ id, why: WHY }] });
  });

  test('are not overwritten when the decision is undone', async () => {
    const { log, decide, list, maria } = await aDesk();
    const id = await log();
    const { batch } = (await decide({ decision: 'verify', entryIds: [id] })).body;
    const undone = await sendDuring(app, edit(id), () => send(`POST ${DESK}/${batch}/undo`, maria.token));
    expect(undone.body.changed).toBe(0);
    expect((await list('&status=verified')).body.entries).toMatchObject([{ id, hours: 20 }]);
  });
});

describe('undoing a decision', () => {
  test('restores unchanged entries within ten minutes, only for the user who decided', async () => {
    const { school, log, decide, list, maria } = await aDesk();
    const tom = await aPersonWithRole(app, 'coordinator', school);
    const [kept, changed, gone] = [await log(), await log(), await log()];
    const { batch } = (await decide({ decision: 'verify', entryIds: [kept, changed, gone] })).body;
    await send(`PUT /api/admin/time-entries/${changed}`, tom.token, { hours: 1 });
    await send(`DELETE /api/admin/time-entries/${gone}`, tom.token);
    const undo = (token = maria.token) => send(`POST ${DESK}/${batch}/undo`, token);
    expect((await undo(tom.token)).status).toBe(404);
    expect((await undo()).body).toEqual({ changed: 1, message: '1 entry restored to its earlier status' });
    expect((await undo()).body.changed).toBe(0);
    expect((await list()).body.entries).toMatchObject([{ id: kept, verification: { hours: 0, by: null } }]);
    expect((await list('&status=verified')).body.entries).toMatchObject([{ id: changed }]);
    expect((await recordOf(app, 'time-entry', kept)).at(-1)).toMatchObject({ action: 'entry.undo-decision' });
  });

  test("skips entries that have become the user's own", async () => {
    const { log, decide, list, maria } = await aDesk();
    const id = await log();
    await decide({ decision: 'verify', entryIds: [id] });
    const { batch } = (await decide({ decision: 'reopen', entryIds: [id] })).body;
    // As after a merge of the volunteer and the coordinator.
    const { db } = app.deps.database;
    await db.updateTable('time_entries').set({ user_id: maria.id }).where('id', '=', id).execute();
    expect((await send(`POST ${DESK}/${batch}/undo`, maria.token)).body.changed).toBe(0);
    expect((await list()).body.entries).toMatchObject([{ id, verification: { status: 'waiting' } }]);
  });

  test("does not restore a decision by an address that is now the volunteer's", async () => {
    const { log, decide, list, maria, ann } = await aDesk();
    const id = await log();
    const { db } = app.deps.database;
    const by = { decided_by_external: 'real@maplegrove.example', decided_at: app.clock.now() };
    const verified = { verification: 'verified', counted_hundredths: 200, ...by } as const;
    await db.updateTable('time_entries').set(verified).where('id', '=', id).execute();
    const { batch } = (await decide({ decision: 'reopen', entryIds: [id] })).body;
    await send('PUT /api/profile', ann.token, { email: by.decided_by_external });
    await send(`POST ${DESK}/${batch}/undo`, maria.token);
    expect((await list()).body.entries).toMatchObject([{ id, verification: { status: 'waiting' } }]);
  });

  test('is rejected after ten minutes, and its snapshots are deleted later', async () => {
    const { log, decide, maria } = await aDesk();
    const { batch } = (await decide({ decision: 'verify', entryIds: [await log()] })).body;
    app.clock.advance(10 * 60_000 + 1);
    expect((await send(`POST ${DESK}/${batch}/undo`, maria.token)).status).toBe(409);
    const later = (await decide({ decision: 'verify', entryIds: [await log()] })).body;
    await app.deps.database.db
      .updateTable('verification_batches')
      .set({ decided_at: plusMilliseconds(app.clock.now(), -2 * 60 * 60_000) })
      .where('id', '=', later.batch)
      .execute();
    await transaction(app.deps.database, (trx) => deleteOldDecisionSnapshots(trx, app.clock.now()));
    const left = await app.deps.database.db
      .selectFrom('verification_batch_entries')
      .select('entry_id')
      .where('batch_id', '=', later.batch)
      .execute();
    expect(left).toEqual([]);
  });
});

describe('flags in the verification queue', () => {
  test('match the flag filter, and are hidden from volunteers', async () => {
    const { school, activity, log, list, ann } = await aDesk();
    const others = [];
    for (let made = 0; made < 4; made++) others.push(await aPerson(app, { schools: [school] }));
    for (const other of others)
      for (const hours of [1, 1.5]) await log({ hours, entryDate: '2026-03-01' }, other.token);
    await log({ hours: 9, entryDate: '2026-02-20' });
    await log({ hours: 8, entryDate: '2026-02-20' });
    await log({ hours: 1, entryDate: '2026-01-05' });
    await log({ hours: 4.5, entryDate: '2026-03-02' });
    await log({ hours: 0.25, entryDate: '2026-02-25' });
    const change = { activeFrom: '2026-02-19', activeUntil: '2026-03-01' };
    await send(`PUT /api/admin/activities/${activity.id}`, admin.token, change);
    const { body } = await list();
    const found = (flag: string) =>
      body.entries.flatMap((one: { id: number; flags: string[] }) =>
        one.flags.includes(flag) ? [one.id] : [],
      );
    for (const flag of FLAGS) {
      const filtered = await list(`&flag=${flag}`);
      expect([flag, filtered.body.entries.map((one: { id: number }) => one.id)]).toEqual([flag, found(flag)]);
      expect([flag, found(flag).length > 0, found(flag).length < body.total]).toEqual([flag, true, true]);
    }
    const own = await send('GET /api/time-entries', ann.token);
    expect(own.body.timeEntries.every((one: { flags: unknown }) => one.flags === null)).toBe(true);
  });
});

test('the sums of verified hours match the entries', async () => {
  const { log, decide, school } = await aDesk();
  const ids = [await log(), await log(), await log()];
  await decide({ decision: 'verify', entryIds: ids });
  await decide({ decision: 'reopen', entryIds: [ids[0]] });
  expect(await verifyRollups(app.deps.database)).toEqual([]);
  const sums = await app.deps.database.db
    .selectFrom('school_sums')
    .select(['counted_hundredths', 'hours_hundredths'])
    .where('school_id', '=', school.id)
    .executeTakeFirst();
  expect(sums).toEqual({ counted_hundredths: 400, hours_hundredths: 600 });
});
