import { beforeEach, describe, expect, test } from 'vitest';
import { revokeRestoredLinks } from '#app/server/revoke-restored-links.ts';
import { transaction } from '#server/db/database.ts';
import { unsubscribeLink } from '#server/email/unsubscribe-link.ts';
import { type CalendarDate, plusMilliseconds } from '#shared/calendar-date.ts';
import { recordOf } from '#test/audit-log.ts';
import { aGrant, anAdministrator, aPerson, aPersonWithRole, aSchool } from '#test/builders.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { emailsSentTo } from '#test/sent-emails.ts';
import {
  BATCH_SIZE,
  deliverAllAnnouncements,
  deliverAnnouncementBatch,
  MAX_AWAITING_RETRY,
} from './delivery.ts';
import { deleteOldAnnouncements, listUnfinishedAnnouncements } from './store.ts';

const LETTER = { subject: 'Field day', text: 'Please bring water.\n\nSee you on Friday!' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

let app: TestApp;
let ada: Awaited<ReturnType<typeof anAdministrator>>;
let lincoln: { id: number };
let harbor: { id: number };
let ben: Awaited<ReturnType<typeof aPerson>>;
let cleo: Awaited<ReturnType<typeof aPerson>>;

beforeEach(async () => {
  app = await startApp({ PUBLIC_URL: 'https://hours.maplegrove.example', SMTP_URL: 'smtp://127.0.0.1:9' });
  ada = await anAdministrator(app);
  lincoln = await aSchool(app, { name: 'Lincoln' });
  harbor = await aSchool(app, { name: 'Harbor' });
  ben = await aPerson(app, { schools: [lincoln], firstName: 'Ben', isProven: true });
  cleo = await aPerson(app, { schools: [harbor], firstName: 'Cleo', isProven: true });
});

type Sender = { token: string };
const preview = (by: Sender, body: object) =>
  app.call('POST /api/admin/mailings/preview', { token: by.token, body });
const write = (by: Sender, body: object, headers: Record<string, string> = {}) =>
  app.call('POST /api/admin/mailings', { token: by.token, body: { ...LETTER, ...body }, headers });
const to = (...people: { id: number }[]) => ({
  userIds: people.map(({ id }) => id),
  receivers: people.length,
});
const own = async (by: Sender) =>
  (await app.call('GET /api/admin/mailings', { token: by.token })).body.mailings;

/** The emails to a person, read as if there were no mail server. */
function letters({ email }: { email: string }) {
  const { config } = app.deps;
  return emailsSentTo({ ...app, deps: { ...app.deps, config: { ...config, smtpUrl: undefined } } }, email);
}

describe('an announcement', () => {
  test('goes to the selected users with the sender, the reply address and an unsubscribe link', async () => {
    const head = await aPersonWithRole(app, 'school-admin', lincoln);
    const amy = await aPerson(app, { schools: [lincoln], isProven: true });
    const reply = await write(head, to(ben, amy));
    expect([reply.status, reply.body.message]).toEqual([201, 'Your email is on its way to 2 people']);
    expect(await letters(ben)).toEqual([]);
    await deliverAllAnnouncements(app.deps);
    const [letter, ...others] = await letters(ben);
    expect([letter?.subject, others]).toEqual(['Field day', []]);
    expect(letter?.text).toContain('Hello Ben,\n\nPlease bring water.\n\nSee you on Friday!');
    expect(letter?.text).toContain(', Lincoln\n');
    expect(letter?.text).toContain('To answer, email ');
    expect(letter?.text).toContain('/stop-letters?of=to-many.');
    expect(await letters(cleo)).toEqual([]);
    expect(await own(head)).toMatchObject([{ subject: 'Field day', total: 2, posted: 2, isFinished: true }]);
    expect(await own(ada)).toEqual([]);
  });

  test('goes to every user who matches the filters at the sender’s schools', async () => {
    const head = await aPersonWithRole(app, 'school-admin', lincoln);
    const matching = { role: 'volunteer' };
    expect((await preview(ada, { matching })).body.receivers).toBe(2);
    expect((await preview(head, { matching })).body.receivers).toBe(1);
    expect((await write(head, { matching, receivers: 1 })).status).toBe(201);
    await deliverAllAnnouncements(app.deps);
    expect([(await letters(ben)).length, (await letters(cleo)).length]).toEqual([1, 0]);
    expect((await write(head, to(cleo))).status).toBe(404);
    expect((await preview(head, { userIds: [ben.id, cleo.id] })).status).toBe(404);
    expect((await write(head, { matching: { schoolId: harbor.id }, receivers: 1 })).status).not.toBe(201);
  });

  test('counts excluded users by reason, and returns 409 if the recipients changed', async () => {
    const [off, unsure, stopped] = [
      await aPerson(app, { schools: [lincoln], isProven: true }),
      await aPerson(app, { schools: [lincoln], isProven: false }),
      await aPerson(app, { schools: [lincoln], isProven: true }),
    ];
    const walkIn = await aPerson(app, { schools: [lincoln], isProven: true });
    const { db } = app.deps.database;
    await db.updateTable('users').set({ is_active: 0 }).where('id', '=', off.id).execute();
    await db.updateTable('users').set({ is_walk_in: 1 }).where('id', '=', walkIn.id).execute();
    await app.call('PUT /api/profile/mailings', { token: stopped.token, body: { isWanted: false } });
    const people = [ben, off, unsure, stopped, walkIn];
    const asked = await preview(ada, { userIds: people.map(({ id }) => id) });
    expect(asked.body).toMatchObject({
      sendsMail: true,
      total: 5,
      receivers: 1,
      left: { walkIns: 1, inactive: 1, unconfirmed: 1, stopped: 1 },
      leftToday: 10,
    });
    const other = await write(ada, { ...to(...people), receivers: 5 });
    expect([other.status, other.body.total]).toEqual([409, 1]);
    expect((await write(ada, { ...to(off), receivers: 0 })).body.error).toBe(
      'None of these people can get an email',
    );
  });

  test('is not sent to users who opted out, were deactivated or lost their confirmed address meanwhile', async () => {
    const [off, moved] = [
      await aPerson(app, { schools: [lincoln], isProven: true }),
      await aPerson(app, { schools: [lincoln], isProven: true }),
    ];
    await write(ada, to(ben, cleo, off, moved));
    await app.call('PUT /api/profile/mailings', { token: cleo.token, body: { isWanted: false } });
    const { db } = app.deps.database;
    await db.updateTable('users').set({ is_active: 0 }).where('id', '=', off.id).execute();
    await db.updateTable('users').set({ email_verified_at: null }).where('id', '=', moved.id).execute();
    await deliverAllAnnouncements(app.deps);
    const counts = [];
    for (const who of [ben, cleo, off, moved]) counts.push((await letters(who)).length);
    expect(counts).toEqual([1, 0, 0, 0]);
    expect(await own(ada)).toMatchObject([{ total: 4, posted: 1, isFinished: true }]);
  });

  test('is sent once per idempotency key, and at most ten times a day', async () => {
    const key = { 'idempotency-key': 'pressed-twice' };
    const [first, second] = await Promise.all([write(ada, to(ben), key), write(ada, to(ben), key)]);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(first.body.mailing.id).toBe(second.body.mailing.id);
    for (let more = 1; more < 9; more += 1) expect((await write(ada, to(ben))).status).toBe(201);
    const race = await Promise.all([write(ada, to(ben)), write(ada, to(ben)), write(ada, to(ben))]);
    expect(race.map(({ status }) => status).toSorted()).toEqual([201, 429, 429]);
    expect((await preview(ada, { userIds: [ben.id] })).body.leftToday).toBe(0);
    const other = await anAdministrator(app);
    expect((await write(other, to(ben))).status).toBe(201);
  });

  /** Marks pending emails as sent. Returns how many emails there are, and to how many different people. */
  async function copies() {
    const { db } = app.deps.database;
    const rows = await db.selectFrom('emails').select('user_id').where('kind', '=', 'to-many').execute();
    const sent_at = app.clock.now();
    await db.updateTable('emails').set({ sealed: null, sent_at }).where('sealed', 'is not', null).execute();
    return [rows.length, new Set(rows.map((row) => row.user_id)).size];
  }

  async function toCrowd(by: Sender, size: number): Promise<void> {
    const many = [];
    for (let at = 0; at < size; at += 1) {
      many.push(await aPerson(app, { schools: [lincoln], isProven: true }));
    }
    expect((await write(by, to(...many))).status).toBe(201);
  }

  test('is queued once per recipient by two servers, and resumes after a stop', async () => {
    await toCrowd(ada, BATCH_SIZE + 5);
    const [mailing] = await listUnfinishedAnnouncements(app.deps.database.db);
    if (mailing === undefined) throw new Error('no unfinished announcement');
    await Promise.all([
      deliverAnnouncementBatch(app.deps, mailing),
      deliverAnnouncementBatch(app.deps, mailing),
    ]);
    const once = await copies();
    expect([BATCH_SIZE, BATCH_SIZE + 5]).toContain(once[0]);
    await deliverAllAnnouncements(app.deps, AbortSignal.abort());
    expect(await copies()).toEqual(once);
    await deliverAllAnnouncements(app.deps);
    expect(await copies()).toEqual([BATCH_SIZE + 5, BATCH_SIZE + 5]);
  });

  test('is queued one batch at a time so that other emails are not delayed', async () => {
    await toCrowd(ada, 2 * BATCH_SIZE + 5);
    await deliverAllAnnouncements(app.deps);
    await deliverAllAnnouncements(app.deps);
    expect((await copies())[0]).toBe(BATCH_SIZE);
    await deliverAllAnnouncements(app.deps);
    expect((await copies())[0]).toBe(2 * BATCH_SIZE);
  });

  test('does not block a shorter one, and continues while the mail server is down', async () => {
    await toCrowd(ada, 2 * BATCH_SIZE);
    await write(ada, to(ben));
    const { db } = app.deps.database;
    await deliverAllAnnouncements(app.deps);
    expect(await letters(ben)).toEqual([]);
    // All failed and are retried in a minute.
    const later = plusMilliseconds(app.clock.now(), 60_000);
    await db.updateTable('emails').set({ due_at: later, attempts: 1 }).execute();
    await deliverAllAnnouncements(app.deps);
    expect(await own(ada)).toMatchObject([{ posted: 1 }, { posted: 2 * BATCH_SIZE }]);
  });

  test('pauses while many emails await a retry', async () => {
    await write(ada, to(ben));
    await deliverAllAnnouncements(app.deps);
    const { db } = app.deps.database;
    const { id: _, ...row } = await db.selectFrom('emails').selectAll().executeTakeFirstOrThrow();
    const due_at = plusMilliseconds(app.clock.now(), 60_000);
    for (let at = 0; at < MAX_AWAITING_RETRY; at += 1) {
      await db
        .insertInto('emails')
        .values({ ...row, due_at, message_id: `m${at}` })
        .execute();
    }
    await write(ada, to(cleo));
    await deliverAllAnnouncements(app.deps);
    expect(await letters(cleo)).toEqual([]);
    app.clock.advance(120_000);
    await db.updateTable('emails').set({ sealed: null, sent_at: due_at }).execute();
    await deliverAllAnnouncements(app.deps);
    expect(await own(ada)).toMatchObject([{ posted: 1 }, { posted: 1 }]);
  });

  test('waits for a mail server, and is dropped after three days', async () => {
    await write(ada, to(ben));
    const config = { ...app.deps.config, smtpUrl: undefined };
    const without = { ...app.deps, config };
    await deliverAllAnnouncements(without);
    expect(await own(ada)).toMatchObject([{ posted: 0, isFinished: false }]);
    app.clock.advance(3 * 86_400_000);
    await deliverAllAnnouncements(without);
    expect(await app.deps.database.db.selectFrom('announcement_recipients').selectAll().execute()).toEqual(
      [],
    );
    expect(await copies()).toEqual([0, 0]);
  });

  test('stops when the sender’s account is deactivated', async () => {
    const other = await anAdministrator(app);
    await write(other, to(ben));
    await app.deps.database.db
      .updateTable('users')
      .set({ is_active: 0 })
      .where('id', '=', other.id)
      .execute();
    await deliverAllAnnouncements(app.deps);
    expect(await letters(ben)).toEqual([]);
  });

  test('stops when the sender loses the role, and skips schools where it was lost', async () => {
    const { db } = app.deps.database;
    const [head, former] = [
      await aPersonWithRole(app, 'school-admin', lincoln),
      await aPersonWithRole(app, 'school-admin', lincoln),
    ];
    await aGrant(app, head, 'school-admin', harbor);
    await write(head, to(ben, cleo));
    await write(former, to(ben));
    await db.deleteFrom('user_grants').where('user_id', '=', former.id).execute();
    await db
      .deleteFrom('user_grants')
      .where('user_id', '=', head.id)
      .where('school_id', '=', harbor.id)
      .execute();
    const ended = (await listUnfinishedAnnouncements(db)).find(({ senderId }) => senderId === former.id);
    if (ended === undefined) throw new Error('no unfinished announcement');
    await deliverAnnouncementBatch(app.deps, ended);
    expect((await listUnfinishedAnnouncements(db)).map(({ senderId }) => senderId)).toEqual([head.id]);
    await deliverAllAnnouncements(app.deps);
    expect([(await letters(ben)).length, (await letters(cleo)).length]).toEqual([1, 0]);
    const left = await db
      .selectFrom('announcements')
      .select(['sent_by', 'posted', 'sealed'])
      .orderBy('id')
      .execute();
    expect(left).toEqual([
      { sent_by: head.id, posted: 1, sealed: null },
      { sent_by: former.id, posted: 0, sealed: null },
    ]);
  });

  test('does not continue in a restored backup', async () => {
    await write(ada, to(ben));
    await transaction(app.deps.database, (trx) => revokeRestoredLinks(trx, '2026-03-01' as CalendarDate));
    await deliverAllAnnouncements(app.deps);
    expect(await copies()).toEqual([0, 0]);
  });

  test('is stored encrypted until it is queued, and deleted after a month except in the audit log', async () => {
    await write(ada, to(ben));
    const { db } = app.deps.database;
    const stored = () => db.selectFrom('announcements').selectAll().execute();
    expect(JSON.stringify(await stored())).not.toContain('water');
    await deliverAllAnnouncements(app.deps);
    expect(await stored()).toMatchObject([{ sealed: null, subject: 'Field day' }]);
    app.clock.advance(31 * 86_400_000);
    await transaction(app.deps.database, (trx) => deleteOldAnnouncements(trx, app.clock.now()));
    expect(await stored()).toEqual([]);
    const rows = await db
      .selectFrom('audit_events')
      .selectAll()
      .where('action', '=', 'people.write')
      .execute();
    expect(rows).toMatchObject([{ actor_id: ada.id }]);
    expect(String(rows[0]?.after)).toContain('"letters":1');
    expect(String(rows[0]?.after)).toContain('Field day');
    expect(await recordOf(app, 'user', ben.id)).toEqual([]);
  });

  test.each([
    ['no subject', { subject: ' ' }, 'Please enter a subject'],
    ['no text', { text: '\u0000' }, 'Please enter a message'],
    [
      'half a surrogate pair',
      { text: 'Hi \ud83d' },
      "This text has a damaged character (�) that can't be sent. Please delete it and type it again.",
    ],
    ['a long subject', { subject: 'a'.repeat(121) }, 'Use up to 120 characters'],
    ['a long text', { text: 'a'.repeat(10_000) }, 'Use up to 5000 characters'],
    ['no recipients', { userIds: null }, 'Choose at least one person'],
    ['both selected people and filters', { matching: {} }, 'Choose at least one person'],
  ])('is rejected with %s', async (_, change, error) => {
    const reply = await write(ada, { ...to(ben), ...change });
    expect([reply.status, reply.body.error]).toEqual([400, error]);
  });

  test('is plain text with a one-line subject', async () => {
    await write(ada, {
      ...to(ben),
      subject: 'Field\r\nBcc: all@example.org',
      text: '<a href="https://evil.example">Click</a> {{sender}} $t(users:title)',
    });
    await deliverAllAnnouncements(app.deps);
    const [letter] = await letters(ben);
    expect(letter?.subject).toBe('Field Bcc: all@example.org');
    expect(letter?.html).toContain('&lt;a href=');
    expect(letter?.html).not.toContain('href="https://evil');
    expect(letter?.text).toContain('{{sender}} $t(users:title)');
  });

  test('is rejected without a mail server, and for coordinators, auditors and volunteers', async () => {
    const [coordinator, auditor] = [
      await aPersonWithRole(app, 'coordinator', lincoln),
      await aPersonWithRole(app, 'auditor', lincoln),
    ];
    for (const by of [coordinator, auditor, ben]) expect((await write(by, to(ben))).status).toBe(403);
    const silent = await startApp();
    const eve = await anAdministrator(silent);
    const body = { ...LETTER, ...to(eve) };
    const reply = await silent.call('POST /api/admin/mailings', { token: eve.token, body });
    expect([reply.status, reply.body.error]).toEqual([409, expect.stringMatching(/^Email isn't set up/)]);
    const choice = await silent.call('GET /api/profile/mailings', { token: eve.token });
    expect(choice.body).toEqual({ isWanted: null });
  });
});

test('a recipient can unsubscribe from announcements without signing in, and subscribe again in Settings', async () => {
  const wants = async () => (await app.call('GET /api/profile/mailings', { token: ben.token })).body.isWanted;
  expect(await wants()).toBe(true);
  const { pathname, search } = new URL(unsubscribeLink(app.deps, 'to-many', ben.id));
  const asked = await app.call(`GET ${pathname}${search}`);
  expect(asked.text).toContain('group emails');
  expect(await wants()).toBe(true);
  for (let press = 0; press < 2; press += 1) {
    const body = 'List-Unsubscribe=One-Click';
    expect((await app.call(`POST ${pathname}${search}`, { headers: FORM, body })).status).toBe(200);
  }
  expect(await wants()).toBe(false);
  const put = await app.call('PUT /api/profile/mailings', { token: ben.token, body: { isWanted: true } });
  expect([put.body.isWanted, await wants()]).toEqual([true, true]);
});
