import { chmodSync, chownSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { storeBackupResult, storeLogReplicationState } from '#server/backup/backup-status.ts';
import { SQLITE_FILE } from '#server/db/database.ts';
import { migrationNames } from '#server/db/migrate.ts';
import { translate } from '#server/i18n/translator.ts';
import { runJobAttempt } from '#server/jobs/job-attempt.ts';
import { plusMilliseconds } from '#shared/calendar-date.ts';
import { anActivity, anEntry, aPerson, aPhoto, aSchool } from '#test/builders.ts';
import { ENGINE, emptyPlace, runningClock, startApp, type TestApp } from '#test/harness.ts';
import { type DoctorContext, runDoctor } from './doctor.ts';
import { type HealthFinding, isHealthy } from './health-checks.ts';

let app: TestApp;
beforeEach(async () => {
  app = await startApp({ REGISTRATION: 'approval' }, { clock: runningClock() });
  const made = { to: '/backups', bytes: 1, milliseconds: 1 };
  await storeBackupResult(app.deps.database.db, made, app.clock.now());
});

/** What is to be mended, with its remedy in words. */
async function toMend(more: Partial<DoctorContext> = {}) {
  const { config, translator } = app.deps;
  const found = await runDoctor({
    config,
    translator,
    clock: app.clock,
    nodeVersion: 'v24.21.0',
    userId: process.getuid?.(),
    ...more,
  });
  return found.filter((finding) => !isHealthy(finding)).map(inWords);
}

function inWords({ name, level, message, remedy }: HealthFinding) {
  return [name, level, translate(app.deps, message), remedy === null ? '' : translate(app.deps, remedy)];
}

const found = (name: string, level: string) => [
  [name, level, expect.stringMatching(/.{10}/), expect.stringMatching(/.{10}/)],
];

const config = (change: Partial<DoctorContext['config']>) => ({ config: { ...app.deps.config, ...change } });

async function anActivityWithSomebody() {
  const school = await aSchool(app);
  const activity = await anActivity(app, { school });
  return { school, activity, by: await aPerson(app, { schools: [school] }) };
}

test('a healthy server has no findings', async () => {
  expect(await toMend()).toEqual([]);
});

describe('doctor', () => {
  test('reports files that other users can read', async () => {
    chmodSync(join(app.dataDir, 'reserve'), 0o644);
    expect(await toMend()).toEqual(found('rights', 'warning'));
  });

  test.runIf(process.getuid?.() === 0)('reports a file of another user', async () => {
    chownSync(join(app.dataDir, 'reserve'), 54_321, 54_321);
    expect(await toMend()).toEqual(found('owner', 'warning'));
  });

  test('reports a missing folder', async () => {
    const nowhere = config({ dataDir: join(app.dataDir, 'nowhere') });
    expect((await toMend(nowhere))[0]).toEqual(found('folder', 'error')[0]);
  });

  test('reports that there is no backup', async () => {
    await app.deps.database.db.deleteFrom('server_state').where('name', 'like', 'backup%').execute();
    expect(await toMend()).toEqual(found('backup', 'warning'));
  });

  test('reports backups on the same disk as the data', async () => {
    const made = { to: dirname(app.dataDir), bytes: 1, milliseconds: 1 };
    await storeBackupResult(app.deps.database.db, made, app.clock.now());
    expect(await toMend()).toEqual(found('backup-disk', 'warning'));
  });

  test('reports a database log that is not being copied', async () => {
    const { db } = app.deps.database;
    const copied = config({ backupLogTo: '/mnt/log' });
    expect(await toMend(copied)).toEqual(found('log-copy', 'warning'));
    const state = { to: '/mnt/log', copiedAt: app.clock.now(), failure: null, failingSince: null };
    await storeLogReplicationState(db, state, app.clock.now());
    expect(await toMend(copied)).toEqual([]);
    await storeLogReplicationState(db, { ...state, failure: 'it exited (1)' }, app.clock.now());
    expect(await toMend(copied)).toEqual(found('log-copy', 'error'));
  });

  test('reports photos whose files are missing', async () => {
    const { activity, by } = await anActivityWithSomebody();
    await aPhoto(app, { by, activity });
    expect(await toMend()).toEqual(found('photos', 'error'));
  });

  test('reports hours without an audit event, unless audit events of that age have expired', async () => {
    const { id } = await anEntry(app, await anActivityWithSomebody());
    expect(await toMend()).toEqual(found('record', 'warning'));
    // The record of what is older went by itself.
    const long = plusMilliseconds(app.clock.now(), -8 * 366 * 86_400_000);
    const { db } = app.deps.database;
    await db.updateTable('time_entries').set({ created_at: long }).where('id', '=', id).execute();
    expect(await toMend()).toEqual([]);
  });

  test('reports an audit log that can be modified', async () => {
    const { db } = app.deps.database;
    const table = ENGINE === 'postgres' ? sql` on audit_events` : sql``;
    await sql`drop trigger audit_rows_stay${table}`.execute(db);
    expect(await toMend()).toEqual(found('record', 'error'));
  });

  test('reports totals that differ from their entries', async () => {
    const { school } = await anActivityWithSomebody();
    const { db } = app.deps.database;
    await db
      .insertInto('school_sums')
      .values({ school_id: school.id, entries: 3, hours_hundredths: 1 })
      .execute();
    expect(await toMend()).toEqual(found('sums', 'error'));
  });

  test('reports tables of a newer or older version', async () => {
    const { db } = app.deps.database;
    await sql`delete from schema_migrations where name = ${migrationNames().at(-1)}`.execute(db);
    expect(await toMend()).toEqual(found('schema', 'warning'));
    await sql`insert into schema_migrations (name, timestamp) values ('9999-later', '2026')`.execute(db);
    expect(await toMend()).toEqual(found('schema', 'error'));
  });

  test('reports a mail server that does not respond', async () => {
    expect(await toMend(config({ smtpUrl: 'smtp://127.0.0.1:1', setByServer: ['mail.url'] }))).toEqual(
      found('mail-server', 'error'),
    );
  });

  test('reports a storage bucket that does not respond', async () => {
    const photoStoreUrl = 's3://pear:plum@photos?endpoint=http://127.0.0.1:1&region=maple';
    expect(await toMend(config({ photoStoreUrl }))).toEqual(found('photo-store', 'error'));
  });

  test('reports a job that fails', async () => {
    await runJobAttempt(app.deps, 'failing-job', () => Promise.reject(new Error('no')));
    expect(await toMend()).toEqual(found('jobs', 'warning'));
  });

  test('reports a clock that is an hour fast', async () => {
    app.clock.advance(3_600_000);
    expect(await toMend()).toEqual(found('clock', 'error'));
  });

  test('reports HTTPS without a trusted proxy', async () => {
    const publicUrl = 'https://hours.maplegrove.example';
    expect(await toMend(config({ publicUrl }))).toEqual(found('https', 'warning'));
  });

  test('reports a Node version that is too old', async () => {
    expect(await toMend({ nodeVersion: 'v18.20.4' })).toEqual(found('node', 'error'));
  });

  test.runIf(ENGINE === 'postgres')(
    'reports a PostgreSQL server that may lose confirmed writes',
    async () => {
      const { databaseUrl = '' } = app.deps.config;
      const lossy = `${databaseUrl}${databaseUrl.includes('?') ? '&' : '?'}options=-c%20synchronous_commit%3Doff`;
      expect(await toMend(config({ databaseUrl: lossy }))).toEqual(found('durability', 'error'));
    },
  );

  test.runIf(ENGINE === 'sqlite')('reports a file that is not a database', async () => {
    const { dataDir } = await emptyPlace();
    writeFileSync(join(dataDir, SQLITE_FILE), 'apricot '.repeat(1_000), { mode: 0o600 });
    expect(await toMend(config({ dataDir }))).toEqual(found('database', 'error'));
    rmSync(join(dataDir, SQLITE_FILE));
    expect(await toMend(config({ dataDir }))).toEqual([]);
  });
});
