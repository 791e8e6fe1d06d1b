import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { restrictDataFolder } from '#server/storage/private-files.ts';
import { emptyPlace } from '#test/harness.ts';
import { ADMIN, ADMIN_SETTINGS } from '../open-district.ts';
import { startChild } from '../server-process.ts';

const modeOf = (path: string) => statSync(path).mode & 0o777;

/** Every path below a folder with its mode, except links. */
function modesIn(folder: string): Map<string, number> {
  const modes = new Map([[folder, modeOf(folder)]]);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) for (const [inner, mode] of modesIn(path)) modes.set(inner, mode);
    else if (entry.isFile()) modes.set(path, modeOf(path));
  }
  return modes;
}

const openOnes = (folder: string) => [...modesIn(folder)].filter(([, mode]) => (mode & 0o077) !== 0);

test('the first start creates only private files, without a warning', async () => {
  const { dataDir, ...place } = await emptyPlace();
  const inner = join(dataDir, 'data');
  const child = await startChild({ ...place, dataDir }, { DATA_DIR: inner, ...ADMIN_SETTINGS });
  await child.call('POST /api/auth/forgot-password', { body: { email: ADMIN.email } });
  await expect.poll(() => existsSync(join(inner, 'outbox')), { timeout: 20_000 }).toBe(true);
  expect(openOnes(inner)).toEqual([]);
  expect(child.stdout()).not.toContain('ther accounts');
  await child.end('SIGTERM');
});

test("the next start makes an older version's files private, with one log line", async () => {
  const place = await emptyPlace();
  const first = await startChild(place);
  await first.end('SIGTERM');
  for (const folder of ['outbox', 'backups', 'photos/ab'])
    mkdirSync(join(place.dataDir, folder), { recursive: true });
  for (const file of ['outbox/1.eml', 'backups/before-update.db', 'photos/ab/abc', 'notes-of-somebody.txt']) {
    writeFileSync(join(place.dataDir, file), 'x');
  }
  for (const path of modesIn(place.dataDir).keys())
    chmodSync(path, statSync(path).isDirectory() ? 0o755 : 0o644);
  const second = await startChild(place);
  expect(
    second
      .stdout()
      .split('\n')
      .filter((line) => line.includes('ther accounts')),
  ).toHaveLength(1);
  const foreign = join(place.dataDir, 'notes-of-somebody.txt');
  expect(openOnes(place.dataDir)).toEqual([[foreign, 0o644]]);
  await second.end('SIGTERM');
});

test('a start follows no links, and does not change a folder that all accounts share', async () => {
  const { dataDir } = await emptyPlace();
  const outside = join(dataDir, 'outside');
  mkdirSync(outside);
  chmodSync(outside, 0o755);
  const shared = join(dataDir, 'shared');
  mkdirSync(shared);
  chmodSync(shared, 0o1777);
  symlinkSync(outside, join(shared, 'photos'));
  expect(restrictDataFolder(shared)).toEqual({ closed: [], failed: [shared] });
  expect([modeOf(outside), statSync(shared).mode & 0o7777]).toEqual([0o755, 0o1777]);
});
