import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { unseal } from '#server/secrets.ts';
import { day } from '#shared/calendar-date.ts';
import { recordOf } from '#test/audit-log.ts';
import { anActivity, anAdministrator, anEntry, aPerson, aSchool, PASSWORD } from '#test/builders.ts';
import { ENGINE, startApp, type TestApp } from '#test/harness.ts';
import { phonePhoto } from '#test/images/draw-image.ts';
import { linkIn } from '#test/mail-server.ts';
import { emailsSentTo, sendMail } from '#test/sent-emails.ts';
import { upload } from '#test/upload.ts';
import { PERSONAL_DATA_FEATURES } from './registry.ts';

// Stands in every text about the person, in any case; nobody else has it.
const MARKER = /zebulonia/i;
const FIRST = 'Zebulonia.First@maplegrove.example';
const SECOND = 'zebulonia.second@maplegrove.example';

test('account deletion leaves no name in any table, file or freed database page', async () => {
  const app = await startApp();
  const { admin, zoe, entry, photo } = await aLifeWithTraces(app);
  const before = await placesWith(app);
  // The test looks where the traces are.
  for (const place of [
    'users',
    'time_entries',
    'external_verifier_requests',
    'audit_events',
    'sessions',
    'photos',
    'invites',
    'rate_limits',
    'drive_connection',
  ]) {
    expect(before).toContain(`table ${place}`);
  }
  expect(before.filter((place) => place.endsWith('.eml')).length).toBeGreaterThan(5);
  if (ENGINE === 'sqlite') expect(before).toContain('file volunteer-time.db-wal');
  expect((await sealedWith(app)).length).toBeGreaterThan(1);
  expect(await triesOf(app, zoe.id)).toHaveLength(6);

  const erased = await app.call(`POST /api/admin/users/${zoe.id}/erase`, { token: admin.token });
  expect(erased.status).toBe(200);

  expect(await placesWith(app)).toEqual([]);
  expect(await triesOf(app, zoe.id)).toEqual([]);
  // Sealed, and gone once it is sent: the letter that says that the account was deleted.
  expect(await sealedWith(app)).toEqual(['mail erased']);
  const { db } = app.deps.database;
  const hours = await db.selectFrom('time_entries').select('notes').where('id', '=', entry).execute();
  expect(hours).toEqual([{ notes: 'Sold books' }]);
  const kept = await db
    .selectFrom('photos')
    .select(['caption', 'original_name', 'hidden_reason'])
    .where('id', '=', photo)
    .execute();
  expect(kept).toEqual([{ caption: 'The tables', original_name: 'photo', hidden_reason: null }]);
});

test('account deletion removes every reference to the account in columns listed as deleted', async () => {
  const app = await startApp();
  const admin = await anAdministrator(app);
  const { id } = await aPerson(app);
  await aRowInEach(app, id, admin.id);
  expect(await columnsWith(app, id)).toEqual(
    expect.arrayContaining([
      'announcement_recipients.user_id',
      'announcement_unsubscribes.user_id',
      'announcements.sent_by',
      'backup_email_preferences.user_id',
      'known_devices.user_id',
      'service_letter_files.user_id',
      'two_factor_grace_periods.user_id',
    ]),
  );
  expect((await app.call(`POST /api/admin/users/${id}/erase`, { token: admin.token })).status).toBe(200);
  expect(await columnsWith(app, id)).toEqual([]);
});

test('account deletion leaves no name if the user registered without confirming and was imported', async () => {
  const app = await startApp({
    REGISTRATION: 'verify-email',
    PUBLIC_URL: 'https://hours.maplegrove.example',
  });
  const { admin, zoe } = await aNewcomerWithTraces(app);
  const before = await placesWith(app);
  for (const place of ['users', 'audit_events', 'email_confirmations', 'rate_limits']) {
    expect(before).toContain(`table ${place}`);
  }
  expect(before.filter((place) => place.endsWith('.eml'))).toHaveLength(3);
  // Neither letter was sent yet; the first is to an address, not to an account.
  const registered = 'reply /auth/register';
  // Nobody's mail goes out here, so what imports answer holds the links to hand on.
  const imported = 'reply user:1';
  expect((await sealedWith(app)).toSorted()).toEqual([
    'mail confirm-address',
    'mail welcome',
    ...[registered, registered, imported, imported, imported],
  ]);

  const erased = await app.call(`POST /api/admin/users/${zoe}/erase`, { token: admin.token });
  expect(erased.status).toBe(200);

  expect(await placesWith(app)).toEqual([]);
  expect(await sealedWith(app)).toEqual(['mail erased']);
  const { db } = app.deps.database;
  for (const table of ['user_import_users', 'password_links', 'email_confirmations'] as const) {
    expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
  }
});

test('account deletion keeps the data of another account that now has the former address', async () => {
  const app = await startApp();
  const school = await aSchool(app);
  const admin = await anAdministrator(app);
  const email = 'shared@maplegrove.example';
  const invitation = () =>
    app.call('POST /api/admin/invites', { token: admin.token, body: { email, schoolIds: [school.id] } });
  const registration = (body: object, headers: Record<string, string> = {}) =>
    app.call('POST /api/auth/register', {
      body: { email, password: PASSWORD, lastName: 'Next', schoolIds: [school.id], ...body },
      headers,
    });
  const toAnn = await invitation();
  const inviteCode = linkIn((await emailsSentTo(app, email)).at(-1), 'invite');
  const ann = (await registration({ firstName: 'Ann', inviteCode })).body;
  await app.call('PUT /api/profile', { token: ann.token, body: { email: 'ann@maplegrove.example' } });
  const bob = await registration({ firstName: 'Bob' }, { 'idempotency-key': 'bob' });
  await app.call('POST /api/auth/forgot-password', { body: { email } });
  const toBob = await invitation();
  await app.call(`POST /api/admin/users/${ann.user.id}/erase`, { token: admin.token });
  const letters = (await emailsSentTo(app, email)).map(({ subject }) => subject);
  expect(letters).toContain('Reset your password');
  expect(letters).toContain("You're invited to volunteer at Maple Grove Schools");
  const own = await app.call('GET /api/profile/data', { token: bob.body.token });
  expect(JSON.parse(own.text).invitations).toHaveLength(1);
  const { db } = app.deps.database;
  expect(await db.selectFrom('idempotency_keys').selectAll().execute()).toHaveLength(1);
  expect(await recordOf(app, 'invite', toAnn.body.invite.id)).toMatchObject([{ before: null, after: null }]);
  expect(await recordOf(app, 'invite', toBob.body.invite.id)).toMatchObject([{ after: { email } }]);
  expect(JSON.stringify(await db.selectFrom('rate_limits').selectAll().execute())).toContain('shared@');
});

test('account deletion removes an email that is being sent at that moment', async () => {
  const app = await startApp();
  const admin = await anAdministrator(app);
  const ann = await aPerson(app);
  await app.call('POST /api/auth/forgot-password', { body: { email: ann.email } });
  const { createMailer } = await import('#server/email/mailer.ts');
  const { sendDueEmails } = await import('#server/email/email-worker.ts');
  const byFile = createMailer(app.deps);
  const slow = {
    ...byFile,
    deliver: async (...letter: Parameters<typeof byFile.deliver>) => {
      if (letter[0].to === ann.email && letter[1].includes('reset-link')) {
        await app.call(`POST /api/admin/users/${ann.id}/erase`, { token: admin.token });
      }
      return byFile.deliver(...letter);
    },
  };
  const goOn = { soon: new AbortController().signal, now: new AbortController().signal };
  await sendDueEmails(app.deps, slow, goOn);
  expect((await emailsSentTo(app, ann.email)).map(({ subject }) => subject)).toEqual([
    'Your account is now deleted',
  ]);
});

async function aLifeWithTraces(app: TestApp) {
  const school = await aSchool(app);
  const activity = await anActivity(app, { school });
  const admin = await anAdministrator(app);
  const agent = { 'user-agent': 'Zebulonia Phone' };
  const joined = await app.call('POST /api/auth/register', {
    body: {
      email: FIRST,
      password: PASSWORD,
      firstName: 'Zebulonia',
      lastName: 'Quux-Zebulonia',
      schoolIds: [school.id],
    },
    headers: { ...agent, 'idempotency-key': 'joined' },
  });
  const { token } = joined.body;
  const zoe = { id: Number(joined.body.user.id), token };
  for (const password of [PASSWORD, 'wrong']) {
    await app.call('POST /api/auth/login', { body: { email: FIRST, password }, headers: agent });
  }
  const passwords = { currentPassword: 'wrong', newPassword: 'another-meadow-18' };
  await app.call('PUT /api/auth/change-password', { token, body: passwords });
  for (const [at, email] of [FIRST, SECOND].entries()) {
    await app.call('PUT /api/profile', { token, body: { email } });
    await app.call('POST /api/auth/login', { body: { email, password: 'zebulonia?' }, headers: agent });
    await app.call('POST /api/auth/forgot-password', { body: { email } });
    const { body } = await app.call('POST /api/admin/invites', {
      token: admin.token,
      body: { email, schoolIds: [school.id] },
      headers: { 'idempotency-key': `invite-${at}` },
    });
    if (email === FIRST) {
      await sendMail(app);
      await app.call(`DELETE /api/admin/invites/${body.invite.id}`, { token: admin.token });
    }
  }
  await app.call('POST /api/admin/time-entries', {
    token: admin.token,
    body: { userId: zoe.id, activityId: activity.id, hours: 1 },
    headers: { 'idempotency-key': 'logged' },
  });
  await app.call(`PUT /api/admin/users/${zoe.id}`, { token: admin.token, body: { lastName: 'Zebulonia' } });
  const entry = (await anEntry(app, { by: zoe, activity, notes: 'Sold books' })).id;
  await app.deps.database.db
    .updateTable('time_entries')
    .set({ external_verifier: 'dad@zebulonia.example' })
    .where('id', '=', entry)
    .execute();
  const now = app.clock.now();
  await app.deps.database.db
    .insertInto('external_verifier_requests')
    .values({
      token_hash: 'a'.repeat(64),
      school_id: school.id,
      address: SECOND,
      address_key: SECOND,
      mail_id: null,
      made_at: now,
      made_day: day('2026-03-04'),
      expires_at: now,
      ended_at: null,
      delivery: 'sent',
    })
    .execute();
  const added = await upload(app, {
    by: { token },
    to: activity,
    files: [
      { name: 'Zebulonia at the fair.jpg', content: await phonePhoto(40, 30) },
      { name: 'Zebulonia once more.jpg', content: await phonePhoto(40, 31) },
    ],
    fields: { caption: 'The tables', schoolId: String(school.id) },
  });
  const [photo = 0, second = 0] = added.body.photos.map(({ id }: { id: unknown }) => Number(id));
  const body = { reason: 'This is me, Zebulonia' };
  await app.call(`POST /api/photos/${photo}/takedown`, { token, body });
  await app.call('POST /api/profile/erasure-request', { token, body: { reason: 'Zebulonia moves away' } });
  await app.deps.database.db
    .insertInto('drive_connection')
    .values({
      id: 1,
      refresh_token: 'sealed',
      access_token: null,
      access_expires_at: null,
      account: 'Zebulonia.Second@maplegrove.example',
      connected_by: admin.id,
      connected_at: app.clock.now(),
      lost_at: null,
    })
    .execute();
  await sendMail(app);
  // Two more that nobody has sent yet: to them, and to administrators.
  await app.call('POST /api/auth/forgot-password', { body: { email: SECOND } });
  await app.call(`POST /api/photos/${second}/takedown`, { token, body });
  return { admin, zoe, entry, photo };
}

/**
 * Registered twice without opening either link, and on the district's list three times: the first import was undone,
 * and what the second one made was deleted.
 */
async function aNewcomerWithTraces(app: TestApp) {
  const school = await aSchool(app);
  const admin = await anAdministrator(app);
  const body = {
    email: FIRST,
    password: PASSWORD,
    firstName: 'Zebulonia',
    lastName: 'Quux',
    schoolIds: [school.id],
  };
  await app.call('POST /api/auth/register', { body, headers: { 'idempotency-key': 'joined' } });
  await sendMail(app);
  const csv = `firstName,lastName,email,role,schools\nZebulonia,Quux,${FIRST},,${school.name}`;
  const call = (path: string, rest: object = {}) => app.call(path, { token: admin.token, ...rest });
  const importList = async (key: string) => {
    const { preview } = (await call('POST /api/admin/user-imports/preview', { body: { csv } })).body;
    const reply = await call('POST /api/admin/user-imports', {
      body: { csv, key: preview.key, sendMail: true },
      headers: { 'idempotency-key': key },
    });
    const { users } = (await call('GET /api/admin/users?search=zebulonia')).body;
    return { importId: reply.body.userImport.id, userId: Number(users[0].id) };
  };
  const first = await importList('first');
  await sendMail(app);
  await call(`POST /api/admin/user-imports/${first.importId}/undo`);
  const second = await importList('second');
  await sendMail(app);
  await call(`DELETE /api/admin/users/${second.userId}`);
  await app.call('POST /api/auth/register', { body, headers: { 'idempotency-key': 'again' } });
  const zoe = await importList('third');
  return { admin, zoe: zoe.userId };
}

/** Rows that no other test deletes with the account. */
async function aRowInEach({ clock, deps }: TestApp, userId: number, otherId: number): Promise<void> {
  const { db } = deps.database;
  const at = clock.now();
  await db.insertInto('backup_email_preferences').values({ user_id: userId, is_wanted: 1 }).execute();
  await db
    .insertInto('known_devices')
    .values({ user_id: userId, mark: 'phone', last_used_at: at, failed_logins: 0 })
    .execute();
  await db.insertInto('two_factor_grace_periods').values({ user_id: userId, begins_at: at }).execute();
  await db
    .insertInto('service_letter_files')
    .values({
      token_hash: 'b'.repeat(64),
      user_id: userId,
      form: 'pdf',
      total: 1,
      done: 0,
      created_at: at,
      expires_at: at,
      started_at: null,
      seen_at: null,
      outcome: null,
      made_by: null,
    })
    .execute();
  const announcement = {
    subject: 'Hello',
    sealed: null,
    total: 1,
    posted: 1,
    created_at: at,
    finished_at: at,
  };
  const [, { id } = { id: 0 }] = await db
    .insertInto('announcements')
    .values([userId, otherId].map((sender) => ({ ...announcement, sent_by: sender })))
    .returning('id')
    .execute();
  await db.insertInto('announcement_recipients').values({ announcement_id: id, user_id: userId }).execute();
  await db.insertInto('announcement_unsubscribes').values({ user_id: userId, stopped_at: at }).execute();
}

/** The forgotten columns that refer to an account. */
async function columnsWith({ deps }: TestApp, id: number): Promise<string[]> {
  const columns = PERSONAL_DATA_FEATURES.flatMap(({ DELETED_COLUMNS }) => DELETED_COLUMNS);
  const found: string[] = [];
  for (const column of columns.filter((name) => /(user_id|_by)$/.test(name))) {
    const [table = ''] = column.split('.');
    const { rows } = await sql`
      select 1 from ${sql.table(table)} where cast(${sql.ref(column)} as text) = ${String(id)}`.execute(
      deps.database.db,
    );
    if (rows.length > 0) found.push(column);
  }
  return found;
}

/** The tables and files with the marker; of SQLite, the database's own files too. */
async function placesWith(app: TestApp): Promise<string[]> {
  const { db } = app.deps.database;
  const places: string[] = [];
  for (const { name } of await db.introspection.getTables()) {
    const rows = await db
      .selectFrom(name as 'users')
      .selectAll()
      .execute();
    if (MARKER.test(JSON.stringify(rows))) places.push(`table ${name}`);
  }
  for (const file of readdirSync(app.dataDir, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const path = join(file.parentPath, file.name);
    if (MARKER.test(file.name) || MARKER.test(readFileSync(path, 'latin1'))) places.push(`file ${file.name}`);
  }
  return places;
}

/** The counters of what an account tried, and of its own devices and sessions. */
async function triesOf(app: TestApp, id: number): Promise<string[]> {
  const rows = await app.deps.database.db.selectFrom('rate_limits').select('key').execute();
  return rows.map(({ key }) => key).filter((key) => new RegExp(`^[a-z-]+:${id}( |$)`).test(key));
}

/** What is kept sealed and has the marker, by its kind or its owner. */
async function sealedWith(app: TestApp): Promise<string[]> {
  const { db } = app.deps.database;
  const mail = await db
    .selectFrom('emails')
    .select(['kind', 'sealed'])
    .where('sealed', 'is not', null)
    .execute();
  const replies = await db.selectFrom('idempotency_keys').select(['owner', 'reply']).execute();
  const opened = [
    ...mail.map(({ kind, sealed }) => [`mail ${kind}`, unseal(app.deps.secretKey, 'mail', sealed ?? '')]),
    ...replies.map(({ owner, reply }) => [
      `reply ${owner}`,
      unseal(app.deps.secretKey, 'idempotency', reply ?? ''),
    ]),
  ];
  return opened.filter(([, said = '']) => MARKER.test(said)).map(([name = '']) => name);
}
