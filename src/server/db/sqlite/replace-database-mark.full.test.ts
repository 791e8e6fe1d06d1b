import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { runCommand } from '#test/command.ts';
import { ENGINE, emptyPlace } from '#test/harness.ts';
import { ADMIN_SETTINGS, openDistrict } from '#test/open-district.ts';
import { launch, runChild, startChild } from '#test/server-process.ts';
import { SQLITE_FILE } from '../database.ts';
import { databaseMark, MARK_FILE } from './database-mark.ts';

vi.setConfig({ testTimeout: 120_000 });

/** A district whose server was killed, with a log that holds hours, and a copy of its file from before them. */
async function aKilledDistrict() {
  const place = await emptyPlace();
  const file = join(place.dataDir, SQLITE_FILE);
  const first = await startChild(place, ADMIN_SETTINGS);
  const { volunteer, activity } = await openDistrict(first);
  await first.end('SIGTERM');
  const old = `${file}.old`;
  copyFileSync(file, old);
  const child = await startChild(place);
  await vi.waitFor(() => expect(databaseMark(file)).not.toBe(databaseMark(old)), { timeout: 10_000 });
  const body = { activityId: activity.id, hours: 2 };
  for (let time = 0; time < 20; time += 1)
    expect((await child.call('POST /api/time-entries', { token: volunteer, body })).status).toBe(201);
  await child.end('SIGKILL');
  expect(statSync(`${file}-wal`).size).toBeGreaterThan(1_000);
  return { place, file, old, volunteer };
}

async function hoursThere(place: { dataDir: string; databaseUrl: string | undefined }, token: string) {
  const child = await startChild(place);
  const { body } = await child.call('GET /api/time-entries', { token });
  await child.end('SIGTERM');
  return body.timeEntries.length;
}

// PostgreSQL keeps its own files together.
const onSqlite = test.skipIf(ENGINE === 'postgres');

onSqlite('after kill -9, the database file and its log are used as they are', async () => {
  const { place, volunteer } = await aKilledDistrict();
  expect(await hoursThere(place, volunteer)).toBe(20);
});

onSqlite('an old database file next to a newer log is rejected, and both stay unchanged', async () => {
  const { place, file, old, volunteer } = await aKilledDistrict();
  const log = readFileSync(`${file}-wal`);
  const current = readFileSync(file);
  // In place, as cp does it: the file's number in the folder stays the same.
  writeFileSync(file, readFileSync(old));
  const refused = await runChild(place, {});
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(
    /^DATA_DIR: The log volunteer-time\.db-wal does not belong to volunteer-time\.db; nothing was changed\. To start with it, move [^\n]+\n$/,
  );
  expect([readFileSync(file).equals(readFileSync(old)), readFileSync(`${file}-wal`).equals(log)]).toEqual([
    true,
    true,
  ]);
  expect((await runCommand('backup', place, ['--to', join(place.dataDir, '..', 'none')])).stderr).toContain(
    'does not belong to',
  );
  // Putting the former file back loses nothing.
  writeFileSync(file, current);
  expect(await hoursThere(place, volunteer)).toBe(20);
});

onSqlite('a backup copied over the file is rejected next to its log, and starts without it', async () => {
  const place = await emptyPlace();
  const file = join(place.dataDir, SQLITE_FILE);
  const child = await startChild(place, ADMIN_SETTINGS);
  const { volunteer, activity } = await openDistrict(child);
  const to = join(place.dataDir, 'elsewhere');
  expect((await runCommand('backup', place, ['--to', to])).code).toBe(0);
  const body = { activityId: activity.id, hours: 2 };
  expect((await child.call('POST /api/time-entries', { token: volunteer, body })).status).toBe(201);
  await child.end('SIGKILL');
  const [name = ''] = readdirSync(to);
  copyFileSync(join(to, name, 'database.sqlite'), file);
  expect((await runChild(place, {})).stderr).toContain('does not belong to');
  rmSync(`${file}-wal`);
  rmSync(`${file}-shm`, { force: true });
  expect(await hoursThere(place, volunteer)).toBe(0);
});

onSqlite('a database file that is missing next to its log is not recreated', async () => {
  const { place, file, volunteer } = await aKilledDistrict();
  const current = readFileSync(file);
  rmSync(file);
  expect((await runChild(place, {})).stderr).toContain('volunteer-time.db is gone, but its log');
  expect(existsSync(file)).toBe(false);
  writeFileSync(file, current);
  expect(await hoursThere(place, volunteer)).toBe(20);
});

onSqlite('a database file and log copied together start without the mark of the original', async () => {
  const { place, file, volunteer } = await aKilledDistrict();
  const other = await emptyPlace();
  for (const ending of ['', '-wal'])
    copyFileSync(`${file}${ending}`, join(other.dataDir, `${SQLITE_FILE}${ending}`));
  copyFileSync(join(place.dataDir, 'secret.key'), join(other.dataDir, 'secret.key'));
  const child = await startChild(other);
  const { body } = await child.call('GET /api/time-entries', { token: volunteer });
  expect(body.timeEntries).toHaveLength(20);
  // It gets a mark of its own in the background.
  await vi.waitFor(() => expect(existsSync(join(other.dataDir, MARK_FILE))).toBe(true), {
    timeout: 30_000,
  });
  await child.end('SIGTERM');
});

onSqlite('kill -9 at any moment of a start leaves a database that starts', async () => {
  const { place, volunteer } = await aKilledDistrict();
  for (let time = 0; time < 6; time += 1) {
    const started = launch(place, { PORT: '0' });
    await new Promise((resume) => setTimeout(resume, 500 + time * 150));
    await started.end('SIGKILL');
  }
  expect(await hoursThere(place, volunteer)).toBe(20);
});
