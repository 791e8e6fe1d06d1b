import { beforeEach, describe, expect, test } from 'vitest';
import { SERVER_JOBS } from '#app/server/job-list.ts';
import { withoutYear } from '#features/activities/server/actions.ts';
import { transaction } from '#server/db/database.ts';
import { unsubscribeLink } from '#server/email/unsubscribe-link.ts';
import { runDueJobs } from '#server/jobs/daily-jobs.ts';
import { day, plusMilliseconds } from '#shared/calendar-date.ts';
import { spellCode } from '#shared/short-code.ts';
import {
  aCategory,
  anActivity,
  anAdministrator,
  anEntry,
  aPerson,
  aSchool,
  aSuggestion,
} from '#test/builders.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { emailsSentTo } from '#test/sent-emails.ts';
import type { Reminders } from '../contract.ts';
import { eventReminderJob } from './event-reminders.ts';
import { claimReminderSlot } from './preference-store.ts';
import { weeklySummaryJob } from './weekly-summary.ts';

const DAY_MS = 86_400_000;
const MAIL = '/api/profile/reminders';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
/** Seven in the evening of Wednesday, March 4, 2026 in Chicago, and nine in the morning of the Monday after. */
const EVENING = '2026-03-05T01:00:00.000Z';
const MONDAY = '2026-03-09T14:00:00.000Z';
const ALL = { afterEvents: true, weekly: true, decisions: true };

let app: TestApp;
let school: Awaited<ReturnType<typeof aSchool>>;
beforeEach(async () => {
  app = await startApp({ PUBLIC_URL: 'https://hours.maplegrove.example', SMTP_URL: 'smtp://127.0.0.1:9' });
  school = await aSchool(app, { name: 'Lincoln', verification: 'off' });
});

type Person = Awaited<ReturnType<typeof aPerson>>;

/** A member with a confirmed address who opted in to these reminders. */
async function aReader(wanted: Partial<Reminders> = ALL, given: { isProven?: boolean } = {}) {
  const person = await aPerson(app, { schools: [school], isProven: true, ...given });
  const reply = await app.call(`PUT ${MAIL}`, { token: person.token, body: wanted });
  expect(reply.status, reply.text).toBe(200);
  return person;
}

const read = async (who: Person) => (await app.call(`GET ${MAIL}`, { token: who.token })).body;
const evening = (at = EVENING) => {
  app.clock.set(at);
  return runDueJobs(app.deps, [eventReminderJob]);
};
const monday = (at = MONDAY) => {
  app.clock.set(at);
  return runDueJobs(app.deps, [weeklySummaryJob]);
};

/** The emails to a person, read as if there were no mail server. */
function letters({ email }: { email: string }) {
  const { config } = app.deps;
  return emailsSentTo({ ...app, deps: { ...app.deps, config: { ...config, smtpUrl: undefined } } }, email);
}
const subjects = async (who: Person) => (await letters(who)).map(({ subject }) => subject);

/** This year's and last year's edition of an event; `helped` logs hours for last year's. */
async function anEvent(given: { name?: string; on?: string; before?: string } = {}) {
  const { name = 'Book fair', on = '2026-03-04', before = '2025-03-06' } = given;
  const category = await aCategory(app, { school });
  const past = await anActivity(app, {
    school,
    category,
    name: `${name} 2025`,
    activeFrom: day(before),
    activeUntil: day(before),
  });
  const event = await anActivity(app, {
    school,
    category,
    name: `${name} 2026`,
    activeFrom: day(on),
    activeUntil: day(on),
  });
  const helped = (by: Person, date = before) => anEntry(app, { by, activity: past, hours: 2, date });
  return { event, helped };
}

describe('the event reminder', () => {
  test('goes to volunteers who helped last year and opted in', async () => {
    const { event, helped } = await anEvent();
    const [ann, ben, cay] = [
      await aReader({ afterEvents: true }),
      await aReader(),
      await aReader({ weekly: true }),
    ];
    for (const who of [ann, cay]) await helped(who);
    await evening();
    const [letter, ...others] = await letters(ann);
    expect([letter?.subject, others]).toEqual(['Did you help at Book fair 2026?', []]);
    expect(letter?.text).toContain('Book fair 2026, Lincoln');
    const { log_code: code } = await app.deps.database.db
      .selectFrom('activities')
      .select('log_code')
      .where('id', '=', event.id)
      .executeTakeFirstOrThrow();
    // The button opens Log Time with the event chosen.
    const link = `https://hours.maplegrove.example/?log=${spellCode(code ?? 'none')}`;
    expect(letter?.text).toContain(link);
    expect([await subjects(ben), await subjects(cay)]).toEqual([[], []]);
  });

  test.each<[string, string, number]>([
    ['on its last day before six', '2026-03-04T23:59:59.000Z', 0],
    ['on its last day from six on', '2026-03-05T00:00:00.000Z', 1],
    ['a day later, when no server ran', '2026-03-06T01:00:00.000Z', 1],
    ['two days later', '2026-03-07T01:00:00.000Z', 0],
    ['the evening before', '2026-03-04T01:00:00.000Z', 0],
  ])('is sent %s (%s) %i times', async (_, at, count) => {
    const { helped } = await anEvent();
    const ann = await aReader();
    await helped(ann);
    await evening(at);
    expect(await subjects(ann)).toHaveLength(count);
  });

  test('is sent once, even if several servers run the job, and again the next day', async () => {
    const { helped } = await anEvent();
    const ann = await aReader();
    await helped(ann);
    const byHand = SERVER_JOBS.find(({ name }) => name === eventReminderJob.name);
    app.clock.set(EVENING);
    await Promise.all([evening(), byHand?.run(app.deps), byHand?.run(app.deps)]);
    await evening('2026-03-06T01:00:00.000Z');
    expect(await subjects(ann)).toHaveLength(1);
  });

  test('lists several events in one email', async () => {
    const ann = await aReader();
    for (const name of ['Book fair', 'Bake sale']) await (await anEvent({ name })).helped(ann);
    await evening();
    const [letter, ...others] = await letters(ann);
    expect([letter?.subject, others]).toEqual(['Did you help again this year?', []]);
    expect(letter?.text).toMatch(/Book fair 2026, Lincoln[\s\S]*Bake sale 2026, Lincoln/);
    expect(letter?.text).not.toContain('?log=');
  });

  test('skips volunteers who logged hours this year, helped at another time, or left the school', async () => {
    const { event, helped } = await anEvent();
    const [done, other, left] = [await aReader(), await aReader(), await aReader()];
    await helped(done);
    await anEntry(app, { by: done, activity: event, hours: 1 });
    await helped(other, '2025-05-20');
    await helped(left);
    await app.deps.database.db.deleteFrom('user_schools').where('user_id', '=', left.id).execute();
    await evening();
    for (const who of [done, other, left]) expect(await subjects(who)).toEqual([]);
  });

  test('skips closed days and inactive events', async () => {
    const { event, helped } = await anEvent();
    const ann = await aReader();
    await helped(ann);
    const { db } = app.deps.database;
    await db
      .updateTable('schools')
      .set({ closed_before: day('2026-03-05') })
      .execute();
    await evening();
    await db.updateTable('schools').set({ closed_before: null }).execute();
    await db.updateTable('activities').set({ is_active: 0 }).where('id', '=', event.id).execute();
    await evening('2026-03-06T01:00:00.000Z');
    expect(await subjects(ann)).toEqual([]);
  });

  test.each([
    ['book fair 2026', 'book fair'],
    ['2025-26 book fair', 'book fair'],
    ['book fair 2025/2026', 'book fair'],
    ['class of 12026', 'class of 12026'],
  ])('compares the event name %s as %s', (name, known) => {
    expect(withoutYear(name)).toBe(known);
  });
});

describe('the weekly summary', () => {
  test('contains the hours of the week and of the school year, and a passed milestone', async () => {
    const ann = await aReader({ weekly: true });
    const [library, garden] = [
      await anActivity(app, { school, name: 'Library' }),
      await anActivity(app, { school, name: 'Garden' }),
    ];
    await anEntry(app, { by: ann, activity: library, hours: 1.25, date: '2026-03-02' });
    await anEntry(app, { by: ann, activity: garden, hours: 2, date: '2026-03-08' });
    await anEntry(app, { by: ann, activity: library, hours: 8, date: '2026-03-01' });
    await anEntry(app, { by: ann, activity: library, hours: 5, date: '2026-03-09' });
    await anEntry(app, { by: await aPerson(app), activity: library, hours: 9, date: '2026-03-03' });
    const milestones = [8, 11, 12].map((hours) => ({ hours, words: `Words for ${hours}.` }));
    const { token } = await anAdministrator(app);
    const set = await app.call('PUT /api/admin/milestones', { token, body: { milestones } });
    expect(set.status, set.text).toBe(200);
    await monday();
    const [letter, ...others] = await letters(ann);
    expect([letter?.subject, others]).toEqual(['Your volunteer hours last week: 3.25', []]);
    const text = letter?.text ?? '';
    expect(text).toMatch(/Garden, Lincoln: 2 h[\s\S]*Library, Lincoln: 1.25 h/);
    expect(text).toContain("That's 11.25 h so far this school year.");
    expect(text).toContain('You passed 11 hours this school year. Words for 11.');
    expect(text).not.toMatch(/This was decided|Words for (8|12)/);
  });

  test('is not sent if nothing was logged or decided', async () => {
    const ann = await aReader();
    await monday();
    expect(await letters(ann)).toEqual([]);
  });

  test('contains the decisions of last week at schools with verification', async () => {
    const ann = await aReader({ decisions: true });
    const activity = await anActivity(app, { school });
    const decide = async (verification: 'verified' | 'declined', at: string) => {
      const { id } = await anEntry(app, { by: ann, activity, hours: 2, date: '2026-02-20' });
      await app.deps.database.db
        .updateTable('time_entries')
        .set({
          verification,
          decided_at: at as never,
          counted_hundredths: verification === 'verified' ? 200 : 0,
        })
        .where('id', '=', id)
        .execute();
    };
    await decide('verified', '2026-03-02T06:00:00.000Z');
    await decide('verified', '2026-03-09T04:59:59.000Z');
    await decide('declined', '2026-03-04T18:00:00.000Z');
    await decide('verified', '2026-03-02T05:59:59.000Z');
    await decide('verified', '2026-03-09T05:00:00.000Z');
    const { db } = app.deps.database;
    await monday();
    expect(await letters(ann)).toEqual([]);
    await db.updateTable('schools').set({ verification: 'on' }).execute();
    await db.deleteFrom('daily_jobs').execute();
    await monday();
    const [letter] = await letters(ann);
    expect(letter?.subject).toBe('News about your volunteer hours and suggestions');
    expect(letter?.text).toContain('2 of your entries were verified: 4 h.');
    expect(letter?.text).toContain('1 of your entries was not counted. See why in Recent Activity.');
    expect(letter?.text).not.toContain('You logged');
  });

  test('contains decided suggestions only for users who get no email about each decision', async () => {
    const [ann, ben] = [await aReader({ decisions: true }), await aReader({ decisions: true })];
    const told = ({ token }: Person, decisions: boolean) =>
      app.call('PUT /api/my-activity-suggestions/mail', { token, body: { decisions } });
    for (const [who, isTold] of [
      [ann, false],
      [ben, false],
      [ben, true],
    ] as const)
      await told(who, isTold);
    for (const by of [ann, ben])
      await aSuggestion(app, { by, school, name: 'Chess club', status: 'rejected' });
    await app.deps.database.db
      .updateTable('activity_suggestions')
      .set({ decided_at: '2026-03-04T18:00:00.000Z' as never })
      .execute();
    await monday();
    expect((await letters(ann))[0]?.text).toContain(
      'Lincoln did not approve your suggestion “Chess club” this time.',
    );
    expect(await letters(ben)).toEqual([]);
  });

  test('is sent once a week, despite two servers, a restart or a clock change', async () => {
    const activity = await anActivity(app, { school });
    const ann = await aReader({ weekly: true });
    for (const date of ['2026-03-03', '2026-03-10'])
      await anEntry(app, { by: ann, activity, hours: 1, date });
    const byHand = SERVER_JOBS.find(({ name }) => name === weeklySummaryJob.name);
    // Clocks went forward on Sunday: seven in the morning is twelve, not one.
    await monday('2026-03-09T11:59:59.000Z');
    expect(await letters(ann)).toEqual([]);
    app.clock.set('2026-03-09T12:00:00.000Z');
    await Promise.all([
      runDueJobs(app.deps, [weeklySummaryJob]),
      byHand?.run(app.deps),
      byHand?.run(app.deps),
    ]);
    await byHand?.run(app.deps);
    expect(await letters(ann)).toHaveLength(1);
    await monday('2026-03-12T12:00:00.000Z');
    expect(await letters(ann)).toHaveLength(1);
    await monday('2026-03-16T12:00:00.000Z');
    expect(await letters(ann)).toHaveLength(2);
  });

  test('resumes after a stop', async () => {
    const activity = await anActivity(app, { school });
    const people = [];
    for (let count = 0; count < 105; count++)
      people.push(await aPerson(app, { schools: [school], isProven: true }));
    for (const by of people) await anEntry(app, { by, activity, hours: 1, date: '2026-03-03' });
    await app.deps.database.db
      .insertInto('reminder_preferences')
      .values(people.map(({ id }) => ({ user_id: id, after_events: 0, weekly: 1, decisions: 0 }) as const))
      .execute();
    let asked = 0;
    app.clock.set(MONDAY);
    await runDueJobs(app.deps, [weeklySummaryJob], () => ++asked > 1);
    const posted = async () =>
      (
        await app.deps.database.db
          .selectFrom('emails')
          .select('id')
          .where('kind', '=', 'weekly-summary')
          .execute()
      ).length;
    expect(await posted()).toBe(100);
    await runDueJobs(app.deps, [weeklySummaryJob]);
    expect(await posted()).toBe(105);
  });
});

describe('no reminder', () => {
  test('goes to an unconfirmed address, a deactivated or a deleted account', async () => {
    const { helped } = await anEvent();
    const ada = await anAdministrator(app);
    const [unproven, off, erased] = [
      await aReader(ALL, { isProven: false }),
      await aReader(),
      await aReader(),
    ];
    for (const who of [unproven, off, erased]) {
      await helped(who);
      await anEntry(app, { by: who, activity: (await anEvent()).event, hours: 1, date: '2026-03-03' });
    }
    const { db } = app.deps.database;
    await db.updateTable('users').set({ is_active: 0 }).where('id', '=', off.id).execute();
    const reply = await app.call(`POST /api/admin/users/${erased.id}/erase`, { token: ada.token });
    expect(reply.status, reply.text).toBe(200);
    await evening();
    await monday();
    const kinds = ['event-reminder', 'weekly-summary'];
    expect(await db.selectFrom('emails').select('id').where('kind', 'in', kinds).execute()).toEqual([]);
    expect(
      await db
        .selectFrom('reminder_preferences')
        .select('user_id')
        .where('user_id', '=', erased.id)
        .execute(),
    ).toEqual([]);
  });

  test('is sent to a user who got two in a week', async () => {
    const ann = await aReader();
    const days = ['2026-03-09', '2026-03-10', '2026-03-11'];
    for (const [index, on] of days.entries()) {
      const { helped } = await anEvent({ name: `Event ${'abc'[index]}`, on });
      await helped(ann);
    }
    const activity = await anActivity(app, { school });
    await anEntry(app, { by: ann, activity, hours: 1, date: '2026-03-03' });
    await monday();
    for (const on of days) await evening(plusMilliseconds(`${on}T01:00:00.000Z` as never, DAY_MS));
    expect(await subjects(ann)).toEqual([
      'Your volunteer hours last week: 1',
      'Did you help at Event a 2026?',
    ]);
  });

  test('is sent twice, or to a user who opted out or was deactivated while it was prepared', async () => {
    const ann = await aReader({ weekly: true });
    const slot = { userId: ann.id, monday: day('2026-03-09') } as const;
    const take = () => transaction(app.deps.database, (trx) => claimReminderSlot(trx, slot));
    await app.call(`PUT ${MAIL}`, { token: ann.token, body: { weekly: false } });
    expect(await take()).toBe(false);
    await app.call(`PUT ${MAIL}`, { token: ann.token, body: { weekly: true } });
    const { db } = app.deps.database;
    await db.updateTable('users').set({ is_active: 0 }).where('id', '=', ann.id).execute();
    expect(await take()).toBe(false);
    await db.updateTable('users').set({ is_active: 1 }).where('id', '=', ann.id).execute();
    expect([await take(), await take()]).toEqual([true, false]);
  });

  test('is sent or offered if the district sends no email', async () => {
    const ann = await aReader();
    const activity = await anActivity(app, { school });
    await anEntry(app, { by: ann, activity, hours: 1, date: '2026-03-03' });
    const { config } = app.deps;
    app.clock.set(MONDAY);
    await runDueJobs({ ...app.deps, config: { ...config, smtpUrl: undefined } }, [
      weeklySummaryJob,
      eventReminderJob,
    ]);
    expect(await letters(ann)).toEqual([]);
    const quiet = await startApp();
    const ben = await aPerson(quiet, { isProven: false });
    const call = (line: string, body?: object) =>
      quiet.call(line, { token: ben.token, ...(body && { body }) });
    expect((await call(`GET ${MAIL}`)).body).toEqual({ mail: null, isConfirmed: false });
    expect((await call(`PUT ${MAIL}`, { weekly: true })).body.mail).toBe(null);
  });
});

describe('reminder preferences', () => {
  test('are off by default and can be set individually', async () => {
    const ann = await aPerson(app, { isProven: true });
    const off = { afterEvents: false, weekly: false, decisions: false };
    expect(await read(ann)).toEqual({ mail: off, isConfirmed: true });
    const reply = await app.call(`PUT ${MAIL}`, { token: ann.token, body: { weekly: true } });
    expect(reply.body).toEqual({
      mail: { ...off, weekly: true },
      isConfirmed: true,
      message: 'Email settings saved',
    });
    const odd = await app.call(`PUT ${MAIL}`, { token: ann.token, body: { weekly: 'yes' } });
    expect([odd.status, (await read(ann)).mail.weekly]).toEqual([400, true]);
    const { text } = await app.call('GET /api/profile/data', { token: ann.token });
    expect(JSON.parse(text).reminders).toEqual({
      ...off,
      weekly: true,
      lastAfterEvent: null,
      lastWeekly: null,
    });
  });

  test.each([
    ['after-events', { afterEvents: false, weekly: true, decisions: true }],
    ['on-mondays', { afterEvents: true, weekly: false, decisions: false }],
  ] as const)('are turned off (%s) by the unsubscribe link, without signing in', async (kind, after) => {
    const ann = await aReader();
    const { helped, event } = await anEvent();
    await helped(ann);
    await anEntry(app, { by: ann, activity: event, hours: 1, date: '2026-03-03' });
    await (kind === 'after-events' ? evening() : monday());
    const [letter] = await letters(ann);
    const url = unsubscribeLink(app.deps, kind, ann.id);
    expect(letter?.headers.find(({ key }) => key === 'list-unsubscribe')?.value).toBe(`<${url}>`);
    const path = url.replace('https://hours.maplegrove.example', '');
    expect((await app.call(`GET ${path}`)).text).toContain('Stop these emails?');
    app.clock.set('2026-03-04T18:00:00.000Z');
    expect((await read(ann)).mail).toEqual(ALL);
    expect((await app.call(`POST ${path}`, { headers: FORM, body: '' })).status).toBe(200);
    expect((await read(ann)).mail).toEqual(after);
  });
});
