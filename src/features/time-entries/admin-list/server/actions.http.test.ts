import { describe, expect, test } from 'vitest';
import { day } from '#shared/calendar-date.ts';
import { recordOf } from '#test/audit-log.ts';
import { anActivity, anAdministrator, aPerson, aSchool } from '#test/builders.ts';
import { startApp, TODAY } from '#test/harness.ts';
import { NO_ID } from '#test/list-requests.ts';
import { isServedFromRollups } from './actions.ts';

const app = await startApp();
const ada = await anAdministrator(app);

/** A school with an activity and a volunteer, and a user of another school. */
async function aSchoolDay(given: { descriptionPrompt?: string; isActive?: boolean } = {}) {
  const school = await aSchool(app, {});
  const elsewhere = await aSchool(app, {});
  const ann = await aPerson(app, { schools: [school], firstName: 'Ann', lastName: 'Lee' });
  const bob = await aPerson(app, { schools: [elsewhere], firstName: 'Bob', lastName: 'Ray' });
  const activity = await anActivity(app, { school, name: 'Book fair', ...given });
  return { school, elsewhere, ann, bob, activity };
}

const send = (methodAndPath: string, body?: object, headers: Record<string, string> = {}) =>
  app.call(methodAndPath, { token: ada.token, ...(body === undefined ? {} : { body }), headers });
const logFor = (body: object) => send('POST /api/admin/time-entries', body);
const logRoster = (body: object, headers = {}) => send('POST /api/admin/time-entries/roster', body, headers);

async function entriesAt(school: { id: number }): Promise<number> {
  return (await send(`GET /api/admin/time-entries?schoolId=${school.id}`)).body.total;
}

async function totalsAt(school: { id: number }) {
  const { body } = await send(`GET /api/admin/time-entries/summary?schoolId=${school.id}`);
  return body.summary;
}

describe('logging hours for a volunteer', () => {
  test("creates the volunteer's entry and audits who logged it", async () => {
    const { school, ann, activity } = await aSchoolDay();
    const { status, body } = await logFor({
      userId: ann.id,
      activityId: activity.id,
      schoolId: school.id,
      hours: 2.5,
      entryDate: '2026-03-01',
      notes: 'From the paper list',
    });
    expect(status).toBe(201);
    expect(body.message).toBe('2.5h logged for Book fair on Mar 1, 2026, for Ann Lee');
    expect(body.timeEntry).toMatchObject({
      user: { id: ann.id, firstName: 'Ann', lastName: 'Lee' },
      hours: 2.5,
      entryDate: '2026-03-01',
      notes: 'From the paper list',
      schoolId: school.id,
    });
    const own = await app.call('GET /api/time-entries', { token: ann.token });
    expect(own.body.timeEntries.map((entry: { id: number }) => entry.id)).toEqual([body.timeEntry.id]);
    expect(await recordOf(app, 'time-entry', body.timeEntry.id)).toEqual([
      expect.objectContaining({
        action: 'entry.log',
        actorId: ada.id,
        schoolId: school.id,
        after: expect.objectContaining({ userId: ann.id, hours: 2.5 }),
      }),
    ]);
  });

  test('uses today when no date is sent', async () => {
    const { ann, activity } = await aSchoolDay();
    const { body } = await logFor({ userId: ann.id, activityId: activity.id, hours: 1 });
    expect([body.timeEntry.entryDate, body.message]).toEqual([
      TODAY,
      '1h logged for Book fair today, for Ann Lee!',
    ]);
  });

  test('rejects users of another school and unknown users', async () => {
    const { school, bob, activity } = await aSchoolDay();
    const stranger = await logFor({ userId: bob.id, activityId: activity.id, hours: 1 });
    const problem = `Bob Ray does not belong to ${school.name}`;
    expect([stranger.status, stranger.body]).toEqual([400, { error: problem, fields: { userId: problem } }]);
    const nobody = await logFor({ userId: 999_999, activityId: activity.id, hours: 1 });
    expect([nobody.status, nobody.body]).toEqual([404, { error: 'User not found' }]);
    const missing = await logFor({ activityId: activity.id, hours: 1 });
    expect([missing.status, missing.body.fields]).toEqual([400, { userId: 'Please select a volunteer' }]);
    expect(await entriesAt(school)).toBe(0);
  });

  test('rejects users whose request to join is pending', async () => {
    const { school, ann, activity } = await aSchoolDay();
    await app.deps.database.db
      .updateTable('user_schools')
      .set({ status: 'pending' })
      .where('user_id', '=', ann.id)
      .execute();
    const reply = await logFor({ userId: ann.id, activityId: activity.id, hours: 1 });
    expect([reply.status, Object.keys(reply.body.fields ?? {})]).toEqual([400, ['userId']]);
    expect(await entriesAt(school)).toBe(0);
  });

  test.each([
    [{}, { hours: 25 }, 'hours', 'Hours must be between 0.25 and 24'],
    [{}, { entryDate: '2026-03-05' }, 'entryDate', 'Date cannot be in the future'],
    [{}, { notes: 'x'.repeat(501) }, 'notes', 'Notes can be up to 500 characters'],
    [{ descriptionPrompt: 'room' }, {}, 'notes', 'Please enter room for Book fair activities'],
    [
      { isActive: false },
      {},
      'activityId',
      "You can't log hours for Book fair right now. Please pick another activity.",
    ],
  ])('applies the same rules as for volunteers: %j %j', async (given, changed, field, message) => {
    const { school, ann, activity } = await aSchoolDay(given);
    const shared = { activityId: activity.id, ...changed };
    const one = await logFor({ userId: ann.id, hours: 1, ...shared });
    expect([one.status, one.body]).toEqual([400, { error: message, fields: { [field]: message } }]);
    const { hours = 1, ...rest } = shared as { hours?: unknown; activityId: number };
    const many = await logRoster({ ...rest, entries: [{ userId: ann.id, hours }] });
    const where = field === 'hours' ? 'entries.0.hours' : field;
    expect([many.status, many.body]).toEqual([400, { error: message, fields: { [where]: message } }]);
    expect(await entriesAt(school)).toBe(0);
  });

  test('rejects an activity of a school other than the one sent', async () => {
    const { elsewhere, ann, activity } = await aSchoolDay();
    const reply = await logFor({ userId: ann.id, activityId: activity.id, hours: 1, schoolId: elsewhere.id });
    expect([reply.status, reply.body]).toEqual([404, { error: 'Activity not found' }]);
  });
});

describe('a group entry', () => {
  test('logs and audits one entry for each volunteer', async () => {
    const { school, ann, activity } = await aSchoolDay();
    const cleo = await aPerson(app, { schools: [school] });
    const { status, body } = await logRoster({
      activityId: activity.id,
      entryDate: '2026-02-28',
      notes: 'Evening shift',
      entries: [
        { userId: cleo.id, hours: 3 },
        { userId: ann.id, hours: 1.25 },
      ],
    });
    expect([status, body.message]).toEqual([201, 'Logged 4.25 h for 2 volunteers: Book fair, Feb 28, 2026']);
    type Logged = { id: number; user: { id: number }; hours: number; notes: string };
    expect(body.timeEntries.map((entry: Logged) => [entry.user.id, entry.hours, entry.notes])).toEqual([
      [cleo.id, 3, 'Evening shift'],
      [ann.id, 1.25, 'Evening shift'],
    ]);
    for (const entry of body.timeEntries as Logged[]) {
      expect(await recordOf(app, 'time-entry', entry.id)).toMatchObject([
        { action: 'entry.log', actorId: ada.id, after: { userId: entry.user.id } },
      ]);
    }
    const { body: cards } = await send(`GET /api/admin/time-entries/summary?schoolId=${school.id}`);
    expect(cards.summary).toEqual({
      totalEntries: 2,
      totalHours: 4.25,
      verifiedHours: null,
      uniqueUsers: 2,
      averageHoursPerEntry: 2.13,
    });
  });

  test('reports every invalid row and logs nothing', async () => {
    const { school, ann, bob, activity } = await aSchoolDay();
    const entries = [
      { userId: ann.id, hours: 1 },
      { userId: bob.id, hours: 1 },
      { userId: 999_999, hours: 1 },
      { userId: ann.id, hours: 2 },
    ];
    const strangers = await logRoster({ activityId: activity.id, entries });
    const problem = `Bob Ray does not belong to ${school.name}`;
    expect([strangers.status, strangers.body]).toEqual([
      400,
      {
        error: problem,
        fields: {
          'entries.1.userId': problem,
          'entries.2.userId': 'User not found',
          'entries.3.userId': 'This volunteer is on the list twice',
        },
      },
    ]);
    const numbers = await logRoster({
      activityId: activity.id,
      entries: [
        { userId: ann.id, hours: 1 },
        { userId: bob.id, hours: 0 },
        { userId: 'x', hours: null },
      ],
    });
    expect(numbers.body.fields).toEqual({
      'entries.1.hours': 'Hours must be between 0.25 and 24',
      'entries.2.userId': 'Please select a volunteer',
      'entries.2.hours': 'Hours must be between 0.25 and 24',
    });
    expect(await entriesAt(school)).toBe(0);
  });

  test('accepts up to 500 volunteers, and rejects more or none', async () => {
    const { school, ann, activity } = await aSchoolDay();
    const crowd = [ann];
    for (let made = 1; made < 500; made++) crowd.push(await aPerson(app, { schools: [school] }));
    const entries = crowd.map((person) => ({ userId: person.id, hours: 0.3 }));
    const filled = entries.map((entry) => ({ ...entry, padding: 'x'.repeat(1500) }));
    const { status, body } = await logRoster({ activityId: activity.id, entries: filled });
    expect([status, body.timeEntries?.length, body.message]).toEqual([
      201,
      500,
      `Logged 150 h for 500 volunteers: Book fair, Mar 4, 2026`,
    ]);
    const tooMany = await logRoster({
      activityId: activity.id,
      entries: [...entries, ...entries.slice(0, 1)],
    });
    expect([tooMany.status, tooMany.body.fields?.entries]).toEqual([
      400,
      'Add up to 500 volunteers at a time',
    ]);
    for (const none of [[], undefined, 'all']) {
      const reply = await logRoster({ activityId: activity.id, entries: none });
      expect([reply.status, reply.body.fields]).toEqual([
        400,
        { entries: 'Please select at least one volunteer' },
      ]);
    }
    expect(await entriesAt(school)).toBe(500);
  });

  test('rejects bodies above 1 MB', async () => {
    const reply = await logRoster({ activityId: 1, notes: 'x'.repeat(1_048_576), entries: [] });
    expect(reply.status).toBe(413);
    const elsewhere = await logFor({ userId: 1, activityId: 1, hours: 1, notes: 'x'.repeat(70_000) });
    expect(elsewhere.status).toBe(413);
  });

  test('logs once for a repeated Idempotency-Key', async () => {
    const { school, ann, activity } = await aSchoolDay();
    const body = { activityId: activity.id, entries: [{ userId: ann.id, hours: 1 }] };
    const headers = { 'idempotency-key': `roster-${school.id}` };
    const [first, second] = await Promise.all([logRoster(body, headers), logRoster(body, headers)]);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    expect(await entriesAt(school)).toBe(1);
    const other = await logRoster({ ...body, notes: 'another' }, headers);
    expect(other.status).toBe(409);
  });
});

describe("changing another user's entry", () => {
  test('applies the usual rules, and audits the old and new values', async () => {
    const { school, ann, activity } = await aSchoolDay();
    const { body } = await logFor({ userId: ann.id, activityId: activity.id, hours: 1 });
    const path = `/api/admin/time-entries/${body.timeEntry.id}`;
    const refused = await send(`PUT ${path}`, { hours: 24.5 });
    expect([refused.status, refused.body.error]).toEqual([400, 'Hours must be between 0.25 and 24']);
    const stale = await send(`PUT ${path}`, { hours: 2 }, { 'if-match': '"7"' });
    expect(stale.status).toBe(409);
    const changed = await send(`PUT ${path}`, { hours: 2, notes: 'Counted again' }, { 'if-match': '"1"' });
    expect([changed.status, changed.body.message, changed.body.timeEntry.hours]).toEqual([
      200,
      'Time entry updated successfully',
      2,
    ]);
    expect((await recordOf(app, 'time-entry', body.timeEntry.id)).at(-1)).toMatchObject({
      action: 'entry.edit',
      actorId: ada.id,
      before: { hours: 1 },
      after: { hours: 2, notes: 'Counted again' },
    });
    const { body: cards } = await send(`GET /api/admin/time-entries/summary?schoolId=${school.id}`);
    expect(cards.summary.totalHours).toBe(2);
  });

  test('by deletion removes it from list and totals, is audited, and can be undone', async () => {
    const { school, ann, activity } = await aSchoolDay();
    const { body } = await logFor({ userId: ann.id, activityId: activity.id, hours: 1 });
    const { id } = body.timeEntry;
    const gone = await send(`DELETE /api/admin/time-entries/${id}`);
    expect([gone.status, gone.body]).toEqual([200, { message: 'Time entry deleted successfully' }]);
    expect(await entriesAt(school)).toBe(0);
    expect(await totalsAt(school)).toMatchObject({ totalHours: 0, totalEntries: 0 });
    expect((await send(`DELETE /api/admin/time-entries/${id}`)).status).toBe(404);
    expect((await send(`POST /api/time-entries/${id}/restore`)).status).toBe(200);
    expect(await entriesAt(school)).toBe(1);
    expect(await totalsAt(school)).toMatchObject({ totalHours: 1, totalEntries: 1 });
    expect((await recordOf(app, 'time-entry', id)).map((row) => row.action)).toEqual([
      'entry.log',
      'entry.delete',
      'entry.restore',
    ]);
  });

  test.each(NO_ID)('returns 404 for an entry with id %s', async (id) => {
    for (const method of ['PUT', 'DELETE']) {
      const reply = await send(
        `${method} /api/admin/time-entries/${id}`,
        method === 'PUT' ? { hours: 1 } : undefined,
      );
      expect([reply.status, reply.body]).toEqual([404, { error: 'Time entry not found' }]);
    }
  });
});

test('rollups serve summaries of a school by day, but not of a person, a weekday or all schools', () => {
  const days = { startDate: day('2026-01-01'), endDate: day('2026-03-31') };
  expect(
    [{ schoolId: 1 }, { schoolId: 1, ...days }, { schoolId: 1, userId: undefined }].map(isServedFromRollups),
  ).toEqual([true, true, true]);
  expect(
    [{}, days, { schoolId: 1, ...days, userId: 2 }, { schoolId: 1, weekday: 3 }].map(isServedFromRollups),
  ).toEqual([false, false, false, false]);
});
