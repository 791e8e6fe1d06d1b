import { expect, test, vi } from 'vitest';
import { runCommand } from '#test/command.ts';
import { ENGINE, migratedPlace } from '#test/harness.ts';
import { runChild, startChild } from '#test/server-process.ts';

vi.setConfig({ testTimeout: 60_000 });

test('a second server cannot start on a SQLite folder; PostgreSQL accepts several servers', async () => {
  const place = await migratedPlace();
  const first = await startChild(place);
  const second = await runChild(place, {});
  const taken = /^DATA_DIR: another server is using \S+\. Stop it first, .+\n$/;
  expect([second.code, second.stderr]).toEqual(
    ENGINE === 'sqlite' ? [78, expect.stringMatching(taken)] : [0, expect.not.stringContaining('DATA_DIR')],
  );
  expect((await first.call('GET /readyz')).status).toBe(200);
  // The operator's commands still work beside it.
  expect((await runCommand('backup', place, ['--to', `${place.dataDir}/../backups`])).code).toBe(0);
});

test.runIf(ENGINE === 'sqlite')(
  'a killed server releases the folder, and a start waits for a server that is stopping',
  async () => {
    const place = await migratedPlace();
    await (await startChild(place)).end('SIGKILL');
    const second = await startChild(place);
    const third = startChild(place);
    await second.end('SIGTERM');
    expect((await (await third).call('GET /readyz')).status).toBe(200);
  },
);
