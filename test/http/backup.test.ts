import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { sql } from 'kysely';
import { beforeAll, expect, test, vi } from 'vitest';
import { findDistrictLogo } from '#features/schools/server/logos.ts';
import { readBackupState } from '#server/backup/backup-status.ts';
import { createBackup } from '#server/backup/create-backup.ts';
import { backupsIn, manifestText } from '#server/backup/manifest.ts';
import { openBackupStorage } from '#server/backup/open-backup-storage.ts';
import { readConfig } from '#server/config.ts';
import { type Db, openDatabase } from '#server/db/database.ts';
import { appliedMigrations } from '#server/db/migrate.ts';
import { makeSecretKey } from '#server/secrets.ts';
import { openFileStorage } from '#server/storage/open-file-storage.ts';
import { anActivity, anAdministrator, anEntry, aPerson, aSchool, PASSWORD } from '#test/builders.ts';
import { runCommand } from '#test/command.ts';
import { fullTest } from '#test/full-test.ts';
import { atEnd, ENGINE, emptyPlace, migratedPlace, NOW, startApp, type TestApp } from '#test/harness.ts';
import { multipart, upload } from '#test/upload.ts';
import { phonePhoto } from '../images/draw-image.ts';
import { BEFORE, LATER, LATER_VERSION, oldDistrict } from '../old-version-district.ts';
import { startPostgres } from '../postgres-server.ts';
import { type Place, startChild } from '../server-process.ts';

/** Texts that a copy could spoil. */
const STRANGE = 'tab\tline\nback\\slash \\N quote\' "double" \u00e9\u4e16\u{1f600} end\\';

// Each test starts several processes, which takes long on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

let app: TestApp;
let volunteer: Awaited<ReturnType<typeof aPerson>>;
let photoCount = 0;

beforeAll(async () => {
  app = await startApp();
  const school = await aSchool(app, { name: 'Lincoln' });
  const activity = await anActivity(app, { school, name: 'Book fair' });
  volunteer = await aPerson(app, { schools: [school], email: 'vera@maplegrove.example' });
  const { token } = await anAdministrator(app);
  const logo = await multipart('logo', [{ name: 'maple.jpg', content: await phonePhoto(90, 30) }]);
  expect((await app.call('POST /api/admin/settings/logo', { token, ...logo })).status).toBe(200);
  await anEntry(app, { by: volunteer, activity, hours: 1.5, notes: STRANGE });
  await anEntry(app, { by: volunteer, activity, hours: 2.25, date: '2026-02-28' });
  await anEntry(app, { by: volunteer, activity, hours: 8, deletedBy: volunteer });
  const files = [{ name: 'fair.jpg', content: await phonePhoto(60, 50) }];
  expect((await upload(app, { by: volunteer, to: activity, files })).status).toBe(201);
  await app.call('POST /api/auth/forgot-password', { body: { email: volunteer.email } });
  photoCount = 3;
});

test('a backup of a running district lists every file in its manifest', async () => {
  const to = await aBackup();
  const [name = ''] = readdirSync(to);
  const manifest = manifestIn(join(to, name));
  expect(manifest).toMatchObject({
    format: 2,
    encryptedTo: null,
    database: { engine: ENGINE, liveHundredths: 375, rows: { time_entries: 3, photos: 1 } },
    photos: { files: photoCount, missing: [] },
  });
  const stored = filesIn(join(to, name)).filter((file) => file !== 'manifest.json');
  expect(manifest.files.map((file: { name: string }) => file.name).sort()).toEqual(stored.sort());
  expect(stored).toContain('secret.key');
  for (const file of filesIn(join(to, name))) {
    expect([file, statSync(join(to, name, file)).mode & 0o777]).toEqual([file, 0o600]);
  }
});

fullTest('the database stores the last backup, and why the newest attempt failed', async () => {
  const to = aFolder();
  const started = new Date().toISOString();
  await backup(to);
  const made = await readBackupState(app.deps.database.db);
  expect(made).toMatchObject({ to, lastError: null, lastErrorAt: null, lastRestoreTestAt: null });
  expect([(made.lastAt ?? '') >= started, (made.lastBytes ?? 0) > 1_000, made.lastMilliseconds]).toEqual([
    true,
    true,
    expect.any(Number),
  ]);

  const file = join(aFolder(), 'file');
  writeFileSync(file, '');
  expect(await backup(file)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No backup was made.'),
  });
  const failed = await readBackupState(app.deps.database.db);
  expect(failed).toMatchObject({ lastAt: made.lastAt, to, lastError: `${file} is a file, not a folder` });

  await backup(to);
  expect(await readBackupState(app.deps.database.db)).toMatchObject({ lastError: null });
});

test('the next backup hard-links the photos of the previous one', async () => {
  const to = await aBackup();
  await backup(to);
  const [first = '', second = ''] = readdirSync(to).sort();
  const photos = filesIn(join(to, first)).filter((file) => file.startsWith('photos/'));
  expect(photos).toHaveLength(photoCount);
  for (const photo of photos) {
    expect(statSync(join(to, second, photo)).ino).toBe(statSync(join(to, first, photo)).ino);
  }
});

test('a restored district has every row and photo, but no sessions', async () => {
  const to = await aBackup();
  const place = await emptyPlace();
  expect(await restore(to, place)).toMatchObject({ code: 0, stderr: '' });
  const [{ manifest } = expect.fail('there is one backup')] = backupsIn(to);
  expect(JSON.parse(readFileSync(join(to, 'restored.json'), 'utf8'))).toEqual({
    restoredAt: expect.any(String),
    takenAt: manifest.takenAt,
    keyFingerprint: manifest.secretKey.fingerprint,
  });
  await expectRestored(place);
});

fullTest('a restored district has its logo', async () => {
  const place = await emptyPlace();
  await restore(await aBackup(), place);
  const child = await startChild(place);
  const { logo } = (await app.call('GET /api/config')).body;
  expect((await child.call('GET /api/config')).body.logo).toEqual(logo);
  const shown = await fetch(`${child.origin}${logo.url}`);
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png']);
  const { deps } = app;
  expect(Buffer.from(await shown.arrayBuffer())).toEqual((await findDistrictLogo(deps.database.db))?.content);
  await child.end('SIGTERM');
});

fullTest('a backup from one engine is restored into the other', async () => {
  const to = await aBackup();
  const place = await emptyPlaceOfTheOtherEngine();
  expect(await restore(to, place)).toMatchObject({ code: 0, stderr: '' });
  await expectRestored(place);
});

fullTest('a backup that passed through the other engine is restored, and new rows get new ids', async () => {
  const to = await aBackup();
  const other = await emptyPlaceOfTheOtherEngine();
  await restore(to, other);
  const again = aFolder();
  expect(await backup(again, { place: other })).toMatchObject({ code: 0, stderr: '' });
  const place = await emptyPlace();
  expect(await restore(again, place)).toMatchObject({ code: 0, stderr: '' });
  await expectRestored(place);
});

fullTest('restoring an encrypted backup requires its key', async () => {
  const identity = await generateIdentity();
  const recipient = await identityToRecipient(identity);
  const to = aFolder();
  expect(await backup(to, { args: ['--recipient', recipient] })).toMatchObject({ code: 0, stderr: '' });
  const everything = filesIn(to).map((file) => readFileSync(join(to, file), 'latin1'));
  expect(everything.filter((content) => content.includes('vera@maplegrove'))).toEqual([]);

  const keys = join(aFolder(), 'keys.txt');
  writeFileSync(keys, `# created: today\n${await generateIdentity()}\n`);
  const place = await emptyPlace();
  expect((await restore(to, place)).stderr).toContain('--identity');
  const wrong = await restore(to, place, ['--identity', keys]);
  expect(wrong).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('cannot be decrypted with this key'),
  });
  expect(readdirSync(place.dataDir)).toEqual([]);
  writeFileSync(keys, `${identity}\n`);
  expect(await restore(to, place, ['--identity', keys])).toMatchObject({ code: 0, stderr: '' });
  await expectRestored(place);
});

test.each(['database', 'photos/', 'secret.key'])(
  'a backup with a damaged %s is rejected in one line, and nothing changes',
  async (part) => {
    const to = await aBackup();
    const damaged = filesIn(to).find((file) => file.includes(part)) ?? '';
    appendFileSync(join(to, damaged), 'x');
    const place = await emptyPlace();
    const { code, stderr } = await restore(to, place);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Nothing was restored\. The backup is damaged: \S+ has changed\n$/);
    expect(readdirSync(place.dataDir)).toEqual([]);
  },
);

test('a manifest with one changed character is rejected', async () => {
  const folder = join(await aBackup(), readdirSync(await aBackup())[0] ?? '');
  const path = join(folder, 'manifest.json');
  const text = readFileSync(path, 'utf8');
  for (const [from, to] of [
    ['"format": 2', '"format": 1'],
    ['"liveHundredths": 375', '"liveHundredths": 376'],
    ['"checksum"', '"checksun"'],
  ] as const) {
    expect(text).toContain(from);
    writeFileSync(path, text.replace(from, to));
    expect((await restore(folder, await emptyPlace())).stderr).toContain('manifest.json is damaged');
  }
});

test('a disk with only lost+found counts as empty, and a failed restore preserves it', async () => {
  const to = await aBackup();
  const place = await emptyPlace();
  mkdirSync(join(place.dataDir, 'lost+found'));
  const damaged = await aBackup();
  appendFileSync(join(damaged, readdirSync(damaged)[0] ?? '', 'secret.key'), 'x');
  expect((await restore(damaged, place)).code).toBe(1);
  expect(readdirSync(place.dataDir)).toEqual(['lost+found']);
  expect((await restore(to, place)).code).toBe(0);
});

test('a backup dated years ahead by a wrong clock is not the newest', async () => {
  const to = await aBackup();
  const [name = ''] = readdirSync(to);
  const { takenAt, checksum: _, ...manifest } = manifestIn(join(to, name));
  const ahead = join(to, '2035-03-04T18-00-00-000Z');
  cpSync(join(to, name), ahead, { recursive: true });
  writeFileSync(
    join(ahead, 'manifest.json'),
    manifestText({ ...manifest, takenAt: '2035-03-04T18:00:00.000Z' }),
  );
  expect((await restore(to, await emptyPlace())).stdout).toContain(`as of ${takenAt}`);
});

test('a restore does not change a target that is not empty', async () => {
  const to = await aBackup();
  const before = readFileSync(join(app.dataDir, 'secret.key'), 'utf8');
  const { code, stderr } = await restore(to, app);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Nothing was restored\. DATA_DIR: .* is not empty.*\n$/);
  expect(readFileSync(join(app.dataDir, 'secret.key'), 'utf8')).toBe(before);
  expect((await app.call('GET /api/profile', { token: volunteer.token })).status).toBe(200);
});

fullTest('a restore ignores an incomplete backup and uses the newest complete one', async () => {
  const to = await aBackup();
  const [whole = ''] = readdirSync(to);
  await backup(to);
  const half = readdirSync(to).find((name) => name !== whole) ?? '';
  rmSync(join(to, half, 'manifest.json'));
  const place = await emptyPlace();
  const { code, stdout } = await restore(to, place);
  expect(code).toBe(0);
  expect(stdout).toContain(`as of ${manifestIn(join(to, whole)).takenAt}`);
  expect((await restore(join(to, half), await emptyPlace())).stderr).toContain('contains no complete backup');
});

fullTest('--at restores the newest backup of that time or earlier', async () => {
  const to = await aBackup();
  const [first = ''] = readdirSync(to);
  await backup(to);
  const { takenAt } = manifestIn(join(to, first));
  const { stdout } = await restore(to, await emptyPlace(), ['--at', takenAt]);
  expect(stdout).toContain(`as of ${takenAt}`);
  const early = await restore(to, await emptyPlace(), ['--at', '2020-01-01T00:00:00Z']);
  expect(early.stderr).toContain('no complete backup from 2020-01-01T00:00:00.000Z or earlier');
});

fullTest('a restore prefers the district with data to an empty one that was backed up later', async () => {
  const to = await aBackup();
  const [full = ''] = readdirSync(to);
  const empty = await migratedPlace();
  makeSecretKey({ ...empty, secretKey: undefined });
  expect((await backup(to, { place: empty })).code).toBe(0);
  const newest = readdirSync(to).find((name) => name !== full && name > full) ?? '';
  expect((await restore(to, await emptyPlace())).stdout).toContain('Restored 3 time entries');
  const alone = aFolder();
  cpSync(join(to, newest), join(alone, newest), { recursive: true });
  expect((await restore(alone, await emptyPlace())).stderr).toContain(
    `contains only backups of an empty district (no schools, no hours). To restore one anyway, name it: --from ${join(alone, newest)}`,
  );
  expect((await restore(join(alone, newest), await emptyPlace())).code).toBe(0);
});

fullTest('a restore lists the districts in a folder of several, and restores the requested one', async () => {
  const to = await aBackup();
  const other = await startApp({ DISTRICT_NAME: 'Cedar Creek' });
  await aSchool(other, { name: 'Cedar' });
  expect((await backup(to, { place: other, settings: { DISTRICT_NAME: 'Cedar Creek' } })).code).toBe(0);
  const { code, stderr } = await restore(to, await emptyPlace());
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(
      /several districts, or of one whose key was changed\. Choose one of these:\n {2}--district [0-9a-f]{8} {2}\S.+, 3 time entries, .+\n {2}--district [0-9a-f]{8} {2}Cedar Creek, 0 time entries, newest backup /,
    ),
  ]);
  const [, key = ''] = /--district (\S+)/.exec(stderr) ?? [];
  const chosen = await restore(to, await emptyPlace(), ['--district', key]);
  expect(chosen.stdout).toContain('Restored 3 time entries');
  expect((await restore(to, await emptyPlace(), ['--district', 'ffff'])).stderr).toContain(
    'no district ffff',
  );
});

fullTest('a server with BACKUP_TO makes backups, and stops in time during one', async () => {
  const [to, place] = [aFolder(), await emptyPlace()];
  const child = await startChild(place, { BACKUP_TO: to });
  await vi.waitFor(() => expect(backupsIn(to)).toHaveLength(1), { timeout: 60_000, interval: 100 });
  expect(await child.end('SIGTERM')).toEqual({ code: 0, signal: null });
  const [made = ''] = readdirSync(to);
  expect(await restore(join(to, made), await emptyPlace())).toMatchObject({ code: 0, stderr: '' });
});

fullTest('two backups that start in the same millisecond get different times', async () => {
  const depot = await openBackupStorage(aFolder(), app.dataDir);
  const [first, second] = [await depot.begin(NOW), await depot.begin(NOW)];
  expect([first.moment, second.moment]).toEqual([NOW, '2026-03-04T18:00:00.001Z']);
  await first.discard();
  await second.discard();
});

// Only root may mount a small disk.
test.skipIf(process.getuid?.() !== 0)(
  'a backup to a full disk fails with one line and leaves no incomplete backup',
  async () => {
    const folder = join(aFolder(), 'full');
    mkdirSync(folder);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]);
    try {
      expect(await backup(folder)).toEqual({
        code: 1,
        stdout: '',
        stderr: 'No backup was made. The disk is full. The incomplete backup was removed\n',
      });
      expect(readdirSync(folder)).toEqual([]);
    } finally {
      execFileSync('umount', [folder]);
    }
  },
);

test('a backup to the data disk prints a warning', async () => {
  const to = join(dirname(app.dataDir), `beside-${basename(app.dataDir)}`);
  atEnd(() => rmSync(to, { recursive: true, force: true }));
  const { stdout } = await backup(to);
  expect(stdout).toContain(`Note: ${to} is on the same disk as DATA_DIR, so one disk failure loses both`);
});

test('a backup to a file instead of a folder is rejected in one line', async () => {
  const file = join(aFolder(), 'file');
  writeFileSync(file, '');
  for (const to of [file, join(file, 'deeper')]) {
    const { code, stderr } = await backup(to);
    expect([code, stderr.split('\n').length]).toEqual([1, 2]);
    expect(stderr).toMatch(/^No backup was made\. /);
  }
});

test('a restore lists the settings that it does not apply, without their values', async () => {
  const to = aFolder();
  const settings = { SMTP_URL: 'smtp://hours:canary@mail.example.org', BACKUP_AT: '02:15' };
  await backup(to, { settings });
  const { stdout } = await restore(to, await emptyPlace(), [], { BACKUP_AT: '02:15' });
  expect(stdout).toMatch(/^Settings are not restored\. .+ in the backup\): SMTP_URL$/m);
  expect(stdout).toContain('There is no list of deleted people next to the backup.');
  expect(stdout).not.toContain('canary');
});

test('a user deleted after the backup stays deleted after a restore', async () => {
  const to = aFolder();
  const own = await startApp({ BACKUP_TO: to });
  const school = await aSchool(own);
  const activity = await anActivity(own, { school });
  const { token } = await anAdministrator(own);
  const person = { schools: [school], lastName: 'Featherstone', email: 'featherstone@maplegrove.example' };
  const [ann, bob] = [await aPerson(own, person), await aPerson(own)];
  await anEntry(own, { by: ann, activity, hours: 1.5 });
  expect((await backup(to, { place: own })).code).toBe(0);
  const [first = ''] = readdirSync(to);
  expect((await own.call(`POST /api/admin/users/${ann.id}/erase`, { token })).status).toBe(200);
  // As if the backups had been away at that moment: the next one lists what is missing.
  rmSync(join(to, 'erased.txt'));
  expect((await backup(to, { place: own })).code).toBe(0);
  // Somebody with Bob's id in another history of this district.
  appendFileSync(join(to, 'erased.txt'), `${bob.id} 2020-01-01T00:00:00.000Z\n`);

  const place = await emptyPlace();
  const { code, stdout } = await restore(join(to, first), place);
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining('People who were deleted after that time and have been deleted again: 1\n'),
  ]);
  const database = await openDatabase(place);
  try {
    const content = await contentOf(database.db);
    expect(JSON.stringify(content)).not.toMatch(/featherstone/i);
    expect(content['users']?.map((row) => row['email'])).toContain(bob.email);
    expect(content['time_entries']).toMatchObject([{ user_id: ann.id, hours_hundredths: 150 }]);
  } finally {
    await database.close();
  }
});

test('a backup from an older version is restored and migrated', async () => {
  const old = await emptyPlace();
  await oldDistrict(old);
  const config = readConfig({ DATA_DIR: old.dataDir, DATABASE_URL: old.databaseUrl });
  makeSecretKey(config);
  const to = aFolder();
  const [store, depot] = [await openFileStorage(config), await openBackupStorage(to, old.dataDir)];
  await createBackup({
    ...{
      config,
      store,
      storage: depot,
      settings: {},
      recipient: undefined,
      program: '0.1.0',
      nightly: false,
      now: NOW,
    },
    photoFiles: () => Readable.from([]),
    districtName: async () => 'Maple Grove Schools',
    erasedAccounts: async () => [],
    onProgress: () => undefined,
  });
  const restored = await emptyPlace();
  expect(await restore(to, restored, [], LATER_VERSION)).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringContaining('Restored 3 time entries'),
  });
  const database = await openDatabase(restored);
  expect(await appliedMigrations(database)).toEqual([BEFORE, LATER]);
  await database.close();
});

test('a restore rejects a missing SECRET_KEY, or one that differs from the backup’s', async () => {
  const to = aFolder();
  await backup(to, { settings: { SECRET_KEY: 'k'.repeat(40) } });
  const place = await emptyPlace();
  expect((await restore(to, place)).stderr).toContain('SECRET_KEY: set it');
  const other = await restore(to, place, [], { SECRET_KEY: 'o'.repeat(40) });
  expect(other.stderr).toContain('SECRET_KEY: is not the key');
  expect(existsSync(join(place.dataDir, 'secret.key'))).toBe(false);
});

test('backup and restore reject wrong arguments', async () => {
  expect(await backup(aFolder(), { args: ['--nowhere'] })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Usage'),
  });
  expect((await runCommand('restore', app, [])).code).toBe(2);
  const recipient = await backup(aFolder(), { args: ['--recipient', 'somebody'] });
  expect(recipient).toMatchObject({ code: 1, stderr: expect.stringContaining('--recipient: must be') });
});

async function expectRestored(place: Place): Promise<void> {
  const database = await openDatabase(place);
  try {
    const [before, after] = [await contentOf(app.deps.database.db), await contentOf(database.db)];
    const ended = ['sessions', 'password_links', 'emails'];
    for (const table of ended) expect([table, after[table]]).toEqual([table, []]);
    // A phone may still repeat a call from before the backup; the answer names what it made.
    expect(after['idempotency_keys']).toEqual(
      (before['idempotency_keys'] ?? [])
        .filter((row) => row['made_id'] !== null)
        .map((row) => ({ ...row, reply: null })),
    );
    // The other engine has other migration times, and a start to check the restore notes its daily jobs.
    for (const table of [
      ...ended,
      'idempotency_keys',
      'daily_jobs',
      'rate_limits',
      'schema_migrations',
      'schema_migrations_lock',
      'server_state',
    ]) {
      delete before[table];
      delete after[table];
    }
    // What photos have for screens is made by that start.
    for (const photo of [...(before['photos'] ?? []), ...(after['photos'] ?? [])]) {
      delete photo['large_sha256'];
      delete photo['screen_sha256'];
    }
    // The tests' clock is long past: a start that deletes what is kept no longer would be seen in the record.
    expect(after).toEqual(before);
    const highest = Math.max(...(before['time_entries'] ?? []).map((row) => Number(row['id'])));
    await expectNewIds(place, highest);
  } finally {
    await database.close();
  }
  const kept = filesIn(join(place.dataDir, 'photos')).filter(
    (file) => !file.endsWith('folder.id') && !file.endsWith('.avif'),
  );
  expect(kept).toHaveLength(photoCount);
}

/** After signing in again, people find their hours and log more. */
async function expectNewIds(place: Place, highest: number): Promise<void> {
  const child = await startChild(place);
  expect((await child.call('GET /api/profile', { token: volunteer.token })).status).toBe(401);
  const signedIn = await child.call('POST /api/auth/login', {
    body: { email: volunteer.email, password: PASSWORD },
  });
  expect(signedIn.status).toBe(200);
  const { token } = signedIn.body;
  const { body } = await child.call('GET /api/time-entries', { token });
  expect(body.timeEntries.map((entry: { notes: string | null }) => entry.notes)).toContain(STRANGE);
  const [{ school, activity }] = body.timeEntries;
  const schoolId = school?.id ?? signedIn.body.user.schools[0].id;
  const logged = await child.call('POST /api/time-entries', {
    token,
    body: { activityId: activity.id, schoolId, hours: 1 },
  });
  expect([logged.status, logged.body.timeEntry?.id > highest]).toEqual([201, true]);
  await child.end('SIGTERM');
}

async function contentOf(db: Db): Promise<Record<string, Record<string, unknown>[]>> {
  const content: Record<string, Record<string, unknown>[]> = {};
  for (const { name } of await db.introspection.getTables()) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db);
    content[name] = rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  return content;
}

async function emptyPlaceOfTheOtherEngine(): Promise<Place> {
  const dataDir = aFolder();
  if (ENGINE === 'postgres') return { dataDir, databaseUrl: undefined };
  const server = await startPostgres();
  atEnd(server.stop);
  return { dataDir, databaseUrl: server.url };
}

let firstBackup: Promise<string> | undefined;

/** A folder with a backup of the district: each test gets a copy of it to damage. */
async function aBackup(): Promise<string> {
  firstBackup ??= makeFirstBackup();
  const folder = aFolder();
  cpSync(await firstBackup, folder, { recursive: true, preserveTimestamps: true });
  return folder;
}

async function makeFirstBackup(): Promise<string> {
  const folder = aFolder();
  expect(await backup(folder)).toMatchObject({ code: 0, stderr: '' });
  return folder;
}

function backup(
  to: string,
  given: { args?: string[]; place?: Place; settings?: Record<string, string> } = {},
) {
  return runCommand('backup', given.place ?? app, ['--to', to, ...(given.args ?? [])], given.settings);
}

function restore(from: string, place: Place, args: string[] = [], settings: Record<string, string> = {}) {
  return runCommand('restore', place, ['--from', from, ...args], settings);
}

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'volunteer-time-backup-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

function manifestIn(folder: string) {
  return JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
}
