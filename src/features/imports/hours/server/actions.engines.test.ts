import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { verifyRollups } from '#features/time-entries/rollups/server/rollups.ts';
import { transaction } from '#server/db/database.ts';
import { plusMilliseconds } from '#shared/calendar-date.ts';
import { aCategory, anActivity, anAdministrator, aPerson, aPersonWithRole, aSchool } from '#test/builders.ts';
import { sendDuring } from '#test/concurrent-requests.ts';
import { ENGINE, NOW, type Reply, startApp, type TestApp } from '#test/harness.ts';
import { processAllImports } from './jobs.ts';
import { hoursImportRetention } from './privacy.ts';

type Seen = Reply['body'];

const HEADER = 'email,name,activity,date,hours,notes';
const CHANGED = 'Something has changed since this preview. Please check it again.';

let app: TestApp;
let ada: { id: number; token: string };
let lincoln: { id: number; name: string };
let maria: { id: number; email: string };
let library: { id: number; name: string };
beforeAll(async () => {
  app = await startApp();
  ada = await anAdministrator(app);
});
beforeEach(async () => {
  app.clock.set(NOW);
  lincoln = await aSchool(app);
  maria = await aPerson(app, { firstName: 'Maria', lastName: 'López', schools: [lincoln] });
  library = await anActivity(app, { school: lincoln, name: 'Library' });
});

const file = (...rows: string[]) => [HEADER, ...rows].join('\n');
const look = (csv: string, rest: object = {}, token = ada.token) =>
  app.call('POST /api/admin/time-entry-imports/preview', {
    token,
    body: { csv, schoolId: lincoln.id, ...rest },
  });
const send = (body: object, headers: Record<string, string> = {}, token = ada.token) =>
  app.call('POST /api/admin/time-entry-imports', { token, body, headers });
const undo = (id: unknown, body: object = {}, token = ada.token) =>
  app.call(`POST /api/admin/time-entry-imports/${id}/undo`, { token, body });
const get = (id: unknown, token = ada.token) =>
  app.call(`GET /api/admin/time-entry-imports/${id}`, { token });

/** Imports what its preview shows. */
async function importSeen(csv: string, rest: object = {}, token = ada.token) {
  const { body } = await look(csv, rest, token);
  return send({ csv, schoolId: lincoln.id, key: body.preview?.key ?? 'x', ...rest }, {}, token);
}

async function entriesHere() {
  const reply = await app.call(`GET /api/admin/time-entries?schoolId=${lincoln.id}&limit=100`, {
    token: ada.token,
  });
  return reply.body.timeEntries;
}

const outcomes = (reply: { body: Seen }) =>
  reply.body.preview.rows
    .toSorted((a: Seen, b: Seen) => a.row - b.row)
    .map(({ outcome, says }: Seen) => [outcome, ...says]);
const many = (count: number) =>
  file(
    ...Array.from(
      { length: count },
      (_, at) =>
        `${maria.email},,Library,2025-${10 + (at % 3)}-${10 + (at % 15)},${1 + (at % 80) / 4},row ${at}`,
    ),
  );
const isTrue = async () => expect(await verifyRollups(app.deps.database)).toEqual([]);

describe('the preview of an hours import', () => {
  test('reads various formats of names, dates and hours, and saves nothing', async () => {
    const reply = await look(
      file(
        `${maria.email.toUpperCase()},,library,3/1/2026,2:30,Shelves`,
        ',"Lopez, Maria",LIBRARY,"Feb 14, 2026",1h 30m,',
        ',maria lopez,Library,2026-02-15,.5,',
      ),
    );
    expect(reply.status).toBe(200);
    expect(reply.body.preview).toMatchObject({
      key: expect.stringMatching(/^[\w-]{22}$/),
      layout: null,
      missing: [],
      counts: { rows: 3, ready: 3, question: 0, duplicate: 0, problem: 0, leftOut: 0 },
      hours: 4.5,
      people: 1,
      firstDate: '2026-02-14',
      lastDate: '2026-03-01',
      closed: null,
    });
    expect(reply.body.preview.rows[0]).toEqual({
      row: 2,
      outcome: 'ready',
      person: 'Maria López',
      activity: 'Library',
      entryDate: '2026-03-01',
      hours: 2.5,
      notes: 'Shelves',
      says: [],
    });
    expect(await entriesHere()).toEqual([]);
  });

  test('shows the problems of each row', async () => {
    const reply = await look(
      file(
        `${maria.email},,Library,soon,two,`,
        ',,Library,,,',
        `${maria.email},,Library,2026-03-05,25,`,
        `${maria.email},,Library,2026-03-01,1,${'x'.repeat(501)}`,
        `${maria.email},,Library,2026-03-01,1,,more`,
      ),
    );
    expect(outcomes(reply)).toEqual([
      ['problem', "We couldn't read “soon” as a date", "We couldn't read “two” as hours"],
      ['problem', 'This row names no person', 'The date is missing', 'The hours are missing'],
      ['problem', 'Date cannot be in the future', 'Hours must be between 0.25 and 24'],
      ['problem', 'Notes can be up to 500 characters'],
      ['problem', 'This row has more cells than there are columns'],
    ]);
  });

  test('leaves out hours that the other product did not approve', async () => {
    const header = 'First Name,Last Name,Email,Activity,Date Volunteered,Hours,Status';
    const row = (status: string, at: number) =>
      `Maria,López,${maria.email},Library,02/${at}/2026,2,${status}`;
    const words = ['Approved', 'Denied', 'Pending', '', 'VERIFIED'];
    const reply = await look([header, ...words.map((word, at) => row(word, at + 1))].join('\n'));
    expect(reply.body.preview.layout).toBe('trackItForward');
    expect(outcomes(reply)).toEqual([
      ['ready'],
      ['leftOut', '“Denied”: not approved in the original system'],
      ['leftOut', '“Pending”: not approved in the original system'],
      ['ready'],
      ['ready'],
    ]);
  });

  test('computes day and hours from check-in and check-out times', async () => {
    const reply = await look(
      [
        'Activity,Check-in,Check-out,Email',
        `Library,02/02/2026 9:00AM,02/02/2026 11:30AM,${maria.email}`,
        `Library,02/05/2026 10:00 PM,02/06/2026 1:00 AM,${maria.email}`,
      ].join('\n'),
    );
    expect(reply.body.preview.missing).toEqual([]);
    expect(reply.body.preview.rows).toMatchObject([
      { outcome: 'ready', entryDate: '2026-02-02', hours: 2.5 },
      { outcome: 'ready', entryDate: '2026-02-05', hours: 3 },
    ]);
    const withoutDays = `Activity,Check-in,Check-out,Email\nLibrary,9:00,10:00,${maria.email}`;
    expect((await look(withoutDays)).body.preview.missing).toEqual(['date']);
  });

  test("asks about a name that differs from a member's only in vowel signs", async () => {
    await aPerson(app, { firstName: 'सीता', lastName: 'राम', schools: [lincoln] });
    const reply = await look(file(',सीता राम,Library,2026-03-01,1,', ',सुता राम,Library,2026-03-01,1,'));
    expect(outcomes(reply).map(([outcome]: string[]) => outcome)).toEqual(['ready', 'question']);
  });

  test('matches a member whose special letters are spelled out in ASCII', async () => {
    await aPerson(app, { firstName: 'Søren', lastName: 'Groß', schools: [lincoln] });
    const reply = await look(file(',Soren Gross,Library,2026-03-01,1,'));
    expect(reply.body.preview.rows[0]).toMatchObject({ outcome: 'ready', person: 'Søren Groß' });
  });

  test('removes invisible characters from names, addresses and days', async () => {
    const reply = await look(
      file(
        `mailto:\u200B${maria.email},,Lib\u00ADrary,\u200E2026-03-01,1,`,
        ',Maria\u200B López,Library,2026-03-02,1,',
      ),
    );
    expect(outcomes(reply)).toEqual([['ready'], ['ready']]);
  });

  test('asks once for each name that matches several members or none', async () => {
    const other = await aPerson(app, { firstName: 'Maria', lastName: 'Lopez', schools: [lincoln] });
    const csv = file(
      ',Maria Lopez,Library,2026-03-01,1,',
      ',"López, Maria",Library,2026-03-02,1,',
      'new@else.example,Maria Lopez,Library,2026-03-03,1,',
      ',Nobody Here,Library,2026-03-03,1,',
    );
    const { questions } = (await look(csv)).body.preview;
    const both = [maria.id, other.id].toSorted((a, b) => a - b);
    const idsOf = (question: Seen) =>
      question.candidates.map(({ id }: Seen) => id).toSorted((a: number, b: number) => a - b);
    expect(questions.people.map((one: Seen) => [one.who, one.rows, idsOf(one)])).toEqual([
      ['maria lopez', 2, both],
      ['new@else.example', 1, both],
      ['nobody here', 1, []],
    ]);
    const people = [
      { who: 'maria lopez', userId: other.id },
      { who: 'new@else.example', userId: maria.id },
      { who: 'nobody here', userId: null },
    ];
    const answered = await look(csv, { people });
    expect(outcomes(answered)).toEqual([
      ['ready'],
      ['ready'],
      ['ready'],
      ['leftOut', 'You skipped this person'],
    ]);
    expect((await importSeen(csv, { people })).status).toBe(201);
    expect((await entriesHere()).map(({ user }: Seen) => user.id)).toEqual([maria.id, other.id, other.id]);
  });

  test('neither shows nor accepts people from other schools', async () => {
    const stranger = await aPerson(app, { firstName: 'Sam', lastName: 'Stone' });
    const head = await aPersonWithRole(app, 'school-admin', lincoln);
    const csv = file(`${stranger.email},Sam Stone,Library,2026-03-01,1,`);
    const people = [{ who: stranger.email, userId: stranger.id }];
    for (const token of [head.token, ada.token]) {
      for (const rest of [{}, { people }]) {
        const { preview } = (await look(csv, rest, token)).body;
        expect(preview.questions.people).toMatchObject([{ who: stranger.email, candidates: [] }]);
        expect(preview.counts.question).toBe(1);
      }
    }
  });

  test('asks about unknown activities, and can create them in an existing or new category', async () => {
    await aCategory(app, { school: lincoln, name: 'Reading' });
    const csv = file(
      `${maria.email},,Lib,2026-03-01,1,`,
      `${maria.email},,Book Fair,2026-03-01,2,`,
      `${maria.email},,Garden,2026-03-01,3,`,
      `${maria.email},,,2026-03-01,4,`,
    );
    const { questions } = (await look(csv)).body.preview;
    expect(
      questions.activities.map(({ name, rows, candidates }: Seen) => [name, rows, candidates.length]),
    ).toEqual([
      ['Lib', 1, 1],
      ['Book Fair', 1, 0],
      ['Garden', 1, 0],
      ['', 1, 0],
    ]);
    const activities = [
      { name: 'lib', activityId: library.id },
      { name: 'Book Fair', category: 'reading' },
      { name: 'Garden', category: 'Outdoors' },
      { name: '', activityId: null },
    ];
    const seen = (await look(csv, { activities })).body.preview;
    expect(seen.newActivities).toEqual([
      { name: 'Book Fair', category: 'reading' },
      { name: 'Garden', category: 'Outdoors' },
    ]);
    expect((await importSeen(csv, { activities })).status).toBe(201);
    const made = (await entriesHere()).map(({ activity, hours }: Seen) => [
      activity.name,
      activity.category.name,
      hours,
    ]);
    expect(
      made.toSorted((a: Seen, b: Seen) => a[2] - b[2]).map(([name, category]: Seen) => [name, category]),
    ).toEqual([
      ['Library', expect.any(String)],
      ['Book Fair', 'Reading'],
      ['Garden', 'Outdoors'],
    ]);
  });

  test('names a category that another request renames at the same time, and then imports into it', async () => {
    const yard = await aCategory(app, { school: lincoln, name: 'Yard' });
    const csv = file(`${maria.email},,Garden,2026-03-01,3,`);
    const activities = [{ name: 'Garden', category: 'Outdoors' }];
    const { key } = (await look(csv, { activities })).body.preview;
    const body = { csv, schoolId: lincoln.id, key, activities };
    const reply = await sendDuring(
      app,
      (trx) =>
        trx
          .updateTable('categories')
          .set({ name: 'outdoors', name_key: 'outdoors' })
          .where('id', '=', yard.id)
          .execute(),
      () => send(body),
    );
    // SQLite runs one transaction after the other, so the import finds the new category there.
    expect([reply.status, reply.body.error]).toEqual(
      ENGINE === 'sqlite'
        ? [201, undefined]
        : [409, 'This school now has a category named “Outdoors”. Please import again.'],
    );
    if (ENGINE !== 'sqlite') expect((await send(body)).status).toBe(201);
    expect((await entriesHere()).map(({ activity }: Seen) => activity.category.name)).toEqual(['outdoors']);
  });

  test('skips duplicates of existing hours and of earlier rows unless the importer includes them', async () => {
    await importSeen(file(`${maria.email},,Library,2026-03-01,1,`));
    const csv = file(
      `${maria.email},,Library,2026-03-01,1,other notes`,
      `${maria.email},,Library,2026-03-01,1.5,`,
      `${maria.email},,Library,2026-03-01,1:30,`,
    );
    expect(outcomes(await look(csv))).toEqual([
      ['duplicate', 'These hours are already here'],
      ['ready'],
      ['duplicate', 'Same as row 3'],
    ]);
    expect(outcomes(await look(csv, { duplicates: [4] }))[2]).toEqual([
      'ready',
      'Same as row 3',
      'Import anyway',
    ]);
    await importSeen(csv, { duplicates: 'all' });
    expect(await entriesHere()).toHaveLength(4);
  });

  test("reports missing columns and accepts the importer's choice", async () => {
    const csv = `Wer,Was,Wann,Wie lange\nMaria Lopez,Library,14.2.2026,1`;
    const unread = (await look(csv)).body.preview;
    expect([unread.missing, unread.rows, unread.columns[0]]).toEqual([
      ['name', 'activity', 'date', 'hours'],
      [],
      { title: 'Wer', use: null, samples: ['Maria Lopez'] },
    ]);
    const columns = ['name', 'activity', 'date', 'hours'];
    const read = (await look(csv, { columns })).body.preview;
    expect([read.dayOrder, read.counts.ready, read.firstDate]).toEqual(['day-first', 1, '2026-02-14']);
    expect((await look(csv, { columns, dayOrder: 'month-first' })).body.preview.counts.problem).toBe(1);
    expect((await look(csv, { columns: ['name', 'name'] })).body.fields).toEqual({
      csv: 'Two columns are used for the same thing. Choose a different use for one of them.',
    });
  });

  test.each([
    ['trackItForward', 'First Name,Last Name,Email,Activity,Date Volunteered,Hours,Notes'],
    [
      'betterImpact',
      'First Name,Last Name,Email Address,Activity,Activity Category,Date Volunteered,Hours Volunteered',
    ],
    ['x2vol', 'Student ID,Student Name,Activity/Project,Goal,Date,Hours,Status'],
  ])('recognizes a %s file by its column names', async (layout, header) => {
    const { preview } = (await look(`${header}\na,b,c,d,e,f,g`)).body;
    expect([preview.layout, preview.missing]).toEqual([layout, []]);
  });

  test.each([
    ['is blank', '\n \n', 'The file has no rows below the column names'],
    [
      'never closes a quotation mark',
      `${HEADER}\n"a,b`,
      'A quotation mark that opens in row 2 or below is never closed',
    ],
  ])('rejects a file that %s', async (_what, csv, message) => {
    const reply = await look(csv);
    expect([reply.status, reply.body.fields]).toEqual([400, { csv: message }]);
  });

  test.each(['\u0000', '\uD800', '//', '0001-01-01', 'x'.repeat(10_000)])(
    'accepts %j in any cell',
    async (cell) => {
      const csv = file(
        ...[0, 1, 2, 3, 4, 5].map((at) =>
          [0, 1, 2, 3, 4, 5].map((one) => (one === at ? cell : 'a')).join(','),
        ),
      );
      expect((await look(csv)).status).toBe(200);
    },
  );
});

describe('an hours import', () => {
  test('creates entries with their source, and updates the totals', async () => {
    const reply = await importSeen(file(`${maria.email},,Library,2026-03-01,2.5,Shelves`));
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
      timeEntryImport: { state: 'done', planned: 1, made: 1, hours: 2.5, leftOut: 0, canUndo: true },
      message: '1 entry imported, 2.5 hours',
    });
    const [entry] = await entriesHere();
    expect(entry).toMatchObject({
      hours: 2.5,
      notes: 'Shelves',
      entryDate: '2026-03-01',
      user: { id: maria.id },
    });
    await isTrue();
    const rows = await app.deps.database.db
      .selectFrom('audit_events')
      .selectAll()
      .where('school_id', '=', lincoln.id)
      .execute();
    const told = rows.map(({ action, subject_id, person_id, after }) => [
      action,
      subject_id,
      person_id,
      JSON.parse(after ?? '{}'),
    ]);
    expect(told).toContainEqual([
      'hours.import',
      reply.body.timeEntryImport.id,
      null,
      { entries: 1, hours: 2.5, activities: 0 },
    ]);
    expect(told).toContainEqual([
      'entry.log',
      entry.id,
      maria.id,
      expect.objectContaining({ hours: 2.5, fromImport: reply.body.timeEntryImport.id }),
    ]);
  });

  test('rejects an outdated preview and unresolved rows', async () => {
    const csv = file(`${maria.email},,Library,2026-03-01,1,`, 'x@else.example,,Library,2026-03-01,1,');
    const { key } = (await look(csv)).body.preview;
    const body = { csv, schoolId: lincoln.id, key };
    expect((await send(body)).body.error).toBe('1 row has a problem or an open question. Fix it or skip it.');
    expect((await send({ ...body, csv: csv.replace(',1,', ',2,'), leaveOutOpen: true })).body.error).toBe(
      CHANGED,
    );
    expect((await send({ ...body, leaveOutOpen: true })).status).toBe(201);
    expect((await send({ ...body, leaveOutOpen: true })).body.error).toBe(CHANGED);
    const again = await importSeen(csv, { leaveOutOpen: true });
    expect([again.status, again.body.error]).toEqual([400, 'There is nothing to import']);
    expect(await entriesHere()).toHaveLength(1);
  });

  test('runs once when a request is repeated or sent concurrently', async () => {
    const csv = file(`${maria.email},,Library,2026-03-01,1,`);
    const { key } = (await look(csv)).body.preview;
    const body = { csv, schoolId: lincoln.id, key };
    const replies = await Promise.all([send(body), send(body), send(body)]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    const next = file(`${maria.email},,Library,2026-03-02,1,`);
    const second = { csv: next, schoolId: lincoln.id, key: (await look(next)).body.preview.key };
    const once = { 'Idempotency-Key': 'one-import' };
    const first = await send(second, once);
    expect((await send(second, once)).body).toEqual(first.body);
    expect(await entriesHere()).toHaveLength(2);
  });

  test('runs in chunks, and blocks other imports of the school until it is done', async () => {
    const reply = await importSeen(many(230));
    expect(reply.body).toMatchObject({
      timeEntryImport: { state: 'running', planned: 230, made: 0 },
      message: '230 entries are being imported',
    });
    const csv = file(`${maria.email},,Library,2026-01-01,1,`);
    expect((await importSeen(csv)).body.error).toBe(
      "Another import is still running at this school. Please wait until it's done.",
    );
    await processAllImports(app.deps);
    const { id } = reply.body.timeEntryImport;
    expect((await get(id)).body.timeEntryImport).toMatchObject({ state: 'done', made: 230, leftOut: 0 });
    const left = await app.deps.database.db
      .selectFrom('time_entry_import_chunks')
      .selectAll()
      .where('import_id', '=', id)
      .execute();
    expect(left).toEqual([]);
    await isTrue();
    expect((await importSeen(csv)).status).toBe(201);
  });

  test('stops when the importer loses the right to import', async () => {
    const head = await aPersonWithRole(app, 'school-admin', lincoln);
    const { id } = (await importSeen(many(150), {}, head.token)).body.timeEntryImport;
    await app.deps.database.db.deleteFrom('user_grants').where('user_id', '=', head.id).execute();
    await processAllImports(app.deps);
    expect((await get(id)).body.timeEntryImport).toMatchObject({ state: 'stopped', made: 0, canUndo: true });
    expect(await entriesHere()).toEqual([]);
    expect((await get(id, head.token)).status).toBe(403);
  });

  test('skips people who left the school after the preview', async () => {
    const { id } = (await importSeen(many(150))).body.timeEntryImport;
    await app.deps.database.db.deleteFrom('user_schools').where('user_id', '=', maria.id).execute();
    await processAllImports(app.deps);
    expect((await get(id)).body.timeEntryImport).toMatchObject({ state: 'done', made: 0, leftOut: 150 });
  });

  test('drops planned hours of a deleted account', async () => {
    const { id } = (await importSeen(many(150))).body.timeEntryImport;
    const erased = await app.call(`POST /api/admin/users/${maria.id}/erase`, {
      token: ada.token,
      body: { email: maria.email },
    });
    expect(erased.status).toBe(200);
    const left = await app.deps.database.db
      .selectFrom('time_entry_import_chunks')
      .select('entries')
      .where('import_id', '=', id)
      .execute();
    expect(left.map(({ entries }) => entries)).toEqual(['[]', '[]']);
    await processAllImports(app.deps);
    expect((await get(id)).body.timeEntryImport).toMatchObject({ state: 'done', made: 0, leftOut: 150 });
  });

  test('requires a district administrator or an administrator of the school', async () => {
    const csv = file(`${maria.email},,Library,2026-03-01,1,`);
    const elsewhere = await aSchool(app);
    const head = await aPersonWithRole(app, 'school-admin', lincoln);
    const other = await aPersonWithRole(app, 'school-admin', elsewhere);
    const coordinator = await aPersonWithRole(app, 'coordinator', lincoln);
    expect((await look(csv, {}, other.token)).status).toBe(404);
    expect((await look(csv, {}, coordinator.token)).status).toBe(403);
    const done = await importSeen(csv, {}, head.token);
    expect(done.status).toBe(201);
    const { id } = done.body.timeEntryImport;
    expect((await get(id, other.token)).status).toBe(404);
    expect((await undo(id, {}, other.token)).status).toBe(404);
    const list = (token: string) => app.call('GET /api/admin/time-entry-imports', { token });
    expect((await list(head.token)).body.timeEntryImports.map((one: Seen) => one.id)).toEqual([id]);
    expect((await list(other.token)).body.timeEntryImports).toEqual([]);
  });
});

describe('an hours import at a school that verifies hours', () => {
  beforeEach(async () => {
    lincoln = await aSchool(app, { verification: 'on' });
    maria = await aPerson(app, { firstName: 'Maria', lastName: 'López', schools: [lincoln] });
    library = await anActivity(app, { school: lincoln, name: 'Library' });
  });

  test("verifies hours only on request, and never the importer's own", async () => {
    await importSeen(file(`${maria.email},,Library,2026-03-01,1,`));
    const head = await aPersonWithRole(app, 'school-admin', lincoln);
    await app.deps.database.db
      .insertInto('user_schools')
      .values({ user_id: head.id, school_id: lincoln.id, status: 'active', created_at: NOW })
      .onConflict((on) => on.doNothing())
      .execute();
    const vouched = file(`${maria.email},,Library,2026-03-02,2,`, `${head.email},,Library,2026-03-02,3,`);
    await importSeen(vouched, { areVerified: true }, head.token);
    const states = (await entriesHere()).map(({ hours, verification }: Seen) => [
      hours,
      verification.status,
      verification.hours,
    ]);
    expect(states.toSorted()).toEqual([
      [1, 'waiting', 0],
      [2, 'verified', 2],
      [3, 'waiting', 0],
    ]);
    await isTrue();
  });

  test('requires a reason to add or undo hours in a closed period', async () => {
    await app.deps.database.db
      .updateTable('schools')
      .set({ closed_before: '2026-02-01' as never })
      .where('id', '=', lincoln.id)
      .execute();
    const csv = file(`${maria.email},,Library,2026-01-15,1,`);
    expect((await look(csv)).body.preview.closed).toBe(
      "Hours before Feb 1 are closed. Please say why you're changing them.",
    );
    const refused = await importSeen(csv);
    expect([refused.status, Object.keys(refused.body.fields)]).toEqual([400, ['reason']]);
    const done = await importSeen(csv, { reason: 'From the old system' });
    const { id } = done.body.timeEntryImport;
    expect((await undo(id)).status).toBe(400);
    expect((await undo(id, { reason: 'Wrong file' })).body.timeEntryImport.undone).toBe(1);
  });
});

describe('undoing an hours import', () => {
  test('removes unchanged entries and lists those that stay', async () => {
    const csv = file(
      `${maria.email},,Library,2026-03-01,1,`,
      `${maria.email},,Library,2026-03-02,2,`,
      `${maria.email},,Library,2026-03-03,3,`,
    );
    const { id } = (await importSeen(csv)).body.timeEntryImport;
    const [, second, first] = await entriesHere();
    await app.call(`PUT /api/admin/time-entries/${second.id}`, { token: ada.token, body: { hours: 2.25 } });
    await app.call(`DELETE /api/admin/time-entries/${first.id}`, { token: ada.token, body: {} });
    const reply = await undo(id);
    expect(reply.body).toMatchObject({
      message: 'Import undone: 1 entry was removed',
      keptCount: 1,
      kept: [
        { user: { id: maria.id }, activity: 'Library', hours: 2.25, reason: 'was changed after the import' },
      ],
      timeEntryImport: { state: 'undone', undone: 1, canUndo: false },
    });
    expect((await entriesHere()).map((one: Seen) => one.id)).toEqual([second.id]);
    expect((await undo(id)).body.error).toBe('This import was already undone');
    await isTrue();
  });

  test('runs in chunks, and stops a running import', async () => {
    const { id } = (await importSeen(many(230))).body.timeEntryImport;
    const stop = new AbortController();
    stop.abort();
    await processAllImports(app.deps, stop.signal);
    await processAllImports(app.deps);
    expect((await undo(id)).body).toMatchObject({
      message: 'The import is being undone',
      timeEntryImport: { state: 'undoing' },
    });
    await processAllImports(app.deps);
    expect((await get(id)).body.timeEntryImport).toMatchObject({ state: 'undone', made: 230, undone: 230 });
    expect(await entriesHere()).toEqual([]);
    const half = (await importSeen(many(230))).body.timeEntryImport.id;
    await undo(half);
    await processAllImports(app.deps);
    expect((await get(half)).body.timeEntryImport).toMatchObject({ state: 'undone', made: 0 });
    await isTrue();
  });

  test('is possible for 30 days, after which the import is deleted', async () => {
    const { id } = (await importSeen(file(`${maria.email},,Library,2026-03-01,1,`))).body.timeEntryImport;
    const { db } = app.deps.database;
    const old = plusMilliseconds(NOW, -30 * 86_400_000 - 1);
    await db.updateTable('time_entry_imports').set({ imported_at: old }).where('id', '=', id).execute();
    expect((await undo(id)).body.error).toBe('An import can only be undone within 30 days');
    const until = { moment: plusMilliseconds(old, 1), day: '2026-03-04' as never };
    await transaction(app.deps.database, (trx) =>
      hoursImportRetention.remove(trx, { until, after: undefined, limit: 500 }),
    );
    expect((await get(id)).status).toBe(404);
    expect(await entriesHere()).toHaveLength(1);
  });

  test('runs once for two concurrent requests', async () => {
    const { id } = (await importSeen(file(`${maria.email},,Library,2026-03-01,1,`))).body.timeEntryImport;
    const replies = await Promise.all([undo(id), undo(id)]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });
});

test("a data export shows when the person's hours were imported", async () => {
  await importSeen(file(`${maria.email},,Library,2026-03-01,1,`));
  const { exportPersonalData } = await import('./privacy.ts');
  const [section] = exportPersonalData(app.deps.database.db, { id: maria.id, addresses: [], at: NOW });
  expect(section !== undefined && 'read' in section && (await section.read())).toEqual([
    { importedAt: NOW, school: lincoln.name, entries: 1 },
  ]);
});
