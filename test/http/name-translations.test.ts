import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aCategory, anActivity, anAdministrator, aPersonWithRole, aSchool } from '../builders.ts';
import { startApp, type TestApp } from '../harness.ts';

const KINDS = ['schools', 'categories', 'activities'] as const;
type Kind = (typeof KINDS)[number];
type Row = { outcome: string; note: string | null; before: string | null; records: number };

let app: TestApp;
let ada: { token: string };
let lincoln: { id: number; name: string };
let oak: { id: number; name: string };

beforeAll(async () => {
  app = await startApp();
  ada = await anAdministrator(app);
});
beforeEach(async () => {
  lincoln = await aSchool(app);
  oak = await aSchool(app);
});

type Pairs = readonly (readonly [name: string, translation: string])[];

function send(kind: Kind, names: Pairs, rest: object = {}, token = ada.token) {
  const body = {
    language: 'es',
    names: names.map(([name, translation]) => ({ name, translation })),
    ...(kind === 'schools' ? {} : { schoolId: lincoln.id }),
    ...rest,
  };
  return app.call(`POST /api/admin/${kind}/translations`, { token, body });
}

async function preview(kind: Kind, names: Pairs, rest: object = {}): Promise<Row[]> {
  const reply = await send(kind, names, { preview: true, ...rest });
  expect(reply.status, reply.text).toBe(200);
  return reply.body.rows;
}

const outcomes = (rows: readonly Row[]) => rows.map(({ outcome, note }) => note ?? outcome);

async function list(kind: Kind, query = '') {
  const { body } = await app.call(`GET /api/admin/${kind}?limit=500${query}`, { token: ada.token });
  return body as { total: number } & Record<Kind, { id: number; name: string; translations: unknown }[]>;
}

/** Two records of a kind without a name in Spanish, both at Lincoln if they are at a school. */
async function two(kind: Kind): Promise<readonly { id: number; name: string }[]> {
  if (kind === 'schools') return [lincoln, oak];
  if (kind === 'categories') {
    return [
      await aCategory(app, { school: lincoln, name: 'Library' }),
      await aCategory(app, { school: lincoln, name: 'Garden' }),
    ];
  }
  return [
    await anActivity(app, { school: lincoln, name: 'Library' }),
    await anActivity(app, { school: lincoln, name: 'Garden' }),
  ];
}

const THING = { schools: 'school', categories: 'category', activities: 'activity' } as const;

describe.each(KINDS)('a list of names for %s', (kind) => {
  test('adds Spanish names to existing records, and reports each result', async () => {
    const [one, other] = await two(kind);
    const [first, second] = [`Uno ${one?.id}`, `Dos ${one?.id}`];
    const names: Pairs = [
      [` ${one?.name.toUpperCase()} `, first],
      ['No such name', 'Nada'],
      [other?.name ?? '', second],
    ];
    expect(outcomes(await preview(kind, names))).toEqual(['new', 'unknown', 'new']);
    const found = async () => (await list(kind))[kind].filter(({ id }) => id === one?.id || id === other?.id);
    expect((await found()).map(({ translations }) => translations)).toEqual([null, null]);
    const done = await send(kind, names);
    expect([done.status, done.body.changed, done.body.message]).toEqual([201, 2, '2 names saved']);
    expect(outcomes(done.body.rows)).toEqual(['new', 'unknown', 'new']);
    const all = await found();
    expect(all.find(({ id }) => id === one?.id)?.translations).toMatchObject({ es: { name: first } });
    const query = `thing=${THING[kind]}&thingId=${one?.id}`;
    const { records } = (await app.call(`GET /api/admin/audit?${query}`, { token: ada.token })).body;
    expect(records[0].changes).toEqual([{ field: 'translations.es.name', before: null, after: first }]);
    // The same list again changes nothing, and is not written.
    expect(outcomes(await preview(kind, names))).toEqual(['same', 'unknown', 'same']);
    expect((await send(kind, names)).status).toBe(409);
    const rows = await preview(kind, [[one?.name ?? '', `Tres ${one?.id}`]]);
    expect([rows[0]?.outcome, rows[0]?.before]).toEqual(['changed', first]);
  });

  test('removes saved names from the list of missing translations, which can be exported', async () => {
    const [one] = await two(kind);
    const at = kind === 'schools' ? '' : `&schoolId=${lincoln.id}`;
    const before = await list(kind, `${at}&without=es`);
    expect(before[kind].map(({ id }) => id)).toContain(one?.id);
    expect((await send(kind, [[one?.name ?? '', `Falta ${one?.id}`]])).status).toBe(201);
    const after = await list(kind, `${at}&without=es`);
    expect(after[kind].map(({ id }) => id)).not.toContain(one?.id);
    expect(after.total).toBe(before.total - 1);
    const saved = await app.call(`POST /api/admin/${kind}/export`, {
      token: ada.token,
      body: { format: 'csv', without: 'es', ...(kind === 'schools' ? {} : { schoolId: lincoln.id }) },
    });
    expect(saved.text.trim().split('\r\n')).toHaveLength(after.total + 1);
    const wrong = await app.call(`GET /api/admin/${kind}?without=fr`, { token: ada.token });
    expect(wrong.status).toBe(400);
  });

  test('reports each invalid row, and saves the others', async () => {
    const [one, other] = await two(kind);
    const [name, otherName] = [one?.name ?? '', other?.name ?? ''];
    const names: Pairs = [
      ['', 'Nada'],
      [name, ' '],
      [name, 'x'.repeat(121)],
      [name, `Bueno ${one?.id}`],
      [name, `Malo ${one?.id}`],
      [name, `Bueno ${one?.id}`],
      [otherName, `bueno ${one?.id}`],
    ];
    const rows = outcomes(await preview(kind, names));
    expect(rows.slice(0, 6)).toEqual([
      'The first column is empty',
      'The second column is empty',
      expect.stringMatching(/^Use up to (80|100|120) characters$/),
      'new',
      'Line 4 gives this name another translation',
      'Same as line 4',
    ]);
    // Activities may be called alike.
    expect(rows[6]).toBe(kind === 'activities' ? 'new' : 'Line 4 gives this to a different name');
    const done = await send(kind, names);
    expect([done.status, done.body.changed]).toEqual([201, kind === 'activities' ? 2 : 1]);
    if (kind !== 'activities') {
      const taken = await preview(kind, [[otherName, `BUENO ${one?.id}`]]);
      expect(outcomes(taken)).toEqual(['Another record already has this name']);
    }
  });

  test('changes only records that its sender may edit', async () => {
    const holder = await aPersonWithRole(app, 'school-admin', oak);
    const [one] = await two(kind);
    const names: Pairs = [[one?.name ?? '', `Ajeno ${one?.id}`]];
    const reply = await send(kind, names, {}, holder.token);
    // A school that is not theirs is a name that nothing has.
    expect(reply.status).toBe(kind === 'schools' ? 409 : 404);
    const auditor = await aPersonWithRole(app, 'auditor', lincoln);
    expect((await send(kind, names, {}, auditor.token)).status).toBe(403);
  });

  test('is rejected if it is malformed or too long', async () => {
    const bad = [{ names: [] }, { names: 'x' }, { language: 'fr' }, { names: [{ name: 'A' }] }];
    for (const body of bad) expect([body, (await send(kind, [], body)).status]).toEqual([body, 400]);
    const long = Array.from({ length: 501 }, (_, at) => [`Name ${at}`, 'x'] as const);
    expect((await send(kind, long)).body.error).toBe('Paste up to 500 names at a time');
  });
});

test('a list of names without a school changes matching names at all schools', async () => {
  const [here, there] = [
    await anActivity(app, { school: lincoln, name: 'Science evening' }),
    await anActivity(app, { school: oak, name: 'Science Evening' }),
  ];
  const names: Pairs = [['science evening', 'Noche de ciencias']];
  expect((await preview('activities', names))[0]?.records).toBe(1);
  expect((await preview('activities', names, { schoolId: null }))[0]?.records).toBe(2);
  expect((await send('activities', names, { schoolId: null })).body.changed).toBe(2);
  const found = (await list('activities', '&search=noche%20de%20ciencias')).activities;
  expect(found.map(({ id }) => id)).toEqual([here.id, there.id]);
});

test('a list of names does not change other translations', async () => {
  const { id } = await aCategory(app, { school: lincoln, name: 'Arts' });
  const change = { translations: { es: { description: 'Pintar y cantar' } } };
  await app.call(`PUT /api/admin/categories/${id}`, { token: ada.token, body: change });
  expect((await list('categories', `&schoolId=${lincoln.id}&without=es`)).total).toBe(1);
  await send('categories', [['Arts', 'Artes']]);
  const [found] = (await list('categories', `&schoolId=${lincoln.id}`)).categories;
  expect(found?.translations).toEqual({ es: { name: 'Artes', description: 'Pintar y cantar' } });
});
