import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '#server/db/database.ts';
import { VERSION } from '#server/version.ts';
import { atEnd, ENGINE, emptyPlace, migratedPlace } from '#test/harness.ts';
import { manyEntries } from '#test/many-entries.ts';
import { ADMIN, ADMIN_SETTINGS, openDistrict } from '../open-district.ts';
import { type Child, type Place, runChild, startChild } from '../server-process.ts';

/** What a start complains of in the tests: nothing, except of the account where they run as root. */
const ONLY_AS_ROOT = process.getuid?.() === 0 ? /^Running as root: .+\n$/ : /^$/;

/** A text that appears nowhere by chance: wherever it is found, it leaked. */
const CANARY = 'canary-7Qz-apricot';

describe('the start stops with one line that names the wrong setting:', () => {
  /** The lines on stderr of a start that is refused. */
  async function refusal(settings: Record<string, string>, place?: Place, exitCode = 78) {
    const { code, stderr, stdout } = await runChild(place ?? (await emptyPlace()), settings);
    expect([code, stdout.includes(' is ready at ')]).toEqual([exitCode, false]);
    expect(stderr + stdout).not.toContain(CANARY);
    return stderr.trimEnd().split('\n');
  }

  test('several wrong settings, one line each, without their values', async () => {
    const lines = await refusal({
      PORT: 'abc',
      DATABASE_URL: `mysql://hours:${CANARY}@host/hours`,
      TIME_ZONE: CANARY,
      REGISTRATION: CANARY,
      PHOTO_MANAGERS: CANARY,
      PHOTO_STORE_URL: `https://key:${CANARY}@bucket`,
      PASSWORD_MIN_LENGTH: '3',
      PASSWORD_BLOCKLIST: CANARY,
      PUBLIC_URL: CANARY,
      SCHOOL_YEAR_START: '02-30',
      SECRET_KEY: CANARY,
      SMTP_URL: `hours:${CANARY}@mail`,
      TRUSTED_PROXIES: CANARY,
    });
    expect(lines.map((line) => line.split(': ')[0]).toSorted()).toEqual([
      'DATABASE_URL',
      'PASSWORD_BLOCKLIST',
      'PASSWORD_MIN_LENGTH',
      'PHOTO_MANAGERS',
      'PHOTO_STORE_URL',
      'PORT',
      'PUBLIC_URL',
      'REGISTRATION',
      'SCHOOL_YEAR_START',
      'SECRET_KEY',
      'SMTP_URL',
      'TIME_ZONE',
      'TRUSTED_PROXIES',
    ]);
  });

  test('a first administrator’s password that is one of the most common', async () => {
    const common = { ADMIN_EMAIL: 'head@maplegrove.example', ADMIN_PASSWORD: '123456' };
    expect(await refusal(common)).toEqual([
      'ADMIN_PASSWORD: is one of the most common passwords. Choose another one',
    ]);
  });

  test('a setting that requires another one', async () => {
    expect(await refusal({ ADMIN_PASSWORD: CANARY, GOOGLE_CLIENT_SECRET: CANARY })).toEqual([
      expect.stringMatching(/^ADMIN_EMAIL: must be set, because/),
      expect.stringMatching(/^GOOGLE_CLIENT_ID: must be set, because/),
    ]);
  });

  test('a port in use, without changing the running server’s link', async () => {
    const place = await emptyPlace();
    const running = await startChild(place);
    const token = linkToken(running);
    const lines = await refusal({ PORT: new URL(running.origin).port }, place);
    // On SQLite it is refused before that, as a second server of one folder.
    const why = ENGINE === 'sqlite' ? /^DATA_DIR: another server is using/ : /^PORT: \d+ is in use/;
    expect(lines).toEqual([expect.stringMatching(why)]);
    expect((await running.call(`GET /api/auth/verify-reset-token/${token}`)).status).toBe(200);
  });

  test.each(['203.0.113.7', 'nowhere.invalid'])(
    'a HOST that is not an address of this machine: %s',
    async (host) => {
      expect(await refusal({ HOST: host })).toEqual([`HOST: ${host} is not an address of this machine`]);
    },
  );

  test('a database that cannot be reached, without its password', async () => {
    const port = await freePort();
    const urls = [
      `postgres://hours:${CANARY}@127.0.0.1:${port}/hours`,
      `postgres://hours:${CANARY}@127.0.0.1:${port}0000/hours`,
      `postgres://hours:${CANARY}@/hours?host=/nowhere`,
    ];
    const refusals = await Promise.all(urls.map((url) => refusal({ DATABASE_URL: url }, undefined, 1)));
    const line = expect.stringMatching(/^DATABASE_URL: cannot use this PostgreSQL \(.+\)$/);
    expect(refusals).toEqual([[line], [line], [line]]);
  });

  test('a data folder that cannot be written', async () => {
    const place = await emptyPlace();
    const file = join(place.dataDir, 'file');
    writeFileSync(file, '');
    expect(await refusal({ DATA_DIR: join(file, 'data') }, place)).toEqual([
      expect.stringMatching(/^DATA_DIR: .+ cannot be written \(ENOTDIR.*\)$/),
    ]);
    // Node's recursive mkdir never returns from here.
    expect(await refusal({ DATA_DIR: '/proc/hours/data' }, place)).toEqual([
      expect.stringMatching(/^DATA_DIR: .+ cannot be written \(ENOENT.*\)$/),
    ]);
  });

  test("a data folder with another program's file as database or key", async () => {
    const place = await emptyPlace();
    const folder = join(place.dataDir, 'data');
    mkdirSync(folder);
    writeFileSync(join(folder, ENGINE === 'sqlite' ? 'volunteer-time.db' : 'secret.key'), 'x'.repeat(20));
    const lines = await refusal({ DATA_DIR: folder }, place, ENGINE === 'sqlite' ? 1 : 78);
    expect(lines).toEqual([expect.stringMatching(/^DATA_DIR: .+backup/)]);
  });
});

describe('a start', () => {
  test('without an administrator prints a link that sets the first password, until the next start', async () => {
    const place = await emptyPlace();
    const first = await startChild(place, { PUBLIC_URL: 'https://hours.example.org/' });
    const firstToken = linkToken(first);
    expect(first.stdout()).toContain(`https://hours.example.org/?token=${firstToken}\n`);
    const verified = await first.call(`GET /api/auth/verify-reset-token/${firstToken}`);
    expect([verified.status, verified.body.user.email]).toEqual([200, 'support@example.org']);
    await first.end('SIGTERM');

    const second = await startChild(place);
    const token = linkToken(second);
    // Its output is no terminal, so the link is in a file too, as long as it works.
    const file = join(place.dataDir, 'first-administrator.txt');
    expect(readFileSync(file, 'utf8')).toBe(
      `http://localhost:${new URL(second.origin).port}/?token=${token}\n`,
    );
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await second.call(`GET /api/auth/verify-reset-token/${firstToken}`)).status).toBe(400);
    const body = { token, newPassword: 'maple-lantern-42' };
    expect((await second.call('POST /api/auth/reset-password', { body })).status).toBe(200);
    expect(existsSync(file)).toBe(false);
    expect((await second.call('POST /api/auth/reset-password', { body })).status).toBe(400);
    const login = { email: 'support@example.org', password: body.newPassword };
    const signedIn = await second.call('POST /api/auth/login', { body: login });
    expect([signedIn.status, signedIn.body.user.role]).toEqual([200, 'admin']);
    await second.end('SIGTERM');

    const third = await startChild(place);
    expect(third.stdout()).not.toContain('token=');
  });

  test('logs one line per step, then its address and how to sign in', async () => {
    const place = await emptyPlace();
    const child = await startChild(place, ADMIN_SETTINGS);
    const { port } = new URL(child.origin);
    expect(child.stdout().trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^Database ready \(\d+ steps, now at \d{4}-.+\)$/),
      `Volunteer Time Tracker ${VERSION} is ready at http://127.0.0.1:${port}`,
      `Sign in at http://localhost:${port} as ${ADMIN.email} with ADMIN_PASSWORD`,
    ]);
    expect(child.stderr()).toMatch(ONLY_AS_ROOT);
    expect(child.stdout()).not.toContain(ADMIN.password);
    expect((await child.call('GET /healthz')).body).toEqual({ status: 'ok' });
    expect((await child.call('GET /readyz')).body).toEqual({ status: 'ready' });
  });

  test('creates the secret key once, readable only by the owner', async () => {
    const place = await migratedPlace();
    const path = join(place.dataDir, 'secret.key');
    const first = await startChild(place);
    const key = readFileSync(path, 'utf8');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await first.end('SIGTERM');
    await startChild(place);
    expect(readFileSync(path, 'utf8')).toBe(key);
  });
});

test('a server logs an uncaught error in the background, and continues', async () => {
  const faults = `process.on('SIGUSR2', () => {
    Promise.reject(new Error('nobody waits'));
    throw new Error('nobody catches');
  })`;
  const settings = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(faults)}` };
  const child = await startChild(await migratedPlace(), { ...settings, LOG_LEVEL: 'error' });
  process.kill(child.pid, 'SIGUSR2');
  for (const fault of ['nobody waits', 'nobody catches']) await expect.poll(child.stdout).toContain(fault);
  expect((await child.call('GET /readyz')).status).toBe(200);
  expect(await child.end('SIGTERM')).toEqual({ code: 0, signal: null });
});

test('a user can export again immediately after a kill during an export', async () => {
  const place = await migratedPlace();
  const first = await startChild(place, ADMIN_SETTINGS);
  const { admin, school, activity } = await openDistrict(first);
  const database = await openDatabase(place);
  atEnd(() => database.close());
  const [vera] = await database.db.selectFrom('users').select('id').where('role', '=', 'user').execute();
  await manyEntries(database, { id: vera?.id ?? 0 }, { id: activity.id, schoolId: school.id }, 20_000);
  const ask = (child: Child) =>
    child.call('POST /api/admin/time-entries/export', {
      token: admin,
      body: { format: 'csv', schoolId: school.id },
    });
  const { body } = await ask(first);
  // Nobody reads it, so it is still being made.
  expect((await fetch(`${first.origin}${body.url}`)).status).toBe(200);
  expect((await ask(first)).status).toBe(409);
  await first.end('SIGKILL');
  const second = await startChild(place, ADMIN_SETTINGS);
  expect((await ask(second)).status).toBe(201);
  const { body: old } = await second.call(`GET /api/admin/time-entries/export/${body.export.id}`, {
    token: admin,
  });
  expect(old.export.status).toBe('failed');
});

test('the second of two servers with different photo folders gets a warning', async () => {
  const place = await migratedPlace();
  const other = { ...place, dataDir: join(place.dataDir, 'other') };
  mkdirSync(other.dataDir);
  const first = await startChild(place);
  const again = ENGINE === 'sqlite' ? first : await startChild(place);
  // Servers of one database share a key; on SQLite the other folder is a district of its own.
  if (ENGINE === 'postgres') cpSync(join(place.dataDir, 'secret.key'), join(other.dataDir, 'secret.key'));
  const second = await startChild(other);
  const warnings = [first, again, second].map((child) => child.stderr().replace(/^Running as root.+\n/, ''));
  const told = `DATA_DIR: the photos of this database are kept in another folder than ${other.dataDir}/photos.`;
  expect(warnings).toEqual(['', '', ENGINE === 'sqlite' ? '' : expect.stringContaining(told)]);
});

describe('a shutdown', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s finishes a request in progress, exits with 0 and closes the database',
    async (signal) => {
      const place = await migratedPlace();
      const child = await startChild(place, ADMIN_SETTINGS);
      const { admin } = await openDistrict(child);
      // Starts the process that reads for reports, which has the database open too.
      expect((await child.call('GET /api/admin/duplicates', { token: admin })).status).toBe(200);
      const body = JSON.stringify(ADMIN);
      const slow = await slowRequest(child, body);
      const ended = child.end(signal);
      await refusesConnections(child);
      slow.send(body);
      const reply = await slow.reply;
      expect(reply).toMatch(/^HTTP\/1\.1 200 OK\r\n/m);
      expect(reply).toContain('"token"');
      expect(await ended).toEqual({ code: 0, signal: null });
      expect(child.stderr()).toMatch(ONLY_AS_ROOT);
      await expectClosed(place);
    },
  );

  // A proxy has sent such a call before it could know.
  test('answers one more request on a keep-alive connection and closes it', async () => {
    const child = await startChild(await migratedPlace());
    const kept = connect(Number(new URL(child.origin).port), '127.0.0.1');
    let received = '';
    kept.setEncoding('utf8').on('data', (text: string) => {
      received += text;
    });
    const closed = new Promise<void>((resolve) => kept.once('close', () => resolve()));
    const ask = () => kept.write('GET /api/schools/public HTTP/1.1\r\nHost: x\r\n\r\n');
    ask();
    await expect.poll(() => received).toMatch(/connection: keep-alive\r\n/i);
    received = '';
    const ended = child.end('SIGTERM');
    await refusesConnections(child);
    ask();
    await closed;
    expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n(.+\r\n)*connection: close\r\n/i);
    expect(await ended).toEqual({ code: 0, signal: null });
  });

  test('does not wait for idle connections', async () => {
    const child = await startChild(await migratedPlace());
    const { port } = new URL(child.origin);
    const idle = connect(Number(port), '127.0.0.1');
    await new Promise((resolve) => idle.once('connect', resolve));
    expect((await child.call('GET /healthz')).status).toBe(200);
    expect(await child.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });
});

test('a shutdown answers stored writes and unfinished uploads within ten seconds', async () => {
  const place = await migratedPlace();
  const child = await startChild(place, ADMIN_SETTINGS);
  const { volunteer, activity } = await openDistrict(child);
  const [kept, lost]: [string[], string[]] = [[], []];
  let isOver = false;
  const writers = [1, 2, 3, 4].map(async (writer) => {
    for (let number = 1; !isOver; number++) {
      const notes = `writer ${writer} number ${number}`;
      const body = { activityId: activity.id, hours: 0.25, notes };
      const { status } = await child.call('POST /api/time-entries', { token: volunteer, body }).catch(() => {
        isOver = true;
        return { status: 0 };
      });
      (status === 201 ? kept : lost).push(notes);
    }
  });
  const upload = connect(Number(new URL(child.origin).port), '127.0.0.1');
  let reply = '';
  upload.setEncoding('utf8').on('data', (text: string) => {
    reply += text;
  });
  upload.on('error', () => undefined);
  upload.write(
    `POST /api/activities/${activity.id}/photos HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${volunteer}\r\n` +
      'Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 1000000\r\n\r\n' +
      '--x\r\nContent-Disposition: form-data; name="photos"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\nabc',
  );
  // It never ends its body, not even after the answer.
  const sending = setInterval(() => upload.write('x'), 100);
  atEnd(() => clearInterval(sending));
  await expect.poll(() => kept.length).toBeGreaterThan(20);
  const began = performance.now();
  const ended = await child.end('SIGTERM');
  expect([ended, performance.now() - began < 10_000]).toEqual([{ code: 0, signal: null }, true]);
  await Promise.all(writers);
  expect(reply).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n(.+\r\n)*retry-after: 10\r\n/i);
  const database = await openDatabase(place);
  atEnd(() => database.close());
  const rows = await database.db.selectFrom('time_entries').select('notes').execute();
  expect(rows.map(({ notes }) => notes ?? '').toSorted()).toEqual(kept.toSorted());
  // Each writer's last call found nobody.
  expect(lost.length).toBeLessThanOrEqual(writers.length);
});

test('logs contain no private data, even at debug level', async () => {
  const place = await migratedPlace();
  const child = await startChild(place, {
    ...ADMIN_SETTINGS,
    LOG_LEVEL: 'debug',
    REQUEST_LOG: 'on',
    SLOW_REQUEST_MS: '1',
    SLOW_QUERY_MS: '1',
  });
  const { volunteer, admin, school, activity } = await openDistrict(child);
  const person = {
    email: `${CANARY}@maplegrove.example`,
    password: `${CANARY}-password`,
    firstName: CANARY,
    lastName: CANARY,
    schoolIds: [school.id],
  };
  const registered = await child.call('POST /api/auth/register', { body: person });
  expect(registered.status).toBe(201);
  const entry = { activityId: activity.id, hours: 1, notes: CANARY };
  const calls: [string, Parameters<Child['call']>[1]][] = [
    ['POST /api/auth/register', { body: person }],
    ['POST /api/auth/login', { body: { email: person.email, password: person.password } }],
    ['POST /api/auth/login', { body: { email: person.email, password: CANARY } }],
    ['GET /api/profile', { token: `${CANARY}-${CANARY}` }],
    [`GET /api/auth/verify-reset-token/${CANARY}`, {}],
    [`POST /api/auth/verify-reset-token/${CANARY}`, { body: { [CANARY]: CANARY } }],
    ['POST /api/auth/reset-password', { body: { token: CANARY, newPassword: `${CANARY}-new` } }],
    [`GET /api/${CANARY}?token=${CANARY}`, {}],
    [`GET /%zz${CANARY}`, {}],
    [`GET /api/auth/verify-reset-token/${CANARY.repeat(30)}`, {}],
    ['POST /api/time-entries', { token: volunteer, body: entry, headers: { 'idempotency-key': CANARY } }],
    ['POST /api/time-entries', { token: volunteer, body: { ...entry, hours: CANARY } }],
    [`GET /api/admin/schools?search=${CANARY}&cursor=${CANARY}`, { token: admin }],
  ];
  for (const [call, options] of calls) expect((await child.call(call, options)).status).toBeLessThan(500);
  // The pages may not be built.
  await child.call(`GET /?token=${CANARY}`);
  const raw = [
    `POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 40\r\n\r\n{"${CANARY}`,
    `GET /${CANARY} HTTP/1.1\r\nHost: x\r\n${CANARY}\r\n\r\n`,
    `${CANARY} / HTTP/9\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${CANARY.repeat(2000)}\r\n\r\n`,
  ];
  for (const text of raw) await sendAndHangUp(child, text);

  // A bug: the database refuses a row for a reason that the product does not know.
  const database = await openDatabase(place);
  atEnd(() => database.close());
  await refuseNewCanaries(database);
  const bug = await child.call('POST /api/auth/register', {
    body: { ...person, email: `second-${person.email}` },
  });
  expect([bug.status, bug.body]).toEqual([500, { error: 'Request failed', requestId: expect.any(String) }]);

  expect(await child.end('SIGTERM')).toEqual({ code: 0, signal: null });
  const logged = child.stdout() + child.stderr();
  expect(logged).toContain(bug.body.requestId);
  expect(logged).toContain(' warn slow request ');
  expect(linesOf(child, 'request').find((line) => line['id'] === bug.body.requestId)).toMatchObject({
    method: 'POST',
    route: '/api/auth/register',
    status: 500,
    milliseconds: expect.any(Number),
    accountId: null,
  });
  const secrets = [CANARY, ADMIN.password, volunteer, admin, registered.body.token, 'maplegrove.example'];
  for (const secret of secrets) {
    const lines = logged
      .split('\n')
      .filter((line) => line.includes(secret) && !line.startsWith('Sign in at'));
    expect(lines).toEqual([]);
  }
});

function linkToken(child: Child): string {
  const [, token] = /\?token=([A-Za-z0-9_-]{43})\n/.exec(child.stdout()) ?? [];
  if (token === undefined) throw new Error(`no link in: ${child.stdout()}`);
  return token;
}

/** A request whose headers have reached the server, which now waits for the body. */
async function slowRequest(child: Child, body: string) {
  const socket = connect(Number(new URL(child.origin).port), '127.0.0.1');
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  const reply = new Promise<string>((resolve, reject) => {
    socket.once('close', () => resolve(received)).once('error', reject);
  });
  const taken = new Promise<void>((resolve) => {
    // The server sends "100 Continue" once it has accepted the request.
    socket.once('data', () => resolve());
  });
  socket.write(
    `POST /api/auth/login HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`,
  );
  await taken;
  return { reply, send: (text: string) => socket.write(text) };
}

async function refusesConnections(child: Child): Promise<void> {
  const port = Number(new URL(child.origin).port);
  for (;;) {
    const refused = await new Promise<boolean>((resolve) => {
      const probe = connect(port, '127.0.0.1', () => {
        probe.destroy();
        resolve(false);
      }).once('error', () => resolve(true));
    });
    if (refused) return;
    await new Promise((resume) => setTimeout(resume, 5));
  }
}

function sendAndHangUp(child: Child, text: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(child.origin).port), '127.0.0.1', () => {
      socket.end(text);
    });
    socket.on('error', () => undefined).once('close', () => resolve());
    socket.resume();
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** No process has the database open any more, and it is intact. */
async function expectClosed(place: Place): Promise<void> {
  if (ENGINE === 'sqlite') {
    expect(readdirSync(place.dataDir).toSorted()).toEqual([
      'database.mark',
      'photos',
      'reserve',
      'secret.key',
      'server.lock',
      'uploads',
      'volunteer-time.db',
    ]);
    const file = new BetterSqlite(join(place.dataDir, 'volunteer-time.db'), { readonly: true });
    expect(file.pragma('integrity_check', { simple: true })).toBe('ok');
    file.close();
    return;
  }
  expect(existsSync(join(place.dataDir, 'volunteer-time.db'))).toBe(false);
  const database = await openDatabase(place);
  // The server's side of a closed connection takes a moment to end.
  await expect
    .poll(async () => {
      const { rows } = await sql<{ others: number }>`select count(*) as others from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`.execute(database.db);
      return rows;
    })
    .toEqual([{ others: 0 }]);
  await database.close();
}

async function refuseNewCanaries(database: Awaited<ReturnType<typeof openDatabase>>): Promise<void> {
  if (ENGINE === 'sqlite') {
    await sql`create trigger no_canaries before insert on users begin select raise(abort, 'broken'); end`.execute(
      database.db,
    );
    return;
  }
  // PostgreSQL's error shows the whole row that a check refuses.
  await sql`alter table users add constraint no_canaries check (id < 0) not valid`.execute(database.db);
}

test('many requests on one connection cause no listener leak warning', async () => {
  const child = await startChild(await migratedPlace(), ADMIN_SETTINGS);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  atEnd(() => agent.destroy());
  const statusOf = () =>
    new Promise<number | undefined>((resolve, reject) => {
      get(`${child.origin}/healthz`, { agent }, (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode));
      }).once('error', reject);
    });
  for (let asked = 0; asked < 15; asked += 1) expect(await statusOf()).toBe(200);
  // Node warns of a leak at the eleventh listener that one connection was given.
  expect(child.stderr()).toMatch(ONLY_AS_ROOT);
});

test('an incomplete request body is logged, but not as an error', async () => {
  const child = await startChild(await migratedPlace(), { LOG_LEVEL: 'info' });
  const { port } = new URL(child.origin);
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => undefined);
  const head = 'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
  socket.write(`${head}Content-Length: 100\r\n\r\n{"email":`, () => socket.destroy());
  await expect.poll(() => child.stdout()).toContain('ended within a request');
  expect(child.stdout()).not.toContain(' error ');
  await child.end('SIGTERM');
});

test('REQUEST_LOG logs one line per request, with route and account but without the URL', async () => {
  const child = await startChild(await migratedPlace(), {
    ...ADMIN_SETTINGS,
    LOG_LEVEL: 'silent',
    REQUEST_LOG: 'on',
  });
  const { body } = await child.call('POST /api/auth/login', { body: ADMIN });
  const profile = await child.call(`GET /api/profile?${CANARY}=1`, { token: body.token });
  await child.call(`GET /nothing/${CANARY}`);
  await sendAndHangUp(child, `GET /api/photos/7 HTTP/1.1\r\nHost: x\r\n\r\n`);
  await child.end('SIGTERM');

  // Without those that waited for the start.
  const lines = linesOf(child, 'request').filter(({ route }) => route !== '/readyz');
  expect(lines.map(({ method, route, status, accountId }) => [method, route, status, accountId])).toEqual([
    ['POST', '/api/auth/login', 200, null],
    ['GET', '/api/profile', 200, body.user.id],
    ['GET', '(none)', 404, null],
    // Who hangs up at once may be gone before the answer is.
    ['GET', '/api/photos/:id', expect.toBeOneOf([401, 499]), null],
  ]);
  expect(lines[1]?.['id']).toBe(profile.headers['x-request-id']);
  expect(child.stdout()).not.toContain(CANARY);
});

function linesOf(child: Child, message: string): Record<string, unknown>[] {
  return child
    .stdout()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
    .filter((line) => line.msg === message);
}
