import { cpSync, renameSync, rmSync } from 'node:fs';
import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openDatabase, transaction } from '#server/db/database.ts';
import { migrate } from '#server/db/migrate.ts';
import { anActivity, anAdministrator, aPerson, aSchool, editOf, PASSWORD } from '../builders.ts';
import { appOnSmallDisk, appWithOutages, appWithoutSlots, failingInserts } from '../fault-injection.ts';
import { atEnd, ENGINE, migratedPlace, NOW, startApp, type TestApp } from '../harness.ts';

const MINUTE = 60_000;
const FULL = { error: "The server's disk is full, so nothing was saved. Please contact your administrator." };
const UNAVAILABLE = { error: 'Service temporarily unavailable. Please try again.' };

test('the database is opened with every setting that makes a confirmed write durable', async () => {
  const place = await migratedPlace();
  // Opened again, because SQLite forgets most of these settings when a file is closed.
  for (const _open of ['first', 'again']) {
    const database = await openDatabase(place);
    await migrate(database);
    const asked =
      ENGINE === 'sqlite'
        ? sql`select (select synchronous from pragma_synchronous) as synchronous,
                (select journal_mode from pragma_journal_mode) as journal,
                (select foreign_keys from pragma_foreign_keys) as "foreignKeys"`
        : sql`select current_setting('fsync') as fsync,
                current_setting('synchronous_commit') as "synchronousCommit",
                current_setting('TimeZone') as "timeZone"`;
    // Where writes go; reads have a connection of their own on SQLite.
    const { rows } = await transaction(database, (trx) => asked.execute(trx));
    await database.close();
    expect(rows).toEqual([
      ENGINE === 'sqlite'
        ? { synchronous: 2, journal: 'wal', foreignKeys: 1 }
        : { fsync: 'on', synchronousCommit: 'on', timeZone: 'UTC' },
    ]);
  }
});

/** A volunteer with an activity to log for. */
async function aLoggingVolunteer(app: TestApp) {
  const school = await aSchool(app);
  const activity = await anActivity(app, { school });
  const vera = await aPerson(app, { schools: [school] });
  let logged = 0;
  const log = (key = `entry-${++logged}`) =>
    app.call('POST /api/time-entries', {
      token: vera.token,
      headers: { 'idempotency-key': key },
      body: { activityId: activity.id, hours: 1, notes: key },
    });
  const listed = async () => {
    const { body } = await app.call('GET /api/time-entries?limit=500', { token: vera.token });
    return (body.timeEntries as { notes: string }[]).map((entry) => entry.notes).toSorted();
  };
  return { school, activity, vera, log, listed };
}

describe('a change that cannot be audited is rolled back:', () => {
  test('no entry is logged, changed, deleted or restored, and its idempotency key stays unused', async () => {
    const app = await startApp();
    const { vera, log, listed } = await aLoggingVolunteer(app);
    const { id } = (await log('kept')).body.timeEntry;
    const gone = (await log('deleted')).body.timeEntry.id;
    await app.call(`DELETE /api/time-entries/${gone}`, { token: vera.token });
    const { begin, mend } = failingInserts(app.deps.database, 'audit_events');
    await begin();
    const replies = [
      await log('refused'),
      await app.call(`PUT /api/time-entries/${id}`, {
        token: vera.token,
        body: await editOf(app, id, { hours: 9 }),
      }),
      await app.call(`DELETE /api/time-entries/${id}`, { token: vera.token }),
      await app.call(`POST /api/time-entries/${gone}/restore`, { token: vera.token }),
    ];
    expect(replies.map((reply) => reply.status)).toEqual([500, 500, 500, 500]);
    await mend();
    const { body } = await app.call('GET /api/time-entries', { token: vera.token });
    expect(body.timeEntries).toEqual([expect.objectContaining({ id, hours: 1, notes: 'kept', version: 1 })]);
    expect((await log('refused')).status).toBe(201);
    expect(await listed()).toEqual(['kept', 'refused']);
  });

  test('no account, school or category is created, and no session ends', async () => {
    const app = await startApp();
    const { school } = await aLoggingVolunteer(app);
    const { token } = await anAdministrator(app);
    const counts = async () => {
      const { rows } = await sql`select (select count(*) from users) as users,
        (select count(*) from schools) as schools, (select count(*) from sessions) as sessions,
        (select count(*) from categories) as categories`.execute(app.deps.database.db);
      return rows;
    };
    const before = await counts();
    const { begin } = failingInserts(app.deps.database, 'audit_events');
    await begin();
    const person = { email: 'new@maplegrove.example', firstName: 'New', lastName: 'One', password: PASSWORD };
    const replies = [
      await app.call('POST /api/auth/register', { body: { ...person, schoolIds: [school.id] } }),
      await app.call('POST /api/admin/schools', { token, body: { name: 'Ghost' } }),
      await app.call('POST /api/admin/categories', { token, body: { name: 'Ghosts', schoolId: school.id } }),
      await app.call('POST /api/auth/logout', { token }),
    ];
    expect(replies.map((reply) => reply.status)).toEqual([500, 500, 500, 500]);
    expect(await counts()).toEqual(before);
  });
});

test('a full disk causes 503 for writes, but reads work and no confirmed write is lost', async () => {
  const { app, full } = await appOnSmallDisk();
  const { vera, log, listed } = await aLoggingVolunteer(app);
  const confirmed: string[] = [];
  const logUntilFull = async () => {
    for (let tries = 0; tries < 3000; tries++) {
      const key = `full-${tries}`;
      const reply = await log(key);
      if (reply.status !== 201) return reply;
      confirmed.push(key);
    }
    throw new Error('the disk never filled up');
  };
  expect((await log('before')).status).toBe(201);
  confirmed.push('before');
  await full.begin();
  const refused = await logUntilFull();
  expect([refused.status, refused.body]).toEqual([503, FULL]);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  // Long enough that the session is marked as used, which is a write.
  app.clock.advance(2 * MINUTE);
  expect((await app.call('GET /api/profile', { token: vera.token })).status).toBe(200);
  const ready = await app.call('GET /readyz');
  // A small write may still fit on PostgreSQL's disk.
  if (ENGINE === 'sqlite') expect([ready.status, ready.body]).toEqual([503, FULL]);
  expect(await listed()).toEqual(confirmed.toSorted().slice(0, 500));
  const signIn = await app.call('POST /api/auth/login', { body: { email: vera.email, password: PASSWORD } });
  // A small write may still fit where a larger one did not.
  expect([200, 503]).toContain(signIn.status);
  await full.mend();
  await expect.poll(async () => (await log('after')).status, { timeout: 5_000 }).toBe(201);
  await expect.poll(async () => (await app.call('GET /readyz')).status).toBe(200);
  confirmed.push('after');
  expect(await listed()).toEqual(confirmed.toSorted());
});

test('an unavailable database causes 503 at worst, and the server recovers by itself', async () => {
  const { app, outage } = await appWithOutages();
  const { vera, log, listed } = await aLoggingVolunteer(app);
  expect((await log('before')).status).toBe(201);
  const keys = Array.from({ length: 30 }, (_, number) => `during-${number}`);
  const inFlight = keys.map((key) => log(key));
  await new Promise((resume) => setImmediate(resume));
  await outage.begin();
  const outcomes = (await Promise.all(inFlight)).map((reply) => reply.status);
  expect(outcomes.filter((status) => status !== 201 && status !== 503)).toEqual([]);

  app.clock.advance(2 * MINUTE);
  const write = await log('away');
  expect([write.status, write.body]).toEqual([503, UNAVAILABLE]);
  expect(Number(write.headers['retry-after'])).toBeGreaterThan(0);
  // A locked file can still be read; a server that is gone cannot.
  const readable = ENGINE === 'sqlite' ? 200 : 503;
  const reads = await Promise.all([
    app.call('GET /api/profile', { token: vera.token }),
    app.call('GET /readyz'),
    app.call('GET /healthz'),
  ]);
  expect(reads.map((reply) => reply.status)).toEqual([readable, 503, 200]);

  await outage.mend();
  // An unconfirmed request is sent again with its key, as a browser does.
  for (const key of [...keys, 'away']) expect([key, (await log(key)).status]).toEqual([key, 201]);
  expect(await listed()).toEqual(['before', 'away', ...keys].toSorted());
});

/** The clients of PostgreSQL that have a connection from now on, as far as they know. */
function connectedClients(): ReadonlySet<pg.Client> {
  const connected = new Set<pg.Client>();
  const { connect } = pg.Client.prototype;
  vi.spyOn(pg.Client.prototype, 'connect').mockImplementation(function (
    this: pg.Client,
    ...given: unknown[]
  ) {
    connected.add(this);
    this.once('end', () => connected.delete(this));
    return Reflect.apply(connect, this, given);
  });
  onTestFinished(() => void vi.restoreAllMocks());
  return connected;
}

test('a transaction that the database aborts fails with the reason, and the next one works', async () => {
  const connected = connectedClients();
  const { app, outage } = await appWithOutages();
  const { log, listed } = await aLoggingVolunteer(app);
  const { db } = app.deps.database;
  const givenUp = transaction(app.deps.database, async (trx) => {
    await trx
      .insertInto('schools')
      .values({ name: 'Ghost', name_key: 'ghost', logo_url: null, created_at: NOW })
      .execute();
    if (ENGINE === 'sqlite') {
      // The database itself rolls back, as it does when the disk fails.
      await sql`insert or rollback into schools (name, name_key, created_at)
        values ('Ghost', 'ghost', ${NOW})`.execute(trx);
    }
    await outage.begin();
    // The connection breaks while it is idle.
    await expect.poll(() => connected.size).toBe(0);
    await trx.selectFrom('schools').select('id').execute();
  });
  await expect(givenUp).rejects.toThrow(
    ENGINE === 'sqlite' ? 'UNIQUE constraint failed' : /connection|terminated/i,
  );
  if (ENGINE === 'postgres') await outage.mend();
  expect((await log('next')).status).toBe(201);
  expect(await listed()).toEqual(['next']);
  const names = await db.selectFrom('schools').select('name').execute();
  expect(names.map((school) => school.name)).not.toContain('Ghost');
});

test('an export is rejected while the database cannot be reached, and its link stays valid', async () => {
  const { app, taken } = await appWithoutSlots();
  const { school, log } = await aLoggingVolunteer(app);
  await log('exported');
  const { token } = await anAdministrator(app);
  const asked = await app.call('POST /api/admin/time-entries/export', {
    token,
    body: { format: 'csv', schoolId: school.id },
  });
  await taken.begin();
  const refused = await app.call(`GET ${asked.body.url}`);
  expect([refused.status, refused.body]).toEqual([503, UNAVAILABLE]);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  await taken.mend();
  const opened = await app.call(`GET ${asked.body.url}`);
  expect([opened.status, opened.text.includes('exported')]).toEqual([200, true]);
});

test('an entry can be deleted on a full disk, and only deletions use the space reserve', async () => {
  const { app, full } = await appOnSmallDisk();
  const { vera, log, listed } = await aLoggingVolunteer(app);
  const { id } = (await log('unwanted')).body.timeEntry;
  await log('kept');
  await full.begin();
  const logged: string[] = [];
  for (let tries = 0; tries < 3000; tries++) {
    if ((await log(`full-${tries}`)).status !== 201) break;
    logged.push(`full-${tries}`);
  }
  // PostgreSQL's disk is its operator's: there a deletion waits for room like everything else.
  const deletable = ENGINE === 'sqlite' && process.getuid?.() === 0;
  const deleted = await app.call(`DELETE /api/time-entries/${id}`, { token: vera.token });
  expect(deleted.status).toBe(deletable ? 200 : 503);
  if (deletable) {
    const signIn = { email: vera.email, password: PASSWORD };
    expect((await app.call('POST /api/auth/login', { body: signIn })).status).toBe(200);
    const refused = await log('more');
    expect([refused.status, refused.body]).toEqual([503, FULL]);
    expect(await listed()).toEqual(['kept', ...logged].toSorted());
  }
  await full.mend();
  app.clock.advance(2 * MINUTE);
  await expect.poll(async () => (await log('after')).status, { timeout: 5_000 }).toBe(201);
});

describe('a server whose data folder is', () => {
  const GONE = {
    error:
      'Nothing can be saved right now because the data folder was moved while the server was running. Please contact your administrator.',
  };

  test.each([
    ['deleted', (dataDir: string) => rmSync(dataDir, { recursive: true })],
    [
      'replaced by another',
      (dataDir: string) => {
        renameSync(dataDir, `${dataDir}-old`);
        atEnd(() => rmSync(`${dataDir}-old`, { recursive: true }));
        cpSync(`${dataDir}-old`, dataDir, { recursive: true });
      },
    ],
  ])('%s while it runs confirms no entry that it does not store', async (_how, ruin) => {
    const app = await startApp();
    const { vera, log } = await aLoggingVolunteer(app);
    expect((await log('before')).status).toBe(201);
    expect((await app.call('GET /readyz')).status).toBe(200);
    ruin(app.dataDir);
    // PostgreSQL stores the entries; the folder contains photos and letters.
    const replies = await Promise.all(Array.from({ length: 20 }, () => log()));
    const expected = ENGINE === 'sqlite' ? [503, GONE] : [201, expect.anything()];
    for (const reply of replies) expect([reply.status, reply.body]).toEqual(expected);
    expect((await app.call('GET /api/profile', { token: vera.token })).status).toBe(200);
    await expect
      .poll(async () => {
        const { status, body } = await app.call('GET /readyz');
        return [status, body];
      })
      .toEqual([503, GONE]);
    expect((await app.call('GET /healthz')).status).toBe(200);
  });

  test('moved away and back works again', async () => {
    const app = await startApp();
    const { log } = await aLoggingVolunteer(app);
    renameSync(app.dataDir, `${app.dataDir}-away`);
    if (ENGINE === 'sqlite') expect((await log('away')).status).toBe(503);
    renameSync(`${app.dataDir}-away`, app.dataDir);
    expect((await log('back')).status).toBe(201);
    await expect.poll(async () => (await app.call('GET /readyz')).status).toBe(200);
  });
});

test('a read-only database is reported, and reads still work', async () => {
  const app = await startApp();
  const { vera, log } = await aLoggingVolunteer(app);
  const { db } = app.deps.database;
  if (ENGINE === 'sqlite') await sql`pragma query_only = on`.execute(db);
  else {
    await sql`do $$ begin execute 'alter database ' || current_database() || ' set default_transaction_read_only = on'; end $$`.execute(
      db,
    );
    // The others first: a connection that ends itself can end no other one after that.
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(db);
    await sql`select pg_terminate_backend(pg_backend_pid())`.execute(db).catch(() => undefined);
  }
  // The first query on a connection that was ended only then finds out.
  await expect.poll(async () => (await log('refused')).body?.error).toContain('read-only');
  const refused = await log('refused');
  expect([refused.status, refused.body]).toEqual([
    503,
    {
      error:
        'Nothing can be saved right now because the database is read-only. Please contact your administrator.',
    },
  ]);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  await expect.poll(async () => (await app.call('GET /readyz')).body).toEqual(refused.body);
  expect((await app.call('GET /api/profile', { token: vera.token })).status).toBe(200);

  if (ENGINE === 'sqlite') await sql`pragma query_only = off`.execute(db);
  else {
    // Connections from before stay read-only, as those to a leader that became a standby do.
    await sql`begin read write;
      do $$ begin execute 'alter database ' || current_database() || ' reset default_transaction_read_only'; end $$;
      commit`.execute(db);
  }
  await expect.poll(async () => (await log('taken')).status).toBe(201);
  await expect.poll(async () => (await app.call('GET /readyz')).status).toBe(200);
});
