import { beforeEach, describe, expect, test } from 'vitest';
import { unsubscribeLink } from '#server/email/unsubscribe-link.ts';
import { runDueJobs, startDailyJobs } from '#server/jobs/daily-jobs.ts';
import { anAdministrator, aPerson, aPersonWithRole, aSchool, aSuggestion } from '#test/builders.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { emailsSentTo } from '#test/sent-emails.ts';
import { suggestionDigestJob } from './suggestion-digest.ts';

type Account = Awaited<ReturnType<typeof aPerson>>;

let app: TestApp;
let school: { id: number };
let ann: Account;
let ada: Account;
beforeEach(async () => {
  app = await startApp();
  school = await aSchool(app, { name: 'Lincoln' });
  ann = await aPerson(app, { schools: [school] });
  ada = await anAdministrator(app);
  await choose(ada, { digest: true });
});

const choose = (who: Account, body: object) =>
  app.call('PUT /api/my-activity-suggestions/mail', { token: who.token, body });
const choice = async (who: Account) =>
  (await app.call('GET /api/my-activity-suggestions/mail', { token: who.token })).body.mail;
const look = () => runDueJobs(app.deps, [suggestionDigestJob]);
const digests = async (who = ada) =>
  (await emailsSentTo(app, who.email)).filter(({ subject }) => subject?.includes('waiting'));

describe('suggestion email preferences', () => {
  test('include decisions but no digest by default', async () => {
    const eve = await anAdministrator(app);
    expect(await choice(eve)).toEqual({ decisions: true, digest: false });
    expect((await choose(eve, { digest: true })).body).toEqual({
      mail: { decisions: true, digest: true },
      message: 'Email settings saved',
    });
    await choose(eve, { decisions: false });
    expect(await choice(eve)).toEqual({ decisions: false, digest: true });
  });

  test('offer volunteers no digest, and accept only booleans', async () => {
    await choose(ann, { digest: true });
    expect(await choice(ann)).toEqual({ decisions: true, digest: false });
    expect((await choose(ann, { decisions: 'no' })).status).toBe(400);
  });
});

describe('the daily suggestion digest', () => {
  test('lists pending suggestions, oldest first, for users who opted in', async () => {
    const eve = await anAdministrator(app);
    for (let i = 0; i < 12; i++) await aSuggestion(app, { by: ann, school });
    await aSuggestion(app, { by: ann, school, status: 'rejected' });
    await look();
    const [letter, ...others] = await digests();
    expect([letter?.subject, others]).toEqual(['12 activity suggestions are waiting', []]);
    const lines = (letter?.text ?? '').match(/Suggestion \d+ \(Lincoln\), suggested on Mar 4, 2026/g) ?? [];
    expect(lines).toHaveLength(10);
    expect(lines).toEqual(lines.toSorted((a, b) => Number(a.split(' ')[1]) - Number(b.split(' ')[1])));
    expect(letter?.text).toContain('... and 2 more.');
    expect(letter?.html).toContain(lines[0]);
    expect(await digests(eve)).toEqual([]);
  });

  test('is skipped for a day on which nothing is pending at the time it is due', async () => {
    await look();
    await aSuggestion(app, { by: ann, school });
    app.clock.advance(3_600_000);
    await look();
    expect(await digests()).toEqual([]);
    app.clock.advance(86_400_000);
    await look();
    expect(await digests()).toHaveLength(1);
  });

  test("is sent once a day, from 7 a.m. in the district's time zone", async () => {
    await aSuggestion(app, { by: ann, school });
    const sent = async (at: string) => {
      app.clock.set(at);
      await look();
      return (await digests()).length;
    };
    // Chicago is six hours behind UTC, and five from March 8, 2026 on.
    expect(await sent('2026-03-07T12:59:59.000Z')).toBe(0);
    expect(await sent('2026-03-07T13:00:00.000Z')).toBe(1);
    expect(await sent('2026-03-08T05:59:59.000Z')).toBe(1);
    expect(await sent('2026-03-08T11:59:59.000Z')).toBe(1);
    expect(await sent('2026-03-08T12:00:00.000Z')).toBe(2);
    expect(await sent('2026-03-09T23:00:00.000Z')).toBe(3);
  });

  test('is sent once when several servers check at the same time', async () => {
    await aSuggestion(app, { by: ann, school });
    await Promise.all(Array.from({ length: 6 }, look));
    expect(await digests()).toHaveLength(1);
  });

  test('is sent later if the first attempt fails', async () => {
    await aSuggestion(app, { by: ann, school });
    const dying = { ...suggestionDigestJob, run: () => Promise.reject(new Error('power cut')) };
    await runDueJobs(app.deps, [dying]);
    expect(await digests()).toEqual([]);
    const daily = startDailyJobs(app.deps, [suggestionDigestJob]);
    await daily.stop();
    expect(await digests()).toHaveLength(1);
  });

  test('is not sent to former administrators', async () => {
    const eve = await anAdministrator(app);
    await choose(eve, { digest: true });
    await app.call(`PUT /api/admin/users/${eve.id}`, {
      token: ada.token,
      body: { role: 'user', schoolIds: [school.id] },
    });
    await aSuggestion(app, { by: ann, school });
    await look();
    expect(await digests(eve)).toEqual([]);
    expect(await digests()).toHaveLength(1);
  });

  test('reaches school roles that decide suggestions, about their own schools only', async () => {
    const other = await aSchool(app, { name: 'Adams' });
    const [maria, carl, audrey] = [
      await aPersonWithRole(app, 'school-admin', school),
      await aPersonWithRole(app, 'coordinator', other),
      await aPersonWithRole(app, 'auditor', school),
    ];
    for (const who of [maria, carl, audrey]) await choose(who, { digest: true });
    expect([await choice(maria), await choice(audrey)]).toEqual([
      { decisions: true, digest: true },
      { decisions: true, digest: false },
    ]);
    await aSuggestion(app, { by: ann, school, name: 'Reading buddies' });
    await aSuggestion(app, { by: ann, school, name: 'Garden day' });
    await look();
    const [letter] = await digests(maria);
    expect(letter?.subject).toBe('2 activity suggestions are waiting');
    expect([await digests(carl), await digests(audrey)]).toEqual([[], []]);
    await aSuggestion(app, { by: ann, school: other, name: 'Choir' });
    app.clock.advance(86_400_000);
    await look();
    expect((await digests(carl))[0]?.text).toContain('Choir (Adams)');
    expect((await digests(carl))[0]?.text).not.toContain('Lincoln');
    expect((await digests(ada)).at(-1)?.subject).toBe('3 activity suggestions are waiting');
  });

  test('is no longer sent when the role ends or the user unsubscribes', async () => {
    const maria = await aPersonWithRole(app, 'coordinator', school);
    const carl = await aPersonWithRole(app, 'coordinator', school);
    for (const who of [maria, carl]) await choose(who, { digest: true });
    const { db } = app.deps.database;
    await db.deleteFrom('user_grants').where('user_id', '=', carl.id).execute();
    await aSuggestion(app, { by: ann, school });
    await look();
    expect(await digests(carl)).toEqual([]);
    const [letter] = await digests(maria);
    const url = unsubscribeLink(app.deps, 'suggestions', maria.id);
    expect(letter?.headers.find(({ key }) => key === 'list-unsubscribe')?.value).toBe(`<${url}>`);
    const path = url.slice(url.indexOf('/stop-letters'));
    expect((await app.call(`GET ${path}`)).text).toContain('daily email about activity suggestions');
    expect((await choice(maria)).digest).toBe(true);
    expect((await app.call(`POST ${path}`)).status).toBe(200);
    expect(await choice(maria)).toEqual({ decisions: true, digest: false });
    app.clock.advance(86_400_000);
    await look();
    expect(await digests(maria)).toHaveLength(1);
  });
});
