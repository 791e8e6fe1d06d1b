import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import type { Backup } from '#features/operations/contract.ts';
import { emailBackupStatus } from '#features/operations/server/emails.ts';
import { plusMilliseconds } from '#shared/calendar-date.ts';
import { anActivity, anAdministrator, aPerson, aSchool } from '#test/builders.ts';
import { runCommand } from '#test/command.ts';
import { fullTest } from '#test/full-test.ts';
import { atEnd, startApp, type TestApp } from '#test/harness.ts';
import { phonePhoto } from '#test/images/draw-image.ts';
import { emailsSentTo } from '#test/sent-emails.ts';
import { upload } from '#test/upload.ts';
import { getServerStates, setServerState } from '../db/server-state.ts';
import { THIS_PROCESS } from '../process/process-identity.ts';
import { readBackupState } from './backup-status.ts';
import { NOTE_BYTES } from './backup-storage.ts';
import { openFolderBackupStorage } from './folder-backup-storage.ts';
import { backupsIn, manifestText } from './manifest.ts';
import { backUpIfDue, startNightlyBackup } from './nightly-backup.ts';
import { findRestoreTest, writeRestoreTest } from './restore-test-record.ts';

vi.setConfig({ testTimeout: 120_000 });

const PROGRAM = new URL('../../app/server/backup-process.ts', import.meta.url);
const NEVER = new AbortController().signal;

/** Programs that end as the process of a backup may. */
const ANSWERS =
  "process.send({ made: { to: '/mnt', bytes: 1, milliseconds: 1, notes: [] } }, () => process.exit());";
const FAILS = "process.send({ failed: 'the disk is full' }, () => process.exit());";
const DIES = "throw new Error('no such module');";
const HANGS = 'setInterval(() => {}, 1000);';

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'nightly-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function aProgram(text: string): URL {
  const path = join(aFolder(), 'program.mjs');
  writeFileSync(path, text);
  return pathToFileURL(path);
}

async function aDistrict(settings: Record<string, string> = {}) {
  const to = settings['BACKUP_TO'] ?? join(aFolder(), 'backups');
  const app = await startApp({ BACKUP_TO: to, BACKUP_AT: '01:30', ...settings });
  return { app, to };
}

/** Lets the server look whether a backup is due, and make it with this program. */
function look(app: TestApp, program: string | URL = ANSWERS, silentMs = 60_000) {
  const { DATA_DIR, DATABASE_URL } = { DATA_DIR: app.dataDir, DATABASE_URL: app.databaseUrl };
  return backUpIfDue(
    app.deps,
    {
      program: typeof program === 'string' ? aProgram(program) : program,
      environment: { DATA_DIR, DATABASE_URL, BACKUP_TO: app.deps.config.backup?.to, TIME_ZONE: 'UTC' },
      sendFailureEmail: emailBackupStatus,
      silentMs,
    },
    NEVER,
  );
}

function changedCopy(from: string, to: string, change: object): void {
  cpSync(from, to, { recursive: true });
  const path = join(to, 'manifest.json');
  const { checksum: _, ...manifest } = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, manifestText({ ...manifest, ...change }));
}

/** The photo files of the only backup in a folder, with their inodes. */
function photoInodes(folder: string): (readonly [name: string, inode: number])[] {
  const [backup = '', ...others] = readdirSync(folder);
  expect(others).toEqual([]);
  const photos = join(folder, backup, 'photos');
  const names = readdirSync(photos, { recursive: true, encoding: 'utf8' }).toSorted();
  return names
    .map((name) => [name, statSync(join(photos, name))] as const)
    .filter(([, found]) => found.isFile())
    .map(([name, { ino }]) => [name, ino] as const);
}

const stateOf = (app: TestApp) => readBackupState(app.deps.database.db);

test('the nightly backup runs in a separate process, and hard-links photos of the previous night', async () => {
  const { app, to } = await aDistrict();
  const school = await aSchool(app, { name: 'Lincoln' });
  const volunteer = await aPerson(app, { schools: [school] });
  const activity = await anActivity(app, { school });
  const files = [{ name: 'fair.jpg', content: await phonePhoto(60, 50) }];
  expect((await upload(app, { by: volunteer, to: activity, files })).status).toBe(201);
  await look(app, PROGRAM);
  expect(await stateOf(app)).toMatchObject({ to, lastError: null, lastAt: app.clock.now() });
  const before = photoInodes(to);
  app.clock.advance(86_400_000);
  await look(app, PROGRAM);
  expect(photoInodes(to)).toEqual(before);
  // Both are of today by the machine's clock, so of the nightly ones the newer stays, with every photo.
  const [only = ''] = readdirSync(to);
  const manifest = JSON.parse(readFileSync(join(to, only, 'manifest.json'), 'utf8'));
  expect(manifest).toMatchObject({ nightly: true, photos: { files: 3, missing: [] } });
  for (const { name, bytes } of manifest.files) {
    expect([name, readFileSync(join(to, only, name)).length]).toEqual([name, bytes]);
  }
});

fullTest('the nightly backup deletes no backups made manually or by another district', async () => {
  const { app, to } = await aDistrict();
  const byHand = async () => {
    const before = new Set(existsSync(to) ? readdirSync(to) : []);
    expect(await runCommand('backup', app, ['--to', to])).toMatchObject({ code: 0 });
    return readdirSync(to).filter((name) => !before.has(name));
  };
  const kept = [...(await byHand()), ...(await byHand())];
  await look(app, PROGRAM);
  const [nightly = ''] = readdirSync(to).filter((name) => !kept.includes(name));
  const [older, another] = [`${nightly}-older`, `${nightly}-another`];
  const { takenAt } = JSON.parse(readFileSync(join(to, nightly, 'manifest.json'), 'utf8'));
  changedCopy(join(to, nightly), join(to, older), { takenAt: plusMilliseconds(takenAt, -1) });
  const secretKey = { from: 'file', fingerprint: 'f'.repeat(64) };
  changedCopy(join(to, nightly), join(to, another), { secretKey });
  // Anyone who makes one by hand removes none.
  kept.push(...(await byHand()), another);
  expect(readdirSync(to).toSorted()).toEqual([...kept, nightly, older].toSorted());
  app.clock.advance(86_400_000);
  await look(app, PROGRAM);
  const there = readdirSync(to);
  expect(there).toEqual(expect.arrayContaining(kept));
  // The nightly ones are of one day by the machine's clock, and only the newest stays.
  expect([kept.length, there.length]).toEqual([4, 5]);
  expect(there.filter((name) => [nightly, older].includes(name))).toEqual([]);
});

test('the nightly backup runs once a night after the configured time, however many checks there are', async () => {
  const { app } = await aDistrict();
  const count = join(aFolder(), 'count');
  const counted = `import { appendFileSync } from 'node:fs'; appendFileSync('${count}', 'x'); ${ANSWERS}`;
  const made = async () => {
    await Promise.all([look(app, counted), look(app, counted), look(app, counted)]);
    await look(app, counted);
    return readFileSync(count, 'utf8').length;
  };
  // Noon: the first one is made at once.
  expect(await made()).toBe(1);
  app.clock.set('2026-03-05T07:29:00.000Z');
  expect(await made()).toBe(1);
  app.clock.set('2026-03-05T07:30:00.000Z');
  expect(await made()).toBe(2);
  // Two nights were missed: made up in the morning, before the time.
  app.clock.set('2026-03-08T05:00:00.000Z');
  expect(await made()).toBe(3);
});

test('a failed backup is stored, retried hourly and emailed once a day, and its recovery is emailed', async () => {
  const { app } = await aDistrict();
  const { email } = await anAdministrator(app);
  const volunteer = await aPerson(app, { schools: [await aSchool(app)] });
  const subjects = async () => (await emailsSentTo(app, email)).map(({ subject }) => subject);
  await look(app, FAILS);
  expect(await stateOf(app)).toMatchObject({ lastAt: null, lastError: 'the disk is full' });
  const [letter] = await emailsSentTo(app, email);
  expect(letter?.text).toContain('the disk is full');
  app.clock.advance(59 * 60_000);
  await look(app);
  expect(await stateOf(app)).toMatchObject({ lastAt: null });
  app.clock.advance(60_000);
  await look(app, FAILS);
  const failed = 'The backup of Maple Grove Schools failed';
  expect(await subjects()).toEqual([failed]);
  app.clock.advance(86_400_000);
  await look(app, FAILS);
  expect(await subjects()).toEqual([failed, failed]);
  app.clock.advance(3_600_000);
  await look(app);
  expect(await stateOf(app)).toMatchObject({ lastAt: app.clock.now(), lastError: null });
  expect(await subjects()).toEqual([failed, failed, 'The backup of Maple Grove Schools works again']);
  expect(await emailsSentTo(app, volunteer.email)).toEqual([]);
});

test.each([
  ['on the same machine is retried at once', hostname(), true],
  ['on another machine is not retried at once', 'elsewhere', false],
])('a backup that failed before a restart %s', async (_case, host, isMade) => {
  const { app } = await aDistrict();
  await look(app, FAILS);
  const { db } = app.deps.database;
  const [turn] = (await getServerStates(db, ['backup:turn'])).values();
  const value = turn?.value.replace(THIS_PROCESS, `${host}/${process.pid}/before`) ?? '';
  expect(value).toContain('/before');
  await setServerState(db, 'backup:turn', value, app.clock.now());
  await look(app);
  expect((await stateOf(app)).lastAt !== null).toBe(isMade);
});

test.each([
  ['exits at once', DIES, 60_000, /^Its process exited without a result \(1\): .*/],
  [
    'is killed',
    "process.kill(process.pid, 'SIGKILL');",
    60_000,
    /^Its process exited without a result \(SIGKILL\)$/,
  ],
  ['hangs', HANGS, 2_000, /^It made no progress for 0 minutes and was stopped$/],
])('a backup process that %s is recorded as a failure', async (_how, program, silentMs, reason) => {
  const { app } = await aDistrict();
  await look(app, program, silentMs);
  expect((await stateOf(app)).lastError).toMatch(reason);
});

test('a backup is repeated five minutes after its server stopped', async () => {
  const { app } = await aDistrict();
  const stopping = new AbortController();
  const started = join(aFolder(), 'started');
  const program = aProgram(
    `import { writeFileSync } from 'node:fs'; writeFileSync('${started}', ''); ${HANGS}`,
  );
  const running = backUpIfDue(
    app.deps,
    { program, environment: {}, sendFailureEmail: emailBackupStatus },
    stopping.signal,
  );
  await expect.poll(() => existsSync(started), { timeout: 60_000 }).toBe(true);
  stopping.abort();
  await running;
  expect(await stateOf(app)).toMatchObject({ lastAt: null, lastError: null });
  app.clock.advance(4 * 60_000);
  await look(app);
  expect(await stateOf(app)).toMatchObject({ lastAt: null });
  app.clock.advance(60_000);
  await look(app);
  expect(await stateOf(app)).toMatchObject({ lastAt: app.clock.now() });
});

test('the nightly backup reports in one line a target that is missing or is a file', async () => {
  const { app, to } = await aDistrict();
  writeFileSync(to, '');
  await look(app, PROGRAM);
  expect((await stateOf(app)).lastError).toBe(`${to} is a file, not a folder`);
  renameSync(to, `${to}.file`);
  app.clock.advance(3_600_000);
  await look(app, PROGRAM);
  expect(await stateOf(app)).toMatchObject({ lastError: null, to });
  rmSync(to, { recursive: true });
  app.clock.advance(86_400_000);
  await look(app, PROGRAM);
  expect((await stateOf(app)).lastError).toBe(`${to} with the last backup is gone. Is its disk mounted?`);
  expect(existsSync(to)).toBe(false);
});

describe('a backup requested by an administrator', () => {
  /** A running server whose backups wait, after a first answer, until the file `go` is there. */
  async function aServer() {
    const { app, to } = await aDistrict();
    mkdirSync(to);
    const admin = await anAdministrator(app);
    const [go, count] = [join(aFolder(), 'go'), join(aFolder(), 'count')];
    const program = aProgram(
      `import { appendFileSync, existsSync } from 'node:fs'; appendFileSync('${count}', 'x');
      setInterval(() => process.send({ progress: { done: 1, total: 4 } }), 100);
      const answer = process.send.bind(process, { made: { to: '${to}', bytes: 5, milliseconds: 7, notes: [] } }, () => process.exit());
      setInterval(() => { if (existsSync('${go}')) answer(); }, 50);`,
    );
    const server = startNightlyBackup(app.deps, {
      program,
      environment: {},
      sendFailureEmail: emailBackupStatus,
    });
    atEnd(() => server.stop());
    const press = () => app.call('POST /api/admin/system/backup/run', { token: admin.token });
    const shown = async () =>
      (await app.call('GET /api/admin/system', { token: admin.token })).body.backup as Backup;
    const made = () => readFileSync(count, 'utf8').length;
    return { app, go, press, shown, made, server };
  }
  const soon = { timeout: 15_000, interval: 100 };

  test('runs once for several requests, and shows its progress and the next nightly backup', async () => {
    const { app, go, press, shown, made } = await aServer();
    await vi.waitFor(async () => expect((await shown()).runningSince).toBe(app.clock.now()), soon);
    expect((await press()).body.error).toBe('A backup is already running');
    writeFileSync(go, '');
    await vi.waitFor(async () => expect((await shown()).runningSince).toBeNull(), soon);
    // Noon in Chicago: the next one is of the night.
    expect(await shown()).toMatchObject({ isOn: true, lastBytes: 5, nextAt: '2026-03-05T07:30:00.000Z' });
    rmSync(go);
    app.clock.advance(60_000);
    const presses = await Promise.all(Array.from({ length: 20 }, press));
    expect(presses.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(409)]);
    await vi.waitFor(
      async () => expect(await shown()).toMatchObject({ progress: { done: 1, total: 4 }, nextAt: null }),
      soon,
    );
    writeFileSync(go, '');
    await vi.waitFor(async () => expect((await shown()).runningSince).toBeNull(), soon);
    expect([(await shown()).lastAt, made()]).toEqual([app.clock.now(), 2]);
    const { db } = app.deps.database;
    const runs = await db
      .selectFrom('audit_events')
      .select('after')
      .where('action', '=', 'system.job-run')
      .execute();
    expect(runs).toEqual([{ after: '{"job":"backup"}' }]);
  });

  test('ends with its server, and is repeated five minutes later', async () => {
    const { app, press, shown, server, go } = await aServer();
    writeFileSync(go, '');
    // Its time is noted a moment before its turn ends.
    await vi.waitFor(
      async () => expect(await shown()).toMatchObject({ lastAt: app.clock.now(), runningSince: null }),
      soon,
    );
    rmSync(go);
    expect((await press()).status).toBe(200);
    await server.stop();
    expect((await press()).status).toBe(503);
    expect(await shown()).toMatchObject({ lastError: null, runningSince: app.clock.now() });
    app.clock.advance(5 * 60_000);
    expect(await shown()).toMatchObject({ runningSince: null, nextAt: app.clock.now() });
    await look(app);
    expect((await shown()).lastAt).toBe(app.clock.now());
  });

  test('does not start on a server that is shutting down', async () => {
    const { app } = await aDistrict();
    const ending = new AbortController();
    const started = join(aFolder(), 'started');
    const how = {
      // Read in the last step before the process starts.
      get program() {
        ending.abort();
        return aProgram(`import { writeFileSync } from 'node:fs'; writeFileSync('${started}', ''); ${HANGS}`);
      },
      environment: {},
      sendFailureEmail: emailBackupStatus,
      silentMs: 2_000,
    };
    await backUpIfDue(app.deps, how, ending.signal);
    expect(existsSync(started)).toBe(false);
    expect(await stateOf(app)).toMatchObject({ lastError: null });
  });

  test('needs a backup target: the error names the setting', async () => {
    const app = await startApp();
    const { token } = await anAdministrator(app);
    const { status, body } = await app.call('POST /api/admin/system/backup/run', { token });
    expect([status, body.error]).toEqual([
      409,
      'Nightly backups are off. Ask your IT team to set BACKUP_TO to a folder on another disk or to a bucket.',
    ]);
    expect((await app.call('GET /api/admin/system', { token })).body.backup).toMatchObject({
      isOn: false,
      nextAt: null,
    });
  });
});

test('a restore test is recorded only from a valid note of the same district', async () => {
  const { app, to } = await aDistrict();
  await look(app, PROGRAM);
  const [backup] = backupsIn(to);
  if (backup === undefined) throw new Error('no backup was made');
  const tried = async () => {
    await findRestoreTest(app.deps);
    return (await stateOf(app)).lastRestoreTestAt;
  };
  const atInside = openFolderBackupStorage(backup.folder);
  await writeRestoreTest(atInside, backup.manifest, app.clock.now());
  const note = join(to, 'restored.json');
  expect(readFileSync(note, 'utf8')).toContain(app.clock.now());
  expect(await tried()).toBe(app.clock.now());
  const [at, told] = [app.clock.now(), readFileSync(note, 'utf8')];
  app.clock.advance(60_000);
  const later = told.replace(at, app.clock.now());
  const fingerprint = backup.manifest.secretKey.fingerprint;
  for (const strange of [
    '',
    'plum',
    '\u0000',
    '[]',
    later.replace(fingerprint, 'a'.repeat(64)),
    later.replace(app.clock.now(), '2199-01-01T00:00:00.000Z'),
    later.replace(app.clock.now(), '0001-01-01T00:00:00.000Z'),
    later + ' '.repeat(NOTE_BYTES),
  ]) {
    writeFileSync(note, strange);
    expect([strange.slice(0, 20), await tried()]).toEqual([strange.slice(0, 20), at]);
  }
  writeFileSync(note, later);
  expect(await tried()).toBe(app.clock.now());
  // The backups are all there still, and nothing else counts as one.
  expect(backupsIn(to)).toHaveLength(1);
  rmSync(to, { recursive: true });
  expect(await tried()).toBe(app.clock.now());
});
