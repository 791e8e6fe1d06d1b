import { describe, expect, test } from 'vitest';
import { day } from '#shared/calendar-date.ts';
import { recordOf } from '#test/audit-log.ts';
import { anActivity, anEntry, aPerson, aPersonWithRole, aSchool, editOf } from '#test/builders.ts';
import { sendDuring } from '#test/concurrent-requests.ts';
import { startApp, TODAY } from '#test/harness.ts';
import { lockVolunteer } from './store.ts';

const app = await startApp();

const TUESDAYS = ['2026-02-03', '2026-02-10', '2026-02-17', '2026-02-24', '2026-03-03'];

async function aVolunteer(
  given: { verification?: 'on' | 'off'; activeFrom?: string; activeUntil?: string } = {},
) {
  const school = await aSchool(app, { verification: given.verification ?? 'off' });
  const ann = await aPerson(app, { schools: [school], firstName: 'Ann' });
  const activity = await anActivity(app, {
    school,
    name: 'Tutoring',
    ...(given.activeFrom === undefined ? {} : { activeFrom: day(given.activeFrom) }),
    ...(given.activeUntil === undefined ? {} : { activeUntil: day(given.activeUntil) }),
  });
  const body = { activityId: activity.id, hours: 2.5, notes: 'Reading', dates: TUESDAYS };
  return { school, ann, activity, body };
}

const log = (token: string, body: object, headers: Record<string, string> = {}) =>
  app.call('POST /api/time-entries/several', { token, body, headers });
const undo = (token: string, batch: unknown) =>
  app.call('POST /api/time-entries/several/undo', { token, body: { batch } });
const mine = async (token: string) => (await app.call('GET /api/time-entries', { token })).body.timeEntries;
const active = async (token: string) => (await app.call('GET /api/time-entries/most-active', { token })).body;

describe('logging several days', () => {
  test('logs and audits every day in one request, and updates all totals', async () => {
    const { ann, body } = await aVolunteer();
    const { status, body: reply } = await log(ann.token, body);
    expect([status, reply.message]).toEqual([201, '5 days, 12.5 h logged for Tutoring']);
    expect(reply.timeEntries.map((entry: { entryDate: string }) => entry.entryDate)).toEqual(TUESDAYS);
    expect(await active(ann.token)).toMatchObject({ totalHours: 12.5 });
    for (const { id } of reply.timeEntries) {
      const [line] = await recordOf(app, 'time-entry', id);
      expect(line).toMatchObject({
        action: 'entry.log',
        actorId: ann.id,
        after: { hours: 2.5, notes: 'Reading' },
      });
    }
  });

  test('can be undone once, in one request, by the same user', async () => {
    const { ann, school, body } = await aVolunteer();
    const bob = await aPerson(app, { schools: [school] });
    const { batch, timeEntries } = (await log(ann.token, body)).body;
    expect((await undo(bob.token, batch)).status).toBe(404);
    expect((await undo(ann.token, `${batch}x`)).status).toBe(404);
    const undone = await undo(ann.token, batch);
    expect([undone.status, undone.body]).toEqual([200, { deleted: 5, message: 'Removed: 5 days' }]);
    expect(await mine(ann.token)).toEqual([]);
    expect(await active(ann.token)).toMatchObject({ totalHours: 0 });
    const [, line] = await recordOf(app, 'time-entry', timeEntries[0].id);
    expect(line).toMatchObject({ action: 'entry.delete', actorId: ann.id, before: { hours: 2.5 } });
    expect(await undo(ann.token, batch)).toMatchObject({
      status: 409,
      body: { error: 'There is nothing left to undo' },
    });
  });

  test('cannot be undone after 15 minutes', async () => {
    const { ann, body } = await aVolunteer();
    const { batch } = (await log(ann.token, body)).body;
    app.clock.advance(15 * 60_000 + 1);
    try {
      expect((await undo(ann.token, batch)).status).toBe(409);
    } finally {
      app.clock.advance(-15 * 60_000 - 1);
    }
    expect(await mine(ann.token)).toHaveLength(5);
  });

  test('can be undone except for entries that have changed', async () => {
    const { ann, body } = await aVolunteer();
    const { batch, timeEntries } = (await log(ann.token, body)).body;
    const [{ id }] = timeEntries;
    await app.call(`PUT /api/time-entries/${id}`, {
      token: ann.token,
      body: await editOf(app, id, { hours: 1 }),
    });
    expect((await undo(ann.token, batch)).body).toEqual({
      deleted: 4,
      message: '4 days removed. Hours that were changed or verified since then stay.',
    });
    expect(await mine(ann.token)).toMatchObject([{ id, hours: 1 }]);
  });

  test('happens once for a repeated Idempotency-Key', async () => {
    const { ann, body } = await aVolunteer();
    const headers = { 'idempotency-key': `several-${ann.id}` };
    const first = await log(ann.token, body, headers);
    const again = await log(ann.token, body, headers);
    expect(again.body).toEqual(first.body);
    expect(await mine(ann.token)).toHaveLength(5);
  });

  test.each([
    ['no days', { dates: [] }, 'dates', 'Please pick the days'],
    ['days that are not a list', { dates: 'all' }, 'dates', 'Please pick the days'],
    ['the same day twice', { dates: [TODAY, TODAY] }, 'dates', 'Each day can be picked only once'],
    ['a day that does not exist', { dates: ['2026-02-30'] }, 'dates', 'Invalid date'],
    ['no hours', { hours: undefined }, 'hours', 'Please select an activity and enter hours'],
    ['a future day', { dates: [TODAY, '2026-03-05'] }, 'dates.1.date', 'Mar 5, 2026 is in the future'],
    [
      '32 days',
      { dates: Array.from({ length: 32 }, (_, at) => `20${10 + at}-01-01`) },
      'dates',
      'You can log up to 31 days at a time',
    ],
  ])('is rejected as a whole: %s', async (_what, change, field, message) => {
    const { ann, body } = await aVolunteer();
    const reply = await log(ann.token, { ...body, ...change });
    expect(reply.status).toBe(400);
    expect(reply.body.fields).toMatchObject({ [field]: message });
    expect(await mine(ann.token)).toEqual([]);
  });

  test('names each closed or full day, and logs none', async () => {
    const { ann, school, activity, body } = await aVolunteer();
    const { db } = app.deps.database;
    await db
      .updateTable('schools')
      .set({ closed_before: day('2026-02-05') })
      .where('id', '=', school.id)
      .execute();
    const other = await anActivity(app, { school });
    await anEntry(app, { by: ann, activity: other, hours: 22, date: '2026-02-17' });
    const reply = await log(ann.token, body);
    expect([reply.status, reply.body]).toEqual([
      400,
      {
        error: "Some of these days can't be logged",
        fields: {
          'dates.0.date': 'Hours for Feb 3, 2026 are closed',
          'dates.2.date': 'You already logged 22 h on Feb 17, 2026, and a day has only 24',
        },
      },
    ]);
    expect(await mine(ann.token)).toHaveLength(1);
    const coordinator = await aPersonWithRole(app, 'coordinator', school);
    const own = { ...body, activityId: activity.id };
    expect((await log(coordinator.token, own)).body.fields).toHaveProperty('reason');
    expect((await log(coordinator.token, { ...own, reason: 'Forgotten' })).status).toBe(201);
  });

  test('never exceeds 24 hours on a day, even with concurrent requests', async () => {
    const { ann, school, activity } = await aVolunteer();
    const [date] = TUESDAYS;
    const body = { activityId: activity.id, hours: 20, dates: [date], isSure: true };
    const reply = await sendDuring(
      app,
      async (trx) => {
        await lockVolunteer(trx, ann.id);
        await trx
          .insertInto('time_entries')
          .values({
            user_id: ann.id,
            school_id: school.id,
            activity_id: activity.id,
            hours_hundredths: 2000,
            entry_date: day(date ?? ''),
            notes: null,
            created_at: app.clock.now(),
          })
          .execute();
      },
      () => log(ann.token, body),
    );
    expect(reply.status).toBe(400);
    expect(await mine(ann.token)).toHaveLength(1);
  });

  test("requires confirmation for days that have hours or are outside the activity's dates", async () => {
    const { ann, activity, body } = await aVolunteer({ activeFrom: '2026-02-10', activeUntil: '2026-02-28' });
    await anEntry(app, { by: ann, activity, hours: 1, date: '2026-02-24' });
    const reply = await log(ann.token, body);
    expect([reply.status, reply.body]).toEqual([
      409,
      {
        error: 'Some of these days need a second look',
        fields: {
          'dates.0.date': 'Tutoring did not take place on Feb 3, 2026',
          'dates.3.date': 'You already logged 1 h for Tutoring on Feb 24, 2026',
          'dates.4.date': 'Tutoring did not take place on Mar 3, 2026',
        },
      },
    ]);
    expect(await mine(ann.token)).toHaveLength(1);
    expect((await log(ann.token, { ...body, isSure: true })).status).toBe(201);
  });

  test('returns 404 for an activity of another school', async () => {
    const { body } = await aVolunteer();
    const { ann: stranger } = await aVolunteer();
    expect((await log(stranger.token, body)).status).toBe(404);
  });

  test('sends an external verifier one request for all days, and cannot undo verified days', async () => {
    const { ann, activity, body } = await aVolunteer({ verification: 'on' });
    const { db } = app.deps.database;
    await db
      .updateTable('activities')
      .set({ verification: 'outside', external_verifier: null })
      .where('id', '=', activity.id)
      .execute();
    const unnamed = await log(ann.token, body);
    expect([unnamed.status, unnamed.body.fields]).toMatchObject([
      400,
      { outsideVerifier: expect.any(String) },
    ]);
    const address = `coach${ann.id}@outside.example`;
    const { body: reply } = await log(ann.token, { ...body, outsideVerifier: address });
    expect(reply.timeEntries).toHaveLength(5);
    const asked = await db
      .selectFrom('external_verifier_requests')
      .innerJoin(
        'external_verifier_request_entries',
        'external_verifier_request_entries.letter_id',
        'external_verifier_requests.id',
      )
      .select(['external_verifier_requests.id', 'external_verifier_request_entries.entry_id'])
      .where('external_verifier_requests.address', '=', address)
      .execute();
    expect(asked).toHaveLength(5);
    expect(new Set(asked.map(({ id }) => id)).size).toBe(1);
    // A supervisor who has answered keeps the day from being taken back.
    await db
      .updateTable('time_entries')
      .set({ verification: 'verified', counted_hundredths: 250, decided_at: app.clock.now() })
      .where('id', '=', reply.timeEntries[0].id)
      .execute();
    expect((await undo(ann.token, reply.batch)).body.deleted).toBe(4);
  });

  test('cannot be undone if the hours count without a decision', async () => {
    const { ann, activity, body } = await aVolunteer({ verification: 'on' });
    const { db } = app.deps.database;
    await db
      .updateTable('activities')
      .set({ verification: 'trusted' })
      .where('id', '=', activity.id)
      .execute();
    const { body: reply } = await log(ann.token, body);
    expect([reply.batch, reply.timeEntries[4].verification]).toMatchObject([
      null,
      { status: 'verified', hours: 2.5 },
    ]);
  });
});
