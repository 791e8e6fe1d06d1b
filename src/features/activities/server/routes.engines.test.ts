import { beforeAll, describe, expect, test } from 'vitest';
import { transaction } from '#server/db/database.ts';
import { asViewer, scopeOf } from '#server/http/viewer.ts';
import { day } from '#shared/calendar-date.ts';
import { recordOf } from '#test/audit-log.ts';
import { aCategory, anActivity, anAdministrator, anEntry, aPerson, aPhoto, aSchool } from '#test/builders.ts';
import { sendDuring } from '#test/concurrent-requests.ts';
import { startApp, type TestApp, TODAY } from '#test/harness.ts';
import { NO_ID, readPages } from '#test/list-requests.ts';
import { createActivity, findActivityFor } from './actions.ts';

let app: TestApp;
let admin: { id: number; token: string };
let school: { id: number; name: string };
let category: { id: number; name: string; schoolId: number };
beforeAll(async () => {
  app = await startApp();
  admin = await anAdministrator(app);
  school = await aSchool(app);
  category = await aCategory(app, { school, name: 'Events', color: 'teal' });
});

const create = (body: object, headers: Record<string, string> = {}) =>
  app.call('POST /api/admin/activities', { token: admin.token, body, headers });
const change = (id: number | string, body: object, headers: Record<string, string> = {}) =>
  app.call(`PUT /api/admin/activities/${id}`, { token: admin.token, body, headers });
const remove = (id: number | string) =>
  app.call(`DELETE /api/admin/activities/${id}`, { token: admin.token });
const list = (query: string) => app.call(`GET /api/admin/activities${query}`, { token: admin.token });
const listAsVolunteer = (token: string, query = '') => app.call(`GET /api/activities${query}`, { token });
const namesIn = (body: { activities: { name: string }[] }) => body.activities.map(({ name }) => name);
const searchNames = async (search: string) =>
  namesIn((await list(`?search=${encodeURIComponent(search)}`)).body);

async function createdActivity(given: object = {}) {
  const { body } = await create({
    schoolId: school.id,
    categoryId: category.id,
    name: 'Book fair',
    ...given,
  });
  return body.activity;
}

async function manyActivities(where: { id: number; schoolId: number }, count: number) {
  await app.deps.database.db
    .insertInto('activities')
    .values(
      Array.from({ length: count }, (_, index) => ({
        school_id: where.schoolId,
        category_id: where.id,
        name: `Activity ${index}`,
        name_key: `activity ${index}`,
        description: null,
        is_active: 1 as const,
        active_from: null,
        active_until: null,
        requires_description: 0 as const,
        description_prompt: null,
        created_at: app.clock.now(),
      })),
    )
    .execute();
}

describe("listing a volunteer's activities", () => {
  test('returns all activities of the requested school by name, including inactive ones', async () => {
    const own = await aSchool(app);
    const ann = await aPerson(app, { schools: [own] });
    const events = await aCategory(app, { school: own, name: 'Events', color: '#123456', kind: 'event' });
    const fair = await anActivity(app, {
      school: own,
      category: events,
      name: 'Élan fair',
      activeFrom: day('2026-03-04'),
      activeUntil: day('2026-03-06'),
      descriptionPrompt: 'the stand',
    });
    await anActivity(app, { school: own, category: events, name: 'elbow club', isActive: false });
    await anActivity(app, { school: own, category: events, name: 'Zoo' });
    const { status, body } = await listAsVolunteer(ann.token, `?schoolId=${own.id}`);
    expect(status).toBe(200);
    expect(namesIn(body)).toEqual(['Élan fair', 'elbow club', 'Zoo']);
    expect(body.activities[0]).toEqual({
      id: fair.id,
      name: 'Élan fair',
      description: null,
      categoryId: events.id,
      category: { id: events.id, name: 'Events', color: '#123456', kind: 'event' },
      schoolId: own.id,
      isActive: true,
      activeFrom: '2026-03-04',
      activeUntil: '2026-03-06',
      requiresDescription: true,
      descriptionPrompt: 'the stand',
      createdAt: app.clock.now(),
      version: 1,
      counts: { timeEntries: 0 },
      photoCount: 0,
      verifiedBy: 'school',
      outsideVerifier: null,
    });
    expect(body.activities[1]).toMatchObject({ isActive: false, activeFrom: null, descriptionPrompt: null });
  });

  test('counts only entries and photos that are not deleted', async () => {
    const own = await aSchool(app);
    const ann = await aPerson(app, { schools: [own] });
    const [busy, quiet] = [
      await anActivity(app, { school: own, name: 'Busy' }),
      await anActivity(app, { school: own, name: 'Quiet' }),
    ];
    for (let count = 0; count < 3; count++) await anEntry(app, { by: ann, activity: busy });
    await anEntry(app, { by: ann, activity: busy, deletedBy: ann });
    await aPhoto(app, { by: ann, activity: busy });
    await aPhoto(app, { by: ann, activity: busy });
    await aPhoto(app, { by: ann, activity: busy, deletedBy: ann });
    await aPhoto(app, { by: ann, activity: quiet, deletedBy: ann });
    const { body } = await listAsVolunteer(ann.token);
    expect(body.activities).toMatchObject([
      { id: busy.id, counts: { timeEntries: 3 }, photoCount: 2 },
      { id: quiet.id, counts: { timeEntries: 0 }, photoCount: 0 },
    ]);
  });

  test("covers all of the volunteer's schools by default, and no others", async () => {
    const [first, second, foreign] = [await aSchool(app), await aSchool(app), await aSchool(app)];
    const ann = await aPerson(app, { schools: [first, second] });
    await anActivity(app, { school: second, name: 'A of the second' });
    await anActivity(app, { school: first, name: 'B of the first' });
    await anActivity(app, { school: foreign, name: 'C of another' });
    expect(namesIn((await listAsVolunteer(ann.token)).body)).toEqual(['A of the second', 'B of the first']);
    expect(namesIn((await listAsVolunteer(ann.token, `?schoolId=${first.id}`)).body)).toEqual([
      'B of the first',
    ]);
  });

  test('returns the same 404 for another school as for an unknown one', async () => {
    const ann = await aPerson(app, { schools: [school] });
    const foreign = await aSchool(app);
    await anActivity(app, { school: foreign });
    for (const id of [foreign.id, ...NO_ID.filter((one) => one !== '%20')]) {
      const { status, text } = await listAsVolunteer(ann.token, `?schoolId=${id}`);
      expect(status).toBe(404);
      expect(text).toBe('{"error":"School not found"}');
    }
  });

  test('returns no activities while the membership is pending', async () => {
    const own = await aSchool(app);
    const ann = await aPerson(app);
    await anActivity(app, { school: own });
    await app.deps.database.db
      .insertInto('user_schools')
      .values({ user_id: ann.id, school_id: own.id, status: 'pending', created_at: app.clock.now() })
      .execute();
    expect((await listAsVolunteer(ann.token)).body).toEqual({ activities: [], closed: null });
    expect((await listAsVolunteer(ann.token, `?schoolId=${own.id}`)).status).toBe(404);
  });

  test('covers the whole district for an administrator, or the requested school', async () => {
    const foreign = await aSchool(app);
    const activity = await anActivity(app, { school: foreign, name: 'Far away' });
    expect(namesIn((await listAsVolunteer(admin.token)).body)).toContain('Far away');
    expect((await listAsVolunteer(admin.token, `?schoolId=${foreign.id}`)).body.activities).toMatchObject([
      { id: activity.id },
    ]);
    const { status, text } = await listAsVolunteer(admin.token, '?schoolId=999999');
    expect(status).toBe(404);
    expect(text).toBe('{"error":"School not found"}');
  });

  test('returns more than 500 activities in one reply', async () => {
    const own = await aSchool(app);
    const ann = await aPerson(app, { schools: [own] });
    await manyActivities(await aCategory(app, { school: own }), 501);
    expect((await listAsVolunteer(ann.token, `?schoolId=${own.id}`)).body.activities).toHaveLength(501);
  });
});

describe('listing activities for an administrator', () => {
  test('covers one school or all, with the fields that volunteers get', async () => {
    const [here, there] = [await aSchool(app), await aSchool(app)];
    await anActivity(app, { school: here, name: 'Shaped here', isActive: false });
    await anActivity(app, { school: there, name: 'Shaped there' });
    const { body } = await list(`?schoolId=${here.id}`);
    const [shaped] = (await listAsVolunteer(admin.token, `?schoolId=${here.id}`)).body.activities;
    expect(body).toEqual({
      activities: [{ ...shaped, translations: null }],
      total: 1,
      nextCursor: null,
    });
    expect(await searchNames('shaped')).toEqual(['Shaped here', 'Shaped there']);
    expect((await list(`?schoolId=${there.id}&search=shaped`)).body).toMatchObject({ total: 1 });
    const nowhere = await list('?schoolId=999999');
    expect(nowhere.status).toBe(404);
    expect(nowhere.text).toBe('{"error":"School not found"}');
  });

  test('finds words in any order, ignoring case and accents', async () => {
    await anActivity(app, { school, name: 'Fête de la Musique' });
    expect(await searchNames('MUSIQUE fete')).toEqual(['Fête de la Musique']);
    expect(await searchNames('fête')).toEqual(['Fête de la Musique']);
    expect(await searchNames('fête nord')).toEqual([]);
  });

  test('searches for % and _ literally', async () => {
    for (const name of ['30% off', '300 off', 'x_y off', 'xzy off']) await anActivity(app, { school, name });
    expect(await searchNames('0%')).toEqual(['30% off']);
    expect(await searchNames('x_y')).toEqual(['x_y off']);
  });

  test('returns each activity once across pages, even if names repeat', async () => {
    const own = await aSchool(app);
    const sorted = await aCategory(app, { school: own });
    for (let number = 0; number < 6; number++) {
      await anActivity(app, {
        school: own,
        category: sorted,
        name: number % 2 === 0 ? 'Same' : `A ${number}`,
      });
    }
    const pages = await readPages(app, `/api/admin/activities?schoolId=${own.id}`, admin.token, 2);
    const rows = pages.flatMap((page) => page['activities'] as { id: number; name: string }[]);
    expect(rows.map(({ name }) => name)).toEqual(['A 1', 'A 3', 'A 5', 'Same', 'Same', 'Same']);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(6);
    expect(pages.map((page) => page['total'])).toEqual([6, 6, 6]);
  });

  test('returns 100 activities by default and at most 500, and rejects a modified cursor', async () => {
    const own = await aSchool(app);
    await manyActivities(await aCategory(app, { school: own }), 501);
    expect((await list(`?schoolId=${own.id}`)).body.activities).toHaveLength(100);
    expect((await list(`?schoolId=${own.id}&limit=500`)).body.activities).toHaveLength(500);
    for (const limit of ['0', '501']) {
      const { status, body } = await list(`?limit=${limit}`);
      expect(status).toBe(400);
      expect(body.error).toBe('The number of rows must be between 1 and 500');
    }
    const { nextCursor } = (await list(`?schoolId=${own.id}`)).body;
    const moved = 'This list has changed. Please load it again from the start.';
    const altered = await list(`?cursor=${nextCursor.replace('.', 'A.')}`);
    expect(altered.status).toBe(400);
    expect(altered.body).toEqual({ error: moved, fields: { cursor: moved } });
  });
});

describe('creating an activity', () => {
  test('returns an active, undated activity with default values, and records an audit event', async () => {
    const reply = await create({ schoolId: school.id, categoryId: category.id, name: '  Read aloud ' });
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      activity: {
        id: expect.any(Number),
        name: 'Read aloud',
        description: null,
        categoryId: category.id,
        category: { id: category.id, name: 'Events', color: 'teal', kind: 'event' },
        schoolId: school.id,
        isActive: true,
        activeFrom: null,
        activeUntil: null,
        requiresDescription: false,
        descriptionPrompt: null,
        createdAt: app.clock.now(),
        version: 1,
        counts: { timeEntries: 0 },
        photoCount: 0,
        verifiedBy: 'school',
        outsideVerifier: null,
        translations: null,
      },
      message: 'Activity created successfully',
    });
    expect(await recordOf(app, 'activity', reply.body.activity.id)).toEqual([
      {
        action: 'activity.create',
        actorId: admin.id,
        schoolId: school.id,
        at: app.clock.now(),
        address: '10.0.0.1',
        before: null,
        after: {
          name: 'Read aloud',
          description: null,
          categoryId: category.id,
          schoolId: school.id,
          isActive: true,
          activeFrom: null,
          activeUntil: null,
          requiresDescription: false,
          descriptionPrompt: null,
          verifiedBy: 'school',
          outsideVerifier: null,
          translations: null,
        },
      },
    ]);
  });

  test('stores all sent fields except the year-long flag', async () => {
    const fields = {
      name: 'Science night',
      description: 'Stands\nand talks',
      isActive: false,
      activeFrom: TODAY,
      activeUntil: TODAY,
      requiresDescription: true,
      descriptionPrompt: 'the stand',
    };
    const activity = await createdActivity({ ...fields, isYearLong: true });
    expect(activity).toMatchObject(fields);
    expect(activity).not.toHaveProperty('isYearLong');
  });

  test('drops the prompt if no description is required', async () => {
    expect((await createdActivity({ descriptionPrompt: 'the stand' })).descriptionPrompt).toBeNull();
  });

  const prompt = 'Please enter what volunteers should describe';
  test.each([
    [{ name: undefined }, 'name', 'Activity name is required'],
    [{ name: '  ' }, 'name', 'Activity name is required'],
    [{ name: 'x'.repeat(121) }, 'name', 'Use up to 120 characters'],
    [{ schoolId: undefined }, 'schoolId', 'Please select a school'],
    [{ categoryId: undefined }, 'categoryId', 'Please select a category'],
    [{ categoryId: null }, 'categoryId', 'Please select a category'],
    [{ description: 'x'.repeat(1001) }, 'description', 'Use up to 1000 characters'],
    [{ activeFrom: '2026-02-30' }, 'activeFrom', 'Invalid date'],
    [{ activeFrom: '03/04/2026' }, 'activeFrom', 'Invalid date'],
    [{ activeUntil: TODAY }, 'activeUntil', 'Set a start date first'],
    [
      { activeFrom: TODAY, activeUntil: '2026-03-03' },
      'activeUntil',
      'The end date cannot be before the start date',
    ],
    [{ requiresDescription: true }, 'descriptionPrompt', prompt],
    [{ requiresDescription: true, descriptionPrompt: ' ' }, 'descriptionPrompt', prompt],
    [{ descriptionPrompt: 'x'.repeat(201) }, 'descriptionPrompt', 'Use up to 200 characters'],
    [{ isActive: 'yes' }, 'isActive', 'Something in this request is not valid'],
  ])('rejects %j and names the field', async (given, field, error) => {
    const reply = await create({ schoolId: school.id, categoryId: category.id, name: 'Refused', ...given });
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual({ error, fields: { [field]: error } });
  });

  test('rejects an unknown school or category', async () => {
    const nowhere = await create({ schoolId: 999_999, categoryId: category.id, name: 'Nowhere' });
    expect(nowhere.status).toBe(404);
    expect(nowhere.text).toBe('{"error":"School not found"}');
    const unsorted = await create({ schoolId: school.id, categoryId: 999_999, name: 'Unsorted' });
    expect(unsorted.status).toBe(404);
    expect(unsorted.text).toBe('{"error":"Category not found"}');
  });

  test('rejects a category that is being deleted at the same time', async () => {
    const leaving = await aCategory(app, { school });
    const reply = await sendDuring(
      app,
      (trx) => trx.deleteFrom('categories').where('id', '=', leaving.id).execute(),
      () => create({ schoolId: school.id, categoryId: leaving.id, name: 'Too late' }),
    );
    expect(reply.status).toBe(404);
    expect(reply.text).toBe('{"error":"Category not found"}');
  });

  test('rejects a category of another school', async () => {
    const foreign = await aCategory(app, { school: await aSchool(app) });
    const error = 'The category belongs to another school';
    const reply = await create({ schoolId: school.id, categoryId: foreign.id, name: 'Misplaced' });
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual({ error, fields: { categoryId: error } });
  });

  test('allows a name that another activity has', async () => {
    await createdActivity({ name: 'Twice' });
    expect((await create({ schoolId: school.id, categoryId: category.id, name: 'Twice' })).status).toBe(201);
  });

  test('creates one activity for a repeated Idempotency-Key', async () => {
    const body = { schoolId: school.id, categoryId: category.id, name: 'Sent once' };
    const headers = { 'idempotency-key': 'activity-once' };
    const first = await create(body, headers);
    const second = await create(body, headers);
    expect(second.status).toBe(201);
    expect(second.text).toBe(first.text);
    expect(await searchNames('sent once')).toEqual(['Sent once']);
    expect(await recordOf(app, 'activity', first.body.activity.id)).toHaveLength(1);
  });

  test('is rolled back if its transaction fails', async () => {
    const viewer = asViewer({ userId: admin.id, sessionId: 1, role: 'admin', schoolIds: [], grants: [] });
    const request = { at: app.clock.now(), address: '10.0.0.1', requestId: 'r1', agent: 'test' };
    const input = { schoolId: school.id, categoryId: category.id, name: 'Half done' };
    const failing = transaction(app.deps.database, async (trx) => {
      await createActivity(trx, { viewer, request }, input);
      throw new Error('the rest failed');
    });
    await expect(failing).rejects.toThrow('the rest failed');
    expect(await searchNames('half done')).toEqual([]);
  });
});

describe('changing an activity', () => {
  test('changes only the sent values, and records the old ones in the audit log', async () => {
    const activity = await createdActivity({ description: 'Books', activeFrom: TODAY });
    const reply = await change(activity.id, { name: 'Big book fair' });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      activity: { ...activity, name: 'Big book fair', version: 2 },
      message: 'Activity updated successfully',
    });
    expect((await recordOf(app, 'activity', activity.id))[1]).toMatchObject({
      action: 'activity.edit',
      actorId: admin.id,
      schoolId: school.id,
      before: { name: 'Book fair', description: 'Books' },
      after: { name: 'Big book fair', description: 'Books' },
    });
    expect(await searchNames('big book fair')).toEqual(['Big book fair']);
  });

  test('clears optional fields set to null or blank', async () => {
    const activity = await createdActivity({ description: 'Books', activeFrom: TODAY, activeUntil: TODAY });
    const reply = await change(activity.id, { description: ' ', activeFrom: null, activeUntil: null });
    expect(reply.body.activity).toMatchObject({ description: null, activeFrom: null, activeUntil: null });
  });

  test('clears the prompt when no description is required anymore', async () => {
    const { id } = await createdActivity({ requiresDescription: true, descriptionPrompt: 'the stand' });
    expect((await change(id, { requiresDescription: false })).body.activity).toMatchObject({
      requiresDescription: false,
      descriptionPrompt: null,
    });
    const error = 'Please enter what volunteers should describe';
    expect((await change(id, { requiresDescription: true })).body).toEqual({
      error,
      fields: { descriptionPrompt: error },
    });
  });

  test.each([
    [{ name: null }, 'name', 'Activity name is required'],
    [{ activeFrom: null }, 'activeUntil', 'Set a start date first'],
    [{ activeFrom: '2026-03-05' }, 'activeUntil', 'The end date cannot be before the start date'],
    [{ activeUntil: '2026-03-03' }, 'activeUntil', 'The end date cannot be before the start date'],
    [{ descriptionPrompt: null }, 'descriptionPrompt', 'Please enter what volunteers should describe'],
    [{ categoryId: null }, 'categoryId', 'Please select a category'],
  ])('rejects %j if the result would be invalid', async (given, field, error) => {
    const activity = await createdActivity({
      activeFrom: TODAY,
      activeUntil: TODAY,
      requiresDescription: true,
      descriptionPrompt: 'the stand',
    });
    const reply = await change(activity.id, given);
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual({ error, fields: { [field]: error } });
    expect((await change(activity.id, { name: activity.name })).body.activity).toEqual(activity);
  });

  test('accepts another category of the same school, but not of another school', async () => {
    const activity = await createdActivity();
    const garden = await aCategory(app, { school, name: 'Garden', kind: 'other' });
    const foreign = await aCategory(app, { school: await aSchool(app) });
    expect((await change(activity.id, { categoryId: garden.id })).body.activity).toMatchObject({
      categoryId: garden.id,
      category: { id: garden.id, name: 'Garden', kind: 'other' },
    });
    const error = 'The category belongs to another school';
    const reply = await change(activity.id, { categoryId: foreign.id });
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual({ error, fields: { categoryId: error } });
    const unsorted = await change(activity.id, { categoryId: 999_999 });
    expect(unsorted.status).toBe(404);
    expect(unsorted.text).toBe('{"error":"Category not found"}');
  });

  test('cannot move an activity to another school', async () => {
    const activity = await createdActivity();
    const other = await aSchool(app);
    const error = "An activity can't move to another school. Create one there instead.";
    const reply = await change(activity.id, { schoolId: other.id });
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual({ error, fields: { schoolId: error } });
    expect((await change(activity.id, { schoolId: school.id })).status).toBe(200);
  });

  test('keeps entries and photos when the activity is deactivated', async () => {
    const ann = await aPerson(app, { schools: [school] });
    const activity = await anActivity(app, { school, category });
    await anEntry(app, { by: ann, activity });
    await aPhoto(app, { by: ann, activity });
    expect((await change(activity.id, { isActive: false })).body.activity).toMatchObject({
      isActive: false,
      counts: { timeEntries: 1 },
      photoCount: 1,
    });
  });

  test('rejects an outdated version', async () => {
    const { id } = await createdActivity();
    expect((await change(id, { name: 'First' }, { 'if-match': '"1"' })).status).toBe(200);
    const reply = await change(id, { name: 'Second' }, { 'if-match': '"1"' });
    expect(reply.status).toBe(409);
    expect(reply.body).toEqual({ error: 'Someone else changed this item. Reload and try again.' });
    expect((await change(id, { isActive: true }, { 'if-match': '"2"' })).body.activity.name).toBe('First');
  });

  test('returns 404 for an unknown or malformed id', async () => {
    for (const id of NO_ID) {
      const reply = await change(id, { name: 'Nowhere' });
      expect(reply.status).toBe(404);
      expect(reply.text).toBe('{"error":"Activity not found"}');
    }
  });
});

describe('deleting an activity', () => {
  test('removes it from the lists and records its values in the audit log', async () => {
    const activity = await createdActivity({ name: 'Leaving' });
    const reply = await remove(activity.id);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ message: 'Activity deleted successfully' });
    expect(await searchNames('leaving')).toEqual([]);
    expect((await recordOf(app, 'activity', activity.id))[1]).toMatchObject({
      action: 'activity.delete',
      actorId: admin.id,
      schoolId: school.id,
      before: { name: 'Leaving', categoryId: category.id, trash: { timeEntries: [], photos: [] } },
      after: null,
    });
    expect((await remove(activity.id)).status).toBe(404);
  });

  test('is rejected while the activity has hours or photos, with their number', async () => {
    const ann = await aPerson(app, { schools: [school] });
    const activity = await anActivity(app, { school, category, name: 'Book fair' });
    for (let count = 0; count < 14; count++) await anEntry(app, { by: ann, activity });
    const reply = await remove(activity.id);
    expect(reply.status).toBe(409);
    expect(reply.body).toEqual({
      error: 'Cannot delete Book fair: it still has 14 time entries. Deactivate it instead.',
    });
    await aPhoto(app, { by: ann, activity });
    expect((await remove(activity.id)).body).toEqual({
      error: 'Cannot delete Book fair: it still has 14 time entries and 1 photo. Deactivate it instead.',
    });
    expect(await recordOf(app, 'activity', activity.id)).toEqual([]);
  });

  test('also deletes its deleted entries and photos, and no others', async () => {
    const ann = await aPerson(app, { schools: [school] });
    const [leaving, staying] = [
      await anActivity(app, { school, category }),
      await anActivity(app, { school, category }),
    ];
    const entry = await anEntry(app, { by: ann, activity: leaving, deletedBy: ann });
    const photo = await aPhoto(app, { by: ann, activity: leaving, deletedBy: admin });
    const others = {
      time_entries: [
        await anEntry(app, { by: ann, activity: staying, deletedBy: ann }),
        await anEntry(app, { by: ann, activity: staying }),
      ],
      photos: [
        await aPhoto(app, { by: ann, activity: staying, deletedBy: admin }),
        await aPhoto(app, { by: ann, activity: staying }),
      ],
    };
    expect((await remove(leaving.id)).status).toBe(200);
    for (const table of ['time_entries', 'photos'] as const) {
      const left = await app.deps.database.db
        .selectFrom(table)
        .select('id')
        .where('user_id', '=', ann.id)
        .orderBy('id')
        .execute();
      expect(left).toEqual(others[table].map(({ id }) => ({ id })));
    }
    expect(await recordOf(app, 'activity', leaving.id)).toMatchObject([
      { before: { trash: { timeEntries: [entry.id], photos: [photo.id] } } },
    ]);
  });

  test('is rejected if hours are logged at the same time', async () => {
    const ann = await aPerson(app, { schools: [school] });
    const activity = await anActivity(app, { school, category, name: 'Racing' });
    const reply = await sendDuring(
      app,
      (trx) =>
        trx
          .insertInto('time_entries')
          .values({
            user_id: ann.id,
            school_id: school.id,
            activity_id: activity.id,
            hours_hundredths: 150,
            entry_date: day(TODAY),
            notes: null,
            created_at: app.clock.now(),
            deleted_at: null,
            deleted_by: null,
          })
          .execute(),
      () => remove(activity.id),
    );
    expect(reply.status).toBe(409);
    expect(reply.body.error).toBe('Cannot delete Racing: it still has 1 time entry. Deactivate it instead.');
  });

  test('is rejected if deleted hours are restored at the same time', async () => {
    const ann = await aPerson(app, { schools: [school] });
    const activity = await anActivity(app, { school, category, name: 'Restoring' });
    const entry = await anEntry(app, { by: ann, activity, deletedBy: ann });
    const reply = await sendDuring(
      app,
      (trx) =>
        trx
          .updateTable('time_entries')
          .set({ deleted_at: null, deleted_by: null })
          .where('id', '=', entry.id)
          .execute(),
      () => remove(activity.id),
    );
    expect(reply.status).toBe(409);
    const stored = await app.deps.database.db
      .selectFrom('time_entries')
      .select('deleted_at')
      .where('id', '=', entry.id)
      .executeTakeFirst();
    expect(stored).toEqual({ deleted_at: null });
  });

  test('returns 404 for an unknown or malformed id', async () => {
    for (const id of NO_ID) {
      const reply = await remove(id);
      expect(reply.status).toBe(404);
      expect(reply.text).toBe('{"error":"Activity not found"}');
    }
  });
});

describe('looking up an activity for another feature', () => {
  test('finds it only if it belongs to one of the given schools', async () => {
    const own = await aSchool(app);
    const activity = await anActivity(app, {
      school: own,
      name: 'Looked up',
      descriptionPrompt: 'the stand',
    });
    const viewerOf = (schoolIds: number[]) =>
      ({ userId: 1, sessionId: 1, role: 'user', schoolIds, grants: [] }) as const;
    const { db } = app.deps.database;
    expect(await findActivityFor(db, scopeOf(viewerOf([school.id, own.id])), activity.id)).toEqual({
      id: activity.id,
      schoolId: own.id,
      name: 'Looked up',
      category: { id: activity.categoryId, name: expect.any(String), color: '#3498db', kind: 'event' },
      isActive: true,
      activeFrom: null,
      requiresDescription: true,
      descriptionPrompt: 'the stand',
    });
    expect(await findActivityFor(db, scopeOf(viewerOf([school.id])), activity.id)).toBeUndefined();
    expect(await findActivityFor(db, scopeOf(viewerOf([])), activity.id)).toBeUndefined();
    expect(await findActivityFor(db, scopeOf(viewerOf([own.id])), 999_999)).toBeUndefined();
  });
});
