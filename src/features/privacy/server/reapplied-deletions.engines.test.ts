import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { addDeletedAccounts, readDeletedAccounts } from '#server/backup/deleted-accounts-list.ts';
import { openBackupStorage } from '#server/backup/open-backup-storage.ts';
import { transaction } from '#server/db/database.ts';
import { recordOf } from '#test/audit-log.ts';
import { anActivity, anAdministrator, anEntry, aPerson, aSchool } from '#test/builders.ts';
import { atEnd, NOW, startApp, type TestApp } from '#test/harness.ts';
import { recordDeletionForRestore, repeatDeletionsAfterRestore } from './reapplied-deletions.ts';
import { listDeletedAccounts } from './store.ts';

let app: TestApp;
let to: string;
let admin: Awaited<ReturnType<typeof anAdministrator>>;
beforeEach(async () => {
  to = mkdtempSync(join(tmpdir(), 'volunteer-time-erased-'));
  atEnd(() => rmSync(to, { recursive: true, force: true }));
  app = await startApp({ BACKUP_TO: to });
  admin = await anAdministrator(app);
});

const erase = (id: unknown) => app.call(`POST /api/admin/users/${id}/erase`, { token: admin.token });
const emailOf = async (id: number) =>
  (
    await app.deps.database.db
      .selectFrom('users')
      .select('email')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).email;
const listed = async () => {
  const depot = await openBackupStorage(to, app.dataDir);
  return (await readDeletedAccounts(depot))?.accounts.map(({ id }) => id);
};
const note = (accounts: Parameters<typeof recordDeletionForRestore>[1]) =>
  transaction(app.deps.database, (trx) => recordDeletionForRestore(trx, accounts, NOW));

test('a deletion is added to the list next to the backups at once, without personal data', async () => {
  const [ann, bob] = [await aPerson(app), await aPerson(app)];
  await erase(ann.id);
  await erase(bob.id);
  expect(readFileSync(join(to, 'erased.txt'), 'utf8')).toBe(`${ann.id} ${NOW}\n${bob.id} ${NOW}\n`);
});

test('a deletion without a backup folder succeeds, creates none, and is listed with the next one', async () => {
  rmSync(to, { recursive: true });
  const [ann, bob] = [await aPerson(app), await aPerson(app)];
  expect((await erase(ann.id)).status).toBe(200);
  expect(existsSync(to)).toBe(false);
  mkdirSync(to);
  await erase(bob.id);
  expect(await listed()).toEqual([ann.id, bob.id]);
});

test('the list of deleted accounts keeps older entries, skips duplicates, and counts unreadable lines', async () => {
  const depot = await openBackupStorage(to, app.dataDir);
  await depot.writeNote('erased.txt', `7 2020-01-01T00:00:00.000Z\n8 yesterday\n`);
  await addDeletedAccounts(depot, [{ id: 9, createdAt: NOW }]);
  await addDeletedAccounts(depot, [{ id: 9, createdAt: NOW }]);
  expect(await readDeletedAccounts(depot)).toEqual({
    accounts: [
      { id: 7, createdAt: '2020-01-01T00:00:00.000Z' },
      { id: 9, createdAt: NOW },
    ],
    unreadable: 1,
  });
});

test('a restored database repeats listed deletions, even under a legal hold, but not for reused IDs', async () => {
  const school = await aSchool(app);
  const activity = await anActivity(app, { school });
  const ann = await aPerson(app, { schools: [school] });
  const bob = await aPerson(app);
  const entry = await anEntry(app, { by: ann, activity, hours: 2 });
  const { token } = admin;
  const body = { userId: ann.id, reason: 'A complaint' };
  expect((await app.call('POST /api/admin/legal-holds', { token, body })).status).toBe(201);
  const people = await note([
    { id: ann.id, createdAt: NOW },
    { id: bob.id, createdAt: '2020-01-01T00:00:00.000Z' as typeof NOW },
    { id: 999_999, createdAt: NOW },
  ]);
  expect(people).toBe(1);
  expect(await emailOf(ann.id)).toBe(ann.email);

  await repeatDeletionsAfterRestore(app.deps);

  expect(await emailOf(ann.id)).toMatch(/@erased\.invalid$/);
  expect(await emailOf(bob.id)).toBe(bob.email);
  expect(await recordOf(app, 'user', ann.id)).toMatchObject([{ action: 'account.erase', actorId: null }]);
  const { db } = app.deps.database;
  const hours = db.selectFrom('time_entries').select('hours_hundredths').where('id', '=', entry.id);
  expect(await hours.execute()).toEqual([{ hours_hundredths: 200 }]);
  // Nothing is left to do, and the next start does nothing.
  expect(await note([{ id: ann.id, createdAt: NOW }])).toBe(0);
  await repeatDeletionsAfterRestore(app.deps);
  expect(await recordOf(app, 'user', ann.id)).toHaveLength(1);
});

test('two accounts that were merged and erased are erased again as one person', async () => {
  const [ann, annie] = [await aPerson(app), await aPerson(app)];
  const { token } = admin;
  const merged = await app.call(`POST /api/admin/users/${annie.id}/merge`, { token, body: { into: ann.id } });
  expect(merged.status).toBe(200);
  expect(await listDeletedAccounts(app.deps.database.db)).toEqual([]);
  const both = [ann, annie].map(({ id }) => ({ id, createdAt: NOW }));
  expect(await note(both)).toBe(1);
  await repeatDeletionsAfterRestore(app.deps);
  expect(await listDeletedAccounts(app.deps.database.db)).toEqual(both);
});
