import { expect, test } from 'vitest';
import { systemClock } from '#server/deps.ts';
import { recordOf } from '#test/audit-log.ts';
import { anAdministrator, aPerson } from '#test/builders.ts';
import { runCommand } from '#test/command.ts';
import { startApp } from '#test/harness.ts';

const LINK = /\/\?token=(\S+)/;

test('the server command gives an administrator a reset link and records it', async () => {
  const app = await startApp();
  const admin = await anAdministrator(app);
  const account = (...args: string[]) => runCommand('account', app, args);
  expect((await account('list-admins')).stdout).toContain(admin.email);
  const { code, stdout } = await account('reset-password', admin.email);
  expect(code).toBe(0);
  // The command's clock is the machine's, the app's is the test's.
  app.clock.set(systemClock.now());
  const body = { token: LINK.exec(stdout)?.[1], newPassword: 'maple-lantern-42' };
  expect((await app.call('POST /api/auth/reset-password', { body })).status).toBe(200);
  const login = { email: admin.email, password: body.newPassword };
  expect((await app.call('POST /api/auth/login', { body: login })).status).toBe(200);
  expect(await recordOf(app, 'user', admin.id)).toEqual(
    expect.arrayContaining([expect.objectContaining({ action: 'password.forget', actorId: null })]),
  );
});

test('the server command makes a user an administrator, but an unconfirmed one only with --unconfirmed', async () => {
  const app = await startApp();
  const vera = await aPerson(app);
  const { db } = app.deps.database;
  await db.updateTable('users').set({ email_verified_at: null }).where('id', '=', vera.id).execute();
  const make = (...args: string[]) => runCommand('account', app, ['make-admin', ...args]);
  expect(await make(vera.email)).toMatchObject({ code: 1, stdout: expect.stringContaining('--unconfirmed') });
  expect((await make('nobody@maplegrove.example')).code).toBe(1);
  expect((await make(vera.email, '--unconfirmed')).code).toBe(0);
  expect((await make(vera.email)).stdout).toContain('Nothing was changed');
  const row = await db.selectFrom('users').select('role').where('id', '=', vera.id).executeTakeFirst();
  expect(row).toEqual({ role: 'admin' });
  expect((await app.call('GET /api/profile', { token: vera.token })).status).toBe(401);
  expect(await recordOf(app, 'user', vera.id)).toEqual(
    expect.arrayContaining([expect.objectContaining({ action: 'account.edit' })]),
  );
});
