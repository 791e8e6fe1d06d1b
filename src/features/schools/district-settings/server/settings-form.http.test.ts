import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { prepare } from '#app/server/start.ts';
import { UNREADABLE_EMAIL_SERVER } from '#server/email/mailer.ts';
import { anActivity, anAdministrator, anEntry, aPerson, aSchool } from '#test/builders.ts';
import { fullTest } from '#test/full-test.ts';
import { atEnd, caller, startApp, type TestApp } from '#test/harness.ts';
import { MAILER, startMailServer } from '#test/mail-server.ts';
import { sendMail } from '#test/sent-emails.ts';
import en from '../messages.staff.en.json' with { type: 'json' };

const SETTINGS = '/api/admin/settings';
const SECRET = 'pear-and-plum';
/** A district that sets nothing in its environment. */
const OPEN = { DISTRICT_NAME: '', SUPPORT_EMAIL: '' };

async function aDistrict(environment: Record<string, string> = {}) {
  const app = await startApp({ ...OPEN, ...environment });
  const admin = await anAdministrator(app);
  const save = (body: object) => app.call(`PUT ${SETTINGS}`, { token: admin.token, body });
  const read = async () => (await app.call(`GET ${SETTINGS}`, { token: admin.token })).body;
  const test = (to = 'ann@maplegrove.example') =>
    app.call(`POST ${SETTINGS}/test-mail`, { token: admin.token, body: { to } });
  return { app, admin, save, read, test };
}

/** Another server process on the same database and folder. */
async function aReplica({ deps, clock }: TestApp) {
  const { app, deps: others } = await prepare(deps.config, { clock, isReplyChecked: true });
  await app.ready();
  atEnd(() => app.close());
  return { call: caller(app), deps: others };
}

const recorded = async ({ deps }: TestApp) =>
  deps.database.db.selectFrom('audit_events').selectAll().where('action', '=', 'district.settings').execute();

describe('district time zone', () => {
  test('can be changed until hours are logged, and applies immediately', async () => {
    const app = await startApp({ TIME_ZONE: '' });
    const admin = await anAdministrator(app);
    const zone = (timeZone: string) =>
      app.call(`PUT ${SETTINGS}`, { token: admin.token, body: { timeZone } });
    const today = async () => (await app.call('GET /api/config')).body.today;
    expect((await zone('Pacific/Kiritimati')).status).toBe(200);
    expect(await today()).toBe('2026-03-05');
    expect((await zone('America/Chicago')).body.settings.timeZone).toBe('America/Chicago');
    expect([await today(), (await zone('Mars/Olympus')).status]).toEqual(['2026-03-04', 400]);
    const school = await aSchool(app);
    const vera = await aPerson(app, { schools: [school] });
    await anEntry(app, { by: vera, activity: await anActivity(app, { school }) });
    expect((await zone('UTC')).status).toBe(409);
    const same = await zone('America/Chicago');
    expect([same.status, same.body.settings.isTimeZoneFixed]).toEqual([200, true]);
  });
});

describe('registration and photo visibility', () => {
  test('are undecided until an administrator changes or saves them', async () => {
    const { read, save } = await aDistrict();
    const isDecided = async () => (await read()).settings.isAccessDecided;
    await save({ districtName: 'Maple Grove' });
    expect(await isDecided()).toBe(false);
    await save({ registration: 'open', photosSeenBy: 'members' });
    expect(await isDecided()).toBe(true);
    expect((await read()).settings).toMatchObject({ registration: 'open', photosSeenBy: 'members' });
  });
});

describe('district settings', () => {
  test('have defaults until they are changed', async () => {
    const { read, app } = await aDistrict();
    const { settings, setByServer } = await read();
    expect(setByServer).toEqual(['timeZone']);
    expect(settings).toMatchObject({
      districtName: 'Our School District',
      supportEmail: 'support@example.org',
      schoolYearStart: '07-01',
      registration: 'open',
      photosSeenBy: 'members',
      languages: ['en', 'es'],
      mail: { url: null, server: null, isReadable: true, from: null },
    });
    expect(app.deps.config.mailFrom).toEqual({ name: 'Our School District', address: 'support@example.org' });
  });

  test('apply immediately on every server, and record each change in the audit log', async () => {
    const { app, save } = await aDistrict();
    const other = await aReplica(app);
    const changed = await save({
      districtName: '  Maple\u0000 Grove ',
      supportEmail: 'hours@maplegrove.example',
      schoolYearStart: '02-15',
      registration: 'invite',
      photosSeenBy: 'approved',
    });
    expect([changed.status, changed.body.settings.districtName]).toEqual([200, 'Maple Grove']);
    for (const call of [app.call, other.call]) {
      expect((await call('GET /api/config')).body).toMatchObject({
        districtName: 'Maple Grove',
        supportEmail: 'hours@maplegrove.example',
        schoolYearStart: '2026-02-15',
        registration: 'invite',
      });
    }
    expect(other.deps.config.photosSeenBy).toBe('approved');
    expect(other.deps.config.mailFrom).toEqual({ name: 'Maple Grove', address: 'hours@maplegrove.example' });
    const school = await aSchool(app);
    const registration = {
      email: 'nia@maplegrove.example',
      password: 'maple-lantern-42',
      firstName: 'Nia',
      lastName: 'New',
      schoolIds: [school.id],
    };
    expect((await other.call('POST /api/auth/register', { body: registration })).status).toBe(403);
    const [row, ...more] = await recorded(app);
    expect(more).toEqual([]);
    expect([JSON.parse(row?.before ?? ''), JSON.parse(row?.after ?? '')]).toEqual([
      {
        districtName: 'Our School District',
        supportEmail: 'support@example.org',
        schoolYearStart: '07-01',
        registration: 'open',
        photosSeenBy: 'members',
      },
      {
        districtName: 'Maple Grove',
        supportEmail: 'hours@maplegrove.example',
        schoolYearStart: '02-15',
        registration: 'invite',
        photosSeenBy: 'approved',
      },
    ]);
  });

  test('apply on another server at its next request, and are not undone by an older read', async () => {
    const { app, admin, save } = await aDistrict();
    const other = await aReplica(app);
    const saw = other.deps.settings.beginRead();
    await save({ districtName: 'Maple Grove' });
    expect((await other.call('GET /api/profile', { token: admin.token })).status).toBe(200);
    expect(other.deps.config.districtName).toBe('Maple Grove');
    saw(JSON.stringify({ districtName: 'As it was before' }));
    expect(other.deps.config.districtName).toBe('Maple Grove');
  });

  test('cannot be changed if the environment sets them, and are listed as such', async () => {
    const { app, save, read } = await aDistrict({
      DISTRICT_NAME: 'Cedar Valley',
      REGISTRATION: 'approval',
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'Hours <hours@cedar.example>',
    });
    const before = await read();
    expect(before.setByServer).toEqual(['districtName', 'registration', 'mail.url', 'mail.from', 'timeZone']);
    expect(before.settings.mail).toEqual({
      url: true,
      server: '127.0.0.1:1',
      isReadable: true,
      from: 'Hours <hours@cedar.example>',
    });
    for (const [name, body] of [
      ['districtName', { districtName: 'Other' }],
      ['registration', { registration: 'open' }],
      ['mail.url', { mail: { url: 'smtp://other.example' } }],
      ['mail.url', { mail: { url: null } }],
      ['mail.from', { mail: { from: null } }],
    ] as const) {
      const { status, body: answer } = await save(body);
      expect([status, Object.keys(answer.fields)]).toEqual([409, [name]]);
    }
    // What was answered may be sent back along with a change of something else.
    expect((await save({ ...before.settings, supportEmail: 'help@cedar.example' })).status).toBe(200);
    expect((await read()).settings.supportEmail).toBe('help@cedar.example');
    expect(app.deps.config.districtName).toBe('Cedar Valley');
  });

  test('combine the changes of two administrators at the same time', async () => {
    const { save, read, app } = await aDistrict();
    await Promise.all([
      save({ districtName: 'Maple Grove' }),
      save({ photosSeenBy: 'approved' }),
      save({ supportEmail: 'help@maple.example' }),
      save({ mail: { from: 'hours@maple.example' } }),
    ]);
    expect((await read()).settings).toMatchObject({
      districtName: 'Maple Grove',
      photosSeenBy: 'approved',
      supportEmail: 'help@maple.example',
      mail: { from: 'hours@maple.example' },
    });
    expect(await recorded(app)).toHaveLength(4);
  });

  test.each([
    ['districtName', { districtName: '' }],
    ['districtName', { districtName: ' \u0000 ' }],
    ['districtName', { districtName: 'x'.repeat(10_000) }],
    ['districtName', { districtName: null }],
    ['supportEmail', { supportEmail: 'no address' }],
    ['supportEmail', { supportEmail: `${'a'.repeat(250)}@b.example` }],
    ['schoolYearStart', { schoolYearStart: '02-29' }],
    ['schoolYearStart', { schoolYearStart: '13-01' }],
    ['registration', { registration: 'everybody' }],
    ['photosSeenBy', { photosSeenBy: 'all' }],
    ['mail', { mail: { url: 'http://mail.example.org' } }],
    ['mail', { mail: { url: 'smtp://' } }],
    ['mail', { mail: { url: 'smtp://mail.example.org/path' } }],
    ['mail', { mail: { url: 'smtp://mail.example.org?logger=true' } }],
    ['mail', { mail: { url: `smtp://${'m'.repeat(10_000)}` } }],
    ['mail', { mail: { from: 'Nobody' } }],
  ])('reject an invalid %s: %o', async (field, body) => {
    const { status, body: answer } = await (await shared).save(body);
    expect([status, Object.keys(answer.fields ?? {})]).toEqual([400, [field]]);
  });

  test('require re-authentication only for registration, email and the support address', async () => {
    const { app, save } = await aDistrict();
    app.clock.advance(11 * 60_000);
    expect((await save({ districtName: 'Maple Grove' })).status).toBe(200);
    for (const body of [
      { registration: 'invite' },
      { mail: { url: 'smtp://mail.example.org' } },
      { mail: { from: 'hours@maple.example' } },
      { supportEmail: 'other@maple.example' },
    ]) {
      expect((await save(body)).body).toMatchObject({ fresh: true });
    }
    // It is as it was.
    expect((await save({ registration: 'open', mail: { url: null, from: null } })).status).toBe(200);
  });

  test('are for district administrators only', async () => {
    const { app } = await shared;
    const { token } = await aPerson(app);
    for (const call of [`GET ${SETTINGS}`, `PUT ${SETTINGS}`, `POST ${SETTINGS}/test-mail`]) {
      expect((await app.call(call, { token, body: { to: 'a@b.example' } })).status).toBe(403);
    }
  });
});

const shared = aDistrict();

describe('district mail server', () => {
  test('is used by every server for the next email, with its password encrypted', async () => {
    const [first, second] = [await startMailServer({ isStrict: true }), await startMailServer()];
    const { app, admin, save, test } = await aDistrict();
    const other = await aReplica(app);
    const url = (port: number) =>
      `smtp://${MAILER.user}:${MAILER.pass}@localhost:${port}?tls.rejectUnauthorized=false`;
    const saved = await save({ mail: { url: url(first.port), from: 'Maple Hours <hours@maple.example>' } });
    expect([saved.status, saved.body.settings.mail]).toEqual([
      200,
      {
        url: true,
        server: `localhost:${first.port}`,
        isReadable: true,
        from: 'Maple Hours <hours@maple.example>',
      },
    ]);
    expect(await test()).toMatchObject({ status: 200 });
    await other.call('POST /api/auth/forgot-password', { body: { email: admin.email } });
    await sendMail({ ...app, deps: other.deps });
    const letters = await first.wait(1);
    expect(letters[0]).toMatchObject({ from: { name: 'Maple Hours', address: 'hours@maple.example' } });
    expect((await save({ mail: { url: second.url } })).status).toBe(200);
    expect(await test()).toMatchObject({ status: 200 });
    expect((await second.letters())[0]?.subject).toBe('Test email from Our School District');
    const all = [
      saved.text,
      (await app.call(`GET ${SETTINGS}`, { token: admin.token })).text,
      (await app.call('GET /api/admin/system', { token: admin.token })).text,
      (await app.call('GET /api/admin/audit', { token: admin.token })).text,
      JSON.stringify(await app.deps.database.db.selectFrom('district_settings').selectAll().execute()),
      JSON.stringify(await app.deps.database.db.selectFrom('audit_events').selectAll().execute()),
    ].join('\n');
    expect(all).not.toContain(SECRET);
    expect(all).toContain(`localhost:${first.port}`);
  });

  test('is audited as changed only if its URL differs, even just in the password', async () => {
    const { app, save } = await aDistrict();
    await save({ mail: { url: 'smtp://a:one@mail.example.org:587' } });
    await save({ mail: { url: true, from: null } });
    await save({ mail: { url: 'smtp://a:one@mail.example.org:587' } });
    expect(await recorded(app)).toHaveLength(1);
    await save({ mail: { url: 'smtp://a:two@mail.example.org:587' } });
    expect(JSON.parse((await recorded(app))[1]?.after ?? '')).toEqual({ mailServer: 'mail.example.org:587' });
    await save({ mail: { url: null } });
    expect(app.deps.config.smtpUrl).toBeUndefined();
  });

  test('is reported, and leaves emails queued, if its password cannot be decrypted', async () => {
    const { app, admin, save } = await aDistrict({ SECRET_KEY: 'a'.repeat(32) });
    await save({ mail: { url: 'smtp://a:one@mail.example.org:587' } });
    const other = await aReplica({
      ...app,
      deps: { ...app.deps, config: { ...app.deps.config, smtpUrl: undefined, secretKey: 'b'.repeat(32) } },
    });
    expect(other.deps.config.smtpUrl).toBe(UNREADABLE_EMAIL_SERVER);
    const token = admin.token;
    const read = await other.call(`GET ${SETTINGS}`, { token });
    expect(read.body.settings.mail).toEqual({
      url: true,
      server: 'mail.example.org:587',
      isReadable: false,
      from: null,
    });
    const tried = await other.call(`POST ${SETTINGS}/test-mail`, { token, body: { to: 'a@b.example' } });
    expect([tried.status, tried.body.error]).toEqual([
      409,
      expect.stringContaining('SECRET_KEY has changed'),
    ]);
    const { warnings } = (await other.call('GET /api/admin/system', { token })).body;
    expect(warnings).toContainEqual(
      expect.objectContaining({ name: 'mail', message: expect.stringContaining("can't be read") }),
    );
    await other.call('POST /api/auth/forgot-password', { body: { email: admin.email } });
    await sendMail({ ...app, deps: other.deps });
    const waiting = await app.deps.database.db.selectFrom('emails').selectAll().execute();
    expect(waiting.map(({ failure, sent_at }) => [failure, sent_at])).toEqual([['ESEALED', null]]);
    const again = { token, body: { mail: { url: 'smtp://a:one@mail.example.org:587' } } };
    expect((await other.call(`PUT ${SETTINGS}`, again)).body.settings.mail.isReadable).toBe(true);
  });
});

describe('test email', () => {
  const words = async (url: string | null, from?: string) => {
    const { app, admin, save, test } = await shared;
    await app.deps.database.db.deleteFrom('rate_limits').execute();
    const { status } = await save({ mail: { url, from: from ?? null } });
    expect([admin.id > 0, status]).toEqual([true, 200]);
    const reply = await test();
    return [reply.status, reply.body.error ?? reply.body.message];
  };

  const unreachable = (url: string) => [409, en.testFaultUnreachable.replace('{{host}}', new URL(url).host)];

  fullTest(
    'gives the same error for every port that is not a working mail server',
    async () => {
      const open = await startMailServer();
      open.setMood('die');
      for (const url of [
        'smtp://127.0.0.1:1',
        'smtps://127.0.0.1:1',
        await aServerThatSays('NOTHING'),
        await aServerThatSays('HTTP'),
        `smtps://127.0.0.1:${open.port}`,
        `${open.url}?requireTLS=true`,
        open.url,
      ]) {
        expect(await words(url)).toEqual(unreachable(url));
      }
    },
    60_000,
  );

  test('cannot use a mail server at a link-local address, because the settings reject it', async () => {
    const { save } = await shared;
    const { status, body } = await save({ mail: { url: 'smtp://169.254.169.254:80', from: null } });
    expect([status, body.error]).toEqual([400, en.settingsBadMailServer]);
  });

  test('explains what is wrong with the mail server', async () => {
    const open = await startMailServer();
    const strict = await startMailServer({ isStrict: true });
    const login = `${MAILER.user}:wrong`;
    expect(await words(null)).toEqual([409, expect.stringContaining('There is no mail server yet')]);
    expect(await words('smtp://nowhere.invalid:587')).toEqual([
      409,
      expect.stringContaining('was not found'),
    ]);
    expect(await words(strict.url)).toEqual([409, expect.stringContaining('certificate')]);
    expect(await words(`smtp://${login}@127.0.0.1:${strict.port}?tls.rejectUnauthorized=false`)).toEqual([
      409,
      expect.stringContaining('rejected the user name or password'),
    ]);
    expect(await words(`smtp://127.0.0.1:${strict.port}?tls.rejectUnauthorized=false`)).toEqual([
      409,
      expect.stringContaining('requires a user name'),
    ]);
    open.setMood('permanent');
    expect(await words(open.url)).toEqual([
      409,
      expect.stringContaining("doesn't accept email to this address"),
    ]);
    open.setMood('unwilling');
    expect(await words(open.url)).toEqual([409, expect.stringContaining('rejected the email')]);
    open.setMood('accept');
    expect(await words(open.url)).toEqual([200, expect.stringContaining('ann@maplegrove.example')]);
  });

  test('explains that the mail server rejects the sender', async () => {
    expect(await words(await aServerThatSays('MAIL'), 'Maple <strange@maple.example>')).toEqual([
      409,
      expect.stringContaining('accept email from strange@maple.example'),
    ]);
  });

  test('works ten times an hour for one user, and is then rejected', async () => {
    const { app, save, test } = await shared;
    await save({ mail: { url: (await startMailServer()).url, from: null } });
    await app.deps.database.db.deleteFrom('rate_limits').execute();
    const statuses: number[] = [];
    const start = app.clock.now();
    for (let count = 0; count < 11; count += 1) {
      statuses.push((await test()).status);
      app.clock.advance(5 * 60_000);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
    app.clock.set(start);
  });
});

/** A server on the loopback interface that refuses every sender, speaks another protocol, or says nothing. */
async function aServerThatSays(kind: 'MAIL' | 'HTTP' | 'NOTHING'): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    if (kind !== 'NOTHING')
      socket.write(kind === 'HTTP' ? 'HTTP/1.1 400 Bad Request\r\n\r\n' : '220 mail\r\n');
    socket.on('data', (data) => {
      const isSender = data.toString().startsWith('MAIL');
      if (kind === 'MAIL') socket.write(isSender ? '553 Sender not allowed\r\n' : '250 ok\r\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => server.close());
  const { port } = server.address() as { port: number };
  return `smtp://127.0.0.1:${port}`;
}
