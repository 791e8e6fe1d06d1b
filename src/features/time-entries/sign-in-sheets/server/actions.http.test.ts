import { create } from 'qrcode';
import { beforeAll, describe, expect, test } from 'vitest';
import { anActivity, anAdministrator, anEntry, aPerson, aPersonWithRole, aSchool } from '#test/builders.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { readPdf } from '#test/pdf.ts';

let app: TestApp;
let lincoln: Awaited<ReturnType<typeof aSchool>>;
let ada: Awaited<ReturnType<typeof anAdministrator>>;
let fair: Awaited<ReturnType<typeof anActivity>>;

const BLANK = { date: '2026-03-04', people: 'nobody', blankLines: 12, paper: 'letter' } as const;

beforeAll(async () => {
  app = await startApp({ DISTRICT_NAME: 'Example District' });
  lincoln = await aSchool(app, { name: 'Lincoln Elementary' });
  ada = await anAdministrator(app);
  fair = await anActivity(app, { school: lincoln, name: 'Book fair 2026' });
  await app.deps.database.db
    .updateTable('activities')
    .set({ description: 'Meet in the library, door B.' })
    .where('id', '=', fair.id)
    .execute();
  const last = await anActivity(app, { school: lincoln, name: 'Book fair 2025' });
  const other = await anActivity(app, { school: lincoln, name: 'Garden club' });
  const cedar = await aSchool(app);
  const elsewhere = await anActivity(app, { school: cedar, name: 'Book fair 2025' });
  const ana = await aPerson(app, { schools: [lincoln], firstName: 'Ana', lastName: 'Núñez' });
  const ben = await aPerson(app, { schools: [lincoln], firstName: 'Ben', lastName: 'Nguyễn' });
  const cy = await aPerson(app, { schools: [lincoln, cedar], firstName: 'Cy', lastName: 'Other' });
  await aPerson(app, { schools: [lincoln], firstName: '明', lastName: '王' });
  await anEntry(app, { by: ana, activity: last, date: '2025-03-08' });
  await anEntry(app, { by: ben, activity: last, date: '2024-01-08' });
  await anEntry(app, { by: cy, activity: other, date: '2026-02-08' });
  await anEntry(app, { by: cy, activity: elsewhere, date: '2025-03-08' });
});

function ask(body: object, token = ada.token, id = fair.id) {
  return app.call(`POST /api/admin/activities/${id}/sign-in-sheet`, { token, body });
}

async function sheet(body: object) {
  const asked = await ask(body);
  expect(asked.status).toBe(201);
  const reply = await app.app.inject({ method: 'GET', url: asked.body.url });
  expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'application/pdf']);
  const pdf = readPdf(reply.rawPayload);
  const said = pdf.text.replaceAll(/\s+/g, ' ');
  return { asked: asked.body, reply, pdf, said };
}

async function codeOf(id: number): Promise<{ code: string; address: string }> {
  return (await app.call(`POST /api/admin/activities/${id}/log-code`, { token: ada.token, body: {} })).body;
}

/** The squares of the QR code on a page, read back as rows of dark and light. */
function matrixIn(content: string): number[][] {
  const squares = [...content.matchAll(/^([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re$/gm)].map((found) =>
    found.slice(1, 5).map(Number),
  );
  const side = squares[0]?.[2] ?? 1;
  const left = Math.min(...squares.map(([x = 0]) => x));
  const top = Math.min(...squares.map(([, y = 0]) => y));
  const rows: number[][] = [];
  for (const [x = 0, y = 0] of squares) {
    const row = Math.round((y - top) / side);
    rows[row] = rows[row] ?? [];
    (rows[row] ?? [])[Math.round((x - left) / side)] = 1;
  }
  return rows;
}

describe('a sign-in sheet', () => {
  test('shows place, day and activity, the columns and the blank lines', async () => {
    const { asked, reply, pdf, said } = await sheet(BLANK);
    expect(asked).toMatchObject({ people: 0, unprintable: [] });
    expect(reply.headers['content-disposition']).toContain('book-fair-2026_2026-03-04.pdf');
    for (const words of [
      'Sign-in sheet',
      'Book fair 2026',
      'Lincoln Elementary',
      'Wednesday, March 4, 2026',
      'Meet in the library, door B.',
      'Name Time in Time out Hours Signature',
      'Scan to log your hours',
      'Page 1 of 1',
      'Example District',
    ]) {
      expect(said).toContain(words);
    }
    // A blank line has no head.
    expect(pdf.tags).toMatchObject({ H1: 1, Table: 1, TR: 13, Figure: 1, TH: 5, TD: 60 });
    expect(pdf.frame).toContain('/Lang (en');
  });

  test('has a QR code of the link to Log Time, and the link as text', async () => {
    const { code, address } = await codeOf(fair.id);
    const { pdf, said } = await sheet(BLANK);
    // It breaks before its code, since a code is typed more easily in one piece.
    expect(said.replaceAll(' ', '')).toContain(address.replace('http://', ''));
    expect(address.endsWith(`/?log=${code}`)).toBe(true);
    const { modules } = create(address, { errorCorrectionLevel: 'M' });
    const wanted = Array.from({ length: modules.size }, (_, row) =>
      Array.from({ length: modules.size }, (__, column) => modules.get(row, column)),
    );
    const read = matrixIn(pdf.contents[0] ?? '');
    const filled = wanted.map((row, y) => row.map((_, x) => read[y]?.[x] ?? 0));
    expect(filled).toEqual(wanted);
  });

  test('lists recent volunteers of the same event in an earlier year, or all members', async () => {
    const helpers = await sheet({ ...BLANK, people: 'helpers' });
    expect(helpers.asked).toMatchObject({ people: 1, unprintable: [] });
    expect(helpers.said).toContain('Ana Núñez');
    for (const absent of ['Nguyễn', 'Cy Other', '@']) expect(helpers.said).not.toContain(absent);
    const members = await sheet({ ...BLANK, people: 'members', blankLines: 0 });
    expect(members.asked).toMatchObject({ people: 3, unprintable: ['明 王'] });
    for (const name of ['Ana Núñez', 'Ben Nguyễn', 'Cy Other']) expect(members.said).toContain(name);
    expect(members.said).not.toContain('@');
  });

  test('continues on more pages with heading and number, on both paper sizes', async () => {
    for (const [paper, size] of [
      ['letter', '0 0 612 792'],
      ['a4', '0 0 595.28 841.89'],
    ] as const) {
      const { pdf, said } = await sheet({ ...BLANK, blankLines: 60, paper });
      expect(pdf.contents).toHaveLength(3);
      expect(said.match(/Name Time in Time out Hours Signature/g)).toHaveLength(3);
      expect(said).toContain('Page 3 of 3');
      expect(said.match(/Book fair 2026 · Lincoln Elementary/g)).toHaveLength(2);
      expect(pdf.frame).toContain(`/MediaBox [${size}]`);
    }
  });

  test('is audited on download with the number of names, and its link works once', async () => {
    const { asked } = await sheet({ ...BLANK, people: 'helpers' });
    const again = await app.app.inject({ method: 'GET', url: asked.url });
    expect([again.statusCode, again.json().error]).toEqual([
      404,
      'This link was already used or has expired. Create the sheet again.',
    ]);
    const recorded = await app.deps.database.db
      .selectFrom('audit_events')
      .select(['actor_id', 'school_id', 'after'])
      .where('action', '=', 'activity.sign-in-sheet')
      .where('subject_id', '=', fair.id)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    expect(recorded).toMatchObject({ actor_id: ada.id, school_id: lincoln.id });
    expect(JSON.parse(recorded.after ?? '')).toEqual({ people: 1 });
  });

  test('has a link that expires after five minutes or when its owner loses the permission', async () => {
    const coordinator = await aPersonWithRole(app, 'coordinator', lincoln);
    const { url } = (await ask(BLANK, coordinator.token)).body;
    for (const odd of [`${url}x`, url.slice(0, -6), '/api/sign-in-sheets/x', '/api/sign-in-sheets/%00']) {
      expect((await app.app.inject({ method: 'GET', url: odd })).statusCode, odd).toBe(404);
    }
    await app.deps.database.db.deleteFrom('user_grants').where('user_id', '=', coordinator.id).execute();
    expect((await app.app.inject({ method: 'GET', url })).statusCode).toBe(404);
    const looked = (await ask(BLANK)).body;
    await app.app.inject({ method: 'HEAD', url: looked.url });
    expect((await app.app.inject({ method: 'GET', url: looked.url })).statusCode).toBe(200);
    const late = (await ask(BLANK)).body;
    app.clock.advance(5 * 60_000 + 1);
    expect((await app.app.inject({ method: 'GET', url: late.url })).statusCode).toBe(404);
  });

  test('cannot be created without lines, for an invalid day, or with an unprintable activity name', async () => {
    const refused = async (body: object, id = fair.id) => {
      const { status, body: said } = await ask(body, ada.token, id);
      return [status, said.error];
    };
    expect(await refused({ ...BLANK, blankLines: 0 })).toEqual([
      400,
      'Choose people or at least one blank line. Otherwise the sheet would be empty',
    ]);
    expect(await refused({ ...BLANK, blankLines: 201 })).toEqual([
      400,
      'Enter a number of blank lines from 0 to 200',
    ]);
    expect((await refused({ ...BLANK, date: '2026-02-30' }))[0]).toBe(400);
    expect((await refused({ ...BLANK, date: null }))[1]).toBe('Choose the day of the activity');
    const strange = await anActivity(app, { school: lincoln, name: '図書 fair' });
    expect(await refused(BLANK, strange.id)).toEqual([
      409,
      "'図書 fair' contains characters that can't be printed",
    ]);
    expect((await refused({ ...BLANK, date: '0001-01-01', people: 'helpers' }))[0]).toBe(400);
  });

  test('requires the permission to log for others at the school', async () => {
    const adams = await aSchool(app);
    const elsewhere = await aPersonWithRole(app, 'coordinator', adams);
    const auditor = await aPersonWithRole(app, 'auditor', lincoln);
    const volunteer = await aPerson(app, { schools: [lincoln] });
    expect((await ask(BLANK, elsewhere.token)).status).toBe(404);
    expect((await ask(BLANK, auditor.token)).status).toBe(403);
    expect((await ask(BLANK, volunteer.token)).status).toBe(403);
  });
});
