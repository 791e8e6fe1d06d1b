import { beforeAll, describe, expect, test } from 'vitest';
import { recordOf } from '#test/audit-log.ts';
import {
  aCategory,
  aGrant,
  anAdministrator,
  aPerson,
  aPersonWithRole,
  aSchool,
  aSuggestion,
} from '#test/builders.ts';
import { type Reply, startApp, type TestApp } from '#test/harness.ts';
import { NO_ID, readPages } from '#test/list-requests.ts';
import { emailsSentTo } from '#test/sent-emails.ts';
import type { Status } from '../contract.ts';

type Account = Awaited<ReturnType<typeof aPerson>>;

let app: TestApp;
let school: { id: number; name: string };
let category: { id: number };
let ada: Account;
let eve: Account;
let ann: Account;
beforeAll(async () => {
  app = await startApp();
  school = await aSchool(app, { name: 'Lincoln' });
  category = await aCategory(app, { school });
  ada = await anAdministrator(app);
  eve = await aPerson(app, { role: 'admin', firstName: 'Eve', lastName: 'Stone' });
  ann = await aPerson(app, { schools: [school], firstName: 'Ann' });
});

const path = (id: number | string) => `/api/admin/activity-suggestions/${id}`;
const list = (query = '', token = ada.token) =>
  app.call(`GET ${path('')}${query}`.replace('/?', '?').replace(/\/$/, ''), { token });

/** All actions on a suggestion. */
const ACTIONS: Readonly<Record<string, (id: number | string, token: string) => Promise<Reply>>> = {
  approve: (id, token) => app.call(`POST ${path(id)}/approve`, { token, body: {} }),
  reject: (id, token) => app.call(`POST ${path(id)}/reject`, { token, body: { reason: null } }),
  'reject with a reason': (id, token) =>
    app.call(`POST ${path(id)}/reject`, { token, body: { reason: 'No room' } }),
  'delete with a reason': (id, token) => app.call(`DELETE ${path(id)}`, { token, body: { reason: 'Twice' } }),
  delete: (id, token) => app.call(`DELETE ${path(id)}`, { token }),
};

/** The outcome of an action by status: the next status, 'gone', or the error message. */
const BECOMES: Readonly<Record<Status, Readonly<Record<string, string>>>> = {
  pending: {
    approve: 'approved',
    reject: 'rejected',
    'reject with a reason': 'rejected',
    'delete with a reason': 'deleted',
    delete: 'gone',
  },
  approved: {
    approve: 'Eve Stone has already approved this suggestion.',
    reject: 'Eve Stone has already approved this suggestion.',
    'reject with a reason': 'Eve Stone has already approved this suggestion.',
    'delete with a reason': 'deleted',
    delete: 'gone',
  },
  rejected: {
    approve: 'Eve Stone has already rejected this suggestion.',
    reject: 'Eve Stone has already rejected this suggestion.',
    'reject with a reason': 'Eve Stone has already rejected this suggestion.',
    'delete with a reason': 'deleted',
    delete: 'gone',
  },
  deleted: {
    approve: 'Eve Stone has already deleted this suggestion.',
    reject: 'Eve Stone has already deleted this suggestion.',
    'reject with a reason': 'Eve Stone has already deleted this suggestion.',
    'delete with a reason': 'Eve Stone has already deleted this suggestion.',
    delete: 'gone',
  },
};

const SAYS: Readonly<Record<string, string>> = {
  approved: 'Activity suggestion approved and activity created successfully',
  rejected: 'Activity suggestion rejected',
  deleted: 'Activity suggestion marked as deleted with reason',
  gone: 'Activity suggestion deleted permanently',
};

const LEADS_TO = { approved: 'approve', rejected: 'reject', deleted: 'delete with a reason' } as const;

let made = 0;
async function aPending(body: object = {}, by = ann): Promise<number> {
  const reply = await app.call('POST /api/activity-suggestions', {
    token: by.token,
    body: { name: `Idea ${++made}`, categoryId: category.id, ...body },
  });
  return reply.body.suggestion.id;
}

async function aSuggestionIn(status: Status): Promise<number> {
  const id = await aPending();
  if (status !== 'pending') await ACTIONS[LEADS_TO[status]]?.(id, eve.token);
  expect(await stateOf(id)).toBe(status);
  return id;
}

async function stateOf(id: number): Promise<string> {
  const row = await app.deps.database.db
    .selectFrom('activity_suggestions')
    .select('status')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.status ?? 'gone';
}

async function whole(id: number) {
  const { suggestions } = (await list('?limit=500')).body;
  return suggestions.find((one: { id: number }) => one.id === id);
}

const countActivities = async () =>
  (await app.call('GET /api/admin/activities?limit=1', { token: ada.token })).body.total;

describe.each(Object.keys(BECOMES) as Status[])('an action on a suggestion that is %s', (status) => {
  test.each(Object.keys(ACTIONS))(
    'succeeds, or returns 409 with the earlier decision: %s',
    async (action) => {
      const id = await aSuggestionIn(status);
      const before = await countActivities();
      const expected = BECOMES[status][action] ?? '';
      const reply = await ACTIONS[action]?.(id, ada.token);
      const isDone = expected in SAYS;
      expect([reply?.status, reply?.body.message ?? reply?.body.error]).toEqual(
        isDone ? [200, SAYS[expected]] : [409, expected],
      );
      expect(await stateOf(id)).toBe(isDone ? expected : status);
      expect(await countActivities()).toBe(before + (expected === 'approved' ? 1 : 0));
    },
  );
});

test.each(Object.keys(ACTIONS))(
  'the action "%s" returns 404 for an unknown or malformed suggestion id',
  async (action) => {
    for (const id of NO_ID) {
      const reply = await ACTIONS[action]?.(id, ada.token);
      expect([id, reply?.status, reply?.text]).toEqual([id, 404, '{"error":"Suggestion not found"}']);
    }
  },
);

describe('approving a suggestion', () => {
  const approve = (id: number, body: object = {}, headers = {}) =>
    app.call(`POST ${path(id)}/approve`, { token: ada.token, body, headers });

  test('creates the suggested activity and links it to the suggestion', async () => {
    const id = await aPending({
      description: 'Tune-ups',
      activeFrom: '2026-05-01',
      activeUntil: '2026-05-02',
    });
    const { status, body } = await approve(id);
    expect(status).toBe(200);
    expect(body.activity).toMatchObject({
      name: `Idea ${made}`,
      description: 'Tune-ups',
      categoryId: category.id,
      schoolId: school.id,
      activeFrom: '2026-05-01',
      activeUntil: '2026-05-02',
      isActive: true,
    });
    expect(body.suggestion).toMatchObject({
      id,
      status: 'approved',
      adminReason: null,
      approvedActivity: { id: body.activity.id, name: `Idea ${made}`, isActive: true },
      decidedAt: '2026-03-04T18:00:00.000Z',
      decidedBy: { id: ada.id, firstName: 'Ada' },
      canEdit: false,
      canDelete: true,
      version: 2,
    });
    expect(await recordOf(app, 'suggestion', id)).toMatchObject([
      { action: 'suggestion.submit' },
      {
        action: 'suggestion.approve',
        actorId: ada.id,
        schoolId: school.id,
        before: { status: 'pending' },
        after: { status: 'approved', activityId: body.activity.id },
      },
    ]);
    expect(await recordOf(app, 'activity', body.activity.id)).toMatchObject([{ action: 'activity.create' }]);
  });

  test('uses the values from the form instead of the suggested ones', async () => {
    const id = await aPending({ activeFrom: '2026-05-01' });
    const { body } = await approve(id, {
      name: 'Better name',
      schoolId: school.id,
      categoryId: category.id,
      description: null,
      isActive: false,
      activeFrom: null,
      activeUntil: null,
      requiresDescription: true,
      descriptionPrompt: 'what you repaired',
    });
    expect(body.activity).toMatchObject({
      name: 'Better name',
      isActive: false,
      activeFrom: null,
      descriptionPrompt: 'what you repaired',
    });
    expect(body.suggestion.approvedActivity).toMatchObject({ name: 'Better name', isActive: false });
  });

  test.each([
    [{ name: ' ' }, 400, { name: 'Activity name is required' }],
    [
      { requiresDescription: true },
      400,
      { descriptionPrompt: 'Please enter what volunteers should describe' },
    ],
    [{ activeUntil: '2026-05-01' }, 400, { activeUntil: 'Set a start date first' }],
    [{ schoolId: 999_999 }, 400, { schoolId: 'A suggestion can only be approved for its own school' }],
    [{ categoryId: 999_999 }, 404, undefined],
  ])('rejects %j and changes nothing', async (body, status, fields) => {
    const id = await aPending();
    const before = await countActivities();
    const reply = await approve(id, body);
    expect([reply.status, reply.body.fields]).toEqual([status, fields]);
    expect([await stateOf(id), await countActivities()]).toEqual(['pending', before]);
  });

  test('requires a category if none was suggested', async () => {
    const id = await aPending({ categoryId: null });
    expect((await approve(id)).body).toEqual({
      error: 'Please select a category',
      fields: { categoryId: 'Please select a category' },
    });
    expect((await approve(id, { categoryId: category.id })).status).toBe(200);
  });

  test('creates one activity for a repeated Idempotency-Key', async () => {
    const id = await aPending();
    const headers = { 'idempotency-key': `approve-${id}` };
    const before = await countActivities();
    const [first, again] = [await approve(id, {}, headers), await approve(id, {}, headers)];
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.body).toEqual(first.body);
    expect(await countActivities()).toBe(before + 1);
  });
});

describe('the reason for a rejection or deletion', () => {
  test('is limited to 500 characters, and null if blank', async () => {
    const id = await aPending();
    for (const call of [`POST ${path(id)}/reject`, `DELETE ${path(id)}`]) {
      const reply = await app.call(call, { token: ada.token, body: { reason: 'x'.repeat(501) } });
      expect([reply.status, reply.body.fields]).toEqual([400, { reason: 'Use up to 500 characters' }]);
    }
    const reject = await app.call(`POST ${path(id)}/reject`, { token: ada.token, body: { reason: '  ' } });
    expect(reject.body.suggestion).toMatchObject({ status: 'rejected', adminReason: null });
    const blank = await app.call(`DELETE ${path(id)}`, { token: ada.token, body: { reason: ' ' } });
    expect(blank.body).toEqual({ message: 'Activity suggestion deleted permanently' });
  });

  test('is visible to the suggester, but not who decided', async () => {
    const id = await aPending();
    const reason = 'y'.repeat(500);
    const own = async () =>
      (await app.call('GET /api/my-activity-suggestions', { token: ann.token })).body.suggestions[0];
    await app.call(`POST ${path(id)}/reject`, { token: ada.token, body: { reason } });
    expect(await own()).toMatchObject({ id, status: 'rejected', adminReason: reason });
    expect(await own()).not.toHaveProperty('decidedBy');
    await app.call(`DELETE ${path(id)}`, { token: ada.token, body: { reason: 'A mistake' } });
    expect(await own()).toMatchObject({ id, status: 'deleted', adminReason: 'A mistake' });
  });
});

describe('deleting a suggestion', () => {
  test.each([
    ['with a JSON content type and no body', { headers: { 'content-type': 'application/json' } }],
    ['with an empty object', { body: {} }],
    ['with a null reason', { body: { reason: null } }],
  ])('%s removes it permanently and records its values in the audit log', async (_, options) => {
    const id = await aPending({ reason: 'For the kids' });
    const reply = await app.call(`DELETE ${path(id)}`, { token: ada.token, ...options });
    expect([reply.status, reply.body]).toEqual([200, { message: 'Activity suggestion deleted permanently' }]);
    expect(await stateOf(id)).toBe('gone');
    expect((await recordOf(app, 'suggestion', id))[1]).toMatchObject({
      action: 'suggestion.remove',
      before: { name: `Idea ${made}`, reason: 'For the kids', status: 'pending' },
    });
  });

  test('keeps the activity that an approved suggestion created', async () => {
    const id = await aPending();
    const { activity } = (await app.call(`POST ${path(id)}/approve`, { token: ada.token, body: {} })).body;
    await app.call(`DELETE ${path(id)}`, { token: ada.token, body: { reason: 'Done with' } });
    expect(await whole(id)).toMatchObject({ status: 'deleted', approvedActivity: { id: activity.id } });
    await app.call(`DELETE ${path(id)}`, { token: ada.token });
    const { activities } = (await app.call(`GET /api/activities?schoolId=${school.id}`, { token: ann.token }))
      .body;
    expect(activities.map((one: { id: number }) => one.id)).toContain(activity.id);
  });

  test('returns 409 with the decision of another administrator who was faster', async () => {
    const id = await aPending();
    const { version } = await whole(id);
    await app.call(`POST ${path(id)}/approve`, { token: eve.token, body: {} });
    for (const body of [{ reason: 'Twice' }, {}]) {
      const reply = await app.call(`DELETE ${path(id)}`, {
        token: ada.token,
        body,
        headers: { 'if-match': `"${version}"` },
      });
      expect([reply.status, reply.body]).toEqual([
        409,
        { error: 'Eve Stone has already approved this suggestion.' },
      ]);
    }
    expect(await stateOf(id)).toBe('approved');
  });
});

describe('listing suggestions for administrators', () => {
  test('returns pending suggestions before decided ones, latest first, in pages', async () => {
    const own = await aSchool(app);
    const vera = await aPerson(app, { schools: [own] });
    const at = await aCategory(app, { school: own });
    const ids: number[] = [];
    for (let i = 0; i < 7; i++) ids.push(await aPending({ categoryId: at.id }, vera));
    const [first, second, third, fourth, fifth, sixth, seventh] = ids;
    await app.call(`POST ${path(fifth ?? 0)}/approve`, { token: ada.token, body: {} });
    await app.call(`POST ${path(second ?? 0)}/reject`, { token: ada.token });
    await app.call(`DELETE ${path(sixth ?? 0)}`, { token: ada.token, body: { reason: 'No' } });
    const inOrder = [seventh, fourth, third, first, sixth, fifth, second];
    for (const limit of [1, 2, 3, 4, 5, 6, 7, 100]) {
      const pages = await readPages(
        app,
        `/api/admin/activity-suggestions?schoolId=${own.id}`,
        ada.token,
        limit,
      );
      const listed = pages.flatMap((page) => (page['suggestions'] as { id: number }[]).map(({ id }) => id));
      expect([limit, listed]).toEqual([limit, inOrder]);
    }
    const count = await app.call(`GET ${path('count')}?schoolId=${own.id}`, { token: ada.token });
    expect(count.body).toEqual({ pendingCount: 4 });
    expect((await list(`?schoolId=${own.id}`)).body.suggestions[0]).toMatchObject({
      canEdit: true,
      canDelete: true,
      decidedBy: null,
      user: { email: vera.email },
    });
  });

  test('covers all schools by default, and returns 404 for an unknown school', async () => {
    const { db } = app.deps.database;
    const all = await db.selectFrom('activity_suggestions').select('status').execute();
    expect((await list('?limit=500')).body.suggestions).toHaveLength(all.length);
    expect((await app.call(`GET ${path('count')}`, { token: ada.token })).body).toEqual({
      pendingCount: all.filter((one) => one.status === 'pending').length,
    });
    expect((await list('?schoolId=999999')).status).toBe(404);
    expect((await app.call(`GET ${path('count')}?schoolId=999999`, { token: ada.token })).status).toBe(404);
  });

  test('can return only pending suggestions, from every school where the user has a role', async () => {
    const [first, second, foreign] = [await aSchool(app), await aSchool(app), await aSchool(app)];
    const cora = await aPersonWithRole(app, 'coordinator', first);
    await aGrant(app, cora, 'coordinator', second);
    const ids: number[] = [];
    for (const school of [first, second, foreign, first]) {
      ids.push((await aSuggestion(app, { by: await aPerson(app, { schools: [school] }), school })).id);
    }
    await app.call(`POST ${path(ids[3] ?? 0)}/reject`, { token: cora.token });
    const { pendingCount } = (await app.call(`GET ${path('count')}`, { token: cora.token })).body;
    expect(pendingCount).toBe(2);
    for (const limit of [1, 2, 500]) {
      const pages = await readPages(app, '/api/admin/activity-suggestions?status=pending', cora.token, limit);
      const listed = pages.flatMap((page) => (page['suggestions'] as { id: number }[]).map(({ id }) => id));
      expect(listed).toEqual([ids[1], ids[0]]);
    }
    expect((await list('?status=approved', cora.token)).status).toBe(400);
    expect((await list(`?status=pending&schoolId=${foreign.id}`, cora.token)).status).toBe(404);
  });

  test('is denied to volunteers, and so is the count', async () => {
    expect((await list('', ann.token)).status).toBe(403);
    expect((await app.call(`GET ${path('count')}`, { token: ann.token })).status).toBe(403);
  });
});

describe('the decision email', () => {
  async function lettersAfter(action: string, prepare?: (vera: Account) => Promise<unknown>) {
    const vera = await aPerson(app, { schools: [school], firstName: 'Vera', isProven: true });
    await prepare?.(vera);
    const id = await aPending({ name: 'Bike "repair" <day>' }, vera);
    await ACTIONS[action]?.(id, ada.token);
    return emailsSentTo(app, vera.email);
  }

  test.each([
    [
      'approve',
      'Your suggestion was approved: Bike "repair" <day>',
      'Good news: Lincoln approved your suggestion “Bike "repair" <day>”. You can log hours for Bike "repair" <day> now.',
    ],
    [
      'reject with a reason',
      'Your suggestion was not approved: Bike "repair" <day>',
      'The reason: “No room”',
    ],
    ['delete with a reason', 'Your suggestion was deleted: Bike "repair" <day>', 'The reason: “Twice”'],
  ])('for "%s" reaches the suggester as text and HTML', async (action, subject, sentence) => {
    const [letter, ...others] = await lettersAfter(action);
    expect([letter?.subject, others]).toEqual([subject, []]);
    expect(letter?.text).toContain('Hello Vera,');
    expect(letter?.text).toContain(sentence);
    expect(letter?.text).toContain('You can turn these emails off in Settings.');
    expect(letter?.html).toContain(
      sentence.replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    );
  });

  test('omits an empty reason', async () => {
    const [withReason] = await lettersAfter('reject with a reason');
    const [without] = await lettersAfter('reject');
    expect(without?.text).toBe(withReason?.text?.replace('The reason: “No room”\n\n', ''));
  });

  test('is not sent for a permanent deletion', async () => {
    expect(await lettersAfter('delete')).toEqual([]);
  });

  test('is not sent to users who opted out or whose account is inactive', async () => {
    const optOut = (vera: Account) =>
      app.call('PUT /api/my-activity-suggestions/mail', { token: vera.token, body: { decisions: false } });
    expect(await lettersAfter('approve', optOut)).toEqual([]);
    const vera = await aPerson(app, { schools: [school] });
    const id = await aPending({}, vera);
    await app.call(`PUT /api/admin/users/${vera.id}`, { token: ada.token, body: { isActive: false } });
    await ACTIONS['approve']?.(id, ada.token);
    expect(await emailsSentTo(app, vera.email)).toEqual([]);
  });
});
