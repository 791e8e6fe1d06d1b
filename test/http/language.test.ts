import { beforeAll, describe, expect, test } from 'vitest';
import { anActivity, anAdministrator, anEntry, aPerson, aSchool, PASSWORD } from '#test/builders.ts';
import { atEnd, startApp, type TestApp } from '#test/harness.ts';
import { readPdf } from '#test/pdf.ts';
import { sheetsOf } from '#test/workbook.ts';
import { recordOf } from '../audit-log.ts';

let app: TestApp;
let ada: Awaited<ReturnType<typeof anAdministrator>>;
beforeAll(async () => {
  app = await startApp();
  ada = await anAdministrator(app);
});

const SPANISH = { 'accept-language': 'es-MX,es;q=0.9,en;q=0.8' };
const ENGLISH = { 'accept-language': 'en-US,en;q=0.9' };

const NOT_FOUND = { en: 'School not found', es: 'No se encontró la escuela' };
const SAVED = { en: 'Profile updated successfully', es: 'Se guardó el perfil' };

/** The error message of a request for something that does not exist. */
async function told(token: string, headers: Record<string, string> = {}): Promise<string> {
  return (await app.call('GET /api/activities?schoolId=999999999', { token, headers })).body.error;
}

const choose = (token: string, language: unknown, headers: Record<string, string> = {}) =>
  app.call('PUT /api/profile', { token, body: { language }, headers });

/** The languages that the district offers, as an administrator sets them. */
async function offer(languages: readonly string[], by = ada, at = app) {
  const reply = await at.call('PUT /api/admin/settings', { token: by.token, body: { languages } });
  expect([reply.status, reply.body.settings?.languages]).toEqual([200, languages]);
}

describe('the language of a reply to a user who chose none', () => {
  test.each([
    ['no header', undefined, 'en'],
    ['Spanish', 'es', 'es'],
    ['Spanish more than English', 'en;q=0.4, es;q=0.5', 'es'],
    ['English more than Spanish', 'es;q=0.4, en;q=0.5', 'en'],
    ['an unsupported language, then Spanish', 'de, es-AR;q=0.9, en;q=0.8', 'es'],
    ['only an unsupported language', 'de', 'en'],
    ['anything but Spanish', 'es;q=0, *', 'en'],
  ] as const)('is what the browser requests: %s', async (_what, header, language) => {
    const headers = header === undefined ? {} : { 'accept-language': header };
    expect(await told(ada.token, headers)).toBe(NOT_FOUND[language]);
  });

  test('is that of the device’s cookie, not the browser’s', async () => {
    expect(await told(ada.token, { ...ENGLISH, cookie: 'theme=dark; language=es' })).toBe(NOT_FOUND.es);
    expect(await told(ada.token, { ...SPANISH, cookie: 'language=en' })).toBe(NOT_FOUND.en);
    for (const cookie of ['language=xx', 'language=', 'mylanguage=en', 'language="><script>']) {
      expect(await told(ada.token, { ...SPANISH, cookie })).toBe(NOT_FOUND.es);
    }
  });

  test('is Spanish when signed out, for an invalid body and for an unknown path', async () => {
    const ask = (call: string, given: object = {}) => app.call(call, { headers: SPANISH, ...given });
    const answers = [
      await ask('GET /api/profile'),
      await ask('POST /api/auth/login', { body: {} }),
      await ask('POST /api/auth/login', { body: { email: 'nobody@maplegrove.example', password: 'wrong' } }),
      await ask('GET /api/nowhere'),
      await ask('POST /api/auth/login', {
        body: '{"email":',
        headers: { ...SPANISH, 'content-type': 'application/json' },
      }),
    ];
    expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
      [401, 'Primero debe iniciar sesión'],
      [400, 'Escriba su correo electrónico y su contraseña'],
      [401, 'El correo electrónico o la contraseña no son correctos'],
      [404, 'No se encontró'],
      [400, 'El contenido de la solicitud no es válido'],
    ]);
  });

  test('applies to the message and to field errors', async () => {
    const school = await aSchool(app);
    const activity = await anActivity(app, { school });
    const { email, token } = await aPerson(app, { schools: [school] });
    const login = await app.call('POST /api/auth/login', {
      body: { email, password: PASSWORD },
      headers: SPANISH,
    });
    expect([login.status, login.body.message]).toEqual([200, 'Sesión iniciada']);
    const wrong = await app.call('POST /api/time-entries', {
      token,
      body: { activityId: activity.id, hours: 25, entryDate: '2026-03-01' },
      headers: SPANISH,
    });
    const bounds = 'Las horas deben estar entre 0.25 y 24';
    expect([wrong.status, wrong.body.error, wrong.body.fields]).toEqual([400, bounds, { hours: bounds }]);
  });
});

describe('the language of an account', () => {
  test('takes precedence over cookie and browser from the next request on, until it is reset', async () => {
    const { token } = await aPerson(app);
    const before = await app.call('GET /api/profile', { token });
    expect(before.body.user.language).toBeNull();
    const device = { ...ENGLISH, cookie: 'language=en' };
    const chosen = await choose(token, 'es', device);
    expect([chosen.status, chosen.body.user.language, chosen.body.message]).toEqual([200, 'es', SAVED.en]);
    expect(await told(token, device)).toBe(NOT_FOUND.es);
    expect((await app.call('GET /api/profile', { token })).body.user.language).toBe('es');
    const given = await choose(token, null, device);
    expect([given.status, given.body.user.language, given.body.message]).toEqual([200, null, SAVED.es]);
    expect(await told(token, device)).toBe(NOT_FOUND.en);
    expect(await told(token, SPANISH)).toBe(NOT_FOUND.es);
  });

  test('does not change when another part of the profile is saved', async () => {
    const { token } = await aPerson(app);
    await choose(token, 'es');
    const { body } = await app.call('PUT /api/profile', { token, body: { firstName: 'Ann' } });
    expect([body.user.firstName, body.user.language]).toEqual(['Ann', 'es']);
  });

  test('applies only to that account, on every device', async () => {
    const [ann, ben] = [await aPerson(app), await aPerson(app)];
    await choose(ann.token, 'es');
    const login = { email: ann.email, password: PASSWORD };
    const { token } = (await app.call('POST /api/auth/login', { body: login })).body;
    expect(await told(token, ENGLISH)).toBe(NOT_FOUND.es);
    expect(await told(ben.token)).toBe(NOT_FOUND.en);
  });

  test('must be one of the supported languages, or the browser’s', async () => {
    const { token } = await aPerson(app);
    for (const language of ['de', 'ES', 'constructor', 1, ['es'], {}]) {
      const reply = await choose(token, language, SPANISH);
      const message = 'Elija un idioma de la lista';
      expect([reply.status, reply.body.error, reply.body.fields]).toEqual([
        400,
        message,
        { language: message },
      ]);
    }
    expect((await app.call('GET /api/profile', { token })).body.user.language).toBeNull();
  });

  test('has an audit event for each change', async () => {
    const { id, token } = await aPerson(app);
    await choose(token, 'es');
    await choose(token, 'es');
    expect(await recordOf(app, 'user', id)).toMatchObject([
      { action: 'account.edit', actorId: id, before: { language: null }, after: { language: 'es' } },
    ]);
  });

  test('is in the data export', async () => {
    const { token } = await aPerson(app);
    await choose(token, 'es');
    const { text } = await app.call('GET /api/profile/data', { token });
    expect(JSON.parse(text).profile.language).toBe('es');
  });

  test('is deleted with the account', async () => {
    const ann = await aPerson(app);
    await choose(ann.token, 'es');
    const erased = await app.call(`POST /api/admin/users/${ann.id}/erase`, { token: ada.token });
    expect(erased.status).toBe(200);
    expect(await languageOf(ann)).toBeNull();
  });

  test('is not merged into another account, and an unmerge restores it', async () => {
    const [from, into] = [await aPerson(app), await aPerson(app)];
    await choose(from.token, 'es');
    const merged = await app.call(`POST /api/admin/users/${from.id}/merge`, {
      token: ada.token,
      body: { into: into.id },
    });
    expect(merged.status).toBe(200);
    expect([await languageOf(from), await languageOf(into)]).toEqual([null, null]);
    const undone = await app.call(`POST /api/admin/merges/${merged.body.merge.id}/undo`, {
      token: ada.token,
    });
    expect(undone.status).toBe(200);
    expect([await languageOf(from), await languageOf(into)]).toEqual(['es', null]);
  });
});

async function languageOf({ id }: { id: number }) {
  const row = await app.deps.database.db
    .selectFrom('users')
    .select('language')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return row.language;
}

describe('the languages of a district', () => {
  test('are public, and a removed language is no longer used', async () => {
    const { token } = await aPerson(app);
    await choose(token, 'es');
    const named = async () => (await app.call('GET /api/config')).body.languages;
    expect(await named()).toEqual(['en', 'es']);
    await offer(['en']);
    try {
      expect(await named()).toEqual(['en']);
      expect(await told(token, { ...SPANISH, cookie: 'language=es' })).toBe(NOT_FOUND.en);
    } finally {
      await offer(['en', 'es']);
    }
    expect(await told(token)).toBe(NOT_FOUND.es);
  });

  test('may be only Spanish, which everyone then gets', async () => {
    const own = await startApp();
    const by = await anAdministrator(own);
    await offer(['es'], by, own);
    const { body } = await own.call('GET /api/activities?schoolId=999999999', {
      token: by.token,
      headers: ENGLISH,
    });
    expect(body.error).toBe(NOT_FOUND.es);
  });

  test('must include at least one, each supported and listed once', async () => {
    for (const languages of [[], ['de'], 'es', null, ['en', 'es', 'en']]) {
      const reply = await app.call('PUT /api/admin/settings', { token: ada.token, body: { languages } });
      expect([languages, reply.status]).toEqual([languages, 400]);
    }
  });
});

describe('a file for a Spanish-speaking user', () => {
  const HEADS = 'Fecha,Nombre,Apellido,Escuela,Actividad,Categoría,Horas,Notas,Fecha de creación';
  let vera: Awaited<ReturnType<typeof aPerson>>;
  beforeAll(async () => {
    const school = await aSchool(app, { name: 'Lincoln Elementary' });
    const activity = await anActivity(app, { school, name: 'Book fair' });
    vera = await aPerson(app, { schools: [school], firstName: 'Vera', lastName: 'Ruiz' });
    await anEntry(app, { by: vera, activity, hours: 1.5, date: '2026-03-01', notes: 'Sold books' });
  });

  const file = async (call: string, { token, body }: { token?: string; body?: object }, headers: object) => {
    const [method = 'GET', url = '/'] = call.split(' ');
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const reply = await app.app.inject({
      method: method as 'GET',
      url,
      headers: { ...authorization, ...headers },
      ...(body === undefined ? {} : { payload: body }),
    });
    expect(reply.statusCode).toBe(200);
    return reply.rawPayload;
  };

  test("has Spanish headings: a user's own hours as CSV", async () => {
    const bytes = await file('GET /api/profile/data?format=csv', vera, SPANISH);
    expect(bytes.toString()).toMatch(
      /^\uFEFFFecha,Escuela,Categoría,Actividad,Horas,Notas,Anotado el,Eliminado el\r\n2026-03-01,Lincoln/,
    );
  });

  /** The file of an export, as a browser saves it. */
  async function exported(format: 'csv' | 'xlsx', by: { token: string }, headers: Record<string, string>) {
    const asked = await app.call('POST /api/admin/time-entries/export', {
      token: by.token,
      body: { format },
      headers,
    });
    expect(asked.status).toBe(201);
    return file(`GET ${asked.body.url}`, {}, headers);
  }

  test('has Spanish headings: all hours as CSV and for Excel', async () => {
    const csv = (await exported('csv', ada, SPANISH)).toString();
    expect(csv.slice(1).split('\r\n')[0]).toBe(`${HEADS},Correo electrónico,Cuenta`);
    const sheets = sheetsOf(await exported('xlsx', ada, SPANISH));
    expect([...sheets.keys()]).toEqual(['Registros de horas', 'Totales por persona']);
    expect(Object.values(sheets.get('Registros de horas')?.[0] ?? {}).slice(0, 9)).toEqual(HEADS.split(','));
    expect(sheets.get('Totales por persona')?.[0]).toMatchObject({ A: 'Nombre', D: 'Registros', E: 'Horas' });
  });

  test('is in the language of the requesting account, also when a link downloads it', async () => {
    const admin = await anAdministrator(app);
    await choose(admin.token, 'es');
    const csv = (await exported('csv', admin, ENGLISH)).toString();
    expect(csv.slice(1).split('\r\n')[0]).toBe(`${HEADS},Correo electrónico,Cuenta`);
  });

  test('is in Spanish to its last line, however long it is', async () => {
    const own = await startApp();
    const by = await anAdministrator(own);
    const { db } = own.deps.database;
    const { id: _, ...like } = await db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', (await aPerson(own)).id)
      .executeTakeFirstOrThrow();
    const people = Array.from({ length: 449 }, (_none, at) => {
      const email = `volunteer${at}@maplegrove.example`;
      return { ...like, email, email_key: email };
    });
    for (const one of people) await db.insertInto('users').values(one).execute();
    const origin = await own.app.listen({ host: '127.0.0.1', port: 0 });
    atEnd(() => own.app.server.closeAllConnections());
    const reply = await fetch(`${origin}/api/admin/users/export`, {
      method: 'POST',
      headers: { ...SPANISH, authorization: `Bearer ${by.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ format: 'csv' }),
    });
    const lines = (await reply.text()).trimEnd().split('\r\n');
    expect(lines[0]).toContain('Nombre,Apellido,Correo electrónico,Escuelas,Función,Estado,Última sesión');
    expect(lines).toHaveLength(452);
    expect(lines.slice(1).filter((line) => !/,(Usuario|Administrador),Activo,/.test(line))).toEqual([]);
    expect(lines.filter((line) => /,(Active|User|Inactive),/.test(line))).toEqual([]);
  });

  test('is tagged as Spanish if it is a statement of hours', async () => {
    const body = { startDate: '2025-07-01', endDate: '2026-06-30' };
    const pdf = readPdf(await file('POST /api/reports/statement', { token: vera.token, body }, SPANISH));
    const said = pdf.text.replaceAll(/\s+/g, ' ');
    for (const words of [
      'Constancia de horas de voluntariado',
      'Horas de voluntariado de Vera Ruiz: 1.5 (1 registro).',
      'Lincoln Elementary',
      'Book fair',
      'Página 1 de 1',
    ]) {
      expect(said, words).toContain(words);
    }
    expect(said).not.toMatch(/\b(of|the|hours|gave|to|Page|Mar)\b/);
    expect(pdf.frame).toMatch(/\/Lang \(es/);
  });
});
