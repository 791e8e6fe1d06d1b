import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { transaction } from '#server/db/database.ts';
import { dayIn, millisecondsOf, plusMilliseconds } from '#shared/calendar-date.ts';
import { recordOf } from '#test/audit-log.ts';
import {
  anActivity,
  anAdministrator,
  anEntry,
  aPerson,
  aPersonWithRole,
  aPhoto,
  aSchool,
  aSuggestion,
} from '#test/builders.ts';
import { sendDuring } from '#test/concurrent-requests.ts';
import { NOW, startApp, type TestApp } from '#test/harness.ts';
import { readPages } from '#test/list-requests.ts';
import { emailsSentTo } from '#test/sent-emails.ts';
import { IMPORT } from '../contract.ts';
import { peopleImportRetention } from './privacy.ts';

const HEADER = 'firstName,lastName,email,role,schools';
const CHANGED = 'Something has changed since this preview. Please check it again.';

let app: TestApp;
let ada: { id: number; token: string };
let lincoln: { id: number; name: string };
let oak: { id: number; name: string };
beforeAll(async () => {
  app = await startApp();
  ada = await anAdministrator(app);
  lincoln = await aSchool(app, { name: 'Lincoln Elementary' });
  oak = await aSchool(app, { name: 'École Oak' });
});
beforeEach(() => app.clock.set(NOW));

let number = 0;
const newEmail = () => `imported${++number}@maplegrove.example`;
const file = (...rows: string[]) => [HEADER, ...rows].join('\n');
const look = (csv: string, rest: object = {}) =>
  app.call('POST /api/admin/user-imports/preview', { token: ada.token, body: { csv, ...rest } });
const send = (body: object, headers: Record<string, string> = {}) =>
  app.call('POST /api/admin/user-imports', { token: ada.token, body, headers });
const undo = (id: unknown) => app.call(`POST /api/admin/user-imports/${id}/undo`, { token: ada.token });

/** Imports what its preview shows. */
async function importSeen(csv: string, rest: object = {}) {
  const { body } = await look(csv, rest);
  return send({ csv, key: body.preview.key, sendMail: false, ...rest });
}

async function userAt(email: string) {
  const reply = await app.call(`GET /api/admin/users?search=${encodeURIComponent(email)}`, {
    token: ada.token,
  });
  return reply.body.users[0];
}

async function countOf(table: 'users' | 'user_schools' | 'audit_events' | 'emails' | 'user_imports') {
  const { count } = await app.deps.database.db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

test('volunteers and anonymous users cannot import people', async () => {
  const { token } = await aPerson(app, { schools: [lincoln] });
  for (const call of [
    'GET /api/admin/user-imports',
    'GET /api/admin/user-imports/template',
    'POST /api/admin/user-imports',
    'POST /api/admin/user-imports/preview',
    'POST /api/admin/user-imports/1/undo',
  ]) {
    expect([call, (await app.call(call, { token })).status]).toEqual([call, 403]);
    expect([call, (await app.call(call)).status]).toEqual([call, 401]);
  }
});

test('the people import can read its own template', async () => {
  const reply = await app.call('GET /api/admin/user-imports/template', { token: ada.token });
  expect(reply.headers['content-disposition']).toBe('attachment; filename="users-template.csv"');
  expect(reply.text.startsWith('\uFEFFfirstName,lastName,email,role,schools\r\n')).toBe(true);
  const { body } = await look(reply.text);
  expect(body.preview.counts.rows).toBe(1);
  expect(body.preview.rows[0].problems).toEqual([
    { column: 'schools', text: 'There is no school called “Oak Middle School”' },
  ]);
});

describe('the preview of a people import', () => {
  test('returns the result of each row and saves nothing', async () => {
    const known = await aPerson(app, { firstName: 'Renée', lastName: 'Müller', schools: [lincoln] });
    const asked = await aPerson(app, { firstName: 'Ann', lastName: 'Lee', schools: [oak] });
    const email = newEmail();
    const counts = await Promise.all(
      (['users', 'user_schools', 'audit_events', 'emails', 'user_imports'] as const).map(countOf),
    );
    const reply = await look(
      file(
        `Zoë,Ünal,${email},Volunteer,lincoln elementary|ECOLE OAK`,
        `RENEE,Muller,${known.email.toUpperCase()},,Lincoln Elementary`,
        `Anna,Lee,${asked.email},admin,"Lincoln Elementary; École Oak"`,
      ),
    );
    expect(reply.status).toBe(200);
    expect(reply.body.preview).toEqual({
      key: expect.stringMatching(/^[\w-]{22}$/),
      counts: { rows: 3, created: 1, extended: 1, invited: 0, waiting: 0, unchanged: 1, faulty: 0 },
      unusedColumns: [],
      rows: [
        {
          row: 2,
          name: 'Zoë Ünal',
          email,
          outcome: 'created',
          schools: expect.arrayContaining(['Lincoln Elementary', 'École Oak']),
          notes: [],
          problems: [],
        },
        expect.objectContaining({ row: 3, outcome: 'unchanged', schools: [], notes: [] }),
        expect.objectContaining({
          row: 4,
          outcome: 'extended',
          schools: ['Lincoln Elementary'],
          notes: ["Already here as Ann Lee. The name doesn't change", 'Stays a user'],
        }),
      ],
    });
    expect(
      await Promise.all(
        (['users', 'user_schools', 'audit_events', 'emails', 'user_imports'] as const).map(countOf),
      ),
    ).toEqual(counts);
  });

  test('reads people of a OneRoster file as volunteers, and skips those who left', async () => {
    const roles = ['administrator', 'guardian', 'teacher', 'student'];
    const rows = roles.map((role) => `${newEmail()},active,true,Vic,Principal,${role}`);
    const { body } = await look(
      [
        'email,status,enabledUser,givenName,familyName,role',
        ...rows,
        `${newEmail()},tobedeleted,true,Ann,Gone,parent`,
        `${newEmail()},active,false,Ben,Gone,parent`,
      ].join('\n'),
      { schoolIds: [lincoln.id] },
    );
    expect(body.preview.counts).toMatchObject({ created: 4, unchanged: 2, faulty: 0 });
    expect(body.preview.unusedColumns).toEqual([]);
    expect(body.preview.rows.map(({ notes }: { notes: string[] }) => notes)).toEqual([
      [],
      [],
      [],
      [],
      ['Marked “tobedeleted” in the file, so skipped'],
      ['Marked “false” in the file, so skipped'],
    ]);
  });

  test.each([
    [',B,x@y.example,,Lincoln Elementary', 'firstName', 'First name and last name are required'],
    ['A,,x@y.example,,Lincoln Elementary', 'lastName', 'First name and last name are required'],
    [`${'A'.repeat(61)},B,x@y.example,,Lincoln Elementary`, 'firstName', 'Use up to 60 characters'],
    ['A,B,,,Lincoln Elementary', 'email', 'Email is required'],
    ['A,B,nonsense,,Lincoln Elementary', 'email', 'Please enter a valid email address'],
    [
      'A,B,x@y.example,boss,Lincoln Elementary',
      'role',
      '“boss” is not a role: write user, school-admin, coordinator, auditor or admin',
    ],
    [
      'A,B,x@y.example,constructor,Lincoln Elementary',
      'role',
      '“constructor” is not a role: write user, school-admin, coordinator, auditor or admin',
    ],
    ['A,B,x@y.example,,Hogwarts', 'schools', 'There is no school called “Hogwarts”'],
    ['A,B,x@y.example,,', 'schools', 'Please select at least one school for the user'],
    ['A,B,x@y.example,,Lincoln Elementary,more', null, 'This row has more cells than there are columns'],
  ])('reports the row and column of the error in %s', async (row, column, text) => {
    const { body } = await look(file(`A,B,${newEmail()},,Lincoln Elementary`, row));
    expect(body.preview.counts).toMatchObject({ created: 1, faulty: 1 });
    expect(body.preview.rows[0]).toMatchObject({ row: 3, outcome: 'faulty', problems: [{ column, text }] });
  });

  test('combines rows of the same person, and rejects two people with the same address', async () => {
    const email = newEmail();
    const { body } = await look(
      file(
        `Ann,Lee,${email},,Lincoln Elementary`,
        `ann,LEE,${email.toUpperCase()},,École Oak`,
        `Ben,Lee,${email},,`,
        `Ann,Lee,${email},admin,`,
      ),
    );
    expect(body.preview.counts).toMatchObject({ rows: 4, created: 1, extended: 0, unchanged: 1, faulty: 2 });
    const [third, fourth, first, second] = body.preview.rows;
    expect(first.schools).toHaveLength(2);
    expect(second.notes).toEqual(['Same person as in row 2. Their schools are combined']);
    for (const row of [third, fourth]) {
      expect(row.problems).toEqual([
        { column: 'email', text: 'The same address is in row 2 with a different name or role' },
      ]);
    }
  });

  test('adds people without a school to the selected schools', async () => {
    const csv = file(`A,B,${newEmail()},,`, `C,D,${newEmail()},,École Oak`, `E,F,${newEmail()},admin,`);
    const { body } = await look(csv, { schoolIds: [lincoln.id] });
    expect(body.preview.rows.map((row: { schools: string[] }) => row.schools)).toEqual([
      ['Lincoln Elementary'],
      ['École Oak'],
      ['Lincoln Elementary'],
    ]);
    expect((await look(csv, { schoolIds: [999_999] })).body.fields).toEqual({
      schoolIds: 'Please select at least one school for the user',
    });
    const without = await look(csv);
    expect(without.body.preview.counts).toMatchObject({ created: 2, faulty: 1 });
    expect(without.body.preview.rows.at(-1).notes).toEqual([
      'Will be an administrator, who can see and change everything',
    ]);
  });

  test('rejects a missing or unreadable file with an error on the field', async () => {
    for (const [csv, error] of [
      ['', 'Paste a list or choose a file'],
      [undefined, 'Paste a list or choose a file'],
      ['name\nAnn', 'The first row must name the columns. Missing: firstName, lastName, email'],
      ['x'.repeat(IMPORT.characters + 1), 'The file has more than 4,000,000 characters. Please split it.'],
    ] as const) {
      const reply = await app.call('POST /api/admin/user-imports/preview', {
        token: ada.token,
        body: { csv },
      });
      expect([reply.status, reply.body]).toEqual([400, { error, fields: { csv: error } }]);
    }
  });
});

describe('a people import', () => {
  test('creates new people, and adds existing ones to schools without changing their data', async () => {
    const known = await aPerson(app, { firstName: 'Renée', lastName: 'Müller', schools: [lincoln] });
    const email = newEmail();
    const letters = await countOf('emails');
    const reply = await importSeen(
      file(`Zoë,Ünal,${email},,Lincoln Elementary|École Oak`, `Bob,Other,${known.email},admin,École Oak`),
    );
    expect([reply.status, reply.body.message]).toEqual([
      201,
      'Imported: 1 new person and 1 membership of someone already here',
    ]);
    expect(reply.body.userImport).toMatchObject({
      importedBy: { id: ada.id },
      importedAt: NOW,
      people: 1,
      memberships: 1,
      hasMail: false,
      undoneAt: null,
      canUndo: true,
    });
    const zoe = await userAt(email);
    expect(zoe).toMatchObject({
      firstName: 'Zoë',
      lastName: 'Ünal',
      role: 'user',
      isActive: true,
      lastLogin: null,
    });
    expect(zoe.schools).toHaveLength(2);
    expect(await userAt(known.email)).toMatchObject({
      firstName: 'Renée',
      lastName: 'Müller',
      role: 'user',
      schools: expect.arrayContaining([expect.objectContaining({ id: oak.id })]),
    });
    expect((await app.call('POST /api/auth/login', { body: { email, password: '' } })).status).toBe(400);
    expect(await countOf('emails')).toBe(letters);
  });

  test('records an audit event for each person and one for the import', async () => {
    const known = await aPerson(app, { schools: [lincoln] });
    const email = newEmail();
    const { body } = await importSeen(
      file(`A,B,${email},,Lincoln Elementary`, `X,Y,${known.email},,École Oak`),
    );
    const importId = body.userImport.id;
    expect(await recordOf(app, 'user', (await userAt(email)).id)).toMatchObject([
      { action: 'account.create', actorId: ada.id, after: { email, schoolIds: [lincoln.id], importId } },
    ]);
    expect(await recordOf(app, 'user', known.id)).toMatchObject([
      { action: 'membership.add', actorId: ada.id, after: { schoolIds: [oak.id], importId } },
    ]);
    expect(await recordOf(app, 'user-import', importId)).toMatchObject([
      { action: 'users.import', actorId: ada.id, after: { people: 1, memberships: 1 } },
    ]);
  });

  test('emails new people a link to set their password that works for 14 days, if requested', async () => {
    const [email, late] = [newEmail(), newEmail()];
    const known = await aPerson(app, { schools: [lincoln] });
    const reply = await importSeen(
      file(
        `Zoë,Ünal,${email},,Lincoln Elementary`,
        `A,Late,${late},,Lincoln Elementary`,
        `X,Y,${known.email},,École Oak`,
      ),
      { sendMail: true },
    );
    expect(reply.body.userImport.hasMail).toBe(true);
    const [letter] = await emailsSentTo(app, email);
    expect(letter?.text).toContain('within 14 days');
    expect(await emailsSentTo(app, known.email)).toEqual([]);
    const linkOf = (text = '') => /http\S*\?token=[\w-]+/.exec(text)?.[0] ?? '';
    const link = linkOf(letter?.text);
    const lateLink = linkOf((await emailsSentTo(app, late))[0]?.text);
    // No mail server is set, so the importer passes the links on.
    expect(reply.body.links).toEqual([
      { email, link },
      { email: late, link: lateLink },
    ]);
    expect((await importSeen(file(`A,B,${newEmail()},,Lincoln Elementary`))).body.links).toBeNull();
    const setPassword = async (from: string) => {
      const body = { token: new URL(from).searchParams.get('token'), newPassword: 'quiet-river-9' };
      return (await app.call('POST /api/auth/reset-password', { body })).status;
    };
    app.clock.advance(14 * 86_400_000 - 1);
    expect(await setPassword(link)).toBe(200);
    app.clock.advance(1);
    expect(await setPassword(lateLink)).toBe(400);
    const login = await app.call('POST /api/auth/login', { body: { email, password: 'quiet-river-9' } });
    expect(login.body.user).toMatchObject({ email, schools: [{ id: lincoln.id }] });
  });

  test('sends its emails gradually, so that other emails are not delayed', async () => {
    const emails = Array.from({ length: 12 }, newEmail);
    await importSeen(file(...emails.map((email) => `A,B,${email},,Lincoln Elementary`)), { sendMail: true });
    const rows = await app.deps.database.db
      .selectFrom('emails')
      .innerJoin('users', 'users.id', 'emails.user_id')
      .select('emails.due_at')
      .where('users.email', 'in', emails)
      .orderBy('emails.id')
      .execute();
    expect(rows.map((row) => millisecondsOf(row.due_at) - millisecondsOf(NOW))).toEqual([
      0, 0, 0, 0, 0, 1000, 1000, 1000, 1000, 1000, 2000, 2000,
    ]);
  });

  test('runs once for a repeated request', async () => {
    const email = newEmail();
    const csv = file(`A,B,${email},,Lincoln Elementary`);
    const { body } = await look(csv);
    const request = { csv, key: body.preview.key, sendMail: false };
    const first = await send(request, { 'idempotency-key': `import-${number}` });
    const again = await send(request, { 'idempotency-key': `import-${number}` });
    expect([again.status, again.body]).toEqual([201, first.body]);
    const other = await send(request);
    expect([other.status, other.body.error]).toEqual([409, CHANGED]);
  });

  test('rejects an outdated preview', async () => {
    const email = newEmail();
    const csv = file(`A,B,${email},,Lincoln Elementary`);
    const { body } = await look(csv);
    await aPerson(app, { email, schools: [oak] });
    const reply = await send({ csv, key: body.preview.key, sendMail: false });
    expect([reply.status, reply.body.error]).toEqual([409, CHANGED]);
    expect((await send({ csv, key: 'guessed', sendMail: false })).status).toBe(409);
    expect((await send({ csv, sendMail: false })).status).toBe(400);
  });

  test('saves nothing if one of the addresses is taken concurrently', async () => {
    const [email, other] = [newEmail(), newEmail()];
    const csv = file(`A,B,${other},,Lincoln Elementary`, `A,B,${email},,Lincoln Elementary`);
    const { body } = await look(csv);
    const reply = await sendDuring(
      app,
      (trx) =>
        trx
          .insertInto('users')
          .values({
            email,
            email_key: email,
            password_hash: null,
            first_name: 'A',
            last_name: 'B',
            sort_key: 'b a',
            search_key: 'a b',
            role: 'user',
            is_active: 1,
            created_at: NOW,
            last_login_at: null,
            email_verified_at: null,
          })
          .execute(),
      () => send({ csv, key: body.preview.key, sendMail: true }),
    );
    expect([reply.status, reply.body.error]).toEqual([409, CHANGED]);
    expect(await userAt(other)).toBeUndefined();
  });

  test('rejects a file with invalid rows unless the importer skips them', async () => {
    const email = newEmail();
    const csv = file(`A,B,${email},,Lincoln Elementary`, 'A,B,nonsense,,Lincoln Elementary');
    const refused = await importSeen(csv);
    const fault = '1 row has a problem. Fix it or skip it.';
    expect([refused.status, refused.body]).toEqual([400, { error: fault, fields: { csv: fault } }]);
    expect(await userAt(email)).toBeUndefined();
    const reply = await importSeen(csv, { leaveOutFaulty: true });
    expect([reply.status, reply.body.userImport.people]).toEqual([201, 1]);
  });

  test('rejects a file whose people all exist already', async () => {
    const known = await aPerson(app, { schools: [lincoln] });
    const nothing = 'There is nothing to import: everyone is already here';
    const here = `A,B,${known.email},,Lincoln Elementary`;
    const reply = await importSeen(file(here));
    expect([reply.status, reply.body]).toEqual([400, { error: nothing, fields: { csv: nothing } }]);
    const others = await importSeen(file(here, 'A,B,nonsense,,Lincoln Elementary'), { leaveOutFaulty: true });
    expect([others.status, others.body.error]).toEqual([400, nothing]);
  });

  test('lets school administrators neither create administrators nor see names of existing accounts', async () => {
    const { token } = await aPersonWithRole(app, 'school-admin', lincoln);
    const [hidden, both] = [
      await aPerson(app, { firstName: 'Ann', lastName: 'Secret', schools: [oak] }),
      await aPerson(app, { firstName: 'Bo', lastName: 'Secret', schools: [lincoln] }),
    ];
    const csv = file(
      `A,B,${newEmail()},admin,Lincoln Elementary`,
      `Else,One,${hidden.email},admin,Lincoln Elementary`,
      `Else,Two,${both.email},,Lincoln Elementary`,
      `C,D,${newEmail()},,Lincoln Elementary`,
    );
    const seen = await app.call('POST /api/admin/user-imports/preview', { token, body: { csv } });
    const rows = seen.body.preview.rows as { outcome: string; notes: string[]; problems: unknown[] }[];
    expect(rows.map(({ outcome, notes }) => [outcome, notes])).toEqual([
      ['faulty', []],
      ['invited', ['Gets an invitation by email and joins after accepting it']],
      ['unchanged', []],
      ['created', []],
    ]);
    expect(rows[0]?.problems).toEqual([{ column: 'role', text: expect.stringContaining('admin') }]);
    expect(seen.text).not.toContain('Secret');
  });

  test('is previewed as an invitation for accounts in use if a school administrator imports them', async () => {
    const { token } = await aPersonWithRole(app, 'school-admin', lincoln);
    const { id: unused, email } = await aPerson(app, { isProven: false });
    const { db } = app.deps.database;
    await db
      .updateTable('users')
      .set({ vouched_by: ada.id, vouched_at: NOW })
      .where('id', '=', unused)
      .execute();
    const [proven, signedIn, auditor] = [
      await aPerson(app),
      await aPerson(app, { isProven: false }),
      await aPersonWithRole(app, 'auditor', null, { isProven: false }),
    ];
    await db.updateTable('users').set({ last_login_at: NOW }).where('id', '=', signedIn.id).execute();
    const people = [proven, signedIn, auditor].map((person) => person.email);
    const csv = file(...[...people, email].map((one) => `Pat,Person,${one},,Lincoln Elementary`));
    const seen = await app.call('POST /api/admin/user-imports/preview', { token, body: { csv } });
    const rows = seen.body.preview.rows as { outcome: string }[];
    expect(rows.map(({ outcome }) => outcome)).toEqual(['invited', 'invited', 'invited', 'extended']);
  });

  test('reports one problem per cell, and shows an incomplete name', async () => {
    const { body } = await look(file(`,Lee,${newEmail()},,Lincoln Elementary`, ',,nonsense,chief,Nowhere'));
    const [first, second] = body.preview.rows;
    expect([first.name, second.name]).toEqual(['Lee', '']);
    const columns = (second.problems as { column: string }[]).map(({ column }) => column);
    expect(columns).toEqual([...new Set(columns)]);
    expect(columns.toSorted()).toEqual(['email', 'firstName', 'lastName', 'role', 'schools']);
  });

  test('approves a pending membership without reactivating the account', async () => {
    const person = await aPerson(app, { schools: [lincoln] });
    await app.deps.database.db
      .insertInto('user_schools')
      .values({ user_id: person.id, school_id: oak.id, status: 'pending', created_at: NOW })
      .execute();
    await app.call(`PUT /api/admin/users/${person.id}`, { token: ada.token, body: { isActive: false } });
    const csv = file(`${person.firstName},${person.lastName},${person.email},,École Oak`);
    expect((await look(csv)).body.preview.rows[0]).toMatchObject({
      outcome: 'extended',
      notes: ['Stays deactivated'],
    });
    const { body } = await importSeen(csv);
    expect(await userAt(person.email)).toMatchObject({ isActive: false, pendingSchools: [] });
    await undo(body.userImport.id);
    expect(await userAt(person.email)).toMatchObject({ pendingSchools: [{ id: oak.id }] });
  });
});

describe('undoing a people import', () => {
  test('removes the accounts and memberships it created, with their emails and links', async () => {
    const known = await aPerson(app, { schools: [lincoln] });
    const email = newEmail();
    const { body } = await importSeen(
      file(`A,B,${email},,Lincoln Elementary`, `X,Y,${known.email},,École Oak`),
      { sendMail: true },
    );
    const made = await userAt(email);
    const reply = await undo(body.userImport.id);
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        userImport: { ...body.userImport, undoneAt: NOW, canUndo: false },
        kept: [],
        keptCount: 0,
        message: 'Undone: 1 new person and 1 membership of someone already here',
      },
    ]);
    expect(await userAt(email)).toBeUndefined();
    expect((await userAt(known.email)).schools).toHaveLength(1);
    expect(await emailsSentTo(app, email)).toEqual([]);
    expect(await recordOf(app, 'user', made.id)).toMatchObject([
      { action: 'account.create' },
      { action: 'account.delete', before: { email, importId: body.userImport.id } },
    ]);
    expect(await recordOf(app, 'user-import', body.userImport.id)).toMatchObject([
      { action: 'users.import' },
      { action: 'users.import-undo', actorId: ada.id, after: { people: 1, memberships: 1, kept: 0 } },
    ]);
  });

  test('does not remove people who have used their account, and returns the reason', async () => {
    const activity = await anActivity(app, { school: oak });
    const elsewhere = await aPerson(app, { firstName: 'Eve', lastName: 'A', schools: [lincoln] });
    const moved = await aPerson(app, { firstName: 'Max', lastName: 'A', schools: [lincoln] });
    const [used, opened, helped, unused] = [newEmail(), newEmail(), newEmail(), newEmail()];
    const { body } = await importSeen(
      file(
        `Signed,In,${used},,Lincoln Elementary`,
        `Chose,Password,${opened},,Lincoln Elementary`,
        `Has,Hours,${helped},,École Oak`,
        `Not,Used,${unused},,Lincoln Elementary`,
        `Eve,A,${elsewhere.email},,École Oak`,
        `Max,A,${moved.email},,École Oak`,
      ),
    );
    const { db } = app.deps.database;
    await db.updateTable('users').set({ last_login_at: NOW }).where('email', '=', used).execute();
    await db.updateTable('users').set({ password_hash: 'x' }).where('email', '=', opened).execute();
    await anEntry(app, { by: await userAt(helped), activity });
    await anEntry(app, { by: elsewhere, activity });
    await db
      .deleteFrom('user_schools')
      .where('user_id', '=', moved.id)
      .where('school_id', '=', lincoln.id)
      .execute();
    const reply = await undo(body.userImport.id);
    expect(reply.body.message).toBe('Undone: 1 new person');
    expect(reply.body.keptCount).toBe(5);
    expect(
      reply.body.kept.map(({ user, reason }: { user: { firstName: string }; reason: string }) => [
        user.firstName,
        reason,
      ]),
    ).toEqual([
      ['Has', 'has logged hours or added something'],
      ['Signed', 'has signed in'],
      ['Chose', 'has chosen a password'],
      ['Eve', 'has logged hours at École Oak since then'],
      ['Max', 'would be left without a school: École Oak stays'],
    ]);
    expect(await userAt(unused)).toBeUndefined();
    for (const email of [used, opened, helped]) expect(await userAt(email)).toBeDefined();
  });

  test.each([
    ['a photo', (by: { id: number }) => aPhotoOf(by)],
    ['a photo that was deleted later', (by: { id: number }) => aPhotoOf(by, by)],
    ['a suggestion', (by: { id: number }) => aSuggestion(app, { by, school: oak })],
  ])('does not remove people who have added %s', async (_thing, add) => {
    const email = newEmail();
    const { body } = await importSeen(file(`Has,Added,${email},,École Oak`));
    const person = await userAt(email);
    await add(person);
    const reply = await undo(body.userImport.id);
    expect(reply.body.kept).toMatchObject([{ reason: 'has logged hours or added something' }]);
    expect(await userAt(email)).toBeDefined();
  });

  test('does not remove people whom the importer could not remove directly, and returns the reason', async () => {
    const boss = await aPersonWithRole(app, 'school-admin', lincoln, { schools: [lincoln] });
    const beyond =
      'Only a district administrator can do this, because the account has more permissions than yours';
    const [promoted, known, plain] = [newEmail(), newEmail(), newEmail()];
    const member = await aPerson(app, { firstName: 'Mia', email: known, schools: [], isProven: false });
    const { db } = app.deps.database;
    const vouched = { vouched_at: NOW, vouched_by: boss.id };
    await db.updateTable('users').set(vouched).where('id', '=', member.id).execute();
    const csv = file(
      `Dora,Head,${promoted},,Lincoln Elementary`,
      `Mia,Head,${known},,Lincoln Elementary`,
      `Plain,Person,${plain},,Lincoln Elementary`,
    );
    const call = (url: string, body?: object) => app.call(`POST ${url}`, { token: boss.token, body });
    const seen = await call('/api/admin/user-imports/preview', { csv });
    const made = await call('/api/admin/user-imports', { csv, key: seen.body.preview.key, sendMail: false });
    const chief = await userAt(promoted);
    for (const { id } of [chief, member]) {
      const body = { role: 'admin', unconfirmed: true };
      await app.call(`PUT /api/admin/users/${id}`, { token: ada.token, body });
    }
    const directly = await app.call(`DELETE /api/admin/users/${chief.id}`, { token: boss.token });
    const reply = await call(`/api/admin/user-imports/${made.body.userImport.id}/undo`);
    expect([directly.status, reply.status, reply.body.message]).toEqual([403, 200, 'Undone: 1 new person']);
    const kept = reply.body.kept as { user: { id: number }; reason: string }[];
    expect(kept.map(({ user, reason }) => [user.id, reason])).toEqual([
      [chief.id, beyond],
      [member.id, beyond],
    ]);
    expect(await userAt(plain)).toBeUndefined();
    expect((await userAt(known)).schools).toHaveLength(1);
  });

  test('never deletes the last administrator of the district', async () => {
    const own = await startApp();
    const admin = await anAdministrator(own);
    const school = await aSchool(own);
    const csv = `${HEADER}\nA,B,next@maplegrove.example,admin,${school.name}`;
    const call = (url: string, body?: object) => own.call(`POST ${url}`, { token: admin.token, body });
    const seen = await call('/api/admin/user-imports/preview', { csv });
    const made = await call('/api/admin/user-imports', { csv, key: seen.body.preview.key, sendMail: false });
    // The administrator loses the role while their request is running.
    const reply = await sendDuring(
      own,
      (trx) => trx.updateTable('users').set({ role: 'user' }).where('id', '=', admin.id).execute(),
      () => call(`/api/admin/user-imports/${made.body.userImport.id}/undo`),
    );
    const left = await own.deps.database.db
      .selectFrom('users')
      .select('id')
      .where('role', '=', 'admin')
      .execute();
    expect([reply.status, left]).toEqual([200, [{ id: expect.any(Number) }]]);
    expect(reply.body.kept[0].reason).toBe('At least one active district administrator is required');
  });

  async function aPhotoOf(by: { id: number }, deletedBy?: { id: number }) {
    const activity = await anActivity(app, { school: oak });
    await aPhoto(app, { by, activity, ...(deletedBy === undefined ? {} : { deletedBy }) });
  }

  test('works once within 30 days, and returns 404 for an unknown import', async () => {
    const { body } = await importSeen(file(`A,B,${newEmail()},,Lincoln Elementary`));
    const { id } = body.userImport;
    const both = await Promise.all([undo(id), undo(id)]);
    expect(both.map((reply) => reply.status).toSorted()).toEqual([200, 409]);
    expect((await undo(id)).body.error).toBe('This import was already undone');
    const later = await importSeen(file(`A,B,${newEmail()},,Lincoln Elementary`));
    app.clock.advance(IMPORT.undoDays * 86_400_000 + 1);
    const token = (await anAdministrator(app)).token;
    const late = await app.call(`POST /api/admin/user-imports/${later.body.userImport.id}/undo`, { token });
    expect([late.status, late.body.error]).toEqual([409, 'An import can only be undone within 30 days']);
    const none = await app.call('POST /api/admin/user-imports/999999/undo', { token });
    expect([none.status, none.body.error]).toEqual([404, 'Import not found']);
  });
});

test('people imports are listed latest first, and deleted once they can no longer be undone', async () => {
  const own = await startApp();
  const admin = await anAdministrator(own);
  const school = await aSchool(own);
  const ids: number[] = [];
  for (let at = 0; at < 3; at += 1) {
    const csv = `${HEADER}\nA,B,list${at}@maplegrove.example,,${school.name}`;
    const seen = await own.call('POST /api/admin/user-imports/preview', {
      token: admin.token,
      body: { csv },
    });
    const body = { csv, key: seen.body.preview.key, sendMail: false };
    ids.unshift(
      (await own.call('POST /api/admin/user-imports', { token: admin.token, body })).body.userImport.id,
    );
    own.clock.advance(1000);
  }
  const pages = await readPages(own, '/api/admin/user-imports', admin.token, 2);
  expect(pages.map((page) => (page['userImports'] as { id: number }[]).map(({ id }) => id))).toEqual([
    ids.slice(0, 2),
    ids.slice(2),
  ]);
  own.clock.advance(IMPORT.undoDays * 86_400_000 - 1500);
  const moment = plusMilliseconds(own.clock.now(), -IMPORT.undoDays * 86_400_000);
  const until = { moment, day: dayIn('UTC', moment) };
  await transaction(own.deps.database, (trx) =>
    peopleImportRetention.remove(trx, { until, after: undefined, limit: 100 }),
  );
  const left = await own.deps.database.db.selectFrom('user_imports').select('id').execute();
  expect(left.map((row) => row.id)).toEqual([ids[0]]);
});

test('a data export includes imports of the person, and account deletion removes those records', async () => {
  const known = await aPerson(app, { schools: [lincoln] });
  const { body } = await importSeen(file(`X,Y,${known.email},,École Oak`));
  const data = JSON.parse((await app.call('GET /api/profile/data', { token: known.token })).text);
  expect(data.imports).toEqual([{ importedAt: NOW, school: 'École Oak' }]);
  await app.call(`POST /api/admin/users/${known.id}/erase`, { token: ada.token });
  const rows = await app.deps.database.db
    .selectFrom('user_import_memberships')
    .selectAll()
    .where('import_id', '=', body.userImport.id)
    .execute();
  expect(rows).toEqual([]);
});
