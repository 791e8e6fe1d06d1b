import { beforeAll, describe, expect, test } from 'vitest';
import { day, type Instant } from '#shared/calendar-date.ts';
import { recordOf } from '#test/audit-log.ts';
import { aCategory, anActivity, anAdministrator, anEntry, aPerson, aSchool, editOf } from '#test/builders.ts';
import { sendDuring } from '#test/concurrent-requests.ts';
import { startApp, type TestApp, TODAY } from '#test/harness.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

/** A volunteer of one school with an activity to log against. */
async function aVolunteer(activityGiven: Omit<Parameters<typeof anActivity>[1], 'school'> = {}) {
  const school = await aSchool(app);
  const ann = await aPerson(app, { schools: [school], firstName: 'Ann' });
  const activity = await anActivity(app, { school, ...activityGiven });
  return { school, ann, activity };
}

const log = (token: string, body: object, headers: Record<string, string> = {}) =>
  app.call('POST /api/time-entries', { token, body, headers });

describe('logging hours', () => {
  test('returns the complete entry and a message about today', async () => {
    const { school, ann, activity } = await aVolunteer({ name: 'Book fair', activeFrom: day('2026-03-04') });
    const reply = await log(ann.token, {
      activityId: activity.id,
      hours: 1.5,
      entryDate: TODAY,
      notes: '  Sorted\r\nbooks  ',
      schoolId: school.id,
    });
    expect(reply.status).toBe(201);
    expect(reply.body.message).toBe('1.5h logged for Book fair today!');
    expect(reply.body.timeEntry).toEqual({
      id: expect.any(Number),
      activityId: activity.id,
      activity: {
        id: activity.id,
        name: 'Book fair',
        category: { id: activity.categoryId, name: expect.any(String), color: '#3498db', kind: 'event' },
        isActive: true,
        activeFrom: '2026-03-04',
        requiresDescription: false,
        descriptionPrompt: null,
      },
      hours: 1.5,
      entryDate: TODAY,
      notes: 'Sorted\nbooks',
      createdAt: '2026-03-04T18:00:00.000Z',
      schoolId: school.id,
      school: { id: school.id, name: school.name },
      user: { id: ann.id, firstName: 'Ann', lastName: ann.lastName },
      version: 1,
      canEdit: true,
      canDelete: true,
      verification: null,
      flags: null,
    });
    const read = await app.call(`GET /api/time-entries?limit=20&schoolId=${school.id}`, { token: ann.token });
    expect(read.body).toEqual({ timeEntries: [reply.body.timeEntry], nextCursor: null });
  });

  test("uses today's local date when none is sent, and names an earlier day in the message", async () => {
    const { ann, activity } = await aVolunteer({ name: 'Tutoring' });
    const blank = await log(ann.token, { activityId: activity.id, hours: 2, entryDate: null });
    expect(blank.body.timeEntry.entryDate).toBe(TODAY);
    const earlier = await log(ann.token, { activityId: activity.id, hours: 0.25, entryDate: '2026-03-01' });
    expect(earlier.body.message).toBe('0.25h logged for Tutoring on Mar 1, 2026');
  });

  test('takes the school from the activity when the school is null', async () => {
    const { ann, school, activity } = await aVolunteer();
    const reply = await log(ann.token, { activityId: activity.id, hours: 1, schoolId: null });
    expect([reply.status, reply.body.timeEntry?.schoolId]).toEqual([201, school.id]);
  });

  test("uses the district's date late in the evening, not the UTC date", async () => {
    const { ann, activity } = await aVolunteer();
    app.clock.set('2026-03-05T04:00:00.000Z');
    try {
      const tomorrow = await log(ann.token, { activityId: activity.id, hours: 1, entryDate: '2026-03-05' });
      expect(tomorrow.status).toBe(400);
      expect(tomorrow.body).toEqual({
        error: 'Date cannot be in the future',
        fields: { entryDate: 'Date cannot be in the future' },
      });
      const today = await log(ann.token, { activityId: activity.id, hours: 1, entryDate: '2026-03-04' });
      expect(today.body.message).toMatch(/today!$/);
    } finally {
      app.clock.set('2026-03-04T18:00:00.000Z');
    }
  });

  test.each([
    [{ hours: 1 }, 'activityId', 'Please select an activity and enter hours'],
    [{ activityId: 'own' }, 'hours', 'Please select an activity and enter hours'],
    [{ activityId: 'own', hours: 24.01 }, 'hours', 'Hours must be between 0.25 and 24'],
    [{ activityId: 'own', hours: 1, entryDate: '2026-02-30' }, 'entryDate', 'Invalid date'],
    [{ activityId: 'own', hours: 1, entryDate: '2026-03-05' }, 'entryDate', 'Date cannot be in the future'],
    [{ activityId: 'own', hours: 1, notes: 'x'.repeat(501) }, 'notes', 'Notes can be up to 500 characters'],
  ])('rejects %j and names the field', async (given, field, message) => {
    const { ann, activity } = await aVolunteer();
    const body = 'activityId' in given ? { ...given, activityId: activity.id } : given;
    const reply = await log(ann.token, body);
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual({ error: message, fields: { [field]: message } });
  });

  test.each([0.25, 24, 7.13, 0.3])('stores %d hours exactly', async (hours) => {
    const { ann, activity } = await aVolunteer();
    const reply = await log(ann.token, { activityId: activity.id, hours });
    expect(reply.status).toBe(201);
    expect(reply.body.timeEntry.hours).toBe(hours);
  });

  test('requires a description if the activity does, and shows its prompt', async () => {
    const { ann, activity } = await aVolunteer({ name: 'Other help', descriptionPrompt: 'what you did' });
    for (const notes of [undefined, null, '   ']) {
      const reply = await log(ann.token, { activityId: activity.id, hours: 1, notes });
      expect(reply.status).toBe(400);
      expect(reply.body.fields).toEqual({ notes: 'Please enter what you did for Other help activities' });
    }
    expect((await log(ann.token, { activityId: activity.id, hours: 1, notes: 'Painted' })).status).toBe(201);
  });

  test('rejects an inactive activity, but not one outside its dates', async () => {
    const { school, ann, activity } = await aVolunteer({ name: 'Old club', isActive: false });
    const refused = await log(ann.token, { activityId: activity.id, hours: 1 });
    expect(refused.status).toBe(400);
    expect(refused.body.error).toBe(
      "You can't log hours for Old club right now. Please pick another activity.",
    );
    const past = await anActivity(app, {
      school,
      activeFrom: day('2025-10-01'),
      activeUntil: day('2025-10-01'),
    });
    const future = await anActivity(app, { school, activeFrom: day('2026-05-01') });
    expect((await log(ann.token, { activityId: past.id, hours: 1 })).status).toBe(201);
    expect((await log(ann.token, { activityId: future.id, hours: 1 })).status).toBe(201);
  });

  test('returns 404 to a user without a school, as for an unknown activity', async () => {
    const { activity } = await aVolunteer();
    const eve = await aPerson(app, { schools: [] });
    const reply = await log(eve.token, { activityId: activity.id, hours: 1 });
    expect([reply.status, reply.body.error]).toEqual([404, 'Activity not found']);
  });

  test('returns 404 for an activity or a school that the user does not belong to', async () => {
    const { ann, school } = await aVolunteer();
    const elsewhere = await aVolunteer();
    const foreign = await log(ann.token, { activityId: elsewhere.activity.id, hours: 1 });
    expect([foreign.status, foreign.body.error]).toEqual([404, 'Activity not found']);
    const mixed = await log(ann.token, { activityId: elsewhere.activity.id, hours: 1, schoolId: school.id });
    expect([mixed.status, mixed.body.error]).toEqual([404, 'Activity not found']);
    const school2 = await log(ann.token, {
      activityId: elsewhere.activity.id,
      hours: 1,
      schoolId: elsewhere.school.id,
    });
    expect([school2.status, school2.body.error]).toEqual([404, 'School not found']);
  });

  test('ignores a userId in the body', async () => {
    const { ann, activity } = await aVolunteer();
    const other = await aPerson(app);
    const reply = await log(ann.token, {
      activityId: activity.id,
      hours: 1,
      userId: other.id,
      id: 1,
      version: 9,
    });
    expect(reply.body.timeEntry.user.id).toBe(ann.id);
    expect(reply.body.timeEntry.version).toBe(1);
  });

  test('returns the first reply for a repeated Idempotency-Key and adds nothing', async () => {
    const { ann, activity } = await aVolunteer();
    const key = { 'idempotency-key': `key-${activity.id}` };
    const body = { activityId: activity.id, hours: 1 };
    const [first, second] = await Promise.all([log(ann.token, body, key), log(ann.token, body, key)]);
    expect(second.status).toBe(201);
    expect(second.body).toEqual(first.body);
    const listed = await app.call('GET /api/time-entries', { token: ann.token });
    expect(listed.body.timeEntries).toHaveLength(1);
    const other = await log(ann.token, { ...body, hours: 2 }, key);
    expect([other.status, other.body.error]).toEqual([
      409,
      'This Idempotency-Key was already used for another request',
    ]);
  });

  test('can reuse an Idempotency-Key after a rejected request', async () => {
    const { ann, activity } = await aVolunteer({ descriptionPrompt: 'details' });
    const key = { 'idempotency-key': `refused-${activity.id}` };
    expect((await log(ann.token, { activityId: activity.id, hours: 1 }, key)).status).toBe(400);
    expect((await log(ann.token, { activityId: activity.id, hours: 1, notes: 'ok' }, key)).status).toBe(201);
  });

  test('stores nothing when the activity is deleted concurrently', async () => {
    const { ann, activity } = await aVolunteer();
    const reply = await sendDuring(
      app,
      (trx) => trx.deleteFrom('activities').where('id', '=', activity.id).execute(),
      () => log(ann.token, { activityId: activity.id, hours: 1 }),
    );
    expect([404, 409]).toContain(reply.status);
    const listed = await app.call('GET /api/time-entries', { token: ann.token });
    expect(listed.body.timeEntries).toEqual([]);
  });

  test('audits who logged what, when and from where', async () => {
    const { ann, activity, school } = await aVolunteer();
    const { body } = await log(ann.token, { activityId: activity.id, hours: 1.25 });
    const rows = await app.deps.database.db
      .selectFrom('audit_events')
      .selectAll()
      .where('subject', '=', 'time-entry')
      .where('subject_id', '=', body.timeEntry.id)
      .execute();
    expect(rows).toEqual([
      expect.objectContaining({
        actor_id: ann.id,
        action: 'entry.log',
        school_id: school.id,
        at: '2026-03-04T18:00:00.000Z',
        address: '10.0.0.1',
        before: null,
      }),
    ]);
    expect(JSON.parse(rows[0]?.after ?? '')).toMatchObject({ hours: 1.25, activityId: activity.id });
  });
});

describe('the list of recent entries', () => {
  test('starts with the latest day, in pages without gaps or repeats', async () => {
    const { ann, activity, school } = await aVolunteer();
    const dates = ['2026-02-01', '2026-03-01', '2026-03-01', '2026-01-15', '2026-02-28'];
    for (const date of dates) await anEntry(app, { by: ann, activity, date });
    const seen: string[] = [];
    let cursor: string | null = '';
    for (let page = 0; cursor !== null && page < 10; page++) {
      const after: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const reply = await app.call(`GET /api/time-entries?schoolId=${school.id}&limit=2${after}`, {
        token: ann.token,
      });
      expect(reply.status).toBe(200);
      seen.push(...reply.body.timeEntries.map((entry: { entryDate: string }) => entry.entryDate));
      cursor = reply.body.nextCursor;
    }
    expect(seen).toEqual(['2026-03-01', '2026-03-01', '2026-02-28', '2026-02-01', '2026-01-15']);
  });

  test("shows volunteers only their own entries, and administrators everyone's at the school", async () => {
    const { ann, activity, school } = await aVolunteer();
    const bob = await aPerson(app, { schools: [school], firstName: 'Bob' });
    const mine = await anEntry(app, { by: ann, activity });
    const theirs = await anEntry(app, { by: bob, activity });
    await anEntry(app, { by: bob, activity, deletedBy: bob });
    const ids = async (token: string) => {
      const reply = await app.call(`GET /api/time-entries?schoolId=${school.id}`, { token });
      return reply.body.timeEntries.map((entry: { id: number }) => entry.id);
    };
    expect(await ids(ann.token)).toEqual([mine.id]);
    expect(await ids((await anAdministrator(app)).token)).toEqual([theirs.id, mine.id]);
  });

  test('returns 404 for a school the volunteer left or never joined, and omits entries of the former one', async () => {
    const { ann, activity, school } = await aVolunteer();
    const elsewhere = await aSchool(app);
    await anEntry(app, { by: ann, activity });
    for (const schoolId of [elsewhere.id, 999_999, 'abc', '1e3', '-1']) {
      const reply = await app.call(`GET /api/time-entries?schoolId=${schoolId}`, { token: ann.token });
      expect([reply.status, reply.body]).toEqual([404, { error: 'School not found' }]);
    }
    await app.deps.database.db
      .deleteFrom('user_schools')
      .where('user_id', '=', ann.id)
      .where('school_id', '=', school.id)
      .execute();
    const former = await app.call(`GET /api/time-entries?schoolId=${school.id}`, { token: ann.token });
    expect([former.status, former.body]).toEqual([404, { error: 'School not found' }]);
    const all = await app.call('GET /api/time-entries', { token: ann.token });
    expect(all.body.timeEntries).toEqual([]);
  });

  test.each([
    ['limit=0', 'The number of rows must be between 1 and 500'],
    ['limit=501', 'The number of rows must be between 1 and 500'],
    ['limit=ten', 'The number of rows must be between 1 and 500'],
    ['cursor=abc', 'This list has changed. Please load it again from the start.'],
    [
      'cursor=WyIyMDI2LTAzLTAxIiwxXQ.AAAAAAAAAAAAAAAAAAAAAA',
      'This list has changed. Please load it again from the start.',
    ],
  ])('rejects %s', async (query, message) => {
    const { ann } = await aVolunteer();
    const reply = await app.call(`GET /api/time-entries?${query}`, { token: ann.token });
    expect([reply.status, reply.body.error]).toEqual([400, message]);
  });
});

describe('editing an entry', () => {
  async function anEditableEntry(given: Omit<Parameters<typeof anActivity>[1], 'school'> = {}) {
    const volunteer = await aVolunteer(given);
    const entry = await anEntry(app, { by: volunteer.ann, activity: volunteer.activity, notes: 'first' });
    const edit = async (body: object, token = volunteer.ann.token, headers: Record<string, string> = {}) =>
      app.call(`PUT /api/time-entries/${entry.id}`, {
        token,
        body: await editOf(app, entry.id, body),
        headers,
      });
    return { ...volunteer, entry, edit };
  }

  test('changes only the fields sent, and clears null ones', async () => {
    const { edit, activity } = await anEditableEntry();
    const hours = await edit({ hours: 3.75 });
    expect(hours.status).toBe(200);
    expect(hours.body.message).toBe('Time entry updated successfully');
    expect(hours.body.timeEntry).toMatchObject({ hours: 3.75, notes: 'first', version: 2 });
    const emptied = await edit({ notes: null, entryDate: '2026-02-01' });
    expect(emptied.body.timeEntry).toMatchObject({
      hours: 3.75,
      notes: null,
      entryDate: '2026-02-01',
      activityId: activity.id,
    });
  });

  test.each([
    [{ activityId: undefined }, 'Please fill in all required fields'],
    [{ hours: undefined }, 'Please fill in all required fields'],
    [{ activityId: null }, 'Please fill in all required fields'],
    [{ hours: null }, 'Please fill in all required fields'],
    [{ hours: 25 }, 'Hours must be between 0.25 and 24'],
    [{ entryDate: '2026-03-05' }, 'Date cannot be in the future'],
    [{ notes: 'x'.repeat(501) }, 'Notes can be up to 500 characters'],
  ])('rejects %j', async (body, message) => {
    const { edit } = await anEditableEntry();
    const reply = await edit(body);
    expect([reply.status, reply.body.error]).toEqual([400, message]);
  });

  test('without changes neither increments the version nor writes an audit event', async () => {
    const { edit, entry } = await anEditableEntry();
    const reply = await edit({ hours: 1, notes: 'first' });
    expect([reply.status, reply.body.timeEntry.version]).toEqual([200, 1]);
    expect(await recordOf(app, 'time-entry', entry.id)).toEqual([]);
  });

  test('moves the entry to the school of its new activity', async () => {
    const { edit, ann, activity, school } = await anEditableEntry();
    const other = await aSchool(app);
    const place = {
      user_id: ann.id,
      school_id: other.id,
      status: 'active',
      created_at: app.clock.now(),
    } as const;
    await app.deps.database.db.insertInto('user_schools').values(place).execute();
    const there = await anActivity(app, { school: other });
    const amiss = await edit({ activityId: activity.id, schoolId: other.id });
    expect([amiss.status, amiss.body.error]).toEqual([404, 'Activity not found']);
    const moved = await edit({ activityId: there.id });
    expect(moved.body.timeEntry).toMatchObject({ activityId: there.id, schoolId: other.id });
    const back = await edit({ activityId: activity.id });
    expect(back.body.timeEntry.schoolId).toBe(school.id);
  });

  test('may leave a deactivated activity unchanged, but not switch to one', async () => {
    const { edit, activity, school } = await anEditableEntry();
    await app.deps.database.db
      .updateTable('activities')
      .set({ is_active: 0 })
      .where('id', '=', activity.id)
      .execute();
    expect((await edit({ hours: 2, activityId: activity.id })).status).toBe(200);
    const inactive = await anActivity(app, { school, isActive: false });
    expect((await edit({ activityId: inactive.id })).status).toBe(400);
  });

  test('requires notes if the activity requires them now', async () => {
    const { edit } = await anEditableEntry({ name: 'Club', descriptionPrompt: 'a report' });
    expect((await edit({ hours: 2 })).status).toBe(200);
    const reply = await edit({ notes: ' ' });
    expect([reply.status, reply.body.error]).toEqual([400, 'Please enter a report for Club activities']);
  });

  test("returns the same 404 for another volunteer's entry as for an unknown one", async () => {
    const { entry, school, activity } = await anEditableEntry();
    const bob = await aPerson(app, { schools: [school] });
    const answers = await Promise.all(
      [entry.id, 999_999, 'abc', '0', '9'.repeat(30)].map((id) =>
        app.call(`PUT /api/time-entries/${id}`, {
          token: bob.token,
          body: { activityId: activity.id, hours: 1 },
        }),
      ),
    );
    for (const answer of answers) {
      expect([answer.status, answer.text]).toEqual([404, '{"error":"Time entry not found"}']);
    }
  });

  test('as an administrator does not change whose entry it is', async () => {
    const { edit, ann } = await anEditableEntry();
    const reply = await edit({ hours: 5 }, (await anAdministrator(app)).token);
    expect(reply.body.timeEntry).toMatchObject({ hours: 5, user: { id: ann.id } });
  });

  test('waits for a concurrent change, and applies to its result', async () => {
    const { school, ann, activity } = await aVolunteer();
    const other = await anActivity(app, { school, name: 'Garden day' });
    const entry = await anEntry(app, { by: ann, activity, notes: 'Room 4' });
    const change = (values: { activity_id?: number; deleted_at?: Instant; deleted_by?: number }) =>
      sendDuring(
        app,
        (trx) => trx.updateTable('time_entries').set(values).where('id', '=', entry.id).execute(),
        () =>
          app.call(`PUT /api/time-entries/${entry.id}`, {
            token: ann.token,
            body: { activityId: other.id, hours: 2 },
          }),
      );
    const moved = await change({ activity_id: other.id });
    expect(moved.status).toBe(200);
    expect(moved.body.timeEntry).toMatchObject({
      activity: { name: 'Garden day' },
      hours: 2,
      notes: 'Room 4',
    });
    const deleted = await change({ deleted_at: app.clock.now(), deleted_by: ann.id });
    expect(deleted.status).toBe(404);
  });

  test('rejects an outdated version and changes nothing', async () => {
    const { edit } = await anEditableEntry();
    expect((await edit({ hours: 2 }, undefined, { 'if-match': '"1"' })).status).toBe(200);
    const late = await edit({ hours: 3 }, undefined, { 'if-match': '"1"' });
    expect([late.status, late.body.error]).toEqual([
      409,
      'Someone else changed this item. Reload and try again.',
    ]);
    expect((await edit({}, undefined, { 'if-match': '2' })).body.timeEntry.hours).toBe(2);
  });

  test('audits the values before and after', async () => {
    const { edit, entry } = await anEditableEntry();
    await edit({ hours: 2.5 });
    const row = await app.deps.database.db
      .selectFrom('audit_events')
      .selectAll()
      .where('subject', '=', 'time-entry')
      .where('subject_id', '=', entry.id)
      .where('action', '=', 'entry.edit')
      .executeTakeFirstOrThrow();
    expect(JSON.parse(row.before ?? '')).toMatchObject({ hours: 1, notes: 'first' });
    expect(JSON.parse(row.after ?? '')).toMatchObject({ hours: 2.5, notes: 'first' });
  });
});

describe('deleting an entry', () => {
  async function aDeletableEntry() {
    const volunteer = await aVolunteer();
    const entry = await anEntry(app, { by: volunteer.ann, activity: volunteer.activity });
    const remove = (token = volunteer.ann.token) =>
      app.call(`DELETE /api/time-entries/${entry.id}`, { token });
    const restore = (token = volunteer.ann.token) =>
      app.call(`POST /api/time-entries/${entry.id}/restore`, { token });
    const listed = async () =>
      (await app.call('GET /api/time-entries', { token: volunteer.ann.token })).body.timeEntries.length;
    return { ...volunteer, entry, remove, restore, listed };
  }

  test('removes the entry, and undo restores it', async () => {
    const { remove, restore, listed } = await aDeletableEntry();
    const removed = await remove();
    expect([removed.status, removed.body]).toEqual([200, { message: 'Time entry deleted successfully' }]);
    expect(await listed()).toBe(0);
    expect((await remove()).status).toBe(404);
    const restored = await restore();
    expect([restored.status, restored.body.message]).toEqual([200, 'Time entry restored']);
    expect(await listed()).toBe(1);
    expect((await restore()).status).toBe(200);
  });

  test('has an undo that does not change existing entries and returns 404 for unknown ones', async () => {
    const { restore, entry, ann, school } = await aDeletableEntry();
    const bob = await aPerson(app, { schools: [school] });
    const again = await restore();
    expect([again.status, again.body.timeEntry.version]).toEqual([200, 1]);
    expect(await recordOf(app, 'time-entry', entry.id)).toEqual([]);
    const absent = await app.call('POST /api/time-entries/999999/restore', { token: ann.token });
    const foreign = await restore(bob.token);
    for (const reply of [absent, foreign])
      expect([reply.status, reply.body]).toEqual([404, { error: 'Time entry not found' }]);
  });

  test('accepts an empty JSON body', async () => {
    const { entry, ann } = await aDeletableEntry();
    const reply = await app.app.inject({
      method: 'DELETE',
      url: `/api/time-entries/${entry.id}`,
      headers: { authorization: `Bearer ${ann.token}`, 'content-type': 'application/json' },
    });
    expect(reply.statusCode).toBe(200);
  });

  test("returns 404 for another volunteer's entry, as does undo", async () => {
    const { remove, restore, school, listed } = await aDeletableEntry();
    const bob = await aPerson(app, { schools: [school] });
    expect((await remove(bob.token)).status).toBe(404);
    expect(await listed()).toBe(1);
    await remove();
    expect((await restore(bob.token)).status).toBe(404);
    expect(await listed()).toBe(0);
  });

  test('can be undone for 10 minutes, and by administrators for 30 days', async () => {
    const { remove, restore, listed } = await aDeletableEntry();
    const ada = await anAdministrator(app);
    await remove();
    app.clock.advance(10 * 60_000 + 1);
    const late = await restore();
    expect([late.status, late.body.error]).toEqual([409, 'This entry was deleted too long ago to restore']);
    expect((await restore(ada.token)).status).toBe(200);
    expect(await listed()).toBe(1);
    await remove();
    app.clock.advance(30 * 86_400_000);
    const later = await anAdministrator(app);
    expect((await restore(later.token)).status).toBe(200);
    expect((await remove(later.token)).status).toBe(200);
    app.clock.advance(30 * 86_400_000 + 1);
    const tooLate = await restore((await anAdministrator(app)).token);
    expect([tooLate.status, tooLate.body.error]).toEqual([409, late.body.error]);
    app.clock.set('2026-03-04T18:00:00.000Z');
  });
});

describe('most active tasks', () => {
  test('are the five with the most hours of this school year, each with its last three entries', async () => {
    const school = await aSchool(app);
    const category = await aCategory(app, { school, color: 'teal' });
    const ann = await aPerson(app, { schools: [school] });
    const bob = await aPerson(app, { schools: [school] });
    for (let n = 1; n <= 6; n++) {
      const activity = await anActivity(app, { school, category, name: `Task ${n}` });
      for (let entry = 1; entry <= 4; entry++) {
        await anEntry(app, { by: ann, activity, hours: n / 10 + 0.2, date: `2026-02-0${entry}` });
      }
      await anEntry(app, { by: ann, activity, hours: 24, date: '2025-06-30' });
      await anEntry(app, { by: bob, activity, hours: 1, date: '2026-01-01' });
    }
    const own = await app.call(`GET /api/time-entries/most-active?schoolId=${school.id}`, {
      token: ann.token,
    });
    expect(own.status).toBe(200);
    expect(own.body.totalHours).toBe(13.2);
    expect(own.body.activities.map((row: { totalHours: number }) => row.totalHours)).toEqual([
      3.2, 2.8, 2.4, 2, 1.6,
    ]);
    expect(own.body.activities[0].activity).toMatchObject({ name: 'Task 6', category: { color: 'teal' } });
    expect(own.body.activities[0].recent.map((entry: { entryDate: string }) => entry.entryDate)).toEqual([
      '2026-02-04',
      '2026-02-03',
      '2026-02-02',
    ]);
    const everyones = await app.call(`GET /api/time-entries/most-active?schoolId=${school.id}`, {
      token: (await anAdministrator(app)).token,
    });
    expect(everyones.body.totalHours).toBe(19.2);
  });

  test('are empty without hours', async () => {
    const { ann } = await aVolunteer();
    const reply = await app.call('GET /api/time-entries/most-active', { token: ann.token });
    expect(reply.body).toEqual({ totalHours: 0, verifiedHours: null, activities: [] });
  });
});
