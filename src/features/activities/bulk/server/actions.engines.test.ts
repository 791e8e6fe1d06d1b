import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { day, plusMilliseconds } from '#shared/calendar-date.ts';
import { recordOf } from '#test/audit-log.ts';
import {
  aCategory,
  anActivity,
  anAdministrator,
  anEntry,
  aPerson,
  aPersonWithRole,
  aPhoto,
  aSchool,
} from '#test/builders.ts';
import { sendDuring } from '#test/concurrent-requests.ts';
import { ENGINE, NOW, startApp, type TestApp, TODAY } from '#test/harness.ts';
import { NO_ID } from '#test/list-requests.ts';
import { PALETTE } from '../../categories/category-colors.ts';
import { newActivityValues } from '../../server/actions.ts';
import { insertActivity } from '../../server/store.ts';
import { BULK } from '../contract.ts';
import { lockSchool } from './store.ts';

const DAY = 86_400_000;

let app: TestApp;
let ada: { id: number; token: string };
let school: { id: number; name: string };
beforeAll(async () => {
  app = await startApp();
  ada = await anAdministrator(app);
});
beforeEach(async () => {
  app.clock.set(NOW);
  school = await aSchool(app);
});

const send = (body: object, { token = ada.token, headers = {} as Record<string, string> } = {}) =>
  app.call('POST /api/admin/activities/bulk', {
    token,
    body: { schoolId: school.id, ...body },
    headers,
  });
const preview = (activities: object[], rest: object = {}, token = ada.token) =>
  send({ activities, preview: true, ...rest }, { token });
const undo = (id: unknown, token = ada.token) =>
  app.call(`POST /api/admin/activities/bulk/${id}/undo`, { token });
const row = (name: string, rest: object = {}) => ({ name, category: 'Events', ...rest });

async function here(): Promise<string[]> {
  const { body } = await app.call(`GET /api/admin/activities?schoolId=${school.id}`, { token: ada.token });
  return body.activities.map((one: { name: string }) => one.name);
}

async function categoriesHere(): Promise<{ name: string; color: string; kind: string }[]> {
  const { body } = await app.call(`GET /api/admin/categories?schoolId=${school.id}`, { token: ada.token });
  return body.categories.map(({ name, color, kind }: Record<string, string>) => ({ name, color, kind }));
}

test('adding activities in bulk, and undoing it, requires a staff role at the school', async () => {
  const { token } = await aPerson(app, { schools: [school] });
  const calls = ['POST /api/admin/activities/bulk', 'POST /api/admin/activities/bulk/1/undo'];
  for (const call of calls) {
    expect([call, (await app.call(call, { token, body: {} })).status]).toEqual([call, 403]);
    expect([call, (await app.call(call, { body: {} })).status]).toEqual([call, 401]);
  }
  const elsewhere = await aPersonWithRole(app, 'school-admin', await aSchool(app));
  expect((await send({ activities: [row('Fair')] }, elsewhere)).status).toBe(404);
  expect((await preview([row('Fair')], {}, elsewhere.token)).status).toBe(404);
});

describe('previewing a bulk add', () => {
  test('returns the outcome of each row and writes nothing', async () => {
    const events = await aCategory(app, { school, name: 'Events' });
    await anActivity(app, { school, category: events, name: 'Élan Fair' });
    const reply = await preview([
      row('Book fair', { activeFrom: '2026-04-01', activeUntil: '2026-04-02' }),
      row('elan  fair'),
      row('Book Fair', { category: 'Library', activeFrom: '2026-04-01' }),
      { name: 'Reading aloud', category: 'Library' },
      { name: '', category: '' },
      row('Late', { activeFrom: '2026-04-02', activeUntil: '2026-04-01' }),
      row('Odd', { activeFrom: 'soon' }),
      row('Asked', { requiresDescription: true }),
    ]);
    expect(reply.status).toBe(200);
    expect(reply.body.newCategories).toEqual(['Library']);
    expect(reply.body.rows.map(({ outcome, note }: Record<string, string>) => [outcome, note])).toEqual([
      ['new', null],
      ['duplicate', 'Already here'],
      ['duplicate', 'Same as row 1'],
      ['new', null],
      ['problem', null],
      ['problem', null],
      ['problem', null],
      ['problem', null],
    ]);
    expect(reply.body.rows[4]).toEqual({
      row: 5,
      name: '',
      category: '',
      outcome: 'problem',
      note: null,
      problems: [
        { field: 'name', text: 'Activity name is required' },
        { field: 'category', text: 'Please select a category' },
      ],
    });
    expect(reply.body.rows[5].problems).toEqual([
      { field: 'activeUntil', text: 'The end date cannot be before the start date' },
    ]);
    expect(reply.body.rows[6].problems[0].field).toBe('activeFrom');
    expect(reply.body.rows[7].problems[0].field).toBe('descriptionPrompt');
    expect(await here()).toEqual(['Élan Fair']);
    expect(await categoriesHere()).toHaveLength(1);
  });

  test('rejects an empty or malformed list, and more than 500 rows', async () => {
    const many = Array.from({ length: BULK.most + 1 }, (_, at) => row(`Activity ${at}`));
    expect((await preview(many)).body.fields).toEqual({
      activities: 'Add up to 500 activities at a time. Please split the list.',
    });
    expect((await preview(many.slice(1))).status).toBe(200);
    expect((await preview([])).status).toBe(400);
    expect((await send({ activities: 'x' })).status).toBe(400);
    expect((await send({ activities: [7] })).status).toBe(400);
  });
});

describe('adding activities in bulk', () => {
  test('adds all rows and missing categories, and writes audit events', async () => {
    const { id: eventsId } = await aCategory(app, { school, name: 'Events', color: PALETTE[0] });
    const reply = await send({
      activities: [
        row('Book fair', { category: 'EVENTS', activeFrom: '2026-04-01', description: 'Bring boxes' }),
        row('Reading aloud', { category: 'Classroom' }),
        row('Spelling bee', { category: 'classroom' }),
        row('Garden', { category: 'Grounds', requiresDescription: true, descriptionPrompt: 'what you did' }),
      ],
      categories: [{ name: 'grounds', color: 'tomato' }],
    });
    expect([reply.status, reply.text]).toEqual([201, reply.text]);
    expect(reply.body).toEqual({
      created: 4,
      leftOut: 0,
      batch: {
        id: expect.any(Number),
        schoolId: school.id,
        school: school.name,
        madeAt: NOW,
        activities: 4,
        categories: 2,
        undoneAt: null,
        canUndo: true,
      },
      message: '4 activities added',
    });
    expect(await categoriesHere()).toEqual([
      { name: 'Classroom', color: PALETTE[1], kind: 'classroom' },
      { name: 'Events', color: PALETTE[0], kind: expect.any(String) },
      { name: 'Grounds', color: 'tomato', kind: 'other' },
    ]);
    const { body } = await app.call(`GET /api/admin/activities?schoolId=${school.id}`, { token: ada.token });
    expect(body.activities[0]).toMatchObject({
      name: 'Book fair',
      categoryId: eventsId,
      activeFrom: '2026-04-01',
      description: 'Bring boxes',
      isActive: true,
      verifiedBy: 'school',
    });
    const [made] = await recordOf(app, 'activity', body.activities[0].id);
    expect(made).toMatchObject({
      action: 'activity.create',
      actorId: ada.id,
      schoolId: school.id,
      after: { name: 'Book fair', batchId: reply.body.batch.id },
    });
    const whole = (await recordOf(app, 'school', school.id)).at(-1);
    expect(whole).toMatchObject({ action: 'activities.add', after: { activities: 4, categories: 2 } });
  });

  test('adds nothing if rows are invalid, and names their invalid fields', async () => {
    const reply = await send({
      activities: [row('Fair'), row(''), row('Late', { activeUntil: '2026-04-01' })],
    });
    expect([reply.status, reply.body]).toEqual([
      400,
      {
        error: '2 rows have problems. Fix them or remove them.',
        fields: {
          'activities.1.name': 'Activity name is required',
          'activities.2.activeUntil': 'Set a start date first',
        },
      },
    ]);
    expect(await here()).toEqual([]);
    expect(await categoriesHere()).toEqual([]);
  });

  test('rejects duplicates, or skips them on request', async () => {
    await send({ activities: [row('Fair')] });
    const again = await send({ activities: [row('FAIR'), row('Bee')] });
    expect([again.status, again.body.fields]).toEqual([400, { 'activities.0.name': 'Already here' }]);
    const rest = await send({ activities: [row('FAIR'), row('Bee')], leaveOutDuplicates: true });
    expect([rest.status, rest.body.created, rest.body.leftOut]).toEqual([201, 1, 1]);
    const nothing = await send({ activities: [row('FAIR')], leaveOutDuplicates: true });
    expect([nothing.status, nothing.body.error]).toEqual([
      409,
      'There is nothing to add: all of these activities are already here',
    ]);
    // Another first day makes it another activity, such as next year's.
    expect((await send({ activities: [row('Fair', { activeFrom: '2027-04-01' })] })).status).toBe(201);
  });

  test('accepts activities from a coordinator, but only in existing categories', async () => {
    await aCategory(app, { school, name: 'Events' });
    const cora = await aPersonWithRole(app, 'coordinator', school);
    const text = 'There is no “Sports” category here. A school administrator can add it.';
    const result = await preview([row('Run', { category: 'Sports' })], {}, cora.token);
    expect(result.body.rows[0].problems).toEqual([{ field: 'category', text }]);
    const refused = await send({ activities: [row('Run', { category: 'Sports' })] }, cora);
    expect([refused.status, refused.body.fields]).toEqual([400, { 'activities.0.category': text }]);
    expect((await send({ activities: [row('Run')] }, cora)).status).toBe(201);
  });

  test('returns the first reply for a repeated Idempotency-Key and adds nothing', async () => {
    const headers = { 'idempotency-key': 'bulk-of-a-test' };
    const first = await send({ activities: [row('Fair')] }, { headers });
    const second = await send({ activities: [row('Fair')] }, { headers });
    expect([second.status, second.body]).toEqual([201, first.body]);
    expect(await here()).toEqual(['Fair']);
  });

  test('adds a list sent twice at the same time only once', async () => {
    const list = { activities: [row('Fair'), row('Bee')] };
    const replies = await Promise.all([send(list), send(list), send(list)]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 400, 400]);
    expect(await here()).toEqual(['Bee', 'Fair']);
    expect(await categoriesHere()).toHaveLength(1);
  });

  test('waits for a concurrent addition at the school, and then finds duplicates of it', async () => {
    const { id: categoryId } = await aCategory(app, { school, name: 'Events' });
    const reply = await sendDuring(
      app,
      async (trx) => {
        await lockSchool(trx, school.id);
        const values = newActivityValues({ name: 'Fair', schoolId: school.id, categoryId });
        await insertActivity(trx, { ...values, at: NOW });
      },
      () => send({ activities: [row('Fair')] }),
    );
    expect([reply.status, reply.body.fields]).toEqual([400, { 'activities.0.name': 'Already here' }]);
    expect(await here()).toEqual(['Fair']);
  });

  test('creates no second category if another request adds the same one at the same time', async () => {
    const reply = await sendDuring(
      app,
      (trx) =>
        trx
          .insertInto('categories')
          .values({
            school_id: school.id,
            name: 'events',
            name_key: 'events',
            description: null,
            color: '#123456',
            kind: 'event',
            created_at: NOW,
          })
          .execute(),
      () => send({ activities: [row('Fair')] }),
    );
    // SQLite runs one transaction after the other, so the list finds the new category there.
    expect([reply.status, reply.body.error]).toEqual(
      ENGINE === 'sqlite'
        ? [201, undefined]
        : [409, "Someone changed this school's activities in the meantime. Please check the list again."],
    );
    expect((await categoriesHere()).map(({ name }) => name)).toEqual(['events']);
    expect(await here()).toEqual(ENGINE === 'sqlite' ? ['Fair'] : []);
  });
});

describe('undoing a bulk add', () => {
  test('deletes unused activities, and returns a reason for each one in use', async () => {
    await aCategory(app, { school, name: 'Events' });
    const { body } = await send({
      activities: [
        row('Unused'),
        row('Logged'),
        row('Shown'),
        row('Trashed'),
        row('Kept company', { category: 'Used' }),
        row('Gone', { category: 'Empty afterwards' }),
      ],
    });
    const { activities } = (
      await app.call(`GET /api/admin/activities?schoolId=${school.id}`, { token: ada.token })
    ).body;
    const named = (name: string) => activities.find((one: { name: string }) => one.name === name);
    const bob = await aPerson(app, { schools: [school] });
    await anEntry(app, { by: bob, activity: named('Logged') });
    await aPhoto(app, { by: bob, activity: named('Shown') });
    await anEntry(app, { by: bob, activity: named('Trashed'), deletedBy: bob });
    await anEntry(app, { by: bob, activity: named('Kept company') });
    const reply = await undo(body.batch.id);
    expect([reply.status, reply.text]).toEqual([200, reply.text]);
    expect(reply.body).toMatchObject({
      removed: 2,
      message: '2 activities removed',
      batch: { id: body.batch.id, undoneAt: NOW, canUndo: false },
    });
    const id = expect.any(Number);
    expect(reply.body.kept).toEqual([
      { id, name: 'Kept company', reason: 'has hours' },
      { id, name: 'Logged', reason: 'has hours' },
      { id, name: 'Shown', reason: 'has photos' },
      { id, name: 'Trashed', reason: 'has deleted hours or photos that can still be restored' },
    ]);
    expect(await here()).toEqual(['Kept company', 'Logged', 'Shown', 'Trashed']);
    expect((await categoriesHere()).map(({ name }) => name)).toEqual(['Events', 'Used']);
    const record = await recordOf(app, 'school', school.id);
    expect(record.at(-1)).toMatchObject({
      action: 'activities.undo',
      actorId: ada.id,
      after: { activities: 2, categories: 1, kept: 4 },
    });
    const deletedEvents = await recordOf(app, 'activity', named('Unused').id);
    expect(deletedEvents.at(-1)).toMatchObject({ action: 'activity.delete', before: { name: 'Unused' } });
  });

  test('works only once, within 30 days, and for staff of the school', async () => {
    const first = (await send({ activities: [row('Fair')] })).body.batch.id;
    const elsewhere = await aPersonWithRole(app, 'school-admin', await aSchool(app));
    expect((await undo(first, elsewhere.token)).status).toBe(404);
    expect((await undo(NO_ID)).status).toBe(404);
    expect((await undo(first)).status).toBe(200);
    const again = await undo(first);
    expect([again.status, again.body.error]).toEqual([409, 'This was already undone']);
    const second = (await send({ activities: [row('Fair')] })).body.batch.id;
    app.clock.set(plusMilliseconds(NOW, BULK.undoDays * DAY + 1));
    // Sessions expire before that.
    const late = await undo(second, (await anAdministrator(app)).token);
    expect([late.status, late.body.error]).toEqual([
      409,
      'Activities added together can only be removed within 30 days',
    ]);
  });

  test('explains that nothing was removed if all activities are in use', async () => {
    const { id } = (await send({ activities: [row('Fair')] })).body.batch;
    const [fair] = (await app.call(`GET /api/admin/activities?schoolId=${school.id}`, { token: ada.token }))
      .body.activities;
    await anEntry(app, { by: await aPerson(app, { schools: [school] }), activity: fair });
    expect((await undo(id)).body.message).toBe('Nothing was removed: all of them are in use');
  });

  test('keeps an activity for which hours are logged at the same time', async () => {
    const { id } = (await send({ activities: [row('Fair')] })).body.batch;
    const [fair] = (await app.call(`GET /api/admin/activities?schoolId=${school.id}`, { token: ada.token }))
      .body.activities;
    const bob = await aPerson(app, { schools: [school] });
    const reply = await sendDuring(
      app,
      (trx) =>
        trx
          .insertInto('time_entries')
          .values({
            user_id: bob.id,
            school_id: school.id,
            activity_id: fair.id,
            hours_hundredths: 100,
            entry_date: day(TODAY),
            notes: null,
            created_at: NOW,
            deleted_at: null,
            deleted_by: null,
          })
          .execute(),
      () => undo(id),
    );
    expect([reply.status, reply.body.removed]).toEqual([200, 0]);
    expect(await here()).toEqual(['Fair']);
  });

  test('is neither offered nor possible while the school has a legal hold', async () => {
    const { id } = (await send({ activities: [row('Fair')] })).body.batch;
    await app.call('POST /api/admin/legal-holds', {
      token: ada.token,
      body: { schoolId: school.id, reason: 'Court order' },
    });
    // The list does not offer an undo that would be rejected.
    const { body } = await app.call(`GET /api/admin/activities/bulk?schoolId=${school.id}`, {
      token: ada.token,
    });
    expect(body.batches).toMatchObject([{ id, undoneAt: null, canUndo: false }]);
    const refused = await undo(id);
    expect([refused.status, refused.body.error]).toEqual([409, expect.stringContaining('legal hold')]);
    expect(await here()).toEqual(['Fair']);
  });
});

test('the list of bulk adds contains those of the last 30 days, latest first', async () => {
  await send({ activities: [row('First')] });
  app.clock.set(plusMilliseconds(NOW, 1000));
  await send({ activities: [row('Second')] });
  const list = (token: string) => app.call(`GET /api/admin/activities/bulk?schoolId=${school.id}`, { token });
  const { body } = await list(ada.token);
  expect(body.batches.map(({ categories }: { categories: number }) => categories)).toEqual([0, 1]);
  const elsewhere = await aPersonWithRole(app, 'school-admin', await aSchool(app));
  expect((await list(elsewhere.token)).status).toBe(404);
  app.clock.set(plusMilliseconds(NOW, BULK.undoDays * DAY + 500));
  expect((await list((await anAdministrator(app)).token)).body.batches).toHaveLength(1);
});

describe('the starter set', () => {
  type Named = { name: string; translations: { es: { name: string } } | null };
  type Category = Named & { color: string; kind: string; activities: Named[] };
  const starterSet = async (headers: Record<string, string> = {}): Promise<Category[]> =>
    (await app.call('GET /api/admin/activities/starter-set', { token: ada.token, headers })).body.categories;
  const offer = (languages: string[]) =>
    app.call('PUT /api/admin/settings', { token: ada.token, body: { languages } });

  test('has English names with Spanish translations in any browser language, and can be added', async () => {
    const categories = await starterSet({ 'accept-language': 'es-US' });
    const events = categories[0] as Category;
    expect(events).toMatchObject({
      name: 'Events',
      translations: { es: { name: 'Eventos' } },
      kind: 'event',
    });
    expect(events.activities[0]).toEqual({
      name: 'Book fair',
      translations: { es: { name: 'Feria del libro' } },
    });
    const activities = categories.flatMap(({ name: category, activities: some }) =>
      some.map((one) => ({ ...one, category })),
    );
    const looks = categories.map(({ name, color, kind, translations }) => ({
      name,
      color,
      kind,
      translations,
    }));
    expect((await send({ activities, categories: looks })).status).toBe(201);
    for (const list of ['activities', 'categories']) {
      const path = `GET /api/admin/${list}?schoolId=${school.id}`;
      const rows: Named[] = (await app.call(path, { token: ada.token })).body[list];
      const expected = list === 'activities' ? activities : categories;
      const names = (some: readonly Named[]) =>
        some.map(({ name, translations }) => `${name}: ${translations?.es.name}`).toSorted();
      expect(names(rows)).toEqual(names(expected));
    }
  });

  test('uses the language of a district that offers only one, without translations', async () => {
    const names = ({ name, translations }: Named) => [name, translations];
    await offer(['en']);
    expect(names((await starterSet())[0] as Category)).toEqual(['Events', null]);
    await offer(['es']);
    expect(names((await starterSet())[0] as Category)).toEqual(['Eventos', null]);
    await offer(['en', 'es']);
  });

  test('has no duplicate names in any language', async () => {
    const all = (await starterSet()).flatMap((category) => [category, ...category.activities]);
    for (const names of [all.map(({ name }) => name), all.map(({ translations }) => translations?.es.name)]) {
      expect(new Set(names).size).toBe(all.length);
    }
  });
});
