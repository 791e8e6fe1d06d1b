import { beforeAll, describe, expect, test } from 'vitest';
import { recordOf } from '#test/audit-log.ts';
import { aCategory, anActivity, anAdministrator, aPerson, aSchool, aSuggestion } from '#test/builders.ts';
import { type Reply, startApp, type TestApp } from '#test/harness.ts';
import { readPages } from '#test/list-requests.ts';

type Account = Awaited<ReturnType<typeof aPerson>>;
type School = Awaited<ReturnType<typeof aSchool>>;

let app: TestApp;
let school: School;
let ann: Account;
beforeAll(async () => {
  app = await startApp();
  school = await aSchool(app, { name: 'Lincoln' });
  ann = await aPerson(app, { schools: [school], firstName: 'Ann', lastName: 'Lee' });
});

const suggest = (body: object, token = ann.token, headers: Record<string, string> = {}): Promise<Reply> =>
  app.call('POST /api/activity-suggestions', { token, body, headers });
const mine = (query = '', token = ann.token) =>
  app.call(`GET /api/my-activity-suggestions${query}`, { token });

describe('suggesting an activity', () => {
  test('returns all sent values and records an audit event', async () => {
    const category = await aCategory(app, { school, name: 'Events', kind: 'event' });
    const reply = await suggest({
      name: '  Bike repair day ',
      description: 'Free tune-ups',
      categoryId: category.id,
      reason: 'Many ride with bad brakes.',
      isYearLong: false,
      activeFrom: '2026-05-01',
      activeUntil: '2026-05-02',
      schoolId: school.id,
    });
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      message: 'Activity suggestion submitted successfully! You can check its status anytime.',
      suggestion: {
        id: expect.any(Number),
        name: 'Bike repair day',
        description: 'Free tune-ups',
        categoryId: category.id,
        category: { id: category.id, name: 'Events', color: '#3498db', kind: 'event' },
        reason: 'Many ride with bad brakes.',
        isYearLong: false,
        activeFrom: '2026-05-01',
        activeUntil: '2026-05-02',
        status: 'pending',
        adminReason: null,
        approvedActivity: null,
        createdAt: '2026-03-04T18:00:00.000Z',
        decidedAt: null,
        schoolId: school.id,
        school: { id: school.id, name: 'Lincoln' },
        user: { id: ann.id, firstName: 'Ann', lastName: 'Lee', email: ann.email },
        version: 1,
        canEdit: false,
        canDelete: false,
      },
    });
    expect(await recordOf(app, 'suggestion', reply.body.suggestion.id)).toMatchObject([
      {
        action: 'suggestion.submit',
        actorId: ann.id,
        schoolId: school.id,
        after: { name: 'Bike repair day' },
      },
    ]);
  });

  test('requires only a name', async () => {
    const { status, body } = await suggest({ name: 'Only a name', description: ' ', reason: null });
    expect(status).toBe(201);
    expect(body.suggestion).toMatchObject({
      description: null,
      reason: null,
      category: null,
      isYearLong: false,
    });
  });

  test('ignores the dates of a year-long activity', async () => {
    const { status, body } = await suggest({
      name: 'All year',
      isYearLong: true,
      activeFrom: '2026-05-02',
      activeUntil: '2026-05-01',
    });
    expect(status).toBe(201);
    expect(body.suggestion).toMatchObject({ isYearLong: true, activeFrom: null, activeUntil: null });
  });

  test.each([
    [{}, { name: 'Activity name is required' }],
    [{ name: ' ' }, { name: 'Activity name is required' }],
    [{ name: 'x'.repeat(101) }, { name: 'Use up to 100 characters' }],
    [{ name: 'A', description: 'x'.repeat(201) }, { description: 'Use up to 200 characters' }],
    [{ name: 'A', reason: 'x'.repeat(501) }, { reason: 'Use up to 500 characters' }],
    [{ name: 'A', activeFrom: '2026-02-30' }, { activeFrom: 'Invalid date' }],
    [{ name: 'A', activeUntil: '2026-05-01' }, { activeUntil: 'Set a start date first' }],
    [
      { name: 'A', activeFrom: '2026-05-02', activeUntil: '2026-05-01' },
      { activeUntil: 'The end date cannot be before the start date' },
    ],
    [{ name: 'A', categoryId: 'one' }, { categoryId: 'This field is required' }],
  ])('rejects %j', async (body, fields) => {
    const reply = await suggest(body);
    expect([reply.status, reply.body]).toEqual([400, { error: Object.values(fields)[0], fields }]);
  });

  test('accepts text of the maximum length', async () => {
    const body = { name: 'x'.repeat(100), description: 'y'.repeat(200), reason: 'z'.repeat(500) };
    expect((await suggest(body)).body.suggestion).toMatchObject(body);
  });

  test('ignores fields that only administrators may set', async () => {
    const forged = {
      status: 'approved',
      userId: 1,
      adminReason: 'fine',
      decidedBy: 1,
      approvedActivityId: 1,
    };
    const { body } = await suggest({ name: 'Forged', ...forged });
    expect(body.suggestion).toMatchObject({ status: 'pending', adminReason: null, user: { id: ann.id } });
  });

  test('creates one suggestion for a repeated Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'same-idea' };
    const [first, again] = [
      await suggest({ name: 'Once' }, ann.token, headers),
      await suggest({ name: 'Once' }, ann.token, headers),
    ];
    expect(again.body).toEqual(first.body);
    expect((await suggest({ name: 'Other' }, ann.token, headers)).status).toBe(409);
    const { suggestions } = (await mine('?limit=500')).body;
    expect(suggestions.filter((one: { name: string }) => one.name === 'Once')).toHaveLength(1);
  });
});

describe('the school of a suggestion', () => {
  test("is the sent one, else the category's, and is required from a volunteer of two schools", async () => {
    const other = await aSchool(app);
    const both = await aPerson(app, { schools: [school, other] });
    const category = await aCategory(app, { school: other });
    const schoolOf = async (body: object) => (await suggest({ name: 'Where', ...body }, both.token)).body;
    expect((await schoolOf({ schoolId: school.id })).suggestion.schoolId).toBe(school.id);
    expect((await schoolOf({ categoryId: category.id })).suggestion.schoolId).toBe(other.id);
    expect(await schoolOf({})).toEqual({
      error: 'Please select a school',
      fields: { schoolId: 'Please select a school' },
    });
    expect(await schoolOf({ schoolId: school.id, categoryId: category.id })).toEqual({
      error: 'The category belongs to another school',
      fields: { categoryId: 'The category belongs to another school' },
    });
  });

  test("is rejected with 404 outside the volunteer's schools, and so is a category", async () => {
    const other = await aSchool(app);
    const category = await aCategory(app, { school: other });
    for (const schoolId of [other.id, 999_999]) {
      const reply = await suggest({ name: 'Elsewhere', schoolId });
      expect([reply.status, reply.text]).toEqual([404, '{"error":"School not found"}']);
    }
    for (const categoryId of [category.id, 999_999]) {
      const reply = await suggest({ name: 'Elsewhere', categoryId });
      expect([reply.status, reply.text]).toEqual([404, '{"error":"Category not found"}']);
    }
  });

  test('can be any school for an administrator', async () => {
    const admin = await anAdministrator(app);
    expect((await suggest({ name: 'From above', schoolId: school.id }, admin.token)).status).toBe(201);
    expect((await suggest({ name: 'From above' }, admin.token)).status).toBe(400);
  });
});

describe("listing a volunteer's own suggestions", () => {
  test('returns the latest first from all schools, with counts that ignore the filter', async () => {
    const other = await aSchool(app);
    const vera = await aPerson(app, { schools: [school, other] });
    const suggestions = [];
    for (const status of ['pending', 'rejected', 'deleted', 'deleted', 'pending'] as const) {
      suggestions.push(
        await aSuggestion(app, { by: vera, school: suggestions.length % 2 === 0 ? school : other, status }),
      );
    }
    await aSuggestion(app, { by: ann, school });
    const ids = async (query: string) => {
      const { body } = await mine(query, vera.token);
      expect(body.statusCounts).toEqual({ pending: 2, approved: 0, rejected: 1, total: 5 });
      return body.suggestions.map((one: { id: number }) => one.id);
    };
    const [first, second, third, fourth, fifth] = suggestions.map(({ id }) => id);
    expect(await ids('')).toEqual([fifth, fourth, third, second, first]);
    expect(await ids('?status=pending')).toEqual([fifth, first]);
    expect(await ids('?status=rejected')).toEqual([second]);
    expect(await ids('?status=deleted')).toEqual([fourth, third]);
    expect(await ids('?status=approved')).toEqual([]);
  });

  test('rejects a cursor that belongs to another filter', async () => {
    const vera = await aPerson(app, { schools: [school] });
    for (let i = 0; i < 5; i++) await aSuggestion(app, { by: vera, school });
    const pages = await readPages(app, '/api/my-activity-suggestions', vera.token, 2);
    expect(pages.map((page) => (page['suggestions'] as unknown[]).length)).toEqual([2, 2, 1]);
    const cursor = pages[0]?.['nextCursor'];
    expect((await mine(`?status=pending&cursor=${cursor}`, vera.token)).status).toBe(400);
  });

  test('rejects an unknown status', async () => {
    expect((await mine('?status=open')).status).toBe(400);
  });

  test('omits a category or activity that was deleted', async () => {
    const admin = await anAdministrator(app);
    const vera = await aPerson(app, { schools: [school] });
    const category = await aCategory(app, { school });
    const { suggestion } = (await suggest({ name: 'Soon gone', categoryId: category.id }, vera.token)).body;
    const approved = await app.call(`POST /api/admin/activity-suggestions/${suggestion.id}/approve`, {
      token: admin.token,
      body: {},
    });
    const own = async () => (await mine('', vera.token)).body.suggestions[0];
    expect(await own()).toMatchObject({ approvedActivity: { name: 'Soon gone', isActive: true } });
    await app.call(`PUT /api/admin/activities/${approved.body.activity.id}`, {
      token: admin.token,
      body: { name: 'Soon', isActive: false },
    });
    expect(await own()).toMatchObject({ approvedActivity: { name: 'Soon', isActive: false } });
    await app.call(`DELETE /api/admin/activities/${approved.body.activity.id}`, { token: admin.token });
    await app.call(`DELETE /api/admin/categories/${category.id}`, { token: admin.token });
    expect(await own()).toMatchObject({ status: 'approved', approvedActivity: null, category: null });
  });

  test('includes schools that the volunteer has left', async () => {
    const other = await aSchool(app);
    const vera = await aPerson(app, { schools: [school, other] });
    await aSuggestion(app, { by: vera, school });
    await app.call('PUT /api/profile', { token: vera.token, body: { schoolIds: [other.id] } });
    expect((await mine('', vera.token)).body.suggestions).toHaveLength(1);
  });
});

describe('deleting what a suggestion refers to', () => {
  test('is rejected for a school or user', async () => {
    const admin = await anAdministrator(app);
    const own = await aSchool(app, { name: 'Closing' });
    const vera = await aPerson(app, { schools: [own, school], firstName: 'Vera', lastName: 'Stay' });
    await suggest({ name: 'Still here', schoolId: own.id }, vera.token);
    for (const path of [`schools/${own.id}`, `users/${vera.id}`]) {
      const reply = await app.call(`DELETE /api/admin/${path}`, { token: admin.token });
      expect(reply.status).toBe(409);
      expect(reply.body.error).toMatch(/1 (activity )?suggestion/);
    }
  });

  test('is allowed for a category, and clears it in the suggestion', async () => {
    const admin = await anAdministrator(app);
    const activity = await anActivity(app, { school });
    await suggest({ name: 'With category', categoryId: activity.categoryId });
    for (const path of [`activities/${activity.id}`, `categories/${activity.categoryId}`]) {
      expect((await app.call(`DELETE /api/admin/${path}`, { token: admin.token })).status).toBe(200);
    }
    const [latest] = (await mine()).body.suggestions;
    expect(latest).toMatchObject({ name: 'With category', categoryId: null });
  });
});
