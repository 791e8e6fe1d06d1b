import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { emailLogCopyStatus } from '#features/operations/server/emails.ts';
import { readLogReplicationState } from '#server/backup/backup-status.ts';
import { startLogReplication } from '#server/backup/litestream-replication.ts';
import { openDatabase } from '#server/db/database.ts';
import { anAdministrator } from '#test/builders.ts';
import { runCommand } from '#test/command.ts';
import { atEnd, emptyPlace, migratedPlace, startApp } from '#test/harness.ts';
import { startObjectStore } from '#test/object-store.ts';
import { ADMIN_SETTINGS, openDistrict } from '../../open-district.ts';
import { startPostgres } from '../../postgres-server.ts';
import { type Place, runChild, startChild } from '../../server-process.ts';

vi.setConfig({ testTimeout: 120_000 });

/** Longer than the second within which a write is copied. */
const COPIED_MS = 2_000;

test('a log copy restores entries up to the last second after a disk failure, into either engine', async () => {
  const [to, log] = [aFolder(), aFolder()];
  const place = await migratedPlace();
  const child = await startChild(place, { ...ADMIN_SETTINGS, BACKUP_LOG_TO: log });
  const { volunteer, activity } = await openDistrict(child);
  const logHours = async (hours: number) => {
    const body = { activityId: activity.id, hours };
    expect((await child.call('POST /api/time-entries', { token: volunteer, body })).status).toBe(201);
  };
  await logHours(1);
  expect((await runCommand('backup', place, ['--to', to])).code).toBe(0);
  await logHours(2);
  await setTimeout(COPIED_MS);
  const moment = new Date().toISOString();
  await setTimeout(COPIED_MS);
  await logHours(3);
  await setTimeout(COPIED_MS);
  await child.end('SIGKILL');
  endLitestream(place);
  rmSync(place.dataDir, { recursive: true });

  const server = await startPostgres();
  atEnd(server.stop);
  const onPostgres = { dataDir: aFolder(), databaseUrl: server.url };
  const until = ['--log', log, '--at', moment];
  const [whole, then, thenOnPostgres, early] = await Promise.all([
    restored(to, await emptyPlace(), ['--log', log]),
    restored(to, await emptyPlace(), until),
    restored(to, onPostgres, until),
    runCommand('restore', await emptyPlace(), ['--from', to, '--log', aFolder()]),
  ]);
  expect([whole, then, thenOnPostgres]).toEqual([
    [3, 2, 1],
    [2, 1],
    [2, 1],
  ]);
  expect([early.code, early.stderr]).toEqual([1, 'Nothing was restored. --log: nothing was copied there\n']);
});

/** A backup's own folder: one of a district without schools and hours is not restored unless it is named. */
const onlyOneIn = (folder: string) => join(folder, readdirSync(folder)[0] ?? '');

test('a restore accepts a log copy with a backup made just before the server stopped', async () => {
  const [to, log] = [aFolder(), aFolder()];
  const place = await migratedPlace();
  const child = await startChild(place, { BACKUP_LOG_TO: log });
  await vi.waitFor(() => expect(readdirSync(log)).not.toEqual([]), { timeout: 15_000 });
  expect((await runCommand('backup', place, ['--to', to])).code).toBe(0);
  await child.end('SIGTERM');
  expect(await restored(onlyOneIn(to), await emptyPlace(), ['--log', log])).toEqual([]);
});

test('a restore rejects a log copy that ends before the backup', async () => {
  const [to, log] = [aFolder(), aFolder()];
  const place = await emptyPlace();
  const child = await startChild(place, { BACKUP_LOG_TO: log });
  await vi.waitFor(() => expect(readdirSync(log)).not.toEqual([]), { timeout: 15_000 });
  await child.end('SIGTERM');
  await setTimeout(1_000);
  expect((await runCommand('backup', place, ['--to', to])).code).toBe(0);
  const args = ['--from', onlyOneIn(to), '--log', log];
  const { code, stderr } = await runCommand('restore', await emptyPlace(), args);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(
      /^Nothing was restored\. --log: the copy ends at \S+, before the backup of \S+; restore without --log\n$/,
    ),
  ]);
});

test('after a kill, the next server continues the log copy with only one copying process', async () => {
  const log = aFolder();
  const place = await migratedPlace();
  const first = await startChild(place, { ...ADMIN_SETTINGS, BACKUP_LOG_TO: log });
  const { volunteer, activity } = await openDistrict(first);
  await vi.waitFor(() => expect(copiers(place)).toHaveLength(1), { timeout: 15_000 });
  await first.end('SIGKILL');
  const orphan = copiers(place);
  expect(orphan).toHaveLength(1);
  // It would end by itself with its next line to nobody.
  process.kill(orphan[0] ?? 0, 'SIGSTOP');

  const second = await startChild(place, { BACKUP_LOG_TO: log });
  await vi.waitFor(() => expect(copiers(place)).toHaveLength(1), { timeout: 15_000 });
  expect(copiers(place)).not.toEqual(orphan);
  const body = { activityId: activity.id, hours: 2 };
  expect((await second.call('POST /api/time-entries', { token: volunteer, body })).status).toBe(201);
  process.kill(copiers(place)[0] ?? 0, 'SIGKILL');
  await vi.waitFor(() => expect(copiers(place)).toHaveLength(1), { timeout: 15_000 });
  await second.end('SIGTERM');
  expect(copiers(place)).toEqual([]);
  expect(readFileSync(join(place.dataDir, 'litestream.json'), 'utf8')).not.toContain('secret');
});

test('while the log is copied, the data folder contains no data of a deleted user', async () => {
  const log = aFolder();
  const place = await migratedPlace();
  const child = await startChild(place, { ...ADMIN_SETTINGS, BACKUP_LOG_TO: log });
  const { admin, volunteer } = await openDistrict(child);
  const { body } = await child.call('GET /api/profile', { token: volunteer });
  await setTimeout(COPIED_MS);
  expect(filesThatHold(place.dataDir, 'vera@maplegrove.example')).not.toEqual([]);
  const erased = await child.call(`POST /api/admin/users/${body.user.id}/erase`, { token: admin });
  expect(erased.status).toBe(200);
  await vi.waitFor(() => expect(filesThatHold(place.dataDir, 'vera@maplegrove.example')).toEqual([]), {
    timeout: 10_000,
  });
  expect(copiers(place)).toHaveLength(1);
  await child.end('SIGTERM');
});

test('administrators are emailed once why the log copy stopped, and once that it works again', async () => {
  const log = join(aFolder(), 'copy');
  const app = await startApp({ BACKUP_LOG_TO: log });
  await anAdministrator(app);
  writeFileSync(log, 'a file in the place of the folder');
  const copy = await startLogReplication(app.deps, {
    environment: process.env,
    sendFailureEmail: emailLogCopyStatus,
    everyMs: 500,
    withinMs: 2_000,
  });
  atEnd(() => copy?.stop());
  const state = () => readLogReplicationState(app.deps.database.db);
  await vi.waitFor(async () => expect((await state()).lastError).toContain('not a directory'), {
    timeout: 20_000,
  });
  expect(await state()).toMatchObject({ lastAt: null, to: log });
  rmSync(log);
  await vi.waitFor(async () => expect((await state()).lastError).toBeNull(), { timeout: 30_000 });
  expect((await state()).lastAt).not.toBeNull();
  // The letter follows what is noted.
  await vi.waitFor(async () => {
    const letters = await app.deps.database.db.selectFrom('emails').select('kind').orderBy('id').execute();
    expect(letters.map(({ kind }) => kind)).toEqual(['backup-failed', 'backup-works']);
  });
});

test("the log is copied into a bucket, without storing the bucket's key in the data folder", async () => {
  const objects = await startObjectStore();
  const bucket = await objects.bucket('log');
  const [to, log] = [aFolder(), bucket.replace('@log?', '@log/district/one?')];
  const place = await migratedPlace();
  const child = await startChild(place, { ...ADMIN_SETTINGS, BACKUP_LOG_TO: log });
  const { volunteer, activity } = await openDistrict(child);
  expect((await runCommand('backup', place, ['--to', to])).code).toBe(0);
  const body = { activityId: activity.id, hours: 2.5 };
  expect((await child.call('POST /api/time-entries', { token: volunteer, body })).status).toBe(201);
  await setTimeout(COPIED_MS);
  await child.end('SIGKILL');
  endLitestream(place);
  expect(filesThatHold(place.dataDir, 'plum')).toEqual([]);
  expect(await restored(to, await emptyPlace(), ['--log', log])).toEqual([2.5]);
});

test('the start rejects a log copy with PostgreSQL, with an age key, or within DATA_DIR', async () => {
  const place = await emptyPlace();
  const refused = async (settings: Record<string, string>) =>
    (await runChild(place, { BACKUP_LOG_TO: '/mnt/log', ...settings })).stderr;
  expect(await refused({ DATABASE_URL: 'postgres://u@127.0.0.1:1/x' })).toBe(
    'BACKUP_LOG_TO: is only for SQLite. On PostgreSQL use archive_command\n',
  );
  expect(await refused({ BACKUP_RECIPIENT: 'age1abc' })).toContain(
    'BACKUP_LOG_TO: cannot be used with BACKUP_RECIPIENT',
  );
  expect(await refused({ BACKUP_LOG_TO: join(place.dataDir, 'log') })).toBe(
    'BACKUP_LOG_TO: must not be inside DATA_DIR, or both would be lost together\n',
  );
});

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vtt-log-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The hours of the volunteer in a district that is restored, the newest first. */
async function restored(from: string, place: Place, args: string[]): Promise<number[]> {
  expect(await runCommand('restore', place, ['--from', from, ...args])).toMatchObject({
    code: 0,
    stderr: '',
  });
  const database = await openDatabase(place);
  try {
    const rows = await database.db
      .selectFrom('time_entries')
      .select('hours_hundredths as hours')
      .orderBy('id', 'desc')
      .execute();
    return rows.map(({ hours }) => hours / 100);
  } finally {
    await database.close();
  }
}

/** The processes that copy the log of a place. */
function copiers({ dataDir }: Place): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => commandOf(pid).includes(join(dataDir, 'litestream.json')));
}

function commandOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

function endLitestream(place: Place): void {
  for (const pid of copiers(place)) process.kill(pid, 'SIGKILL');
}

// Without the outbox: the letter that tells the person of the erasure is theirs.
function filesThatHold(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('/outbox/') && existsSync(path) && readFileSync(path).includes(text));
}
