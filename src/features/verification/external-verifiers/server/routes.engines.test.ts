import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type Trx, transaction } from '#server/db/database.ts';
import { unsubscribeAddress } from '#server/email/unsubscribed-address-store.ts';
import { pageLanguage } from '#server/http/plain-page.ts';
import { runDueJobs } from '#server/jobs/daily-jobs.ts';
import { recordOf } from '#test/audit-log.ts';
import { anActivity, anEntry, anOutsideLetter, aPerson, aSchool, SUPERVISOR } from '#test/builders.ts';
import { sendDuring } from '#test/concurrent-requests.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { emailsSentTo } from '#test/sent-emails.ts';
import en from '../../messages.server.en.json' with { type: 'json' };
import es from '../../messages.server.es.json' with { type: 'json' };
import { EXTERNAL_LINK_LIMITS } from '../contract.ts';
import { cleanUpVerifierEmails, emailVerifierNow, externalVerifierEmailJob } from './emails.ts';

let app: TestApp;
let school: { id: number; name: string };
let ann: Awaited<ReturnType<typeof aPerson>>;
let fair: Awaited<ReturnType<typeof anActivity>>;
beforeEach(async () => {
  app = await startApp();
  school = await aSchool(app, { name: 'Lincoln' });
  ann = await aPerson(app, { schools: [school], firstName: 'Ann', lastName: 'Lee' });
  fair = await anActivity(app, { school, name: 'Book Fair' });
});

const letter = (given: Partial<Parameters<typeof anOutsideLetter>[1]> = {}) =>
  anOutsideLetter(app, { by: ann, activity: fair, ...given });
const ask = (token: string) => app.call(`GET /api/verify/${token}`);
const answer = (token: string, body: object) => app.call(`POST /api/verify/${token}`, { body });
const entry = (id: number) =>
  app.deps.database.db.selectFrom('time_entries').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const stateOf = async (id: number) => {
  const { verification, counted_hundredths, decided_by_external, decision_note } = await entry(id);
  return [verification, counted_hundredths, decided_by_external, decision_note];
};
const WAITING = ['waiting', 0, null, null];
const atOnce = <Result>(times: number, send: (turn: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: times }, (_, turn) => send(turn)));

describe('the link of an external verifier', () => {
  test('shows the hours of its email without sign-in', async () => {
    const { token, entries } = await letter({ hours: [1.5, 2], notes: 'Books & <b>shelves</b>' });
    const { status, body } = await ask(token);
    expect(status).toBe(200);
    expect(body).toEqual({
      school: { id: school.id, name: 'Lincoln' },
      entries: entries.map(({ id, hours }) => ({
        id,
        hours,
        person: 'Ann Lee',
        activity: 'Book Fair',
        date: '2026-03-04',
        notes: 'Books & <b>shelves</b>',
      })),
    });
  });

  test('verifies, adjusts and declines entries, and expires once all are answered', async () => {
    const { token, entries } = await letter({ hours: [1, 2, 3] });
    const [one = 0, two = 0, three = 0] = entries.map(({ id }) => id);
    const first = await answer(token, {
      decisions: [
        { entryId: one, decision: 'verify' },
        { entryId: two, decision: 'verify', hours: 1.25 },
      ],
    });
    expect([first.status, first.body]).toEqual([200, { message: '2 entries confirmed.' }]);
    expect((await ask(token)).body.entries.map(({ id }: { id: number }) => id)).toEqual([three]);
    const second = await answer(token, {
      decisions: [{ entryId: three, decision: 'decline', reason: 'She was not there' }],
    });
    expect(second.body).toEqual({ message: '1 entry not confirmed.' });
    expect(await stateOf(one)).toEqual(['verified', 100, SUPERVISOR, null]);
    expect(await stateOf(two)).toEqual(['verified', 125, SUPERVISOR, null]);
    expect(await stateOf(three)).toEqual(['declined', 0, SUPERVISOR, 'She was not there']);
    expect((await ask(token)).status).toBe(404);
    expect((await answer(token, { stop: true })).status).toBe(404);
  });

  test('returns 404 if it is unknown, truncated, 14 days old, or another kind of link', async () => {
    const { token } = await letter();
    const odd = [
      'hours-x',
      token.slice(0, -1),
      `${token}a`,
      token.slice('hours-'.length),
      '%00',
      'hours-',
      '..',
    ];
    for (const other of odd) expect((await ask(other)).status, other).toBe(404);
    app.clock.advance(14 * 86_400_000 - 1);
    expect((await ask(token)).status).toBe(200);
    app.clock.advance(1);
    expect([(await ask(token)).status, (await answer(token, { stop: true })).status]).toEqual([404, 404]);
  });

  test('cannot decide about hours outside its email', async () => {
    const mine = await letter();
    const other = await letter({
      activity: await anActivity(app, { school }),
      address: 'other@outside.example',
    });
    const [{ id = 0 } = {}] = other.entries;
    const decisions = [
      { entryId: mine.entries[0]?.id, decision: 'verify' },
      { entryId: id, decision: 'verify' },
    ];
    expect((await answer(mine.token, { decisions })).status).toBe(404);
    expect(await stateOf(id)).toEqual(WAITING);
    expect(await stateOf(mine.entries[0]?.id ?? 0)).toEqual(WAITING);
  });

  test.each([
    ['an empty answer', {}],
    ['an empty list of decisions', { decisions: [] }],
    ['a decline without a reason', { decisions: [{ decision: 'decline' }] }],
    ['a decline with a blank reason', { decisions: [{ decision: 'decline', reason: ' \u0000 ' }] }],
    ['a reason of 501 characters', { decisions: [{ decision: 'decline', reason: 'x'.repeat(501) }] }],
    ['0 hours', { decisions: [{ decision: 'verify', hours: 0 }] }],
    ['25 hours', { decisions: [{ decision: 'verify', hours: 25 }] }],
    ['an unknown decision', { decisions: [{ decision: 'reopen' }] }],
    ['an unsubscription that is false', { stop: false }],
  ])('rejects %s and changes nothing', async (_what, body: object) => {
    const { token, entries } = await letter();
    const id = entries[0]?.id ?? 0;
    const given =
      'decisions' in body && Array.isArray(body.decisions)
        ? { decisions: body.decisions.map((one: object) => ({ entryId: id, ...one })) }
        : body;
    expect((await answer(token, given)).status).toBe(400);
    expect(await stateOf(id)).toEqual(WAITING);
  });

  test('skips hours that changed, moved, or were deleted or decided since the email', async () => {
    const { token, entries } = await letter({ hours: [1, 1, 1, 1] });
    const [edited = 0, deleted = 0, decided = 0, left = 0] = entries.map(({ id }) => id);
    const { db } = app.deps.database;
    await db.updateTable('time_entries').set({ version: 2 }).where('id', '=', edited).execute();
    const at = app.clock.now();
    await db
      .updateTable('time_entries')
      .set({ deleted_at: at, deleted_by: ann.id })
      .where('id', '=', deleted)
      .execute();
    await db
      .updateTable('time_entries')
      .set({ verification: 'declined' })
      .where('id', '=', decided)
      .execute();
    expect((await ask(token)).body.entries).toHaveLength(1);
    const all = { decisions: entries.map(({ id }) => ({ entryId: id, decision: 'verify' })) };
    expect((await answer(token, all)).body.message).toBe(
      '1 entry confirmed. 3 entries were already changed or answered, so your answers were not saved.',
    );
    expect((await entry(edited)).verification).toBe('waiting');
    expect((await entry(deleted)).verification).toBe('waiting');
    expect((await entry(decided)).verification).toBe('declined');
    expect((await entry(left)).verification).toBe('verified');
  });

  test('stops working when the school, the activity or the account no longer allows it', async () => {
    const { db } = app.deps.database;
    const { token } = await letter();
    const other = { external_verifier: 'somebody@else.example' };
    await db.updateTable('activities').set(other).where('id', '=', fair.id).execute();
    expect((await ask(token)).status).toBe(404);
    await db
      .updateTable('activities')
      .set({ external_verifier: SUPERVISOR })
      .where('id', '=', fair.id)
      .execute();
    expect((await ask(token)).status).toBe(200);
    await db.updateTable('schools').set({ verification: 'off' }).where('id', '=', school.id).execute();
    expect((await ask(token)).status).toBe(404);
    await db.updateTable('schools').set({ verification: 'on' }).where('id', '=', school.id).execute();
    await db.updateTable('users').set({ erased_at: app.clock.now() }).where('id', '=', ann.id).execute();
    expect((await ask(token)).status).toBe(404);
  });

  test('never lets volunteers verify their own hours, in any spelling of their address', async () => {
    const own = await aPerson(app, { schools: [school], email: 'ann.lee@gmail.com' });
    const { token, entries } = await letter({ by: own, address: 'A.n.n.Lee+coach@googlemail.com' });
    expect((await ask(token)).status).toBe(404);
    const decisions = [{ entryId: entries[0]?.id, decision: 'verify' }];
    expect((await answer(token, { decisions })).status).toBe(404);
  });

  test('never lets volunteers verify their own hours from an earlier address', async () => {
    const moveTo = (email: string) =>
      app.call('PUT /api/profile', {
        token: ann.token,
        body: { email, firstName: 'Ann', lastName: 'Lee', schoolIds: [school.id] },
      });
    const { token } = await letter({ address: ann.email });
    expect((await moveTo('elsewhere@home.example')).status).toBe(200);
    expect((await ask(token)).status).toBe(404);
    await app.deps.database.db
      .updateTable('activities')
      .set({ verification: 'outside', external_verifier: null })
      .where('id', '=', fair.id)
      .execute();
    const log = (outsideVerifier: string) =>
      app.call('POST /api/time-entries', {
        token: ann.token,
        body: { activityId: fair.id, hours: 7, outsideVerifier },
      });
    const [name, domain] = ann.email.split('@');
    const spellings = [ann.email, `${name}+x@${domain}`, `${name}\u200B@${domain}`];
    for (const address of [...spellings, 'elsewhere@home.example']) {
      const reply = await log(address);
      expect([address, reply.status, reply.body.error]).toEqual([
        address,
        400,
        "You can't verify your own hours",
      ]);
    }
    expect((await moveTo(ann.email)).status).toBe(200);
    expect((await log('elsewhere@home.example')).status).toBe(400);
    expect((await log(SUPERVISOR)).status).toBe(201);
  });

  test('declines all of its hours, once, when the verifier does not know the people', async () => {
    const { token, entries } = await letter({ hours: [1, 2] });
    expect((await answer(token, { unknownPerson: true })).body).toEqual({
      message: '2 entries not confirmed.',
    });
    for (const { id } of entries) {
      expect(await stateOf(id)).toEqual(['declined', 0, SUPERVISOR, en.outsideUnknownReason]);
    }
    expect((await answer(token, { unknownPerson: true })).status).toBe(404);
  });

  test('expires with all other links to the mailbox when the verifier unsubscribes', async () => {
    const { token, entries } = await letter();
    const upper = await letter({ activity: await anActivity(app, { school: await aSchool(app) }) });
    expect((await answer(token, { stop: true })).body).toEqual({
      message: "We won't email you again.",
    });
    expect([(await ask(token)).status, (await ask(upper.token)).status]).toEqual([404, 404]);
    expect(await stateOf(entries[0]?.id ?? 0)).toEqual(WAITING);
    app.clock.set('2026-04-20T23:00:00.000Z');
    await runDueJobs(app.deps, [externalVerifierEmailJob]);
    expect(await emailsSentTo(app, SUPERVISOR)).toEqual([]);
    const stops = await app.deps.database.db
      .selectFrom('external_verifier_unsubscribes')
      .selectAll()
      .execute();
    expect(JSON.stringify(stops)).not.toContain('outside.example');
  });

  test('applies only the first of several concurrent answers', async () => {
    const { token, entries } = await letter({ hours: [1, 2] });
    const verify = { decisions: entries.map(({ id }) => ({ entryId: id, decision: 'verify' })) };
    const replies = await atOnce(8, (turn) =>
      answer(token, turn % 2 === 0 ? verify : { unknownPerson: true }),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(404)]);
    const states = await Promise.all(entries.map(async ({ id }) => (await entry(id)).verification));
    expect(new Set(states).size).toBe(1);
    const sums = await app.deps.database.db
      .selectFrom('school_sums')
      .select('counted_hundredths')
      .where('school_id', '=', school.id)
      .executeTakeFirstOrThrow();
    expect(Number(sums.counted_hundredths)).toBe(states[0] === 'verified' ? 300 : 0);
  });
});

describe('the email to an external verifier', () => {
  const evening = async (day: string) => {
    app.clock.set(`${day}T23:30:00.000Z`);
    await runDueJobs(app.deps, [externalVerifierEmailJob]);
  };
  const waiting = async (hours = 1) => {
    const { id } = await anEntry(app, { by: ann, activity: fair, hours });
    const { db } = app.deps.database;
    await db.updateTable('time_entries').set({ verification: 'waiting' }).where('id', '=', id).execute();
    return id;
  };
  beforeEach(async () => {
    const { db } = app.deps.database;
    await db.updateTable('schools').set({ verification: 'on' }).where('id', '=', school.id).execute();
    const named = { verification: 'outside', external_verifier: SUPERVISOR } as const;
    await db.updateTable('activities').set(named).where('id', '=', fair.id).execute();
  });
  const linkIn = (text = '') => /\?verify=(hours-[\w-]+)/.exec(text)?.[1] ?? '';

  test('goes out once a day for all waiting hours without naming the volunteer', async () => {
    const id = await waiting();
    await waiting(2);
    await evening('2026-03-04');
    await evening('2026-03-04');
    const [mail, ...others] = await emailsSentTo(app, SUPERVISOR);
    expect(others).toEqual([]);
    expect(mail?.subject).toContain('Please confirm volunteer hours at Lincoln');
    expect(mail?.subject).toContain('confirme horas de voluntariado en Lincoln');
    expect(`${mail?.text}${mail?.html}${mail?.subject}`).not.toMatch(/Ann|Lee|Book Fair/);
    expect((await ask(linkIn(mail?.text))).body.entries).toHaveLength(2);
    const asked = (await recordOf(app, 'time-entry', id)).filter((one) => one.action === 'entry.ask-outside');
    expect(asked).toMatchObject([{ actorId: null, after: { by: SUPERVISOR } }]);
  });

  test('waits until five in the afternoon', async () => {
    await waiting();
    app.clock.set('2026-03-04T22:59:00.000Z');
    await runDueJobs(app.deps, [externalVerifierEmailJob]);
    expect(await emailsSentTo(app, SUPERVISOR)).toEqual([]);
  });

  test('repeats the next day for new hours, and weekly for old ones, up to three times per entry', async () => {
    await waiting();
    await evening('2026-03-04');
    await evening('2026-03-05');
    expect(await emailsSentTo(app, SUPERVISOR)).toHaveLength(1);
    await waiting();
    await evening('2026-03-06');
    const [, second] = await emailsSentTo(app, SUPERVISOR);
    expect((await ask(linkIn(second?.text))).body.entries).toHaveLength(2);
    for (const day of ['2026-03-13', '2026-03-20', '2026-03-27', '2026-04-03']) {
      await evening(day);
      await emailsSentTo(app, SUPERVISOR);
    }
    expect(await emailsSentTo(app, SUPERVISOR)).toHaveLength(4);
  });

  test('goes out immediately only for the first hours that name a verifier', async () => {
    const request = { at: app.clock.now(), address: '203.0.113.9', requestId: 'r', agent: '' };
    await atOnce(4, async () => emailVerifierNow(app.deps, request, [await waiting()]));
    expect(await emailsSentTo(app, SUPERVISOR)).toHaveLength(1);
    await emailVerifierNow(app.deps, request, [await waiting()]);
    expect(await emailsSentTo(app, SUPERVISOR)).toHaveLength(1);
  });

  test('goes out when hours are logged, but never to an unsubscribed verifier', async () => {
    const { db } = app.deps.database;
    await db.updateTable('activities').set({ external_verifier: null }).where('id', '=', fair.id).execute();
    const log = (outsideVerifier?: string) =>
      app.call('POST /api/time-entries', {
        token: ann.token,
        body: {
          activityId: fair.id,
          hours: 1,
          ...(outsideVerifier === undefined ? {} : { outsideVerifier }),
        },
      });
    expect((await log()).status).toBe(400);
    expect((await log(SUPERVISOR)).status).toBe(201);
    expect((await log()).status).toBe(201);
    const [mail, ...others] = await emailsSentTo(app, SUPERVISOR);
    expect(others).toEqual([]);
    expect((await answer(linkIn(mail?.text), { stop: true })).status).toBe(200);
    const refused = await log('Coach@Outside.example');
    expect([refused.status, refused.body]).toEqual([
      400,
      {
        error: 'They asked not to get these emails',
        fields: { outsideVerifier: 'They asked not to get these emails' },
      },
    ]);
  });

  test('goes out to ten verifiers named by one volunteer; further ones wait for the evening', async () => {
    const request = { at: app.clock.now(), address: '203.0.113.9', requestId: 'r', agent: '' };
    const { db } = app.deps.database;
    await db.updateTable('activities').set({ external_verifier: null }).where('id', '=', fair.id).execute();
    for (let i = 0; i < 12; i++) {
      const id = await waiting();
      const named = { external_verifier: `coach${i}@outside.example` };
      await db.updateTable('time_entries').set(named).where('id', '=', id).execute();
      await emailVerifierNow(app.deps, request, [id]);
    }
    const sent = async () =>
      (await db.selectFrom('external_verifier_requests').select('id').execute()).length;
    expect(await sent()).toBe(10);
    await evening('2026-03-04');
    expect(await sent()).toBe(12);
  });

  test('has a link for each school with waiting hours', async () => {
    await waiting();
    await anOutsideLetter(app, {
      by: ann,
      activity: await anActivity(app, { school: await aSchool(app, { name: 'Oak' }) }),
    });
    await app.deps.database.db.deleteFrom('external_verifier_requests').execute();
    await evening('2026-03-04');
    const [mail, ...others] = await emailsSentTo(app, SUPERVISOR);
    expect(others).toEqual([]);
    const links = [...new Set(mail?.text?.match(/hours-[\w-]+/g))];
    expect(links).toHaveLength(2);
    const schools = await Promise.all(links.map(async (link) => (await ask(link)).body.school.name));
    expect(schools.toSorted()).toEqual(['Lincoln', 'Oak']);
  });

  test('goes out once from two concurrent servers, and not after a concurrent unsubscription', async () => {
    await waiting();
    app.clock.set('2026-03-04T23:30:00.000Z');
    await atOnce(2, () => externalVerifierEmailJob.runLong(app.deps, () => false));
    const [mail, ...others] = await emailsSentTo(app, SUPERVISOR);
    expect(others).toEqual([]);
    app.clock.set('2026-03-11T23:30:00.000Z');
    const stop = (trx: Trx) => unsubscribeAddress(trx, SUPERVISOR, app.clock.now());
    await sendDuring(app, stop, async () => {
      await externalVerifierEmailJob.runLong(app.deps, () => false);
      return ask(linkIn(mail?.text));
    });
    expect(await emailsSentTo(app, SUPERVISOR)).toHaveLength(1);
  });

  test('goes out once when the first hours at two schools are logged concurrently', async () => {
    const request = { at: app.clock.now(), address: '203.0.113.9', requestId: 'r', agent: '' };
    const there = await anOutsideLetter(app, {
      by: ann,
      activity: await anActivity(app, { school: await aSchool(app, { name: 'Oak' }) }),
    });
    const { db } = app.deps.database;
    await db.deleteFrom('external_verifier_requests').execute();
    const ids = [await waiting(), there.entries[0]?.id ?? 0];
    await Promise.all(ids.map((id) => emailVerifierNow(app.deps, request, [id])));
    expect(await emailsSentTo(app, SUPERVISOR)).toHaveLength(1);
  });

  test('leaves hours above its limit to the next email', async () => {
    const { db } = app.deps.database;
    const { id } = await anEntry(app, { by: ann, activity: fair });
    const { id: _, ...row } = await entry(id);
    const rows = Array.from({ length: EXTERNAL_LINK_LIMITS.entries + 5 }, () => ({
      ...row,
      verification: 'waiting' as const,
    }));
    await db.insertInto('time_entries').values(rows).execute();
    await evening('2026-03-04');
    await evening('2026-03-05');
    const links = (await emailsSentTo(app, SUPERVISOR)).map(({ text }) => linkIn(text));
    const asked = await Promise.all(links.map(async (link) => (await ask(link)).body.entries));
    expect(asked.map(({ length }) => length)).toEqual([
      EXTERNAL_LINK_LIMITS.entries,
      EXTERNAL_LINK_LIMITS.entries,
    ]);
    expect(new Set(asked.flat().map((one: { id: number }) => one.id)).size).toBe(rows.length);
    await evening('2026-03-06');
    expect(await emailsSentTo(app, SUPERVISOR)).toHaveLength(2);
  });

  test('has a request record that is deleted a month after the link expires', async () => {
    await waiting();
    await evening('2026-03-04');
    const { db } = app.deps.database;
    const count = async () =>
      (await db.selectFrom('external_verifier_requests').select('id').execute()).length;
    app.clock.set('2026-04-16T12:00:00.000Z');
    await transaction(app.deps.database, (trx) => cleanUpVerifierEmails(trx, app.clock.now()));
    expect(await count()).toBe(1);
    app.clock.set('2026-04-19T12:00:00.000Z');
    await transaction(app.deps.database, (trx) => cleanUpVerifierEmails(trx, app.clock.now()));
    expect(await count()).toBe(0);
  });
});

describe('the answer page', () => {
  const open = (token: string, more = '', headers = {}) =>
    app.call(`GET /?verify=${token}${more}`, { headers });
  const press = async (token: string, form: string, lang = 'en') => {
    const reply = await app.app.inject({
      method: 'POST',
      url: `/?verify=${token}&lang=${lang}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: form,
    });
    return { status: reply.statusCode, text: reply.body };
  };

  /** The form on the page that confirms everything. */
  const all = (entries: readonly { id: number }[]) =>
    ['answer=all', ...entries.map(({ id }) => `entry=${id}`)].join('&');

  test('is rendered by the server without scripts, caching or framing', async () => {
    const { token } = await letter({ notes: '<script>alert(1)</script> "quoted"' });
    const { status, text, headers } = await open(token);
    expect(status).toBe(200);
    expect(text).toContain('Ann Lee');
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &quot;quoted&quot;');
    expect(text).not.toContain('<script');
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self'; form-action 'self'/,
    );
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  });

  test('changes nothing when a mail scanner opens it', async () => {
    const { token, entries } = await letter();
    for (let i = 0; i < 3; i++) await open(token);
    expect(await stateOf(entries[0]?.id ?? 0)).toEqual(WAITING);
  });

  test('confirms everything with one button, and shows the result when opened later', async () => {
    const { token, entries } = await letter({ hours: [1, 2.5] });
    const { text } = await open(token);
    expect(text).toContain('Yes, confirm all 2 entries, 3.5 hours');
    expect(text).toContain('<strong>Ann Lee</strong>, 1 hour<br>');
    // Numbers are written as in the United States in both languages.
    const inSpanish = await open(token, '&lang=es');
    expect(inSpanish.text).toMatch(/los 2 registros, 3\.5 horas/);
    expect(inSpanish.text).not.toContain('3,5');
    const done = await press(token, all(entries));
    expect([done.status, done.text.includes('2 entries confirmed.')]).toEqual([200, true]);
    expect(await stateOf(entries[1]?.id ?? 0)).toEqual(['verified', 250, SUPERVISOR, null]);
    expect((await open(token)).text).toContain('2 entries confirmed.');
    const again = await press(token, 'answer=unknown');
    expect(again.text).toContain('2 entries confirmed.');
    expect(await stateOf(entries[1]?.id ?? 0)).toEqual(['verified', 250, SUPERVISOR, null]);
  });

  test('confirms only the entries it showed, and reports what changed meanwhile', async () => {
    const { token, entries } = await letter({ hours: [1, 2, 3] });
    const { db } = app.deps.database;
    const change = (verification: 'waiting' | 'declined', id: number | undefined) =>
      db
        .updateTable('time_entries')
        .set({ verification })
        .where('id', '=', id ?? 0)
        .execute();
    const [one, two, three] = entries;
    await change('declined', one?.id);
    const shown = [...(await open(token)).text.matchAll(/<input type="hidden" name="entry" value="(\d+)">/g)];
    expect(new Set(shown.map(([, id]) => Number(id)))).toEqual(new Set([two?.id, three?.id]));
    await change('waiting', one?.id);
    await change('declined', two?.id);
    const done = await press(token, all([two, three].map((entry) => ({ id: entry?.id ?? 0 }))));
    expect(done.text).toContain('1 entry confirmed.');
    expect(done.text).toContain('1 entry was already changed or answered, so your answer was not saved.');
    expect(await stateOf(one?.id ?? 0)).toEqual(WAITING);
  });

  test('returns 400 with a message if the answered entry was decided meanwhile', async () => {
    const { token, entries } = await letter({ hours: [1, 2] });
    const [one = 0] = entries.map(({ id }) => id);
    await answer(token, { decisions: [{ entryId: one, decision: 'verify' }] });
    const late = await press(token, `answer=marked&entry=${one}&is-${one}=right&hours-${one}=1`);
    expect([late.status, late.text.includes('1 entry was already changed or answered')]).toEqual([400, true]);
  });

  test('shows the typed values again when the answer can’t be stored', async () => {
    const { token, entries } = await letter();
    const [id = 0] = entries.map((entry) => entry.id);
    const form = `answer=marked&entry=${id}&is-${id}=wrong&hours-${id}=1.5&reason-${id}=Only+Monday`;
    vi.spyOn(app.deps.database, 'transact').mockImplementation(() => {
      throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    });
    const refused = await press(token, form);
    vi.restoreAllMocks();
    expect(refused.status).toBe(503);
    expect(refused.text).toContain(en.outsideTrouble);
    expect(refused.text).toContain('Only Monday</textarea>');
    expect(refused.text).toMatch(/value="wrong" checked/);
    expect((await press(token, form)).status).toBe(200);
  });

  test('does not parse a long form for an unknown link', async () => {
    const { token } = await letter();
    const long = 'x='.padEnd(1_600_000, 'y');
    expect((await press('hours-nothing', long)).status).toBe(404);
    expect((await press(token, long)).status).toBe(413);
  });

  test('applies each answer, and shows the form again when a reason is missing', async () => {
    const { token, entries } = await letter({ hours: [1, 2] });
    const [one = 0, two = 0] = entries.map(({ id }) => id);
    const form = (reason: string) =>
      `answer=marked&entry=${one}&is-${one}=right&hours-${one}=0,75&reason-${one}=&entry=${two}&is-${two}=wrong&hours-${two}=2&reason-${two}=${encodeURIComponent(reason)}`;
    const missing = await press(token, form('  '));
    expect(missing.status).toBe(400);
    expect(missing.text).toContain(en.outsideReasonNeeded);
    expect(missing.text).toContain('value="0,75"');
    // It would discard the answers in progress.
    expect(missing.text).not.toContain('value="all"');
    expect(await stateOf(one)).toEqual(WAITING);
    const done = await press(token, form('Only Monday %00 & "Tuesday"'));
    expect(done.status).toBe(200);
    expect(await stateOf(one)).toEqual(['verified', 75, SUPERVISOR, null]);
    expect(await stateOf(two)).toEqual(['declined', 0, SUPERVISOR, 'Only Monday %00 & "Tuesday"']);
  });

  test.each(['0', '25', 'abc', '1.234', '-1'])('rejects %s hours with a message', async (hours) => {
    const { token, entries } = await letter();
    const id = entries[0]?.id ?? 0;
    const reply = await press(token, `answer=marked&entry=${id}&is-${id}=right&hours-${id}=${hours}`);
    expect(reply.status).toBe(400);
    expect(reply.text).toContain('role="alert"');
    expect(await stateOf(id)).toEqual(WAITING);
  });

  test('returns 400 for an empty form or an unknown entry', async () => {
    const { token } = await letter();
    expect((await press(token, '')).status).toBe(400);
    expect((await press(token, 'answer=marked&entry=999999')).status).toBe(400);
  });

  test('changes nothing for an answer without a pressed button, and shows the form again', async () => {
    const { token, entries } = await letter({ hours: [1, 2] });
    const shown = entries.map(({ id }) => `entry=${id}`).join('&');
    const reply = await press(token, shown);
    expect([reply.status, reply.text.includes(en.outsideDecisions)]).toEqual([400, true]);
    for (const { id } of entries) expect(await stateOf(id)).toEqual(WAITING);
  });

  test('explains that an expired or unknown link no longer works', async () => {
    const { token: old } = await letter();
    app.clock.advance(EXTERNAL_LINK_LIMITS.days * 86_400_000);
    for (const page of [await open(old), await press(old, 'answer=unknown')]) {
      expect([page.status, page.text.includes('the link is older than 14 days')]).toEqual([404, true]);
    }
    for (const token of ['hours-nothing', `hours-${'x'.repeat(5000)}`]) {
      const { status, text } = await open(token);
      expect([status, text.includes(en.outsideGoneTitle)]).toEqual([404, true]);
    }
    expect((await press('hours-nothing', 'answer=all')).status).toBe(404);
  });

  test('uses the requested language, otherwise the browser’s', async () => {
    const { token, entries } = await letter();
    expect((await open(token, '', { 'accept-language': 'es-MX,es;q=0.9,en;q=0.8' })).text).toContain(
      '<html lang="es">',
    );
    expect((await open(token, '&lang=en', { 'accept-language': 'es' })).text).toContain('<html lang="en">');
    const done = await press(token, all(entries), 'es');
    expect(done.text).toContain('1 registro confirmado.');
  });

  test('leaves email confirmation links to the app', async () => {
    const { text } = await open('x'.repeat(43));
    expect(text).not.toContain(en.outsideGoneTitle);
  });
});

test.each([
  ['nothing', undefined, 'en'],
  ['other languages', 'de, fr;q=0.5', 'en'],
  ['Spanish rather than English', 'en;q=0.4, es;q=0.5', 'es'],
  ['anything but Spanish', 'es;q=0, en;q=0.1', 'en'],
  ['the Spanish of one country', 'es-US', 'es'],
  ['a very long list', `${'x,'.repeat(10_000)}es`, 'en'],
])('the answer page has a supported language for a browser that accepts %s', (_what, header, language) => {
  expect(pageLanguage(undefined, header)).toBe(language);
});

test('every server message about verification exists in both languages with the same placeholders', () => {
  expect(Object.keys(es)).toEqual(Object.keys(en));
  const placesIn = (words: string) => (words.match(/\{\{\w+\}\}/g) ?? []).toSorted();
  for (const [key, words] of Object.entries(en)) {
    expect([key, placesIn(es[key as keyof typeof es])]).toEqual([key, placesIn(words)]);
  }
});
