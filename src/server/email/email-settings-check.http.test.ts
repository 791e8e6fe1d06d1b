import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { noteState } from '../db/server-state.ts';
import { compareMailSettings, mailSettingsDiffer } from './email-settings-check.ts';

test('servers of one database that send mail in different ways are noticed, until they no longer do', async () => {
  const app = await startApp();
  const { deps, clock } = app;
  const elsewhere = JSON.stringify({ digest: 'of another SMTP_URL', by: 'another-machine:1:1' });
  await compareMailSettings(deps);
  await compareMailSettings(deps);
  expect(await mailSettingsDiffer(deps)).toBe(false);
  await noteState(deps.database.db, 'mail-settings', elsewhere, clock.now());
  await compareMailSettings(deps);
  expect(await mailSettingsDiffer(deps)).toBe(true);
  clock.advance(200_000);
  await compareMailSettings(deps);
  expect(await mailSettingsDiffer(deps)).toBe(false);
});
