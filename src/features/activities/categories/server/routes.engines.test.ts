import { beforeAll, describe, expect, test } from 'vitest';
import { recordOf } from '#test/audit-log.ts';
import { aCategory, anActivity, anAdministrator, aSchool, aSuggestion } from '#test/builders.ts';
import { sendDuring } from '#test/concurrent-requests.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { NO_ID, readPages } from '#test/list-requests.ts';

let app: TestApp;
let admin: { id: number; token: string };
let school: { id: number; name: string };
beforeAll(async () => {
  app = await startApp();
  admin = await anAdministrator(app);
  school = await aSchool(app);
});

const create = (body: object, headers: Record<string, string> = {}) =>
  app.call('POST /api/admin/categories', { token: admin.token, body, headers });
const change = (id: number | string, body: object, headers: Record<string, string> = {}) =>
  app.call(`PUT /api/admin/categories/${id}`, { token: admin.token, body, headers });
const remove = (id: number | string) =>
  app.call(`DELETE /api/admin/categories/${id}`, { token: admin.token });
const list = (query: string) => app.call(`GET /api/admin/categories${query}`, { token: admin.token });
const namesIn = (body: { categories: { name: string }[] }) => body.categories.map(({ name }) => name);
const searchNames = async (search: string) =>
  namesIn((await list(`?search=${encodeURIComponent(search)}`)).body);

describe('listing categories', () => {
  test('returns the categories of one school or all, sorted by name, with activity counts', async () => {
    const [here, there] = [await aSchool(app), await aSchool(app)];
    const events = await aCategory(app, {
      school: here,
      name: 'Listed events',
      kind: 'event',
      color: 'teal',
    });
    await aCategory(app, { school: here, name: 'Listed arts' });
    await aCategory(app, { school: there, name: 'Listed elsewhere' });
    await anActivity(app, { school: here, category: events });
    await anActivity(app, { school: here, category: events, isActive: false });
    const { status, body } = await list(`?schoolId=${here.id}`);
    expect(status).toBe(200);
    expect(namesIn(body)).toEqual(['Listed arts', 'Listed events']);
    expect(body.total).toBe(2);
    expect(body.nextCursor).toBeNull();
    expect(body.categories[1]).toEqual({
      id: events.id,
      name: 'Listed events',
      description: null,
      color: 'teal',
      kind: 'event',
      translations: null,
      schoolId: here.id,
      version: 1,
      counts: { activities: 2 },
    });
    expect(await searchNames('listed')).toEqual(['Listed arts', 'Listed elsewhere', 'Listed events']);
  });

  test('returns 404 for an unknown or malformed school id', async () => {
    for (const id of NO_ID.filter((one) => one !== '%20')) {
      const { status, text } = await list(`?schoolId=${id}`);
      expect(status).toBe(404);
      expect(text).toBe('{"error":"School not found"}');
    }
  });

  test('finds words in any order, ignoring case and accents', async () => {
    await aCategory(app, { school, name: 'Café Théâtre' });
    await aCategory(app, { school, name: 'theatre cafe club' });
    expect(await searchNames('THEATRE CAFÉ')).toEqual(['Café Théâtre', 'theatre cafe club']);
    expect(await searchNames('club théâtre')).toEqual(['theatre cafe club']);
  });

  test('searches for % and _ literally', async () => {
    for (const name of ['50% club', '500 club', 'a_b club', 'axb club'])
      await aCategory(app, { school, name });
    expect(await searchNames('0%')).toEqual(['50% club']);
    expect(await searchNames('a_b')).toEqual(['a_b club']);
  });

  test('returns each category once across pages, even if categories of several schools share a name', async () => {
    for (let number = 0; number < 5; number++) {
      const own = await aSchool(app);
      await aCategory(app, { school: own, name: 'Paged same' });
      await aCategory(app, { school: own, name: `Paged ${number}` });
    }
    const pages = await readPages(app, '/api/admin/categories?search=paged', admin.token, 3);
    const rows = pages.flatMap((page) => page['categories'] as { id: number; name: string }[]);
    expect(rows.map(({ name }) => name)).toEqual([
      ...[0, 1, 2, 3, 4].map((number) => `Paged ${number}`),
      ...Array(5).fill('Paged same'),
    ]);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(10);
    expect(pages.map((page) => page['total'])).toEqual([10, 10, 10, 10]);
  });

  test('rejects a modified cursor, and a limit outside 1 to 500', async () => {
    const own = await aSchool(app);
    await aCategory(app, { school: own });
    await aCategory(app, { school: own });
    const { nextCursor } = (await list(`?schoolId=${own.id}&limit=1`)).body;
    const moved = 'This list has changed. Please load it again from the start.';
    expect((await list(`?limit=1&cursor=x${nextCursor}`)).body).toEqual({
      error: moved,
      fields: { cursor: moved },
    });
    for (const limit of ['0', '501']) {
      const { status, body } = await list(`?limit=${limit}`);
      expect(status).toBe(400);
      expect(body.error).toBe('The number of rows must be between 1 and 500');
    }
  });
});

describe('creating a category', () => {
  test('returns the category with the default color and records an audit event', async () => {
    const own = await aSchool(app);
    const reply = await create({ schoolId: own.id, name: '  Gardening ', description: ' Beds\r\nand pots ' });
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      category: {
        id: expect.any(Number),
        name: 'Gardening',
        description: 'Beds\nand pots',
        color: '#3498db',
        kind: 'other',
        translations: null,
        schoolId: own.id,
        version: 1,
        counts: { activities: 0 },
      },
      message: 'Category created successfully',
    });
    expect((await list(`?schoolId=${own.id}`)).body.categories).toEqual([reply.body.category]);
    expect(await recordOf(app, 'category', reply.body.category.id)).toEqual([
      {
        action: 'category.create',
        actorId: admin.id,
        schoolId: own.id,
        at: app.clock.now(),
        address: '10.0.0.1',
        before: null,
        after: {
          name: 'Gardening',
          description: 'Beds\nand pots',
          color: '#3498db',
          kind: 'other',
          translations: null,
          schoolId: own.id,
        },
      },
    ]);
  });

  test.each([
    ['Events', 'event'],
    ['EVENTS', 'event'],
    ['classroom', 'classroom'],
    ['Classroom', 'classroom'],
    ['Event', 'other'],
    ['Classroom help', 'other'],
  ])('classifies the name %s as %s', async (name, kind) => {
    const own = await aSchool(app);
    expect((await create({ schoolId: own.id, name })).body.category.kind).toBe(kind);
  });

  test('prefers the kind in the request to the one that the name suggests', async () => {
    const own = await aSchool(app);
    const reply = await create({ schoolId: own.id, name: 'Veranstaltungen', kind: 'event' });
    expect(reply.body.category.kind).toBe('event');
  });

  test.each(['#abc', '#3498DB', '#3498db80', 'teal', 'RebeccaPurple', 'LIGHTGOLDENRODYELLOW'])(
    'stores the color %s unchanged',
    async (color) => {
      const own = await aSchool(app);
      expect((await create({ schoolId: own.id, name: 'Colored', color })).body.category.color).toBe(color);
    },
  );

  test.each([null, '', '  '])('replaces the color %j with the default', async (color) => {
    const own = await aSchool(app);
    expect((await create({ schoolId: own.id, name: 'Plain', color })).body.category.color).toBe('#3498db');
  });

  const color = 'Color must be a name or a hex value such as #3498db';
  test.each([
    [{ name: undefined }, 'name', 'Category name is required'],
    [{ name: ' ' }, 'name', 'Category name is required'],
    [{ name: 'x'.repeat(81) }, 'name', 'Use up to 80 characters'],
    [{ schoolId: undefined }, 'schoolId', 'Please select a school'],
    [{ schoolId: null }, 'schoolId', 'Please select a school'],
    [{ schoolId: '1' }, 'schoolId', 'Please select a school'],
    [{ description: 'x'.repeat(501) }, 'description', 'Use up to 500 characters'],
    [{ color: 'blurple' }, 'color', color],
    [{ color: 'constructor' }, 'color', color],
    [{ color: '#12345' }, 'color', color],
    [{ color: 'rgb(1,2,3)' }, 'color', color],
    [{ color: 'red;background:url(x)' }, 'color', color],
    [{ color: 7 }, 'color', color],
    [{ kind: 'party' }, 'kind', 'Kind must be event, classroom or other'],
  ])('rejects %j and names the field', async (given, field, error) => {
    const reply = await create({ schoolId: school.id, name: 'Refused', ...given });
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual({ error, fields: { [field]: error } });
  });

  test('rejects an unknown school', async () => {
    const reply = await create({ schoolId: 999_999, name: 'Nowhere' });
    expect(reply.status).toBe(404);
    expect(reply.text).toBe('{"error":"School not found"}');
  });

  test('rejects a school that is being deleted at the same time', async () => {
    const own = await aSchool(app);
    const reply = await sendDuring(
      app,
      (trx) => trx.deleteFrom('schools').where('id', '=', own.id).execute(),
      () => create({ schoolId: own.id, name: 'Too late' }),
    );
    expect(reply.status).toBe(404);
    expect(reply.text).toBe('{"error":"School not found"}');
  });

  test('rejects a name that the school already has, ignoring case and accents; other schools may use it', async () => {
    const [here, there] = [await aSchool(app), await aSchool(app)];
    await aCategory(app, { school: here, name: 'Défilé' });
    const reply = await create({ schoolId: here.id, name: 'DEFILE' });
    expect(reply.status).toBe(409);
    expect(reply.body).toEqual({ error: 'A category with this name already exists in this school' });
    expect((await create({ schoolId: there.id, name: 'DEFILE' })).status).toBe(201);
  });

  test('creates one category for a repeated Idempotency-Key', async () => {
    const own = await aSchool(app);
    const headers = { 'idempotency-key': 'category-once' };
    const first = await create({ schoolId: own.id, name: 'Once' }, headers);
    const second = await create({ schoolId: own.id, name: 'Once' }, headers);
    expect(second.status).toBe(201);
    expect(second.text).toBe(first.text);
    expect((await list(`?schoolId=${own.id}`)).body.total).toBe(1);
    expect(await recordOf(app, 'category', first.body.category.id)).toHaveLength(1);
  });
});

describe('changing a category', () => {
  const aMadeCategory = async (given: object = {}) => {
    const own = await aSchool(app);
    const { body } = await create({
      schoolId: own.id,
      name: 'Events',
      description: 'Fairs',
      color: 'teal',
      ...given,
    });
    return body.category;
  };

  test('changes only the sent values, and records the old ones in the audit log', async () => {
    const category = await aMadeCategory();
    const reply = await change(category.id, { description: 'Fairs and races' });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      category: { ...category, description: 'Fairs and races', version: 2 },
      message: 'Category updated successfully',
    });
    expect((await recordOf(app, 'category', category.id))[1]).toMatchObject({
      action: 'category.edit',
      actorId: admin.id,
      schoolId: category.schoolId,
      before: { description: 'Fairs', name: 'Events' },
      after: { description: 'Fairs and races', name: 'Events' },
    });
  });

  test('keeps the kind when the name changes, and changes the kind on request', async () => {
    const { id } = await aMadeCategory();
    expect((await change(id, { name: 'Fiestas' })).body.category).toMatchObject({
      name: 'Fiestas',
      kind: 'event',
    });
    expect((await change(id, { kind: 'classroom' })).body.category).toMatchObject({ kind: 'classroom' });
    expect((await change(id, { name: 'Events' })).body.category).toMatchObject({ kind: 'classroom' });
  });

  test('clears fields set to null or blank, and restores the default color', async () => {
    const first = await aMadeCategory();
    expect((await change(first.id, { description: null, color: null })).body.category).toMatchObject({
      description: null,
      color: '#3498db',
    });
    const second = await aMadeCategory();
    expect((await change(second.id, { description: '  ', color: '' })).body.category).toMatchObject({
      description: null,
      color: '#3498db',
    });
  });

  test('cannot move a category to another school', async () => {
    const category = await aMadeCategory();
    const error = "A category can't move to another school. Create one there instead.";
    const reply = await change(category.id, { schoolId: school.id });
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual({ error, fields: { schoolId: error } });
    expect((await change(category.id, { schoolId: category.schoolId })).status).toBe(200);
  });

  test.each([
    [{ name: '' }, 'name', 'Category name is required'],
    [{ name: null }, 'name', 'Category name is required'],
    [{ color: 'blurple' }, 'color', 'Color must be a name or a hex value such as #3498db'],
    [{ kind: null }, 'kind', 'Kind must be event, classroom or other'],
  ])('rejects %j and changes nothing', async (given, field, error) => {
    const category = await aMadeCategory();
    const reply = await change(category.id, given);
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual({ error, fields: { [field]: error } });
    expect((await list(`?schoolId=${category.schoolId}`)).body.categories).toEqual([category]);
  });

  test('rejects the name of another category in the same school', async () => {
    const category = await aMadeCategory();
    await aCategory(app, { school: { id: category.schoolId }, name: 'Garden' });
    const reply = await change(category.id, { name: 'garden' });
    expect(reply.status).toBe(409);
    expect(reply.body).toEqual({ error: 'A category with this name already exists in this school' });
  });

  test('rejects an outdated version', async () => {
    const { id } = await aMadeCategory();
    expect((await change(id, { name: 'First' }, { 'if-match': '"1"' })).status).toBe(200);
    const reply = await change(id, { name: 'Second' }, { 'if-match': '"1"' });
    expect(reply.status).toBe(409);
    expect(reply.body).toEqual({ error: 'Someone else changed this item. Reload and try again.' });
    expect((await change(id, { description: null })).body.category.name).toBe('First');
  });

  test('returns 404 for an unknown or malformed id', async () => {
    for (const id of NO_ID) {
      const reply = await change(id, { name: 'Nowhere' });
      expect(reply.status).toBe(404);
      expect(reply.text).toBe('{"error":"Category not found"}');
    }
  });
});

describe('deleting a category', () => {
  test('removes it from the list and from suggestions, and records an audit event', async () => {
    const own = await aSchool(app);
    const category = await aCategory(app, { school: own, name: 'Leaving' });
    const suggestion = await aSuggestion(app, { by: admin, school: own, category });
    const reply = await remove(category.id);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ message: 'Category deleted successfully' });
    expect((await list(`?schoolId=${own.id}`)).body).toEqual({ categories: [], total: 0, nextCursor: null });
    const left = await app.deps.database.db
      .selectFrom('activity_suggestions')
      .select('category_id')
      .where('id', '=', suggestion.id)
      .executeTakeFirst();
    expect(left).toEqual({ category_id: null });
    expect(await recordOf(app, 'category', category.id)).toMatchObject([
      {
        action: 'category.delete',
        actorId: admin.id,
        schoolId: own.id,
        before: { name: 'Leaving' },
        after: null,
      },
    ]);
  });

  test('is rejected while the category has activities, even inactive ones', async () => {
    const own = await aSchool(app);
    const category = await aCategory(app, { school: own, name: 'Fairs' });
    await anActivity(app, { school: own, category, isActive: false });
    expect((await remove(category.id)).body).toEqual({
      error: 'Cannot delete Fairs: it still has 1 activity. Move or delete them first.',
    });
    await anActivity(app, { school: own, category });
    const reply = await remove(category.id);
    expect(reply.status).toBe(409);
    expect(reply.body).toEqual({
      error: 'Cannot delete Fairs: it still has 2 activities. Move or delete them first.',
    });
    expect((await list(`?schoolId=${own.id}`)).body.total).toBe(1);
  });

  test('is rejected if an activity is added at the same time', async () => {
    const own = await aSchool(app);
    const category = await aCategory(app, { school: own, name: 'Racing' });
    const reply = await sendDuring(
      app,
      (trx) =>
        trx
          .insertInto('activities')
          .values({
            school_id: own.id,
            category_id: category.id,
            name: 'Late',
            name_key: 'late',
            description: null,
            is_active: 1,
            active_from: null,
            active_until: null,
            requires_description: 0,
            description_prompt: null,
            created_at: app.clock.now(),
          })
          .execute(),
      () => remove(category.id),
    );
    expect(reply.status).toBe(409);
    expect(reply.body.error).toBe(
      'Cannot delete Racing: it still has 1 activity. Move or delete them first.',
    );
  });

  test('returns 404 for an unknown or malformed id', async () => {
    for (const id of NO_ID) {
      const reply = await remove(id);
      expect(reply.status).toBe(404);
      expect(reply.text).toBe('{"error":"Category not found"}');
    }
  });
});
