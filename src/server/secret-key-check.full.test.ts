import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { runCommand } from '#test/command.ts';
import { migratedPlace } from '#test/harness.ts';
import { ADMIN, ADMIN_SETTINGS } from '#test/open-district.ts';
import { runChild, startChild } from '#test/server-process.ts';

// Each test starts several processes.
vi.setConfig({ testTimeout: 120_000 });

async function aDistrict(settings: Record<string, string> = {}) {
  const place = await migratedPlace();
  const child = await startChild(place, { ...ADMIN_SETTINGS, ...settings });
  const body = { email: ADMIN.email, password: ADMIN.password };
  const { token } = (await child.call('POST /api/auth/login', { body })).body;
  return { place, child, token, body, file: join(place.dataDir, 'secret.key') };
}

test("the server does not start without its database's secret key, and explains how to recover", async () => {
  const { place, child, file } = await aDistrict();
  await child.end('SIGTERM');
  const key = readFileSync(file, 'utf8');
  rmSync(file);
  const missing = await runChild(place, {});
  expect([missing.code, missing.stderr, existsSync(file)]).toEqual([
    78,
    expect.stringMatching(/^DATA_DIR: secret\.key is missing\. Restore it from a backup, or run .+\n$/),
    false,
  ]);
  writeFileSync(file, 'o'.repeat(43));
  // The file next to the folder, or the note in the database, notices it.
  expect((await runChild(place, {})).code).toBe(78);
  rmSync(`${place.dataDir}.district`);
  expect((await runChild(place, {})).stderr).toContain('is not the key of this district');
  expect((await runChild(place, { SECRET_KEY: 's'.repeat(40) })).stderr).toContain(
    'SECRET_KEY: is not the key',
  );
  writeFileSync(file, key);
  await (await startChild(place)).end('SIGTERM');
});

test('rotate-key lists its effects, requires confirmation and a stopped server, and signs everyone out', async () => {
  const { place, child, token, body, file } = await aDistrict();
  const rotate = (...args: string[]) => runCommand('rotate-key', place, args);
  expect(await rotate('--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/another server is using|other programs are using/),
  });
  await child.end('SIGTERM');
  const key = readFileSync(file, 'utf8');
  const asked = await rotate();
  expect([asked.code, asked.stdout, readFileSync(file, 'utf8')]).toEqual([
    1,
    expect.stringMatching(/signed out[\s\S]+Authenticator apps[\s\S]+Nothing was changed\.\n$/),
    key,
  ]);
  writeFileSync(file, 'damaged');
  expect(await rotate('--yes')).toMatchObject({ code: 0, stderr: '' });
  const again = await startChild(place);
  expect((await again.call('GET /api/profile', { token })).status).toBe(401);
  const signedIn = await again.call('POST /api/auth/login', { body });
  expect(signedIn.status).toBe(200);
  const log = await again.call('GET /api/admin/audit', { token: signedIn.body.token });
  expect(log.body.records.map(({ action }: { action: string }) => action)).toContain('system.key-rotate');
});
