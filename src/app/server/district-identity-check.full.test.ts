import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { runCommand } from '#test/command.ts';
import { emptyPlace } from '#test/harness.ts';
import { runChild, startChild } from '#test/server-process.ts';

// Each test starts several processes.
vi.setConfig({ testTimeout: 120_000 });

async function aDistrictThatRan(settings: Record<string, string> = {}) {
  const place = await emptyPlace();
  const child = await startChild(place, settings);
  await child.end('SIGTERM');
  return place;
}

/** What is left when the disk of the data is not mounted, and PostgreSQL's is not either. */
function unmounted({ dataDir }: { dataDir: string }) {
  renameSync(dataDir, `${dataDir}.disk`);
  mkdirSync(dataDir, { mode: 0o700 });
  return { dataDir, databaseUrl: undefined };
}

test('the server rejects an empty data folder if a district ran there, and suggests two ways to fix it', async () => {
  const empty = unmounted(await aDistrictThatRan());
  const refused = await runChild(empty, {});
  expect(refused.stderr).toMatch(
    /^DATA_DIR: \S+ contains no district, but \S+\.district names one \(key [0-9a-f]{8}\)\. Mount or set the folder that contains it, or start once with --new-district\.\n$/,
  );
  expect([refused.code, readdirSync(empty.dataDir)]).toEqual([78, []]);
});

test('the server rejects the data folder of another district, and starts again with the right one', async () => {
  const place = await aDistrictThatRan();
  const other = await aDistrictThatRan();
  const right = `${place.dataDir}.right`;
  renameSync(place.dataDir, right);
  renameSync(other.dataDir, place.dataDir);
  const mixed = { dataDir: place.dataDir, databaseUrl: other.databaseUrl };
  expect((await runChild(mixed, {})).stderr).toMatch(
    /belongs to a different district than the one in .+, or its secret\.key was replaced/,
  );
  rmSync(place.dataDir, { recursive: true });
  renameSync(right, place.dataDir);
  await (await startChild(place)).end('SIGTERM');
});

test('the server recognizes a missing district by its backups if the identity file is also missing', async () => {
  const place = await aDistrictThatRan();
  const to = join(place.dataDir, '../backups');
  expect((await runCommand('backup', place, ['--to', to])).code).toBe(0);
  rmSync(`${place.dataDir}.district`);
  const empty = unmounted(place);
  const refused = await runChild(empty, { BACKUP_TO: to });
  expect(refused.stderr).toContain('contains no district, but BACKUP_TO names one');
  expect([readdirSync(empty.dataDir), readdirSync(to)]).toEqual([[], [expect.any(String)]]);
});

test('--new-district starts a new district, and later starts do not need the option', async () => {
  const empty = unmounted(await aDistrictThatRan());
  const main = join(import.meta.dirname, './main.ts');
  const child = await startChild(empty, {}, [main, '--new-district']);
  await child.end('SIGTERM');
  await (await startChild(empty)).end('SIGTERM');
});

test('the server starts even if it cannot write next to its data folder', async () => {
  const place = await emptyPlace();
  chmodSync(join(place.dataDir, '..'), 0o500);
  await (await startChild(place)).end('SIGTERM');
  chmodSync(join(place.dataDir, '..'), 0o700);
  // Root may write anywhere.
  expect(existsSync(`${place.dataDir}.district`)).toBe(process.getuid?.() === 0);
});
