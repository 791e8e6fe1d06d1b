import { beforeAll, describe, expect, test } from 'vitest';
import { recordOf } from '#test/audit-log.ts';
import {
  aCategory,
  anActivity,
  anAdministrator,
  anEntry,
  aPerson,
  aPhoto,
  aSchool,
  aSuggestion,
} from '#test/builders.ts';
import { sendDuring } from '#test/concurrent-requests.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { NO_ID, readPages } from '#test/list-requests.ts';

let app: TestApp;
let admin: { id: number; token: string };
beforeAll(async () => {
  app = await startApp();
  admin = await anAdministrator(app);
});

const create = (body: object, headers: Record<string, string> = {}) =>
  app.call('POST /api/admin/schools', { token: admin.token, body, headers });
const change = (id: number | string, body: object, headers: Record<string, string> = {}) =>
  app.call(`PUT /api/admin/schools/${id}`, { token: admin.token, body, headers });
const remove = (id: number | string) => app.call(`DELETE /api/admin/schools/${id}`, { token: admin.token });
const list = (query = '') => app.call(`GET /api/admin/schools${query}`, { token: admin.token });
const found = async (search: string) => {
  const { body } = await list(`?search=${encodeURIComponent(search)}`);
  return body.schools.map((school: { name: string }) => school.name);
};

describe('public list of schools', () => {
  test('contains every school by name, with only its name and logo', async () => {
    const own = await startApp();
    const names = ['zebra Park', 'Élan Academy', 'Eland School', 'Aspen'];
    for (const name of names) await aSchool(own, { name });
    const { status, body } = await own.call('GET /api/schools/public');
    expect(status).toBe(200);
    expect(body).toEqual({
      schools: ['Aspen', 'Élan Academy', 'Eland School', 'zebra Park'].map((name) => ({
        id: expect.any(Number),
        name,
        logoUrl: null,
      })),
    });
  });

  test('contains more than 500 schools in one reply', async () => {
    const own = await startApp();
    await own.deps.database.db
      .insertInto('schools')
      .values(
        Array.from({ length: 501 }, (_, index) => ({
          name: `School ${index}`,
          name_key: `school ${index}`,
          logo_url: null,
          created_at: own.clock.now(),
        })),
      )
      .execute();
    expect((await own.call('GET /api/schools/public')).body.schools).toHaveLength(501);
  });
});

describe('listing the schools of the district', () => {
  test('counts categories and members, not pending requests', async () => {
    const school = await aSchool(app, { name: 'Counted School' });
    await aCategory(app, { school });
    await aCategory(app, { school });
    await aPerson(app, { schools: [school] });
    const asking = await aPerson(app);
    await app.deps.database.db
      .insertInto('user_schools')
      .values({
        user_id: asking.id,
        school_id: school.id,
        status: 'pending',
        created_at: app.clock.now(),
      })
      .execute();
    expect((await list('?search=counted')).body).toEqual({
      schools: [
        {
          id: school.id,
          name: 'Counted School',
          logoUrl: null,
          letter: null,
          verification: 'off',
          closedBefore: null,
          lateAfterDays: null,
          translations: null,
          version: 1,
          counts: { userSchools: 1, activityCategories: 2 },
        },
      ],
      total: 1,
      nextCursor: null,
    });
  });

  test('finds words in any order, ignoring case and accents', async () => {
    await aSchool(app, { name: 'École Élémentaire Nuñez' });
    await aSchool(app, { name: 'ecole Nunez West' });
    expect(await found('ecole nunez')).toEqual(['École Élémentaire Nuñez', 'ecole Nunez West']);
    expect(await found('NÚÑEZ ÉCOLE')).toEqual(['École Élémentaire Nuñez', 'ecole Nunez West']);
    expect(await found('elementaire')).toEqual(['École Élémentaire Nuñez']);
  });

  test('searches for %, _ and \\ literally', async () => {
    for (const name of ['100% Gym', '1000 Gym', 'A_B Gym', 'AxB Gym', 'C\\D Gym'])
      await aSchool(app, { name });
    expect(await found('0%')).toEqual(['100% Gym']);
    expect(await found('a_b')).toEqual(['A_B Gym']);
    expect(await found('\\')).toEqual(['C\\D Gym']);
  });

  test('returns each school once across pages, with the total of the search', async () => {
    for (const number of [3, 1, 5, 2, 4]) await aSchool(app, { name: `Paged ${number}` });
    const pages = await readPages(app, '/api/admin/schools?search=paged', admin.token, 2);
    const names = pages.flatMap((page) => (page['schools'] as { name: string }[]).map(({ name }) => name));
    expect(names).toEqual(['Paged 1', 'Paged 2', 'Paged 3', 'Paged 4', 'Paged 5']);
    expect(pages.map((page) => page['total'])).toEqual([5, 5, 5]);
  });

  test('rejects a modified cursor and one from another list', async () => {
    for (const name of ['Cursor 1', 'Cursor 2']) {
      const school = await aSchool(app, { name });
      await aCategory(app, { school });
    }
    const own = (await list('?limit=1')).body.nextCursor;
    const foreign = await app.call('GET /api/admin/categories?limit=1', { token: admin.token });
    const error = 'This list has changed. Please load it again from the start.';
    for (const cursor of [`A${own}`, own.slice(0, -1), 'none', foreign.body.nextCursor]) {
      const { status, body } = await list(`?limit=1&cursor=${cursor}`);
      expect(status).toBe(400);
      expect(body).toEqual({ error, fields: { cursor: error } });
    }
  });

  test.each(['0', '501', '-1', '1.5', 'ten'])('rejects a page size of %j', async (limit) => {
    const error = 'The number of rows must be between 1 and 500';
    const { status, body } = await list(`?limit=${limit}`);
    expect(status).toBe(400);
    expect(body).toEqual({ error, fields: { limit: error } });
  });
});

describe('creating a school', () => {
  test('returns the complete school, adds it to the public list, and records an audit event', async () => {
    const reply = await create({ name: '  Lincoln   Élementary ' });
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      school: {
        id: expect.any(Number),
        name: 'Lincoln   Élementary',
        logoUrl: null,
        letter: null,
        verification: 'off',
        closedBefore: null,
        lateAfterDays: null,
        translations: null,
        version: 1,
        counts: { userSchools: 0, activityCategories: 0 },
      },
      message: 'School created successfully',
    });
    const { id } = reply.body.school;
    expect((await app.call('GET /api/schools/public')).body.schools).toContainEqual({
      id,
      name: 'Lincoln   Élementary',
      logoUrl: null,
    });
    expect(await recordOf(app, 'school', id)).toEqual([
      {
        action: 'school.create',
        actorId: admin.id,
        schoolId: id,
        at: app.clock.now(),
        address: '10.0.0.1',
        before: null,
        after: {
          name: 'Lincoln   Élementary',
          letterSigner: null,
          letterTitle: null,
          letterWording: null,
          verification: 'off',
          closedBefore: null,
          lateAfterDays: null,
          translations: null,
          logoUrl: null,
        },
      },
    ]);
  });

  test.each([
    [{}, 'School name is required'],
    [{ name: ' \n' }, 'School name is required'],
    [{ name: null }, 'School name is required'],
    [{ name: 7 }, 'School name is required'],
    [{ name: 'x'.repeat(121) }, 'Use up to 120 characters'],
  ])('rejects %j', async (body, error) => {
    const reply = await create(body);
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual({ error, fields: { name: error } });
  });

  test('accepts a name of 120 characters', async () => {
    expect((await create({ name: 'Ü'.repeat(120) })).status).toBe(201);
  });

  test('rejects the name of another school, ignoring case and accents', async () => {
    await aSchool(app, { name: 'Saint-Rémy' });
    const reply = await create({ name: 'SAINT-REMY' });
    expect(reply.status).toBe(409);
    expect(reply.body).toEqual({ error: 'A school with this name already exists' });
  });

  test('creates one school for two requests with one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'school-once' };
    const first = await create({ name: 'Once School' }, headers);
    const second = await create({ name: 'Once School' }, headers);
    expect(second.status).toBe(201);
    expect(second.text).toBe(first.text);
    expect(await found('once school')).toEqual(['Once School']);
    expect(await recordOf(app, 'school', first.body.school.id)).toHaveLength(1);
  });
});

describe('changing a school', () => {
  test('returns the next version and records the old values in the audit log', async () => {
    const school = await aSchool(app, { name: 'Before School' });
    await aCategory(app, { school });
    const reply = await change(school.id, { name: 'After School' });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      school: {
        id: school.id,
        name: 'After School',
        logoUrl: null,
        letter: null,
        verification: 'off',
        closedBefore: null,
        lateAfterDays: null,
        translations: null,
        version: 2,
        counts: { userSchools: 0, activityCategories: 1 },
      },
      message: 'School updated successfully',
    });
    expect(await recordOf(app, 'school', school.id)).toMatchObject([
      {
        action: 'school.edit',
        actorId: admin.id,
        schoolId: school.id,
        before: { name: 'Before School' },
        after: { name: 'After School' },
      },
    ]);
    expect(await found('after school')).toEqual(['After School']);
    expect(await found('before school')).toEqual([]);
  });

  test('keeps the name if none is sent, and can change only its case', async () => {
    const school = await aSchool(app, { name: 'Quiet School' });
    expect((await change(school.id, { verification: 'off' })).body.school.name).toBe('Quiet School');
    expect((await change(school.id, { name: 'QUIET School' })).body.school.name).toBe('QUIET School');
  });

  test('rejects a blank or duplicate name', async () => {
    const school = await aSchool(app);
    const other = await aSchool(app, { name: 'Taken School' });
    expect((await change(school.id, { name: '' })).body.error).toBe('School name is required');
    expect((await change(school.id, { name: null })).body.error).toBe('School name is required');
    const reply = await change(school.id, { name: 'taken school' });
    expect(reply.status).toBe(409);
    expect(reply.body).toEqual({ error: 'A school with this name already exists' });
    expect((await list(`?search=${other.name}`)).body.schools[0].version).toBe(1);
  });

  test('rejects an outdated version', async () => {
    const school = await aSchool(app);
    expect((await change(school.id, { name: 'Newer name' }, { 'if-match': '"1"' })).status).toBe(200);
    const reply = await change(school.id, { name: 'Older name' }, { 'if-match': '1' });
    expect(reply.status).toBe(409);
    expect(reply.body).toEqual({ error: 'Someone else changed this item. Reload and try again.' });
    expect(await found('older name')).toEqual([]);
  });

  test('returns 404 for an unknown or malformed id', async () => {
    for (const id of NO_ID) {
      const reply = await change(id, { name: 'Nowhere' });
      expect(reply.status).toBe(404);
      expect(reply.text).toBe('{"error":"School not found"}');
    }
  });
});

describe('deleting a school', () => {
  test('removes it from the list and records its values in the audit log', async () => {
    const school = await aSchool(app, { name: 'Leaving School' });
    const reply = await remove(school.id);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ message: 'School deleted successfully' });
    expect(await found('leaving school')).toEqual([]);
    expect(await recordOf(app, 'school', school.id)).toMatchObject([
      {
        action: 'school.delete',
        actorId: admin.id,
        before: { name: 'Leaving School', members: [] },
        after: null,
      },
    ]);
    expect((await remove(school.id)).status).toBe(404);
  });

  test('is rejected, with a count of everything that prevents it', async () => {
    const school = await aSchool(app, { name: 'Busy School' });
    const volunteer = await aPerson(app, { schools: [school] });
    const activity = await anActivity(app, { school });
    await aCategory(app, { school });
    for (let count = 0; count < 14; count++) await anEntry(app, { by: volunteer, activity });
    await aPhoto(app, { by: volunteer, activity });
    await aSuggestion(app, { by: volunteer, school });
    await aSuggestion(app, { by: volunteer, school, status: 'rejected' });
    const reply = await remove(school.id);
    expect(reply.status).toBe(409);
    expect(reply.body).toEqual({
      error:
        'Cannot delete Busy School: it still has 2 categories, 1 activity, 14 time entries, 1 photo, ' +
        '2 suggestions, and 1 volunteer with no other school. Move or delete them first.',
    });
    expect(await found('busy school')).toEqual(['Busy School']);
    expect(await recordOf(app, 'school', school.id)).toEqual([]);
  });

  test('is rejected while the school has a category, even an empty one', async () => {
    const school = await aSchool(app, { name: 'Sorted School' });
    await aCategory(app, { school });
    expect((await remove(school.id)).body).toEqual({
      error: 'Cannot delete Sorted School: it still has 1 category. Move or delete them first.',
    });
  });

  test('is rejected while a volunteer has no other school', async () => {
    const school = await aSchool(app, { name: 'Only School' });
    await aPerson(app, { schools: [school] });
    await aPerson(app, { schools: [school] });
    await aPerson(app, { schools: [school, await aSchool(app)] });
    await aPerson(app, { schools: [school], role: 'admin' });
    const reply = await remove(school.id);
    expect(reply.status).toBe(409);
    expect(reply.body).toEqual({
      error:
        'Cannot delete Only School: it still has 2 volunteers with no other school. Move or delete them first.',
    });
  });

  test('ends the membership of a volunteer who has another school', async () => {
    const [school, other] = [await aSchool(app), await aSchool(app)];
    const volunteer = await aPerson(app, { schools: [school, other] });
    expect((await remove(school.id)).status).toBe(200);
    const profile = await app.call('GET /api/profile', { token: volunteer.token });
    expect(profile.body.user.schools).toEqual([{ id: other.id, name: other.name, logoUrl: null }]);
    expect(await recordOf(app, 'school', school.id)).toMatchObject([{ before: { members: [volunteer.id] } }]);
  });

  test('is not prevented by a deleted suggestion', async () => {
    const [school, other] = [await aSchool(app), await aSchool(app)];
    const volunteer = await aPerson(app, { schools: [school, other] });
    await aSuggestion(app, { by: volunteer, school, status: 'deleted' });
    const kept = await aSuggestion(app, { by: volunteer, school: other, status: 'deleted' });
    expect((await remove(school.id)).status).toBe(200);
    const left = await app.deps.database.db
      .selectFrom('activity_suggestions')
      .select('id')
      .where('user_id', '=', volunteer.id)
      .execute();
    expect(left).toEqual([{ id: kept.id }]);
  });

  test('is rejected if a category is added at the same time', async () => {
    const school = await aSchool(app, { name: 'Racing School' });
    const reply = await sendDuring(
      app,
      (trx) =>
        trx
          .insertInto('categories')
          .values({
            school_id: school.id,
            name: 'Late',
            name_key: 'late',
            description: null,
            color: '#3498db',
            kind: 'other',
            created_at: app.clock.now(),
          })
          .execute(),
      () => remove(school.id),
    );
    expect(reply.status).toBe(409);
    expect(reply.body.error).toBe(
      'Cannot delete Racing School: it still has 1 category. Move or delete them first.',
    );
  });

  test('returns 404 for an unknown or malformed id', async () => {
    for (const id of NO_ID) {
      const reply = await remove(id);
      expect(reply.status).toBe(404);
      expect(reply.text).toBe('{"error":"School not found"}');
    }
  });
});
