import { beforeEach, describe, expect, test } from 'vitest';
import { SERVER_JOBS } from '#app/server/job-list.ts';
import { unsubscribeLink } from '#server/email/unsubscribe-link.ts';
import { runDueJobs } from '#server/jobs/daily-jobs.ts';
import { plusMilliseconds } from '#shared/calendar-date.ts';
import type { GrantRole } from '#shared/permissions.ts';
import {
  aGrant,
  anActivity,
  anAdministrator,
  anEntry,
  aPerson,
  aPersonWithRole,
  aSchool,
} from '#test/builders.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { emailsSentTo } from '#test/sent-emails.ts';
import { weeklyReminderJob } from './emails.ts';

const DAY_MS = 86_400_000;
const MAIL = '/api/my-verifications/mail';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

let app: TestApp;
let ada: Awaited<ReturnType<typeof aPerson>>;
beforeEach(async () => {
  app = await startApp({ PUBLIC_URL: 'https://hours.maplegrove.example' });
  ada = await anAdministrator(app);
});

/** A school that verifies hours, with a volunteer's activity; `waits` logs waiting hours. */
async function aVerifyingSchool(name: string) {
  const school = await aSchool(app, { name, verification: 'on' });
  const activity = await anActivity(app, { school });
  const ann = await aPerson(app, { schools: [school] });
  const waits = async (hours: number, daysAgo = 0, by: { id: number } = ann) => {
    const { id } = await anEntry(app, { by, activity, hours });
    const at = plusMilliseconds(app.clock.now(), -daysAgo * DAY_MS);
    await app.deps.database.db
      .updateTable('time_entries')
      .set({ verification: 'waiting', created_at: at })
      .where('id', '=', id)
      .execute();
    return id;
  };
  return { school, waits };
}

const aVerifier = (school: { id: number }, role: GrantRole = 'coordinator') =>
  aPersonWithRole(app, role, school);
const look = () => runDueJobs(app.deps, [weeklyReminderJob]);
const letters = async (who: { email: string }) =>
  (await emailsSentTo(app, who.email)).filter(({ subject }) => subject?.endsWith('to be verified'));
const first = async (who: { email: string }) => (await letters(who))[0];
const nextWeek = () => app.clock.advance(7 * DAY_MS);

describe('the weekly reminder', () => {
  test('is one email per verifier for all their schools, overdue hours first', async () => {
    const [adams, lincoln, zane] = [
      await aVerifyingSchool('Adams'),
      await aVerifyingSchool('Lincoln'),
      await aVerifyingSchool('Zane'),
    ];
    const maria = await aVerifier(adams.school);
    await aGrant(app, maria, 'school-admin', lincoln.school);
    await aGrant(app, maria, 'school-admin', zane.school);
    await adams.waits(1.25);
    await adams.waits(2);
    await lincoln.waits(1, 22);
    await lincoln.waits(0.5, 34);
    await lincoln.waits(3, 21);
    await zane.waits(1, 40);
    await look();
    const [letter, ...others] = await letters(maria);
    expect([letter?.subject, others]).toEqual(['6 time entries are waiting to be verified', []]);
    const lines = (letter?.text ?? '').split('\n').filter((line) => /^(Adams|Lincoln|Zane)/.test(line));
    expect(lines).toEqual([
      'Zane: 1 entry (1 h) has been waiting more than 21 days, the longest for 40 days. In total: 1 entry is waiting, 1 h.',
      'Lincoln: 2 entries (1.5 h) have been waiting more than 21 days, the longest for 34 days. In total: 3 entries are waiting, 4.5 h.',
      'Adams: 2 entries are waiting, 3.25 h.',
    ]);
    expect(letter?.text).toContain(`https://hours.maplegrove.example/?desk=${zane.school.id}`);
  });

  test('ignores other statuses, other schools and deleted hours', async () => {
    const { school, waits } = await aVerifyingSchool('Lincoln');
    const maria = await aVerifier(school);
    const { db } = app.deps.database;
    const [verified, deleted, here] = [await waits(1), await waits(1), await waits(1)];
    await db
      .updateTable('time_entries')
      .set({ verification: 'verified' })
      .where('id', '=', verified)
      .execute();
    await db
      .updateTable('time_entries')
      .set({ deleted_at: app.clock.now(), deleted_by: ada.id })
      .where('id', '=', deleted)
      .execute();
    const other = await aVerifier((await aVerifyingSchool('Adams')).school);
    await db.updateTable('schools').set({ verification: 'off' }).where('id', '=', school.id).execute();
    await look();
    expect([await letters(maria), await letters(other), await letters(ada)]).toEqual([[], [], []]);
    await db.updateTable('schools').set({ verification: 'on' }).where('id', '=', school.id).execute();
    nextWeek();
    await look();
    expect((await first(maria))?.subject).toBe('1 time entry is waiting to be verified');
    await db.deleteFrom('time_entries').where('id', '=', here).execute();
    nextWeek();
    await look();
    expect(await letters(maria)).toHaveLength(1);
  });

  test.each<[GrantRole, number]>([
    ['school-admin', 1],
    ['coordinator', 1],
    ['auditor', 0],
  ])('sends users with the role %s %i emails', async (role, count) => {
    const { school, waits } = await aVerifyingSchool('Lincoln');
    const holder = await aVerifier(school, role);
    await waits(1);
    await look();
    expect(await letters(holder)).toHaveLength(count);
    expect(await letters(ada)).toHaveLength(1 - count);
  });

  test('goes to district administrators only for hours that no one else may verify', async () => {
    const [here, there] = [await aVerifyingSchool('Here'), await aVerifyingSchool('There')];
    const maria = await aVerifier(here.school);
    await here.waits(1);
    await there.waits(2);
    await look();
    expect((await first(ada))?.text).toContain('There: 1 entry is waiting, 2 h.');
    expect((await first(ada))?.text).not.toContain('Here');
    expect((await first(ada))?.text).toContain('no one else can verify');
    expect((await first(maria))?.text).not.toContain('no one else');
    // Own hours need another verifier: here the district, since the school has no second one.
    nextWeek();
    await here.waits(4, 0, maria);
    await look();
    const [, second] = await letters(ada);
    expect(second?.text).toContain('Here: 1 entry is waiting, 4 h.');
    expect((await letters(maria))[1]?.text).toContain('Here: 1 entry is waiting, 1 h.');
  });

  test('is not sent to users who lost the role or were deactivated', async () => {
    const { school, waits } = await aVerifyingSchool('Lincoln');
    const [gone, off, stays] = [await aVerifier(school), await aVerifier(school), await aVerifier(school)];
    await waits(1);
    const { db } = app.deps.database;
    await db.deleteFrom('user_grants').where('user_id', '=', gone.id).execute();
    await db.updateTable('users').set({ is_active: 0 }).where('id', '=', off.id).execute();
    await look();
    expect([await letters(gone), await letters(off), await letters(ada)]).toEqual([[], [], []]);
    expect(await letters(stays)).toHaveLength(1);
    await db.updateTable('users').set({ is_active: 0 }).where('id', '=', stays.id).execute();
    nextWeek();
    await look();
    expect(await letters(ada)).toHaveLength(1);
  });

  test('is sent once a week, on Monday from seven or as soon as the server runs', async () => {
    const { school, waits } = await aVerifyingSchool('Lincoln');
    const maria = await aVerifier(school);
    await waits(1);
    const sent = async (at: string) => {
      app.clock.set(at);
      await look();
      return (await letters(maria)).length;
    };
    // Chicago is six hours behind UTC. March 2, 2026 is a Monday.
    expect(await sent('2026-03-02T12:59:59.000Z')).toBe(0);
    expect(await sent('2026-03-02T13:00:00.000Z')).toBe(1);
    expect(await sent('2026-03-03T13:00:00.000Z')).toBe(1);
    expect(await sent('2026-03-08T23:00:00.000Z')).toBe(1);
    // The server was down on Monday and Tuesday.
    expect(await sent('2026-03-11T10:00:00.000Z')).toBe(1);
    expect(await sent('2026-03-11T12:00:00.000Z')).toBe(2);
    expect(await sent('2026-03-15T23:00:00.000Z')).toBe(2);
    expect(await sent('2026-03-16T12:00:00.000Z')).toBe(3);
  });

  test('is sent once by concurrent servers, even when started manually', async () => {
    const { school, waits } = await aVerifyingSchool('Lincoln');
    const maria = await aVerifier(school);
    await waits(1);
    const byHand = SERVER_JOBS.find(({ name }) => name === weeklyReminderJob.name);
    await Promise.all([look(), byHand?.run(app.deps), look(), byHand?.run(app.deps), look()]);
    expect(await letters(maria)).toHaveLength(1);
    const late = await aVerifier(school);
    await byHand?.run(app.deps);
    expect([await letters(maria), await letters(late)].map(({ length }) => length)).toEqual([1, 1]);
  });

  test('is sent once if the first run was interrupted', async () => {
    const { school, waits } = await aVerifyingSchool('Lincoln');
    const maria = await aVerifier(school);
    await waits(1);
    const dying = { ...weeklyReminderJob, run: () => Promise.reject(new Error('power cut')) };
    await runDueJobs(app.deps, [dying]);
    expect(await letters(maria)).toEqual([]);
    await look();
    await look();
    expect(await letters(maria)).toHaveLength(1);
  });

  test('shows its next run on the System screen', async () => {
    const read = async () => {
      const { body } = await app.call('GET /api/admin/system', { token: ada.token });
      return body.jobs.find(({ name }: { name: string }) => name === weeklyReminderJob.name);
    };
    app.clock.set('2026-03-04T18:00:00.000Z');
    expect(await read()).toMatchObject({
      title: 'Weekly email about hours to verify',
      nextRunAt: '2026-03-04T18:00:00.000Z',
    });
    await look();
    expect((await read()).nextRunAt).toBe('2026-03-09T12:00:00.000Z');
  });
});

describe('the reminder preference', () => {
  test('is offered to users who may verify hours at a school that verifies hours, and is respected', async () => {
    const { school, waits } = await aVerifyingSchool('Lincoln');
    const maria = await aVerifier(school);
    const ann = await aPerson(app, { schools: [school] });
    const none = await aVerifier(await aSchool(app, { verification: 'off' }));
    await waits(1);
    const read = async (who: { token: string }) => (await app.call(`GET ${MAIL}`, { token: who.token })).body;
    const choose = (who: { token: string }, body: object) =>
      app.call(`PUT ${MAIL}`, { token: who.token, body });
    expect(await read(maria)).toEqual({ mail: { isWanted: true } });
    expect(await read(ada)).toEqual({ mail: { isWanted: true } });
    expect([await read(ann), await read(none)]).toEqual([{ mail: null }, { mail: null }]);
    expect((await choose(ann, { isWanted: false })).body.mail).toBe(null);
    expect((await choose(maria, { isWanted: 'no' })).status).toBe(400);
    expect((await choose(maria, { isWanted: false })).body).toEqual({
      mail: { isWanted: false },
      message: 'Email settings saved',
    });
    await look();
    expect([await letters(maria), await letters(ada)]).toEqual([[], []]);
    await choose(maria, { isWanted: true });
    nextWeek();
    await look();
    expect(await letters(maria)).toHaveLength(1);
  });

  test('is in the data export and deleted with the account', async () => {
    const { school, waits } = await aVerifyingSchool('Lincoln');
    const maria = await aVerifier(school);
    await waits(1);
    await look();
    const { text } = await app.call('GET /api/profile/data', { token: maria.token });
    expect(JSON.parse(text).verifierMail).toEqual({ wanted: 1, lastWeek: '2026-03-02' });
    const erased = await app.call(`POST /api/admin/users/${maria.id}/erase`, { token: ada.token });
    expect(erased.status, erased.text).toBe(200);
    const rows = await app.deps.database.db
      .selectFrom('verifier_email_preferences')
      .select('user_id')
      .execute();
    expect(rows.filter(({ user_id }) => user_id === maria.id)).toEqual([]);
  });
});

describe('the unsubscribe link', () => {
  const pathIn = (url: string) => url.replace('https://hours.maplegrove.example', '');

  test('is in the email and its header', async () => {
    const { school, waits } = await aVerifyingSchool('Lincoln');
    const maria = await aVerifier(school);
    await waits(1);
    await look();
    const letter = await first(maria);
    const url = unsubscribeLink(app.deps, 'waiting-hours', maria.id);
    const header = (key: string) => letter?.headers.find((one) => one.key === key)?.value;
    expect(header('list-unsubscribe')).toBe(`<${url}>`);
    expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    expect(letter?.text).toContain(url);
    expect(letter?.html).toContain(`href="${url}"`);
  });

  test('changes nothing when opened, and unsubscribes when submitted', async () => {
    const { school, waits } = await aVerifyingSchool('Lincoln');
    const maria = await aVerifier(school);
    await waits(1);
    const path = pathIn(unsubscribeLink(app.deps, 'waiting-hours', maria.id));
    const isWanted = async () => (await app.call(`GET ${MAIL}`, { token: maria.token })).body.mail.isWanted;
    const opened = await app.call(`GET ${path}`);
    expect([opened.status, await isWanted()]).toEqual([200, true]);
    expect(opened.text).toContain('Stop these emails?');
    expect(opened.text).toContain(`action="${path}&amp;lang=en"`);
    expect(opened.headers['content-security-policy']).toContain("default-src 'none'");
    const spanish = await app.call(`GET ${path}`, { headers: { 'accept-language': 'es' } });
    expect(spanish.text).toContain('¿Dejar de recibir estos correos?');
    const sent = await app.call(`POST ${path}`, { headers: FORM, body: 'List-Unsubscribe=One-Click' });
    expect([sent.status, await isWanted()]).toEqual([200, false]);
    await Promise.all(
      Array.from({ length: 20 }, () => app.call(`POST ${path}`, { headers: FORM, body: '' })),
    );
    await look();
    expect([await letters(maria), await isWanted()]).toEqual([[], false]);
  });

  test.each([
    ['a mail program that sends a multipart form', 'multipart/form-data; boundary=x'],
    ['a mail program that sends no type', undefined],
    ['a client that sends JSON', 'application/json'],
  ])('accepts %s', async (_what, type) => {
    const { school } = await aVerifyingSchool('Lincoln');
    const maria = await aVerifier(school);
    const path = pathIn(unsubscribeLink(app.deps, 'waiting-hours', maria.id));
    const reply = await app.app.inject({
      method: 'POST',
      url: path,
      ...(type === undefined ? {} : { headers: { 'content-type': type }, payload: '--x\r\n\r\n--x--' }),
    });
    expect(reply.statusCode).toBe(200);
    expect((await app.call(`GET ${MAIL}`, { token: maria.token })).body.mail.isWanted).toBe(false);
  });

  test('is valid only for its user and kind of email', async () => {
    const { school } = await aVerifyingSchool('Lincoln');
    const [maria, ben] = [await aVerifier(school), await aVerifier(school)];
    const path = pathIn(unsubscribeLink(app.deps, 'waiting-hours', maria.id));
    const other = pathIn(unsubscribeLink(app.deps, 'suggestions', maria.id));
    const [, , signature] = path.split('.');
    const odd = [
      path.replace(`.${maria.id}.`, `.${ben.id}.`),
      other.replace('suggestions', 'waiting-hours'),
      path.slice(0, -1),
      `${path}x`,
      path.split('?')[0] ?? '',
      `/stop-letters?of=waiting-hours.0.${signature}`,
      `/stop-letters?of=waiting-hours.${'9'.repeat(10_000)}.${signature}`,
      '/stop-letters?of=%00%ED%A0%80//..%0d%0a',
    ];
    for (const one of odd) {
      expect((await app.call(`GET ${one}`)).status, one).toBe(404);
      expect((await app.call(`POST ${one}`, { headers: FORM, body: '' })).status, one).toBe(404);
    }
    await app.call(`POST ${other}`, { headers: FORM, body: '' });
    for (const who of [maria, ben]) {
      expect((await app.call(`GET ${MAIL}`, { token: who.token })).body.mail.isWanted).toBe(true);
    }
  });

  test('stores nothing for a deleted account', async () => {
    const { school } = await aVerifyingSchool('Lincoln');
    const maria = await aVerifier(school);
    const path = pathIn(unsubscribeLink(app.deps, 'waiting-hours', maria.id));
    const { db } = app.deps.database;
    await db.updateTable('users').set({ erased_at: app.clock.now() }).where('id', '=', maria.id).execute();
    expect((await app.call(`POST ${path}`, { headers: FORM, body: '' })).status).toBe(200);
    await db.deleteFrom('user_grants').where('user_id', '=', maria.id).execute();
    expect(await db.selectFrom('verifier_email_preferences').selectAll().execute()).toEqual([]);
  });
});
