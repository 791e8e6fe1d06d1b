import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { storeBackupResult } from '#server/backup/backup-status.ts';
import { runningClock, startApp, type TestApp } from '#test/harness.ts';

const DOCTOR = join(import.meta.dirname, '../../scripts/doctor.ts');

let app: TestApp;
beforeAll(async () => {
  app = await startApp({}, { clock: runningClock() });
  const made = { to: '/backups', bytes: 1, milliseconds: 1 };
  await storeBackupResult(app.deps.database.db, made, app.clock.now());
});

describe('npm run doctor', () => {
  async function run(settings: Record<string, string>, args: readonly string[] = ['--json']) {
    const { PATH = '', HOME = '' } = process.env;
    const place = {
      DATA_DIR: app.dataDir,
      ...(app.databaseUrl === undefined ? {} : { DATABASE_URL: app.databaseUrl }),
    };
    const child = spawn(process.execPath, [DOCTOR, ...args], {
      env: { PATH, HOME, REGISTRATION: 'approval', ...place, ...settings },
    });
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += chunk;
    });
    const [code] = await once(child, 'close');
    return { code, printed };
  }

  test('exits with 0 when everything is healthy, and lists its checks', async () => {
    const { code, printed } = await run({});
    const list: { name: string; level: string }[] = JSON.parse(printed);
    expect([code, list.filter(({ level }) => level === 'warning' || level === 'error')]).toEqual([0, []]);
    for (const one of list) expect(Object.keys(one)).toEqual(['name', 'level', 'message', 'remedy']);
    expect(list.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'node',
        'rights',
        'durability',
        'clock',
        'disk',
        'schema',
        'sums',
        'record',
        'photos',
      ]),
    );
  });

  test('lists the settings without secrets, and unknown variables', async () => {
    const { printed } = await run({
      SMTP_URL: 'smtp://hours:apricot@127.0.0.1:9',
      TRUSTED_PROXY: '10.0.0.1',
    });
    const list: { name: string; message: string }[] = JSON.parse(printed);
    const said = (name: string) => list.find((one) => one.name === name)?.message;
    expect(said('settings')).toContain('SMTP_URL=smtp://***@127.0.0.1:9');
    expect(said('unknown-settings')).toBe('Unknown settings: TRUSTED_PROXY');
    expect(printed).not.toContain('apricot');
  });

  test('exits with 1 for a wrong setting, and names it without its value', async () => {
    const { code, printed } = await run({ PORT: 'apricot', SMTP_URL: 'apricot' });
    expect([
      code,
      JSON.parse(printed).map(({ message }: { message: string }) => message.split(':')[0]),
    ]).toEqual([1, ['PORT', 'SMTP_URL']]);
    expect(printed).not.toContain('apricot');
    const words = await run({ PORT: 'apricot' }, []);
    expect([words.code, words.printed]).toEqual([1, expect.stringMatching(/^ERROR {3}settings: PORT/)]);
    expect((await run({}, ['--apricot'])).code).toBe(2);
  });
});
