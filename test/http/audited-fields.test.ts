import { beforeAll, describe, expect, test } from 'vitest';
import { CategoryChange, CategoryInput } from '#features/activities/categories/contract.ts';
import { ActivityChange, ActivityInput } from '#features/activities/contract.ts';
import { SuggestionInput } from '#features/activities/suggestions/contract.ts';
import { PhotoUpload } from '#features/photos/contract.ts';
import { SchoolChange, SchoolInput } from '#features/schools/admin-contract.ts';
import { UserChange, UserInput } from '#features/users/admin-contract.ts';
import { ProfileInput, RegisterInput } from '#features/users/contract.ts';
import { recordOf } from '../audit-log.ts';
import { aCategory, anActivity, anAdministrator, aPerson, aSchool, PASSWORD } from '../builders.ts';
import { startApp, type TestApp } from '../harness.ts';
import { phonePhoto } from '../images/draw-image.ts';
import { filledIn, lostIn, type Shape, type Values } from '../record-fields.ts';
import { upload } from '../upload.ts';

let app: TestApp;
let admin: { id: number; token: string };
let school: { id: number; name: string };
let category: { id: number; name: string };
beforeAll(async () => {
  // A lost field that must not be empty ends in a 500, and the log names it.
  app = await startApp({ LOG_LEVEL: 'error' });
  admin = await anAdministrator(app);
  school = await aSchool(app, { name: 'Lincoln' });
  category = await aCategory(app, { school, name: 'Library' });
});

const send = (methodAndPath: string, body?: object, token = admin.token) =>
  app.call(methodAndPath, { token, ...(body === undefined ? {} : { body }) });

/** What a record is called where it is created, changed, listed and recorded. */
type Kind = Readonly<{ path: string; one: string; many: string; subject: string }>;

/**
 * Everything that an administrator does with a record: which fields were lost where. `seen` gives the values as an answer
 * shows them, `kept` as the record keeps them, `told` as the district log does.
 */
async function lostOnTheWay(
  kind: Kind,
  first: Values,
  second: Values,
  {
    seen = (values) => values,
    kept = (values) => values,
    told = (values) => values,
  }: Readonly<Partial<Record<'seen' | 'kept' | 'told', (values: Values) => Values>>> = {},
): Promise<string[]> {
  const lost: string[] = [];
  const listed = async (id: number) => {
    const { body } = await send(`GET ${kind.path}?limit=500`);
    return (body[kind.many] as { id: number }[]).find((one) => one.id === id);
  };
  const created = await send(`POST ${kind.path}`, first);
  expect([created.status, created.text]).toEqual([201, created.text]);
  const { id } = created.body[kind.one];
  lost.push(...lostIn('the answer to creating', seen(first), created.body[kind.one]));
  lost.push(...lostIn('the list', seen(first), await listed(id)));
  lost.push(...lostIn('the district log', told(first), await toldIn(kind.subject, id)));
  const [name] = Object.keys(first).filter((key) => /name$/i.test(key));
  await send(`PUT ${kind.path}/${id}`, { [name ?? '']: first[name ?? ''] });
  lost.push(...lostIn('the list after a change of nothing', seen(first), await listed(id)));
  const changed = await send(`PUT ${kind.path}/${id}`, second);
  expect([changed.status, changed.text]).toEqual([200, changed.text]);
  lost.push(...lostIn('the answer to a change', seen(second), changed.body[kind.one]));
  lost.push(...lostIn('the list after a change', seen(second), await listed(id)));
  expect((await send(`DELETE ${kind.path}/${id}`)).status).toBe(200);
  const records = await recordOf(app, kind.subject, id);
  const [creation, change, deletion] = [records[0], records.at(-2), records.at(-1)];
  lost.push(...lostIn('the record of creating', kept(first), creation?.after));
  lost.push(...lostIn('the record before a change', kept(first), change?.before));
  lost.push(...lostIn('the record after a change', kept(second), change?.after));
  lost.push(...lostIn('the record of a deletion', kept(second), deletion?.before));
  return lost;
}

type Held = Readonly<{ role: string; schoolId: number }>;

const without = (values: Values, ...names: string[]) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
const namesOf = ({ shape }: Shape) => Object.keys(shape).sort();

describe('creating, editing, listing and auditing keep every field', () => {
  test('of an activity', async () => {
    const kind = { path: '/api/admin/activities', one: 'activity', many: 'activities', subject: 'activity' };
    const other = await aCategory(app, { school });
    const fill = (categoryId: number, isActive: boolean, round: number) =>
      filledIn(
        ActivityInput,
        {
          schoolId: school.id,
          categoryId,
          isActive,
          requiresDescription: true,
          activeFrom: `2026-02-1${round}`,
          activeUntil: `2026-03-1${round}`,
          verifiedBy: 'outside',
          outsideVerifier: `coach${round}@rink.example`,
          translations: {
            es: { name: `Feria ${round}`, description: `Libros ${round}`, descriptionPrompt: `¿${round}?` },
          },
        },
        round,
      );
    const [first, second] = [fill(category.id, false, 0), fill(other.id, true, 1)];
    expect(namesOf(ActivityChange)).toEqual(namesOf(ActivityInput));
    expect(await lostOnTheWay(kind, first, second, { told: named })).toEqual([]);
  });

  test('of a category', async () => {
    const kind = {
      path: '/api/admin/categories',
      one: 'category',
      many: 'categories',
      subject: 'category',
    };
    const fill = (color: string, kindOf: string, round: number) =>
      filledIn(
        CategoryInput,
        {
          schoolId: school.id,
          color,
          kind: kindOf,
          translations: { es: { name: `Libros ${round}`, description: null } },
        },
        round,
      );
    const [first, second] = [fill('#00ff00', 'classroom', 0), fill('tomato', 'event', 1)];
    expect(namesOf(CategoryChange)).toEqual(namesOf(CategoryInput));
    expect(await lostOnTheWay(kind, first, second, { told: named })).toEqual([]);
  });

  test('of a school', async () => {
    const kind = { path: '/api/admin/schools', one: 'school', many: 'schools', subject: 'school' };
    expect(namesOf(SchoolChange)).toEqual(namesOf(SchoolInput));
    const fill = (verification: string, round: number) =>
      without(
        filledIn(
          SchoolInput,
          { letter: null, verification, translations: { es: { name: `Escuela ${round}` } } },
          round,
        ),
        'letter',
      );
    // The letter is three fields of the record: service-letters.engines.test.ts.
    expect(await lostOnTheWay(kind, fill('on', 0), fill('off', 1), { told: named })).toEqual([]);
  });

  test('of a user, except the password', async () => {
    const kind = { path: '/api/admin/users', one: 'user', many: 'users', subject: 'user' };
    const other = await aSchool(app);
    const fill = (email: string, given: Values, round: number) =>
      without(filledIn(UserInput, { email, password: null, ...given }, round), 'password', 'unconfirmed');
    const holds = (role: string, id: number) => ({ schoolIds: [id], grants: [{ role, schoolId: id }] });
    const first = fill(
      'one@maple.example',
      { ...holds('auditor', school.id), role: 'admin', isActive: false },
      0,
    );
    const second = fill(
      'two@maple.example',
      { ...holds('coordinator', other.id), role: 'user', isActive: true },
      1,
    );
    expect(namesOf(UserChange)).toEqual(namesOf(UserInput));
    const placeOf = (id: unknown) => ({ id, name: id === school.id ? school.name : other.name });
    const seen = ({ schoolIds, grants, ...values }: Values) => ({
      ...values,
      userSchools: [schoolIds].flat().map((id) => ({ school: placeOf(id) })),
      grants: (grants as Held[]).map(({ role, schoolId }) => ({ role, school: placeOf(schoolId) })),
    });
    // Each role is a row of its own in the record: src/features/users/roles/server/actions.engines.test.ts.
    const kept = (values: Values) => without(values, 'grants');
    const told = (values: Values) => without(values, 'schoolIds', 'grants');
    expect(await lostOnTheWay(kind, first, second, { seen, kept, told })).toEqual([]);
  });

  test('of a user who registers and changes their profile', async () => {
    const said = filledIn(RegisterInput, {
      email: 'bob@maple.example',
      schoolIds: [school.id],
      language: 'es',
    });
    const first = without(said, 'password', 'schoolIds', 'inviteCode');
    const { body, text } = await app.call('POST /api/auth/register', {
      body: without({ ...said, password: PASSWORD }, 'inviteCode'),
    });
    expect(body?.user, text).toBeDefined();
    const { user, token } = body;
    const wanted = { email: 'rob@maple.example', schoolIds: [school.id], language: 'en' };
    const filled = filledIn(ProfileInput, wanted, 1);
    const own = without(filled, 'schoolIds', 'inviteCode');
    const changed = await send('PUT /api/profile', own, token);
    const listed = await send('GET /api/profile', undefined, token);
    await send('PUT /api/profile', { firstName: 'Robert' }, token);
    const renamed = await send('GET /api/profile', undefined, token);
    const [registration, change] = await recordOf(app, 'user', user.id);
    expect([
      ...lostIn(
        'the profile after a change of one field',
        { ...own, firstName: 'Robert' },
        renamed.body.user,
      ),
      ...lostIn('the answer to registering', first, user),
      ...lostIn('the record of registering', first, registration?.after),
      ...lostIn('the answer to a change', own, changed.body.user),
      ...lostIn('the profile', own, listed.body.user),
      ...lostIn('the record before a change', first, change?.before),
      ...lostIn('the record after a change', own, change?.after),
      ...lostIn('own data', { ...own, firstName: 'Robert' }, (await ownData(token)).profile),
    ]).toEqual([]);
  });
});

test('every column of an imported list of people is stored', async () => {
  const columns = { email: 'zoe@maple.example', firstName: 'Zoe', lastName: 'Miller', role: 'admin' };
  const csv = `${Object.keys(columns)},schools\n${Object.values(columns)},${school.name}`;
  const preview = await send('POST /api/admin/user-imports/preview', { csv });
  const { key } = preview.body.preview;
  const { status, text } = await send('POST /api/admin/user-imports', { csv, key, sendMail: false });
  expect([status, text]).toEqual([201, text]);
  const { body } = await send(`GET /api/admin/users?search=${columns.email}`);
  expect(lostIn('the list', columns, body.users[0])).toEqual([]);
});

/** The values with the school and the category under their names. */
function named({ schoolId, categoryId, translations, ...values }: Values): Values {
  const texts = Object.entries((translations as { es?: Values } | undefined)?.es ?? {});
  return {
    ...values,
    ...Object.fromEntries(
      texts.flatMap(([name, text]) => (text === null ? [] : [[`translations.es.${name}`, text]])),
    ),
    ...(schoolId === undefined ? {} : { school: school.name }),
    ...(categoryId === undefined ? {} : { category: category.name }),
  };
}

/** What the latest row of a record tells in the district log, by field. */
async function toldIn(thing: string, id: number): Promise<Values> {
  const { body } = await send(`GET /api/admin/audit?thing=${thing}&thingId=${id}`);
  const changes: { field: string; after: unknown }[] = body.records[0].changes;
  return Object.fromEntries(changes.map(({ field, after }) => [field, after]));
}

const ownData = async (token: string) =>
  JSON.parse((await send('GET /api/profile/data?format=json', undefined, token)).text);

describe('lists, the audit log and the data export keep every field', () => {
  test('of a suggestion, dated or year-long', async () => {
    const ann = await aPerson(app, { schools: [school] });
    const given = { schoolId: school.id, categoryId: category.id };
    const dated = { ...given, isYearLong: false, activeFrom: '2026-02-10', activeUntil: '2026-03-10' };
    const yearLong = { ...given, isYearLong: true, activeFrom: null, activeUntil: null };
    for (const [round, values] of [dated, yearLong].entries()) {
      const said = filledIn(SuggestionInput, values, round);
      const { body } = await send('POST /api/activity-suggestions', said, ann.token);
      const mine = (await send('GET /api/my-activity-suggestions', undefined, ann.token)).body.suggestions;
      const all = (await send(`GET /api/admin/activity-suggestions?schoolId=${school.id}`)).body.suggestions;
      const [submitted] = await recordOf(app, 'suggestion', body.suggestion.id);
      const own = named(said);
      const told = without(own, ...Object.keys(own).filter((name) => own[name] === null));
      expect([
        ...lostIn('the answer', said, body.suggestion),
        ...lostIn('my suggestions', said, mine[0]),
        ...lostIn("the administrators' list", said, all[0]),
        ...lostIn('the record', said, submitted?.after),
        ...lostIn('the district log', told, await toldIn('suggestion', body.suggestion.id)),
        ...lostIn('own data', own, (await ownData(ann.token)).suggestions.at(-1)),
      ]).toEqual([]);
      await send(`DELETE /api/admin/activity-suggestions/${body.suggestion.id}`, { reason: 'Done' });
      const marked = (await send(`GET /api/admin/activity-suggestions?schoolId=${school.id}`)).body;
      await send(`DELETE /api/admin/activity-suggestions/${body.suggestion.id}`);
      const removed = (await recordOf(app, 'suggestion', body.suggestion.id)).at(-1);
      expect([
        ...lostIn('the list of deleted ones', said, marked.suggestions[0]),
        ...lostIn('the record of a deletion', said, removed?.before),
      ]).toEqual([]);
    }
  });

  test('of a suggestion in the activity that its approval creates', async () => {
    const ann = await aPerson(app, { schools: [school] });
    const said = filledIn(SuggestionInput, {
      schoolId: school.id,
      categoryId: category.id,
      isYearLong: false,
      activeFrom: '2026-02-10',
      activeUntil: '2026-03-10',
    });
    const { body } = await send('POST /api/activity-suggestions', said, ann.token);
    const path = `POST /api/admin/activity-suggestions/${body.suggestion.id}/approve`;
    const shared = Object.keys(said).filter((name) => name in ActivityInput.shape);
    const { activity } = (await send(path, {})).body;
    expect(shared.length).toBe(6);
    const wanted = Object.fromEntries(shared.map((name) => [name, said[name]]));
    expect(lostIn('the activity', wanted, activity)).toEqual([]);
  });

  test('of a photo, except the consent, which is only in the audit log', async () => {
    const ann = await aPerson(app, { schools: [school] });
    const activity = await anActivity(app, { school, category });
    const said = filledIn(PhotoUpload, { schoolId: school.id, containsStudents: true, consent: true });
    const fields = Object.fromEntries(Object.entries(said).map(([name, value]) => [name, String(value)]));
    const files = [{ name: 'fair.jpg', content: await phonePhoto(80, 60) }];
    const { body, text } = await upload(app, { by: ann, to: activity, files, fields });
    expect([body?.photos?.length, text]).toEqual([1, text]);
    const shown = without(said, 'consent');
    const { id } = body.photos[0];
    const [added] = await recordOf(app, 'photo', id);
    const toldOfUpload = await toldIn('photo', id);
    const own = without(shown, 'schoolId');
    const listed = (await send(`GET /api/activities/${activity.id}/photos`)).body.photos;
    await send(`DELETE /api/photos/${id}`);
    const trash = (await send('GET /api/admin/photos/trash')).body.photos;
    const deletion = (await recordOf(app, 'photo', id)).at(-1);
    const restored = (await send(`POST /api/photos/${id}/restore`)).body.photo;
    expect([
      ...lostIn('the answer', shown, body.photos[0]),
      ...lostIn('the gallery', shown, listed[0]),
      ...lostIn('the record', without(said, 'schoolId'), added?.after),
      ...lostIn('the district log', without(said, 'schoolId'), toldOfUpload),
      ...lostIn('the record of a deletion', own, deletion?.before),
      ...lostIn('the trash', shown, trash?.[0]),
      ...lostIn('the answer to the undo', shown, restored),
      ...lostIn('own data', own, (await ownData(ann.token)).photos[0]),
    ]).toEqual([]);
  });
});
