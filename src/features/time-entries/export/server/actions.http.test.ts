import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { transaction } from '#server/db/database.ts';
import { MAX_RUNNING_EXPORTS } from '#server/export/running-exports.ts';
import { hashToken } from '#server/secrets.ts';
import { instantOf, millisecondsOf } from '#shared/calendar-date.ts';
import { recordOf } from '#test/audit-log.ts';
import {
  aGrant,
  anActivity,
  anAdministrator,
  anEntry,
  aPerson,
  aPersonWithRole,
  aSchool,
} from '#test/builders.ts';
import { atEnd, NOW, startApp, TODAY } from '#test/harness.ts';
import { NO_ID, readPages } from '#test/list-requests.ts';
import { manyEntries } from '#test/many-entries.ts';
import { IS_FULL } from '#test/test-level.ts';
import { sheetsOf } from '#test/workbook.ts';
import { SORT_ORDERS, SORTS, type TimeEntry } from '../../contract.ts';
import { deleteOldExports } from './actions.ts';

const app = await startApp();
const ada = await anAdministrator(app);
const origin = await app.app.listen({ host: '127.0.0.1', port: 0 });
// Browsers open connections in advance, and so does `fetch` after an aborted one; the server would wait for them.
atEnd(() => app.app.server.closeAllConnections());

/** A school with two volunteers and two activities, and an entry elsewhere. */
async function aSchoolYear() {
  const school = await aSchool(app, {});
  const elsewhere = await aSchool(app, {});
  const ann = await aPerson(app, { schools: [school], firstName: 'Ann', lastName: 'Lee' });
  const bob = await aPerson(app, { schools: [school], firstName: 'Bób', lastName: 'Ångström' });
  const fair = await anActivity(app, { school, name: 'Book fair' });
  const trip = await anActivity(app, { school, name: '=Trip' });
  const other = await anActivity(app, { school: elsewhere });
  await anEntry(app, {
    by: ann,
    activity: fair,
    hours: 1.25,
    date: '2026-03-01',
    notes: 'Two, "three"\nfour',
  });
  await anEntry(app, { by: bob, activity: fair, hours: 24, date: '2026-02-28' });
  await anEntry(app, { by: bob, activity: trip, hours: 0.5, date: '2026-03-02', notes: '@cmd' });
  await anEntry(app, { by: ann, activity: fair, hours: 3, date: '2026-03-02', deletedBy: ann });
  await anEntry(app, { by: ann, activity: other, hours: 8, date: '2026-03-02' });
  return { school, elsewhere, ann, bob, fair, trip };
}

const send = (methodAndPath: string, body?: object, headers: Record<string, string> = {}) =>
  app.call(methodAndPath, { token: ada.token, ...(body === undefined ? {} : { body }), headers });
const ask = (body: object) => send('POST /api/admin/time-entries/export', body);
const progressOf = async (id: number) =>
  (await send(`GET /api/admin/time-entries/export/${id}`)).body.export as { status: string; rows: number };

/** Requests an export and opens its link; returns the bytes. */
async function saved(body: object) {
  const asked = await ask(body);
  expect([asked.status, asked.text]).toEqual([201, expect.any(String)]);
  const reply = await app.app.inject({ method: 'GET', url: asked.body.url });
  await until(asked.body.export.id, 'done');
  return { asked: asked.body, reply, bytes: reply.rawPayload };
}

const linesOf = (bytes: Buffer) => parse(bytes, { bom: true }) as string[][];

async function until(id: number, status: string) {
  await expect.poll(async () => (await progressOf(id)).status).toBe(status);
}

test('a CSV export has titles, days and hours, and no spreadsheet formulas', async () => {
  const { school, ann, bob } = await aSchoolYear();
  const { asked, reply, bytes } = await saved({ format: 'csv', schoolId: school.id });
  expect(asked.export).toMatchObject({ format: 'csv', status: 'ready', rows: 0, total: 3 });
  expect(reply.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'cache-control': 'no-store',
    'content-disposition': `attachment; filename="maple-grove-schools_${school.name.toLowerCase().replace(' ', '-')}_${TODAY}.csv"`,
  });
  const name = school.name;
  const created = '2026-03-04 12:00';
  expect(linesOf(bytes)).toEqual([
    [
      ...['Date', 'First Name', 'Last Name', 'School', 'Activity', 'Category', 'Hours', 'Notes', 'Created'],
      ...['Email', 'Account'],
    ],
    [
      ...['2026-03-02', 'Bób', 'Ångström', name, "'=Trip", expect.any(String), '0.5', "'@cmd", created],
      ...[bob.email, String(bob.id)],
    ],
    [
      '2026-03-01',
      'Ann',
      'Lee',
      name,
      'Book fair',
      expect.any(String),
      '1.25',
      'Two, "three"\nfour',
      created,
      ann.email,
      String(ann.id),
    ],
    [
      ...['2026-02-28', 'Bób', 'Ångström', name, 'Book fair', expect.any(String), '24', '', created],
      ...[bob.email, String(bob.id)],
    ],
  ]);
});

test('an Excel export has dates as dates and hours as numbers', async () => {
  const { school } = await aSchoolYear();
  const { reply, bytes } = await saved({ format: 'xlsx', schoolId: school.id });
  expect(reply.headers).toMatchObject({
    'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'cache-control': 'no-store',
    'content-disposition': expect.stringMatching(/\.xlsx"$/),
  });
  const [titles, ...rows] = sheetsOf(bytes).get('Time Entries') ?? [];
  expect(Object.values(titles ?? {})).toContain('First Name');
  expect(rows.map(({ A, B, E, G, H }) => [A, B, E, G, H])).toEqual([
    [{ number: 46083, style: 2 }, 'Bób', '=Trip', { number: 0.5, style: 3 }, '@cmd'],
    [{ number: 46082, style: 2 }, 'Ann', 'Book fair', { number: 1.25, style: 3 }, 'Two, "three"\nfour'],
    [{ number: 46081, style: 2 }, 'Bób', 'Book fair', { number: 24, style: 3 }, undefined],
  ]);
});

describe('the verification columns of an export', () => {
  const put = (path: string, body: object) => send(`PUT /api/admin/${path}`, body);
  const titles = async (schoolId: number) =>
    linesOf((await saved({ format: 'csv', schoolId })).bytes)[0]?.slice(9, -2);

  /** Four entries in four states at a school that verifies hours, one of them decided by an external verifier. */
  async function aVerifiedYear() {
    const year = await aSchoolYear();
    await put(`schools/${year.school.id}`, { verification: 'on' });
    const waiting = await anEntry(app, { by: year.ann, activity: year.fair, hours: 4, date: '2026-02-01' });
    const outside = await anEntry(app, { by: year.ann, activity: year.fair, hours: 5, date: '2026-01-31' });
    const { db } = app.deps.database;
    const ids = await db
      .selectFrom('time_entries')
      .select('id')
      .where('school_id', '=', year.school.id)
      .where('deleted_at', 'is', null)
      .where('id', 'not in', [waiting.id, outside.id])
      .orderBy('entry_date')
      .execute();
    const [oldest, middle, latest] = ids.map(({ id }) => id);
    const decide = (body: object) => send('POST /api/admin/verifications', body);
    await decide({ decision: 'verify', entryIds: [oldest], hours: 8 });
    await decide({ decision: 'verify', entryIds: [middle] });
    await decide({ decision: 'decline', entryIds: [latest], reason: 'Not there' });
    await db
      .updateTable('time_entries')
      .set({
        verification: 'verified',
        counted_hundredths: 500,
        decided_by_external: 'coach@outside.example',
      })
      .where('id', '=', outside.id)
      .execute();
    return year;
  }

  test("show status, verified hours and verifier, but no external verifier's address", async () => {
    const { school } = await aVerifiedYear();
    const { bytes } = await saved({ format: 'csv', schoolId: school.id });
    const [head, ...rows] = linesOf(bytes);
    expect(head?.slice(8, -2)).toEqual(['Created', 'State', 'Verified Hours', 'Verified By', 'Verified On']);
    const at = '2026-03-04 12:00';
    const { firstName, lastName } = ada;
    const by = `${firstName} ${lastName}`;
    expect(rows.map((row) => [row[6], ...row.slice(9, -2)])).toEqual([
      ['0.5', 'Not counted', '0', by, at],
      ['1.25', 'Verified', '1.25', by, at],
      ['24', 'Verified', '8', by, at],
      ['4', 'Waiting', '0', '', ''],
      ['5', 'Verified', '5', 'A supervisor outside the school', ''],
    ]);
    const book = await saved({ format: 'xlsx', schoolId: school.id, only: 'verified' });
    const [top, ...cells] = sheetsOf(book.bytes).get('Time Entries') ?? [];
    expect([top?.['J'], top?.['M'], cells.length]).toEqual(['State', 'Verified On', 3]);
    expect(cells.map(({ K }) => K)).toMatchObject([{ number: 1.25 }, { number: 8 }, { number: 5 }]);
    expect(String(bytes)).not.toContain('coach@');
  });

  test('exist only if a school verifies hours, and are empty for other schools', async () => {
    const { school, elsewhere } = await aVerifiedYear();
    expect(await titles(elsewhere.id)).toEqual([]);
    const rows = linesOf((await saved({ format: 'csv' })).bytes);
    const theirs = rows.filter((row) => row[3] === elsewhere.name);
    expect(theirs.map((row) => row.slice(9, -2))).toEqual([['', '', '', '']]);
    await put(`schools/${school.id}`, { verification: 'off' });
    expect(await titles(school.id)).toEqual([]);
  });
});

describe('volunteers in an export', () => {
  const asked = async (token: string, body: object) => {
    const { body: reply, status } = await app.call('POST /api/admin/time-entries/export', { token, body });
    expect(status).toBe(201);
    const { rawPayload } = await app.app.inject({ method: 'GET', url: reply.url });
    // Its end is stored shortly after the last byte, and only one export may run.
    const exported = () =>
      app.deps.database.db.selectFrom('exports').select('outcome').where('id', '=', reply.export.id);
    await expect.poll(() => exported().executeTakeFirst()).toEqual({ outcome: 'done' });
    return rawPayload;
  };
  /** The columns after 'Created', without the account number. */
  const addresses = (bytes: Buffer) => linesOf(bytes).map((row) => row.slice(9, -1));

  test('have their filtered totals at each school in an Excel file, by name', async () => {
    const { school, elsewhere, ann, bob } = await aSchoolYear();
    const totalsOf = async (body: object) =>
      (sheetsOf((await saved({ format: 'xlsx', ...body })).bytes).get('Totals per person') ?? []).map((row) =>
        Object.values(row).map((cell) => (typeof cell === 'string' ? cell : cell.number)),
      );
    const titles = ['First Name', 'Last Name', 'School', 'Entries', 'Hours', 'Email', 'Account'];
    expect(await totalsOf({ schoolId: school.id })).toEqual([
      titles,
      ['Bób', 'Ångström', school.name, 2, 24.5, bob.email, bob.id],
      ['Ann', 'Lee', school.name, 1, 1.25, ann.email, ann.id],
    ]);
    expect(await totalsOf({ userId: ann.id, schoolId: elsewhere.id })).toEqual([
      titles,
      ['Ann', 'Lee', elsewhere.name, 1, 8, ann.email, ann.id],
    ]);
    expect(await totalsOf({ schoolId: school.id, startDate: '2026-03-02' })).toEqual([
      titles,
      ['Bób', 'Ångström', school.name, 1, 0.5, bob.email, bob.id],
    ]);
    await send(`PUT /api/admin/schools/${school.id}`, { verification: 'on' });
    expect(await totalsOf({ schoolId: school.id, startDate: '2026-03-02' })).toEqual([
      titles.toSpliced(5, 0, 'Verified Hours'),
      ['Bób', 'Ångström', school.name, 1, 0.5, 0, bob.email, bob.id],
    ]);
  });

  test('have totals even if there are more than 500 volunteers', async () => {
    const school = await aSchool(app, {});
    const activity = await anActivity(app, { school });
    const { db } = app.deps.database;
    const { id } = await aPerson(app, { schools: [school] });
    const like = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    for (let at = 0; at < 501; at += 1) {
      const { id: _, ...columns } = like;
      const email = `many${school.id}-${at}@families.example`;
      const one = await db
        .insertInto('users')
        .values({ ...columns, email, email_key: email })
        .returning('id')
        .executeTakeFirstOrThrow();
      await anEntry(app, { by: { ...like, id: one.id } as never, activity, hours: 1, date: '2026-03-01' });
    }
    const { bytes } = await saved({ format: 'xlsx', schoolId: school.id });
    expect(sheetsOf(bytes).get('Totals per person')).toHaveLength(502);
  });

  test('have only account numbers for a coordinator, and addresses for a school administrator', async () => {
    const { school, ann, bob } = await aSchoolYear();
    const coordinator = await aPersonWithRole(app, 'coordinator', school);
    const files = async (token: string) => [
      await asked(token, { format: 'csv', schoolId: school.id }),
      await asked(token, { format: 'csv' }),
    ];
    for (const bytes of await files(coordinator.token)) {
      expect(addresses(bytes)).toEqual([[], [], [], []]);
      expect(linesOf(bytes).map((row) => row[9])).toEqual([
        'Account',
        ...[bob, ann, bob].map(({ id }) => `${id}`),
      ]);
    }
    const head = await aPersonWithRole(app, 'school-admin', school);
    const expected = ['Email', ...[bob, ann, bob].map(({ email }) => email)];
    for (const bytes of await files(head.token))
      expect(linesOf(bytes).map((row) => row.at(-2))).toEqual(expected);
    // Users who left the school keep their hours there, but their address is not exported.
    const { db } = app.deps.database;
    await db.deleteFrom('user_schools').where('user_id', '=', bob.id).execute();
    expect(addresses(await asked(head.token, { format: 'csv' }))).toEqual([
      ['Email'],
      [''],
      [ann.email],
      [''],
    ]);
    await db
      .updateTable('users')
      .set({ is_walk_in: 1, contact_email: null })
      .where('id', '=', bob.id)
      .execute();
    await db.updateTable('users').set({ erased_at: NOW }).where('id', '=', ann.id).execute();
    const all = await saved({ format: 'csv', schoolId: school.id });
    expect(addresses(all.bytes)).toEqual([['Email'], [''], [''], ['']]);
  });

  test('have addresses only at the schools that the exporting user administers', async () => {
    const { school, elsewhere, ann } = await aSchoolYear();
    const both = await aPersonWithRole(app, 'school-admin', elsewhere);
    await aGrant(app, both, 'coordinator', school);
    const { db } = app.deps.database;
    await db
      .insertInto('user_schools')
      .values({ user_id: ann.id, school_id: elsewhere.id, status: 'active', created_at: NOW })
      .execute();
    const rows = linesOf(await asked(both.token, { format: 'csv', userId: ann.id })).slice(1);
    expect(rows.map((row) => [row[3], row.at(-2)]).sort()).toEqual(
      [
        [school.name, ''],
        [elsewhere.name, ann.email],
      ].sort(),
    );
  });
});

describe('an exported file', () => {
  test.each(SORTS.map((sortBy, index) => ({ sortBy, sortOrder: SORT_ORDERS[index % 2] ?? 'asc' })))(
    'has the rows of the list by $sortBy, $sortOrder',
    async (sorting) => {
      const { school, bob } = await aSchoolYear();
      for (const filters of [
        { schoolId: school.id, userId: bob.id },
        { schoolId: school.id, startDate: '2026-03-01', endDate: '2026-03-02' },
      ]) {
        const query = new URLSearchParams();
        for (const [name, value] of Object.entries({ ...filters, ...sorting }))
          query.set(name, String(value));
        const pages = await readPages(app, `/api/admin/time-entries?${query}`, ada.token, 2);
        const shown = pages.flatMap((page) => page['timeEntries'] as TimeEntry[]);
        const { bytes } = await saved({ format: 'csv', ...filters, ...sorting });
        expect(
          linesOf(bytes)
            .slice(1)
            .map(([day, , , , , , hours]) => [day, hours]),
        ).toEqual(shown.map((entry) => [entry.entryDate, String(entry.hours)]));
      }
    },
  );

  test('has only column titles if no entry matches the filter', async () => {
    const { school, elsewhere, fair } = await aSchoolYear();
    for (const filters of [
      { schoolId: elsewhere.id, activityId: fair.id },
      { schoolId: school.id, userId: ada.id },
    ]) {
      const { asked, bytes } = await saved({ format: 'csv', ...filters });
      expect([asked.export.total, linesOf(bytes).length]).toEqual([0, 1]);
    }
  });

  test('contains every one of more than 2,000 entries', async () => {
    const { school, ann, fair } = await aSchoolYear();
    await manyEntries(app.deps.database, ann, fair, 2_345);
    const { bytes } = await saved({ format: 'csv', schoolId: school.id, sortBy: 'userName' });
    const notes = linesOf(bytes)
      .slice(1)
      .map((row) => row[7]);
    expect(notes).toHaveLength(2_348);
    expect(new Set(notes.filter((note) => note?.startsWith('xxx'))).size).toBe(2_345);
  });
});

describe('the download link of an export', () => {
  test('works once', async () => {
    const { school } = await aSchoolYear();
    const { asked } = await saved({ format: 'csv', schoolId: school.id });
    const again = await app.call(`GET ${asked.url}`);
    expect([again.status, again.body]).toEqual([
      404,
      { error: 'This link was already used or has expired. Please export again.' },
    ]);
  });

  test('returns one file for two concurrent requests', async () => {
    const { school } = await aSchoolYear();
    const { body } = await ask({ format: 'csv', schoolId: school.id });
    const replies = await Promise.all([1, 2].map(() => app.call(`GET ${body.url}`)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404]);
  });

  test('works for five minutes, and a HEAD request does not use it up', async () => {
    const { school } = await aSchoolYear();
    const [early, late] = [await ask({ format: 'csv', schoolId: school.id }), await ask({ format: 'csv' })];
    expect((await fetch(`${origin}${early.body.url}`, { method: 'HEAD' })).status).toBe(404);
    expect((await app.call(`HEAD ${early.body.url}`)).status).toBe(404);
    app.clock.advance(5 * 60_000 - 1);
    expect((await app.call(`GET ${early.body.url}`)).status).toBe(200);
    app.clock.advance(1);
    expect((await progressOf(late.body.export.id)).status).toBe('expired');
    expect((await app.call(`GET ${late.body.url}`)).status).toBe(404);
    app.clock.set(NOW);
  });

  test('is stored only as a hash', async () => {
    const { school } = await aSchoolYear();
    const { body } = await ask({ format: 'csv', schoolId: school.id });
    const token = body.url.split('/').at(-1);
    const rows = await app.deps.database.db.selectFrom('exports').selectAll().execute();
    expect(rows.some((row) => row.token_hash === hashToken(token))).toBe(true);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test.each([
    ['is no longer active', { is_active: 0 as const }],
    ['is no longer an administrator', { role: 'user' as const }],
  ])('stops working when its owner %s', async (_, change) => {
    const { school } = await aSchoolYear();
    const eve = await anAdministrator(app);
    const { body } = await app.call('POST /api/admin/time-entries/export', {
      token: eve.token,
      body: { format: 'csv', schoolId: school.id },
    });
    await app.deps.database.db.updateTable('users').set(change).where('id', '=', eve.id).execute();
    expect((await app.call(`GET ${body.url}`)).status).toBe(404);
  });

  test('is the same for a repeated Idempotency-Key', async () => {
    const { school } = await aSchoolYear();
    const body = { format: 'csv', schoolId: school.id };
    const key = { 'idempotency-key': `export-${school.id}` };
    const [first, second] = [
      await send('POST /api/admin/time-entries/export', body, key),
      await send('POST /api/admin/time-entries/export', body, key),
    ];
    expect(second.body).toEqual(first.body);
  });

  test('is deleted after a day', async () => {
    const { body } = await ask({ format: 'csv' });
    const cleanUpAfter = (milliseconds: number) =>
      transaction(app.deps.database, (trx) =>
        deleteOldExports(trx, instantOf(millisecondsOf(app.clock.now()) + milliseconds)),
      );
    await cleanUpAfter(24 * 3_600_000);
    expect((await progressOf(body.export.id)).status).toBe('ready');
    await cleanUpAfter(24 * 3_600_000 + 1);
    expect((await send(`GET /api/admin/time-entries/export/${body.export.id}`)).status).toBe(404);
  });
});

test('the audit log shows who requested and downloaded an export, with filter and row count', async () => {
  const { school, ann } = await aSchoolYear();
  const { asked } = await saved({ format: 'csv', schoolId: school.id, userId: ann.id, sortBy: 'hours' });
  const what = {
    format: 'csv',
    schoolId: school.id,
    userId: ann.id,
    sortBy: 'hours',
    sortOrder: 'desc',
    rows: 1,
  };
  expect(await recordOf(app, 'export', asked.export.id)).toEqual(
    ['entry.export', 'entry.download'].map((action) =>
      expect.objectContaining({ action, actorId: ada.id, schoolId: school.id, after: what }),
    ),
  );
});

describe.runIf(IS_FULL)('a running export', () => {
  async function begun() {
    const { school, ann, fair } = await aSchoolYear();
    await manyEntries(app.deps.database, ann, fair, 30_000);
    const asked = await ask({ format: 'csv', schoolId: school.id });
    const stop = new AbortController();
    const reply = await fetch(`${origin}${asked.body.url}`, { signal: stop.signal });
    return { school, id: asked.body.export.id as number, reply, stop };
  }

  test("contains the entries as they were when it started, with the list's total", async () => {
    const { school, id, reply } = await begun();
    const cards = (await send(`GET /api/admin/time-entries/summary?schoolId=${school.id}`)).body.summary;
    // The entries logged first come last.
    await sql`update time_entries set hours_hundredths = 200 where id in
      (select id from time_entries where school_id = ${school.id} order by id limit 50)`.execute(
      app.deps.database.db,
    );
    const lines = linesOf(Buffer.from(await reply.arrayBuffer())).slice(1);
    expect(lines).toHaveLength(cards.totalEntries);
    expect(lines.reduce((sum, row) => sum + Number(row[6]), 0)).toBe(cards.totalHours);
    await until(id, 'done');
    expect((await progressOf(id)).rows).toBe(cards.totalEntries);
  });

  test('stops when the client disconnects', async () => {
    const { id, reply, stop } = await begun();
    const reader = reply.body?.getReader();
    await reader?.read();
    expect((await progressOf(id)).status).toBe('running');
    stop.abort();
    await until(id, 'failed');
    const { rows } = await progressOf(id);
    expect(rows).toBeLessThan(30_000);
    expect((await ask({ format: 'csv' })).status).toBe(201);
  });

  test('can be canceled, which leaves a recognizably incomplete file', async () => {
    const { id, reply } = await begun();
    const { status, body } = await send(`DELETE /api/admin/time-entries/export/${id}`);
    expect([status, body]).toMatchObject([
      200,
      { message: 'Export canceled', export: { status: 'cancelled' } },
    ]);
    await expect(reply.arrayBuffer().then(({ byteLength }) => byteLength)).rejects.toThrow();
    expect((await progressOf(id)).status).toBe('cancelled');
  });

  test("blocks another export of the same user, and everyone's above the limit", async () => {
    const first = await begun();
    expect(await ask({ format: 'csv' })).toMatchObject({
      status: 409,
      body: { error: 'Your other export is still running' },
    });
    const others = await Promise.all(Array.from({ length: MAX_RUNNING_EXPORTS }, () => anAdministrator(app)));
    const links = [];
    for (const { token } of others) {
      links.push(
        await app.call('POST /api/admin/time-entries/export', {
          token,
          body: { format: 'csv', schoolId: first.school.id },
        }),
      );
    }
    const opened = [];
    for (const { body } of links) {
      opened.push(await fetch(`${origin}${body.url}`, { signal: first.stop.signal }));
    }
    expect(opened.map(({ status }) => status)).toEqual([200, 503]);
    first.stop.abort();
    await until(first.id, 'failed');
  });
});

describe('the export API', () => {
  test.each([
    [{ format: 'pdf' }, 'format', 'Entries can be saved as CSV or Excel'],
    [{}, 'format', 'Entries can be saved as CSV or Excel'],
    [{ format: 'csv', sortBy: 'color' }, 'sortBy', "This list can't be sorted that way"],
    [
      { format: 'csv', startDate: '2026-03-02', endDate: '2026-03-01' },
      'endDate',
      'The end date cannot be before the start date',
    ],
  ])('rejects %j', async (body, field, error) => {
    expect(await ask(body)).toMatchObject({ status: 400, body: { error, fields: { [field]: error } } });
  });

  test('returns 404 for an unknown school', async () => {
    expect(await ask({ format: 'csv', schoolId: 999_999 })).toMatchObject({
      status: 404,
      body: { error: 'School not found' },
    });
  });

  test.each(NO_ID)('returns 404 for an export with id %s', async (id) => {
    for (const method of ['GET', 'DELETE']) {
      const reply = await send(`${method} /api/admin/time-entries/export/${id}`);
      expect([reply.status, reply.body]).toEqual([404, { error: 'Export not found' }]);
    }
  });

  test("returns 404 for another user's export", async () => {
    const { body } = await ask({ format: 'csv' });
    const eve = await anAdministrator(app);
    for (const method of ['GET', 'DELETE']) {
      const path = `${method} /api/admin/time-entries/export/${body.export.id}`;
      expect((await app.call(path, { token: eve.token })).status).toBe(404);
    }
  });
});
