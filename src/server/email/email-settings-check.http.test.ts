import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { setServerState } from '../db/server-state.ts';
import { compareEmailSettings, emailSettingsDiffer } from './email-settings-check.ts';

test('a warning appears while servers of one database have different email settings', async () => {
  const app = await startApp();
  const { deps, clock } = app;
  const elsewhere = JSON.stringify({ digest: 'of another SMTP_URL', by: 'another-machine:1:1' });
  await compareEmailSettings(deps);
  await compareEmailSettings(deps);
  expect(await emailSettingsDiffer(deps)).toBe(false);
  await setServerState(deps.database.db, 'mail-settings', elsewhere, clock.now());
  await compareEmailSettings(deps);
  expect(await emailSettingsDiffer(deps)).toBe(true);
  clock.advance(200_000);
  await compareEmailSettings(deps);
  expect(await emailSettingsDiffer(deps)).toBe(false);
});
