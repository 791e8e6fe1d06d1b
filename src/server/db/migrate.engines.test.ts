import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { day, type Instant } from '#shared/calendar-date.ts';
import { anActivity, anEntry, aPerson, aSchool } from '#test/builders.ts';
import { ENGINE, emptyPlace, startApp } from '#test/harness.ts';
import { startPostgres } from '#test/postgres-server.ts';
import { openDatabase, transaction } from './database.ts';
import { migrate, migrationNames } from './migrate.ts';

async function anEmptyDatabase() {
  const place = await emptyPlace();
  const database = await openDatabase(place);
  afterAll(async () => {
    await database.close();
    await place.remove();
  });
  return { database, ...place };
}

describe('the schema', () => {
  test('is created once if two servers start at the same time', async () => {
    const place = await emptyPlace();
    const steps = await Promise.all([migrateInProcess(place), migrateInProcess(place)]);
    expect(steps.flat().toSorted()).toEqual([...migrationNames()]);
    await place.remove();
  });

  test('has an index for every foreign key, because deletions look them up', async () => {
    const { database } = await anEmptyDatabase();
    await migrate(database);
    // Its first column is enough: what it finds is one parent's.
    const onSqlite = sql<{ reference: string }>`
      select tables.name || '.' || keys."from" as reference
      from sqlite_master as tables, pragma_foreign_key_list(tables.name) as keys
      where tables.type = 'table' and keys.seq = 0
      except
      select tables.name || '.' || columns.name
      from sqlite_master as tables, pragma_index_list(tables.name) as indexes,
        pragma_index_info(indexes.name) as columns
      where tables.type = 'table' and indexes.partial = 0 and columns.seqno = 0
      except
      select tables.name || '.' || columns.name
      from sqlite_master as tables, pragma_table_info(tables.name) as columns
      where tables.type = 'table' and columns.pk = 1`;
    const onPostgres = sql<{ reference: string }>`
      select keys.conrelid::regclass || '.' || columns.attname as reference
      from pg_constraint as keys
      join pg_attribute as columns on columns.attrelid = keys.conrelid and columns.attnum = keys.conkey[1]
      where keys.contype = 'f' and not exists (
        select 1 from pg_index as indexes
        where indexes.indrelid = keys.conrelid and indexes.indpred is null and indexes.indkey[0] = keys.conkey[1]
      )`;
    const { rows } = await (ENGINE === 'sqlite' ? onSqlite : onPostgres).execute(database.db);
    expect(rows.map((row) => row.reference)).toEqual([]);
  });

  test('of a version before the baseline is rejected in one line', async () => {
    const { database } = await anEmptyDatabase();
    await migrate(database);
    await sql`insert into schema_migrations (name, timestamp) values ('0001-start', '2026-01-01')`.execute(
      database.db,
    );
    await expect(migrate(database)).rejects.toThrow(
      /^The database is from before version 1\.0\.0 and cannot be updated\. Start with an empty DATA_DIR or database\.$/,
    );
  });

  test('that is newer than the program is rejected with the newer version’s name, and stays unchanged', async () => {
    const { database } = await anEmptyDatabase();
    await migrate(database);
    await sql`insert into schema_migrations (name, timestamp) values ('9999-future', '2030-01-01')`.execute(
      database.db,
    );
    await sql`update server_state set value = '9999-future' where name = 'must-know'`.execute(database.db);
    const contents = async () => ({
      tables: await database.db.introspection.getTables({ withInternalKyselyTables: true }),
      migrations: (await sql`select * from schema_migrations order by name`.execute(database.db)).rows,
      state: await database.db.selectFrom('server_state').selectAll().orderBy('name').execute(),
    });
    const before = await contents();
    await expect(migrate(database)).rejects.toThrow(
      /^The database was made by a newer version of this program \(9999-future\)\. Start that version, or restore/,
    );
    expect(await contents()).toEqual(before);
  });
});

// SQLite's driver blocks its process while it waits for a lock, so a race needs two processes.
async function migrateInProcess(place: {
  dataDir: string;
  databaseUrl: string | undefined;
}): Promise<string[]> {
  const script = `
    import { openDatabase } from '#server/db/database.ts';
    import { migrate } from '#server/db/migrate.ts';
    const place = ${JSON.stringify(place)};
    const database = await openDatabase(place);
    console.log(JSON.stringify(await migrate(database)));
    await database.close();`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module-typescript',
    '-e',
    script,
  ]);
  return JSON.parse(stdout);
}

const AT = '2026-03-04T18:00:00.000Z' as Instant;

describe('the database itself rejects', () => {
  test.each([
    ['hours under a quarter', { hours_hundredths: 24 }],
    ['hours over a day', { hours_hundredths: 2401 }],
    ['a date that does not exist', { entry_date: '2026-02-30' }],
    ['a text that is not a date', { entry_date: 'someday' }],
    ['notes over 500 characters', { notes: 'x'.repeat(501) }],
    ['blank notes', { notes: '' }],
    ['an entry of an unknown user', { user_id: 999_999 }],
    ['an activity of another school', { school_id: 999_999 }],
    ['a deletion without the user who deleted', { deleted_at: AT }],
  ])('%s', async (_what, wrong) => {
    const app = await sharedApp();
    await expect(
      app.deps.database.db
        .insertInto('time_entries')
        .values({ ...(await aRow()), ...(wrong as object) })
        .execute(),
    ).rejects.toThrow();
  });

  test.each([
    ['an unknown role', { role: 'owner' }],
    ['an address that another user has', { email_key: 'taken@maplegrove.example' }],
    ['an empty name', { first_name: '' }],
    ['a flag that is neither 0 nor 1', { is_active: 2 }],
  ])('%s', async (_what, wrong) => {
    const app = await sharedApp();
    const values = {
      email: 'a@b.example',
      email_key: `unique-${Math.random()}`,
      password_hash: null,
      first_name: 'A',
      last_name: 'B',
      sort_key: 'b a',
      search_key: 'a b',
      role: 'user',
      is_active: 1,
      created_at: AT,
      last_login_at: null,
      ...wrong,
    };
    await expect(
      app.deps.database.db
        .insertInto('users')
        .values(values as never)
        .execute(),
    ).rejects.toThrow();
  });

  test('an activity that ends before it starts, or that requires a description without a prompt for it', async () => {
    const app = await sharedApp();
    const school = await aSchool(app);
    await expect(
      anActivity(app, { school, activeFrom: day('2026-03-02'), activeUntil: day('2026-03-01') }),
    ).rejects.toThrow();
    const { id } = await anActivity(app, { school });
    await expect(
      app.deps.database.db
        .updateTable('activities')
        .set({ requires_description: 1 })
        .where('id', '=', id)
        .execute(),
    ).rejects.toThrow();
  });

  test('changing or deleting an audit event, except to blank personal data in it', async () => {
    const app = await sharedApp();
    const { db } = app.deps.database;
    const { id } = await db
      .insertInto('audit_events')
      .values({
        at: AT,
        actor_id: 1,
        action: 'entry.log',
        subject: 'time-entry',
        subject_id: 1,
        school_id: null,
        before: null,
        after: '{"notes":"Ann"}',
        address: null,
        request_id: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await expect(db.deleteFrom('audit_events').where('id', '=', id).execute()).rejects.toThrow('append-only');
    for (const change of [
      { action: 'x' },
      { actor_id: 2 },
      { after: '{}' },
      { before: '{}' },
      { at: AT, id: 0 },
    ]) {
      await expect(db.updateTable('audit_events').set(change).where('id', '=', id).execute()).rejects.toThrow(
        'append-only',
      );
    }
    await db.updateTable('audit_events').set({ after: null }).where('id', '=', id).execute();
  });
});

describe('a failed transaction', () => {
  test('leaves nothing behind', async () => {
    const app = await sharedApp();
    const before = await app.deps.database.db.selectFrom('schools').select('id').execute();
    await expect(
      transaction(app.deps.database, async (trx) => {
        await trx
          .insertInto('schools')
          .values({ name: 'Ghost', name_key: 'ghost', logo_url: null, created_at: AT })
          .execute();
        throw new Error('second thoughts');
      }),
    ).rejects.toThrow('second thoughts');
    expect(await app.deps.database.db.selectFrom('schools').select('id').execute()).toEqual(before);
  });
});

describe.runIf(ENGINE === 'sqlite')('the SQLite file', () => {
  test('has a bounded WAL during writes', async () => {
    const app = await startApp();
    const row = await rowOf(app);
    for (let i = 0; i < 1500; i++) {
      await app.deps.database.db.insertInto('time_entries').values(row).returning('id').execute();
    }
    expect(statSync(join(app.dataDir, 'volunteer-time.db-wal')).size).toBeLessThan(12_000_000);
  });
});

describe.runIf(ENGINE === 'postgres')('PostgreSQL', () => {
  test('is rejected at startup if synchronous_commit is off', async () => {
    const place = await emptyPlace();
    const database = await openDatabase(place);
    const name = await sql<{ name: string }>`select current_database() as name`.execute(database.db);
    await sql`alter database ${sql.id(name.rows[0]?.name ?? '')} set synchronous_commit = off`.execute(
      database.db,
    );
    await database.close();
    await expect(openDatabase(place)).rejects.toThrow('synchronous_commit = off');
    await place.remove();
  });

  test('is rejected at startup if fsync is off', async () => {
    const server = await startPostgres({ fsync: 'off' });
    const opened = openDatabase({ databaseUrl: server.url, dataDir: '' });
    await expect(opened).rejects.toThrow('fsync = off');
    await server.stop();
  });
});

let shared: ReturnType<typeof startApp> | undefined;
async function sharedApp() {
  shared ??= startApp().then(async (app) => {
    await aPerson(app, { email: 'taken@maplegrove.example' });
    return app;
  });
  return shared;
}

async function aRow() {
  return rowOf(await sharedApp());
}

async function rowOf(app: Awaited<ReturnType<typeof startApp>>) {
  const school = await aSchool(app);
  const person = await aPerson(app, { schools: [school] });
  const activity = await anActivity(app, { school });
  await anEntry(app, { by: person, activity });
  return {
    user_id: person.id,
    school_id: school.id,
    activity_id: activity.id,
    hours_hundredths: 100,
    entry_date: day('2026-03-04'),
    notes: null,
    created_at: AT,
    deleted_at: null,
    deleted_by: null,
  };
}
