import { expect, test } from 'vitest';
import { runCommand } from '#test/command.ts';
import { documentedCommands } from '#test/documented-commands.ts';
import { emptyPlace } from '#test/harness.ts';
import { ADMIN, ADMIN_SETTINGS } from '../open-district.ts';
import { type Place, startChild } from '../server-process.ts';

/** What other tests run, or takes the whole machine: by the command, or with its arguments. */
const RUN_ELSEWHERE: readonly string[] = [
  'bench',
  'test:full',
  'install-service --app DIR --data DIR --environment FILE',
  'photos move disk s3',
  'restore --from /mnt/backups --log /mnt/log',
  'restore --from /mnt/backups --log /mnt/log --at 2026-03-04T18:00:00Z',
];

test('the operator commands in the docs succeed', async () => {
  // One without arguments names the program only.
  const given = documentedCommands().filter(
    ([name = '', ...args]) =>
      args.length > 0 && !RUN_ELSEWHERE.includes(name) && !RUN_ELSEWHERE.includes([name, ...args].join(' ')),
  );
  expect(given.map(([name]) => name)).toEqual(
    expect.arrayContaining(['backup', 'restore', 'rollups', 'photos']),
  );
  const place = await emptyPlace();
  const child = await startChild(place, ADMIN_SETTINGS);
  const { token } = (await child.call('POST /api/auth/login', { body: ADMIN })).body;
  await child.call('POST /api/admin/schools', { token, body: { name: 'Lincoln' } });
  await child.end('SIGTERM');
  const backups = (await emptyPlace()).dataDir;
  // Something must be there to restore.
  const inOrder = given.toSorted((a, b) => Number(b[0] === 'backup') - Number(a[0] === 'backup'));
  for (const [name = '', ...args] of inOrder) {
    const into: Place = name === 'restore' ? await emptyPlace() : place;
    const ended = await runCommand(
      name,
      into,
      args.map((arg) => arg.replace('/mnt/backups', backups)),
    );
    expect([name, ...args, ended.code, ended.stderr]).toEqual([name, ...args, 0, '']);
  }
});
