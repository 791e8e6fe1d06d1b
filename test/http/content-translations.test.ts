import { beforeAll, describe, expect, test } from 'vitest';
import { weeklySummaryJob } from '#features/notifications/reminders/server/weekly-summary.ts';
import { weeklyReminderJob } from '#features/verification/weekly-reminder/server/emails.ts';
import { runDueJobs } from '#server/jobs/daily-jobs.ts';
import { LANGUAGES, type Language } from '#shared/i18n/languages.ts';
import {
  aGrant,
  anActivity,
  anAdministrator,
  anEntry,
  anOutsideLetter,
  aPerson,
  aPhoto,
  aSuggestion,
} from '#test/builders.ts';
import { NOW, startApp, type TestApp, TODAY } from '#test/harness.ts';
import { readPdf } from '#test/pdf.ts';
import { recordOf } from '../audit-log.ts';
import { emailsSentTo } from '../sent-emails.ts';

const ASKING = { en: { 'accept-language': 'en-US' }, es: { 'accept-language': 'es-MX, en;q=0.5' } } as const;
const NAMES = {
  school: { en: 'Lincoln School', es: 'Escuela Lincoln' },
  category: { en: 'Library', es: 'Biblioteca' },
  activity: { en: 'Book fair', es: 'Feria del libro' },
} as const;
/** Nine in the morning of the Monday after, in Chicago. */
const MONDAY = '2026-03-09T14:00:00.000Z';

let app: TestApp;
let ada: Awaited<ReturnType<typeof anAdministrator>>;
let school: { id: number; name: string };
let category: { id: number };
let activity: { id: number; schoolId: number };
let plain: { id: number; schoolId: number };

const asAda = (call: string, body?: object, headers?: Record<string, string>) =>
  app.call(call, {
    token: ada.token,
    ...(body === undefined ? {} : { body }),
    ...(headers ? { headers } : {}),
  });

/** What an administrator's call answered, which has to have worked. */
async function made(call: string, body: object) {
  const reply = await asAda(call, body);
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply.body;
}

beforeAll(async () => {
  app = await startApp({ PUBLIC_URL: 'https://hours.maplegrove.example', SMTP_URL: 'smtp://127.0.0.1:9' });
  ada = await anAdministrator(app);
  const named = (of: keyof typeof NAMES, more: object = {}) => ({
    name: NAMES[of].en,
    translations: { es: { name: NAMES[of].es, ...more } },
  });
  school = (await made('POST /api/admin/schools', { ...named('school'), verification: 'on' })).school;
  ({ category } = await made('POST /api/admin/categories', { ...named('category'), schoolId: school.id }));
  ({ activity } = await made('POST /api/admin/activities', {
    ...named('activity', { description: 'Todos los libros', descriptionPrompt: '¿Qué vendió?' }),
    schoolId: school.id,
    categoryId: category.id,
    description: 'All books',
    requiresDescription: true,
    descriptionPrompt: 'What did you sell?',
  }));
  plain = await anActivity(app, { school, category, name: 'Anthill watch' });
  await app.deps.database.db
    .updateTable('activities')
    .set({ description: 'Bring boots' })
    .where('id', '=', plain.id)
    .execute();
});

const offer = (languages: readonly Language[]) => made('PUT /api/admin/settings', { languages });

async function choose({ id }: { id: number }, language: Language | null): Promise<void> {
  await app.deps.database.db.updateTable('users').set({ language }).where('id', '=', id).execute();
}

/** A member of the school who chose a language, or none. */
async function aReader(language: Language | null, given: Parameters<typeof aPerson>[1] = {}) {
  const person = await aPerson(app, { isProven: true, schools: [school], ...given });
  await choose(person, language);
  return person;
}

const entryOf = (given: object = {}) => ({
  schoolId: school.id,
  activityId: activity.id,
  date: TODAY,
  entryDate: TODAY,
  hours: 1,
  notes: 'Cookbooks',
  ...given,
});

type Reader = Awaited<ReturnType<typeof aReader>>;

/** Which names an answer holds. */
function namesIn(text: string): Language | 'both' | 'none' {
  const has = (language: Language) => Object.values(NAMES).some((name) => text.includes(name[language]));
  if (has('en') && has('es')) return 'both';
  return has('en') ? 'en' : has('es') ? 'es' : 'none';
}

/** Everything that a volunteer reads, by what it is. */
async function read(reader: Reader, headers: Record<string, string> = {}): Promise<Record<string, string>> {
  const call = async (methodAndPath: string, body?: object) => {
    const reply = await app.call(methodAndPath, {
      token: reader.token,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    expect(reply.status, `${methodAndPath} ${reply.text}`).toBeLessThan(300);
    return reply;
  };
  const { code } = await made(`POST /api/admin/activities/${activity.id}/log-code`, {});
  const logged = await call('POST /api/time-entries', entryOf());
  const photo = await aPhoto(app, { by: reader, activity });
  await aSuggestion(app, { by: reader, school });
  const activities = await call(`GET /api/activities?schoolId=${school.id}`);
  for (const one of activities.body.activities) delete one.originalName;
  const answers = {
    activities: activities.text === '' ? '' : JSON.stringify(activities.body),
    'a new entry': logged.text,
    'a changed entry': (
      await call(`PUT /api/time-entries/${logged.body.timeEntry.id}`, { ...entryOf(), hours: 2 })
    ).text,
    entries: (await call('GET /api/time-entries')).text,
    'the most active': (await call('GET /api/time-entries/most-active')).text,
    profile: (await call('GET /api/profile')).text,
    photos: (await call(`GET /api/activities/${activity.id}/photos`)).text,
    'the photos of a school': (await call(`GET /api/schools/${school.id}/photos`)).text,
    suggestions: (await call('GET /api/my-activity-suggestions')).text,
    'a code': (await call('POST /api/log-codes/open', { code })).text,
    statement: (await call('GET /api/reports/statement')).text,
    'own data': (await call('GET /api/profile/data?format=json')).text,
    'own entries as CSV': (await call('GET /api/profile/data?format=csv')).text,
  };
  await app.deps.database.db.deleteFrom('photos').where('id', '=', photo.id).execute();
  return answers;
}

const eachIn = (answers: Record<string, string>) =>
  Object.fromEntries(Object.entries(answers).map(([what, text]) => [what, namesIn(text)]));
const throughout = (answers: Record<string, string>, language: Language) =>
  Object.fromEntries(Object.keys(answers).map((what) => [what, language]));

describe('translated names for a volunteer', () => {
  test('are in the account’s language, or the browser’s if none is set, for each reader separately', async () => {
    const readers = [
      { reader: await aReader('es'), headers: ASKING.en, language: 'es' },
      { reader: await aReader('en'), headers: ASKING.es, language: 'en' },
      { reader: await aReader(null), headers: ASKING.es, language: 'es' },
      { reader: await aReader(null), headers: ASKING.en, language: 'en' },
      { reader: await aReader('es'), headers: {}, language: 'es' },
    ] as const;
    for (const { reader, headers, language } of readers) {
      const answers = await read(reader, headers);
      expect(eachIn(answers)).toEqual(throughout(answers, language));
    }
  });

  test('are in a language that the district offers', async () => {
    const reader = await aReader('es');
    try {
      await offer(['en']);
      const answers = await read(reader, ASKING.es);
      expect(eachIn(answers)).toEqual(throughout(answers, 'en'));
    } finally {
      await offer(LANGUAGES);
    }
  });

  test('include the names of schools before sign-in', async () => {
    const namesFor = async (headers: Record<string, string>) => {
      const { body } = await app.call('GET /api/schools/public', { headers });
      return body.schools.find(({ id }: { id: number }) => id === school.id).name;
    };
    expect([await namesFor(ASKING.es), await namesFor(ASKING.en), await namesFor({})]).toEqual([
      NAMES.school.es,
      NAMES.school.en,
      NAMES.school.en,
    ]);
  });

  test('fall back to the first language, which is marked on untranslated descriptions', async () => {
    const list = async (language: Language) =>
      (
        await app.call(`GET /api/activities?schoolId=${school.id}`, {
          token: (await aReader(language)).token,
        })
      ).body.activities.map((one: Record<string, unknown>) => [
        one['name'],
        one['description'],
        one['descriptionPrompt'],
        one['originalName'],
        one['descriptionLanguage'],
      ]);
    expect(await list('en')).toEqual([
      ['Anthill watch', 'Bring boots', null, undefined, undefined],
      ['Book fair', 'All books', 'What did you sell?', undefined, undefined],
    ]);
    expect(await list('es')).toEqual([
      ['Anthill watch', 'Bring boots', null, undefined, 'en'],
      ['Feria del libro', 'Todos los libros', '¿Qué vendió?', 'Book fair', undefined],
    ]);
  });

  test('are sorted as the reader sees them', async () => {
    const place = (await made('POST /api/admin/schools', { name: 'Order' })).school;
    const kind = (await made('POST /api/admin/categories', { name: 'All', schoolId: place.id })).category;
    for (const [name, es] of [
      ['Apples', 'Manzanas'],
      ['Bread', 'Pan'],
      ['Zoo', 'Álbum'],
    ]) {
      const body = { name, schoolId: place.id, categoryId: kind.id, translations: { es: { name: es } } };
      await made('POST /api/admin/activities', body);
    }
    const list = async (language: Language) => {
      const { token } = await aReader(language, { schools: [place] });
      const { body } = await app.call(`GET /api/activities?schoolId=${place.id}`, { token });
      return body.activities.map(({ name }: { name: string }) => name);
    };
    expect(await list('en')).toEqual(['Apples', 'Bread', 'Zoo']);
    expect(await list('es')).toEqual(['Álbum', 'Manzanas', 'Pan']);
  });

  test('change immediately', async () => {
    const reader = await aReader('es');
    const { activity: other } = await made('POST /api/admin/activities', {
      name: 'Garden day',
      schoolId: school.id,
      categoryId: category.id,
    });
    const shown = async () =>
      (
        await app.call(`GET /api/activities?schoolId=${school.id}`, { token: reader.token })
      ).body.activities.find(({ id }: { id: number }) => id === other.id).name;
    expect(await shown()).toBe('Garden day');
    for (const name of ['Día de jardín', 'Día del huerto', null]) {
      await made(`PUT /api/admin/activities/${other.id}`, { translations: { es: { name } } });
      expect(await shown()).toBe(name ?? 'Garden day');
    }
  });
});

describe('administrators', () => {
  const KINDS = ['schools', 'categories', 'activities'] as const;
  const oneOf = { schools: 'school', categories: 'category', activities: 'activity' } as const;
  const create = (kind: (typeof KINDS)[number], more: object) =>
    asAda(`POST /api/admin/${kind}`, {
      ...(kind === 'schools' ? {} : { schoolId: school.id }),
      ...(kind === 'activities' ? { categoryId: category.id } : {}),
      ...more,
    });
  const textsOf = {
    schools: ['name'],
    categories: ['name', 'description'],
    activities: ['name', 'description', 'descriptionPrompt'],
  };
  const whole = (kind: (typeof KINDS)[number], given: object) => ({
    es: { ...Object.fromEntries((textsOf[kind] ?? []).map((text) => [text, null])), ...given },
  });

  test.each(KINDS)(
    'read %s with their first-language names and translations, in either language',
    async (kind) => {
      for (const headers of [ASKING.en, ASKING.es]) {
        const list = (await asAda(`GET /api/admin/${kind}?limit=500`, undefined, headers)).body[kind];
        const of = oneOf[kind];
        const found = list.find(({ name }: { name: string }) => name === NAMES[of].en);
        expect(found.translations.es.name).toBe(NAMES[of].es);
      }
    },
  );

  test.each(KINDS)('add, change and remove the translations of %s', async (kind) => {
    const of = oneOf[kind];
    const untranslated = (await create(kind, { name: `Plain ${kind}` })).body[of];
    expect([untranslated.translations, untranslated.version]).toEqual([null, 1]);
    const created = (
      await create(kind, { name: `First ${kind}`, translations: { es: { name: ` Uno ${kind}\u0000 ` } } })
    ).body[of];
    expect(created.translations).toEqual(whole(kind, { name: `Uno ${kind}` }));
    const change = async (translations: unknown) => {
      const { status, body } = await asAda(`PUT /api/admin/${kind}/${created.id}`, { translations });
      return [status, body[of]?.translations, body[of]?.version];
    };
    expect(await change({ es: { name: `Dos ${kind}` } })).toEqual([
      200,
      whole(kind, { name: `Dos ${kind}` }),
      2,
    ]);
    expect(await change({})).toEqual([200, whole(kind, { name: `Dos ${kind}` }), 2]);
    expect(await change({ es: {} })).toEqual([200, whole(kind, { name: `Dos ${kind}` }), 2]);
    expect(await change({ es: { name: '  ' } })).toEqual([200, null, 3]);
    expect(await change({ es: { name: `Tres ${kind}` } })).toEqual([
      200,
      whole(kind, { name: `Tres ${kind}` }),
      4,
    ]);
    expect(await change({ es: null })).toEqual([200, null, 5]);
    expect(await change({ es: { name: `Cuatro ${kind}` } })).toEqual([
      200,
      whole(kind, { name: `Cuatro ${kind}` }),
      6,
    ]);
    expect(await change(null)).toEqual([200, null, 7]);
    const stale = await asAda(
      `PUT /api/admin/${kind}/${created.id}`,
      { translations: { es: { name: 'X' } } },
      { 'if-match': '"6"' },
    );
    expect(stale.status).toBe(409);
    const actions = (await recordOf(app, of, created.id)).map(({ after }) => after.translations);
    expect(actions.map((one) => one?.es.name ?? null)).toEqual([
      `Uno ${kind}`,
      `Dos ${kind}`,
      null,
      `Tres ${kind}`,
      null,
      `Cuatro ${kind}`,
      null,
    ]);
  });

  test.each(KINDS)('cannot give %s translations that are too long or unsupported', async (kind) => {
    const refused = async (translations: unknown) => {
      const { status, body } = await create(kind, { name: `Refused ${kind}`, translations });
      return [status, Object.keys(body.fields ?? {})];
    };
    expect(await refused({ fr: { name: 'Foire' } })).toEqual([400, ['translations.fr']]);
    expect(await refused({ en: { name: 'Fair' } })).toEqual([400, ['translations.en']]);
    expect(await refused({ es: { name: 'x'.repeat(121) } })).toEqual([400, ['translations.es.name']]);
    expect(await refused({ es: { name: 5 } })).toEqual([400, ['translations.es.name']]);
    expect((await refused('es'))[0]).toBe(400);
    expect((await refused({ es: 'Feria' }))[0]).toBe(400);
    expect((await refused(JSON.parse('{"__proto__": {"name": "x"}}')))[0]).toBeLessThan(500);
  });

  test('cannot give two schools, or two categories of a school, the same translated name', async () => {
    for (const kind of ['schools', 'categories'] as const) {
      const of = oneOf[kind];
      const same = { translations: { es: { name: `  ${NAMES[of].es.toUpperCase()} ` } } };
      const { status, body } = await create(kind, { name: `Other ${kind}`, ...same });
      expect([status, body.error]).toEqual([409, expect.stringContaining('in the other language')]);
      const other = (await create(kind, { name: `Other ${kind}` })).body[of];
      expect((await asAda(`PUT /api/admin/${kind}/${other.id}`, same)).status).toBe(409);
    }
    const elsewhere = (await made('POST /api/admin/schools', { name: 'Elsewhere' })).school;
    const there = {
      name: 'Books',
      schoolId: elsewhere.id,
      translations: { es: { name: NAMES.category.es } },
    };
    expect((await asAda('POST /api/admin/categories', there)).status).toBe(201);
  });

  test('search by either name, whatever their own language', async () => {
    for (const kind of KINDS) {
      const of = oneOf[kind];
      for (const headers of [ASKING.en, ASKING.es]) {
        for (const name of [NAMES[of].en, NAMES[of].es.toUpperCase(), `${NAMES[of].en} ${NAMES[of].es}`]) {
          const search = encodeURIComponent(name);
          const { body } = await asAda(`GET /api/admin/${kind}?search=${search}`, undefined, headers);
          expect([name, body.total >= 1]).toEqual([name, true]);
        }
      }
    }
    await aPhoto(app, { by: ada, activity });
    const pictured = await asAda('GET /api/admin/photos/activities?search=feria', undefined, ASKING.es);
    expect(pictured.text).toContain(NAMES.activity.es);
    const log = await asAda('GET /api/admin/audit?search=feria');
    expect(log.body.records.length).toBeGreaterThan(0);
  });

  test('page through lists with names in another language', async () => {
    const later = await anActivity(app, { school, category: { id: category.id }, name: 'Chorus' });
    for (const one of [activity, plain, later]) await aPhoto(app, { by: ada, activity: one });
    await choose(ada, 'es');
    try {
      for (const list of ['activities', 'photos/activities']) {
        const all = (await asAda(`GET /api/admin/${list}?limit=500`)).body.activities;
        const paged: { id: number }[] = [];
        let cursor: string | null = null;
        do {
          const at: string = cursor === null ? '' : `&cursor=${cursor}`;
          const { body } = await asAda(`GET /api/admin/${list}?limit=1${at}`);
          paged.push(...body.activities);
          cursor = body.nextCursor;
        } while (cursor !== null);
        const ids = (of: { id: number }[]) => of.map(({ id }) => id);
        expect(ids(paged)).toEqual(ids(all));
      }
    } finally {
      await choose(ada, null);
    }
  });

  test('see in the audit log which translation changed', async () => {
    const { activity: one } = await made('POST /api/admin/activities', {
      name: 'Chess',
      schoolId: school.id,
      categoryId: category.id,
    });
    await made(`PUT /api/admin/activities/${one.id}`, { translations: { es: { name: 'Ajedrez' } } });
    const { records } = (await asAda(`GET /api/admin/audit?thing=activity&thingId=${one.id}`)).body;
    expect(records[0].changes).toEqual([{ field: 'translations.es.name', before: null, after: 'Ajedrez' }]);
  });

  test('add activities in bulk with translations; removing a prompt removes its translation', async () => {
    const translations = whole('activities', { name: 'Feria 2027', descriptionPrompt: '¿Qué?' });
    const row = {
      name: 'Fair 2027',
      category: NAMES.category.en,
      translations,
      requiresDescription: true,
      descriptionPrompt: 'What?',
    };
    await made('POST /api/admin/activities/bulk', { schoolId: school.id, activities: [row] });
    const find = async () => (await asAda(`GET /api/admin/activities?search=fair%202027`)).body.activities[0];
    const copy = await find();
    expect(copy.translations).toEqual(translations);
    await made(`PUT /api/admin/activities/${copy.id}`, { requiresDescription: false });
    expect((await find()).translations).toEqual(whole('activities', { name: 'Feria 2027' }));
    const again = {
      schoolId: school.id,
      preview: true,
      activities: [{ name: 'feria 2027', category: 'biblioteca' }],
    };
    const preview = await made('POST /api/admin/activities/bulk', again);
    expect([preview.rows[0].outcome, preview.newCategories]).toEqual(['duplicate', []]);
  });

  test('approve a suggestion with both names, and its author reads the one in their language', async () => {
    const author = await aReader('es');
    const { id } = await aSuggestion(app, { by: author, school });
    const body = {
      name: 'Kite day',
      categoryId: category.id,
      translations: { es: { name: 'Día de cometas' } },
    };
    const approved = await made(`POST /api/admin/activity-suggestions/${id}/approve`, body);
    expect(approved.activity.translations.es.name).toBe('Día de cometas');
    const letter = String((await emailsSentTo(unsent(), author.email)).at(-1)?.text);
    expect([letter.includes('Día de cometas'), letter.includes(NAMES.school.es)]).toEqual([true, true]);
  });

  test('export lists with first-language names, whatever their own language', async () => {
    for (const list of ['schools', 'categories', 'activities', 'users']) {
      const { text } = await asAda(`POST /api/admin/${list}/export`, { format: 'csv' }, ASKING.es);
      expect([list, namesIn(text)]).toEqual([list, 'en']);
    }
    const body = { format: 'csv', schoolId: school.id };
    const { url } = (await asAda('POST /api/admin/time-entries/export', body, ASKING.es)).body;
    expect(namesIn((await app.call(`GET ${url}`)).text)).toBe('en');
  });

  test('see translated names in analytics, users and time entries', async () => {
    for (const language of LANGUAGES) {
      for (const path of [`analytics/activities?schoolId=${school.id}`, 'users?limit=500', 'time-entries']) {
        const { text, status } = await asAda(`GET /api/admin/${path}`, undefined, ASKING[language]);
        expect([path, status, namesIn(text)]).toEqual([path, 200, language]);
      }
    }
  });

  test('can preview imports that name activities and schools in either language', async () => {
    const who = await aReader(null, { email: 'either@maplegrove.example' });
    const csv = `email,activity,date,hours\n${who.email},feria del libro,${TODAY},1\n${who.email},Book fair,${TODAY},2\n`;
    const { preview: hours } = await made('POST /api/admin/time-entry-imports/preview', {
      schoolId: school.id,
      csv,
    });
    expect(hours.questions.activities).toEqual([]);
    const people = `email,first name,last name,school,role\nnew1@maplegrove.example,Ana,Lee,escuela lincoln,voluntaria\nnew2@maplegrove.example,Ana,Ruiz,Lincoln School,Coordinadora\n`;
    const { preview } = await made('POST /api/admin/user-imports/preview', { csv: people });
    expect(preview.rows.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['created', 'created']);
  });
});

/** The app as its letters are read. */
const unsent = () => ({ ...app, deps: { ...app.deps, config: { ...app.deps.config, smtpUrl: undefined } } });

describe('names in emails and documents', () => {
  const last = async ({ email }: { email: string }) =>
    (await emailsSentTo(unsent(), email)).at(-1)?.text ?? '';

  test('are in the reader’s language, not the sender’s', async () => {
    for (const [language, other] of [
      ['es', 'en'],
      ['en', 'es'],
    ] as const) {
      await choose(ada, other);
      const reader = await aReader(language, { schools: [] });
      const asked = { user_id: reader.id, school_id: school.id, status: 'pending', is_approved: 0 } as const;
      const { db } = app.deps.database;
      await db
        .insertInto('user_schools')
        .values({ ...asked, created_at: app.clock.now() })
        .execute();
      const member = { userId: reader.id, schoolId: school.id };
      await made('POST /api/admin/memberships/approve', member);
      expect(namesIn(await last(reader))).toBe(language);
      await made('POST /api/admin/invites', { email: reader.email, schoolIds: [school.id] });
      expect(namesIn(await last(reader))).toBe(language);
      await aGrant(app, reader, 'school-admin', school);
      const photo = await aPhoto(app, { by: ada, activity });
      await made(`POST /api/photos/${photo.id}/takedown`, { reason: 'My child' });
      expect(namesIn(await last(reader))).toBe(language);
    }
    await choose(ada, null);
  });

  test('are in the reader’s language in scheduled emails', async () => {
    const verifiers = { en: await aReader('en'), es: await aReader('es') };
    const volunteers = { en: await aReader('en'), es: await aReader('es') };
    for (const language of LANGUAGES) {
      await aGrant(app, verifiers[language], 'coordinator', school);
      const { token } = volunteers[language];
      await app.call('PUT /api/profile/reminders', { token, body: { weekly: true } });
      expect((await app.call('POST /api/time-entries', { token, body: entryOf() })).status).toBe(201);
    }
    app.clock.set(MONDAY);
    await runDueJobs(app.deps, [weeklyReminderJob]);
    await runDueJobs(app.deps, [weeklySummaryJob]);
    for (const language of LANGUAGES) {
      expect([language, namesIn(await last(verifiers[language]))]).toEqual([language, language]);
      expect([language, namesIn(await last(volunteers[language]))]).toEqual([language, language]);
    }
    app.clock.set(NOW);
  });

  test('are in the browser’s language on the external verifier’s page', async () => {
    const by = await aReader('en');
    const asked = await anOutsideLetter(app, { by, activity });
    for (const language of LANGUAGES) {
      const page = await app.call(`GET /?verify=${asked.token}`, { headers: ASKING[language] });
      expect(namesIn(page.text)).toBe(language);
    }
  });

  test('are in the chosen language of a service letter', async () => {
    const reader = await aReader('en');
    const entry = await anEntry(app, { by: reader, activity, hours: 2 });
    await app.deps.database.db
      .updateTable('time_entries')
      .set({ verification: 'verified', counted_hundredths: 200 })
      .where('id', '=', entry.id)
      .execute();
    for (const language of LANGUAGES) {
      const body = {
        schoolId: school.id,
        startDate: '2026-01-01',
        endDate: TODAY,
        withDates: true,
        language,
      };
      const issued = await app.call('POST /api/reports/letters', { token: reader.token, body });
      expect(issued.body.letter.school).toBe(NAMES.school[language]);
      const { rawPayload } = await app.app.inject({ method: 'GET', url: issued.body.url });
      expect(namesIn(readPdf(rawPayload).text)).toBe(language);
    }
  });

  test('are in the language of the user who prints a sign-in sheet', async () => {
    for (const language of LANGUAGES) {
      await choose(ada, language);
      const sheet = { date: TODAY, people: 'nobody', blankLines: 3, paper: 'letter' };
      const { url } = await made(`POST /api/admin/activities/${activity.id}/sign-in-sheet`, sheet);
      const { rawPayload } = await app.app.inject({ method: 'GET', url });
      const { text } = readPdf(rawPayload);
      expect([namesIn(text), text.includes('Todos los libros')]).toEqual([language, language === 'es']);
    }
    await choose(ada, null);
  });
});

describe('the photo consent text', () => {
  const rules = async (language: Language) => {
    const { token } = await aReader(language);
    return (await app.call('GET /api/photos/rules', { token })).body.rules;
  };

  test('is in the reader’s language, or marked with its own language if not translated', async () => {
    const settings = 'PUT /api/admin/photos/settings';
    await made(settings, { consent: true, consentText: 'All agreed.' });
    expect(await rules('es')).toEqual({ consentText: 'All agreed.', consentLanguage: 'en', review: false });
    const { settings: saved } = await made(settings, {
      translations: { es: { consentText: 'De acuerdo.' } },
    });
    expect(saved.translations).toEqual({ es: { consentText: 'De acuerdo.' } });
    expect(await rules('es')).toEqual({ consentText: 'De acuerdo.', review: false });
    expect(await rules('en')).toEqual({ consentText: 'All agreed.', review: false });
    await made(settings, { translations: null });
    expect((await rules('es')).consentText).toBe('All agreed.');
  });
});
