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
import { type Db, openDatabase, transaction } from './database.ts';
import { MIGRATIONS, migrate } from './migrate.ts';

async function anEmptyDatabase() {
  const place = await emptyPlace();
  const database = await openDatabase(place);
  afterAll(async () => {
    await database.close();
    await place.remove();
  });
  return { database, ...place };
}

describe('the data model', () => {
  test.each(MIGRATIONS)('comes up to date from %s, filled, and from nothing', async (name) => {
    const { database } = await anEmptyDatabase();
    await migrate(database, { upTo: name });
    await database.db
      .insertInto('schools')
      .values({ name: 'Lincoln', name_key: 'lincoln', logo_url: null, created_at: AT })
      .execute();
    await sql`insert into users (email, email_key, first_name, last_name, sort_key, search_key, role, created_at)
      values ('a@b.example', 'a@b.example', 'A', 'B', 'b a', 'a b', 'user', ${AT})`.execute(database.db);
    const steps = await migrate(database);
    expect(steps).toEqual(MIGRATIONS.slice(MIGRATIONS.indexOf(name) + 1));
    expect(await migrate(database)).toEqual([]);
    expect(await database.db.selectFrom('schools').select('name').execute()).toEqual([{ name: 'Lincoln' }]);
    expect(await database.db.selectFrom('users').selectAll().execute()).toMatchObject([
      { first_name: 'A', is_active: 1, failed_logins: 0, email_verified_at: null, erased_at: null },
    ]);
  });

  test('compares the names of an older version as those of this one', async () => {
    const { database } = await anEmptyDatabase();
    const { db } = database;
    await migrate(database, { upTo: '0050-photos-for-screens' });
    await sql`insert into users (email, email_key, first_name, last_name, sort_key, search_key, role, created_at)
      values (${'\u200Bann@b.example'}, ${'\u200Bann@b.example'}, 'Łukasz', 'Groß', 'groß łukasz',
        'łukasz groß ann@b.example', 'user', ${AT}),
      ('b@b.example', 'b@b.example', 'सीता', 'राम', 'रम सत', 'सत रम', 'user', ${AT})`.execute(db);
    for (const [name, key] of [
      ['Straße', 'straße'],
      ['Strasse', 'strasse'],
      ['सीता', 'सत'],
    ]) {
      await sql`insert into schools (name, name_key, created_at) values (${name}, ${key}, ${AT})`.execute(db);
    }
    await migrate(database);
    const keys = sql`select email, email_key, sort_key, search_key from users order by id`;
    expect((await keys.execute(db)).rows).toEqual([
      {
        email: 'ann@b.example',
        email_key: 'ann@b.example',
        sort_key: 'gross lukasz',
        search_key: 'lukasz gross ann@b.example',
      },
      { email: 'b@b.example', email_key: 'b@b.example', sort_key: 'राम सीता', search_key: 'सीता राम' },
    ]);
    // Two names that are the same now stay apart.
    const schools = await sql<{ name_key: string }>`select name_key from schools order by id`.execute(db);
    expect(schools.rows.map((row) => row.name_key)).toEqual(['straße', 'strasse', 'सीता']);
  });

  test('is made once when two starts race', async () => {
    const place = await emptyPlace();
    const steps = await Promise.all([migrateInProcess(place), migrateInProcess(place)]);
    expect(steps.flat().toSorted()).toEqual([...MIGRATIONS]);
    await place.remove();
  });

  test('has an index behind every reference, for deletions', async () => {
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

  test('loses what the record of photos said of people once, and guards the record as before', async () => {
    const { database } = await anEmptyDatabase();
    const { db } = database;
    await migrate(database, { upTo: '0010-drive' });
    const added = { caption: 'The tables', originalName: 'Ann Abbot.jpg' };
    const asked = { reason: 'This is me, Ann', takedown: true };
    await db
      .insertInto('audit')
      .values([
        aRecord({ subject_id: 1, after: JSON.stringify(added) }),
        aRecord({ subject_id: 2, before: JSON.stringify(added), after: JSON.stringify(asked) }),
        aRecord({ subject_id: 3 }),
        aRecord({
          subject_id: 4,
          subject: 'user',
          before: JSON.stringify(added),
          after: JSON.stringify(asked),
        }),
      ])
      .execute();
    await migrate(database);
    const rows = await db.selectFrom('audit').select(['before', 'after']).orderBy('subject_id').execute();
    const read = (json: string | null): unknown => (json === null ? null : JSON.parse(json));
    expect(rows.map(({ before, after }) => ({ before: read(before), after: read(after) }))).toEqual([
      { before: null, after: { caption: 'The tables' } },
      { before: { caption: 'The tables' }, after: { takedown: true } },
      { before: null, after: null },
      { before: added, after: asked },
    ]);
    await expect(db.updateTable('audit').set({ after: '{}' }).execute()).rejects.toThrow('append-only');
  });

  test('keeps an address as proven only where the record says how, and says who vouched for the others', async () => {
    const { database } = await anEmptyDatabase();
    const { db } = database;
    await migrate(database, { upTo: '0050-photos-for-screens' });
    const [ada, typed, opened, registered] = [
      await aUserRow(db, 'ada'),
      await aUserRow(db, 'typed'),
      await aUserRow(db, 'opened'),
      await aUserRow(db, 'registered'),
    ];
    await db.updateTable('users').set({ email_verified_at: AT }).execute();
    const deed = (action: string, subject_id: number) => ({
      ...aRecord({ subject_id, subject: 'user' }),
      actor_id: ada,
      action,
    });
    await db
      .insertInto('audit')
      .values([
        deed('account.create', typed),
        deed('account.create', opened),
        deed('password.reset', opened),
        deed('account.register', registered),
      ])
      .execute();
    await migrate(database);
    const rows = await db
      .selectFrom('users')
      .select(['id', 'email_verified_at as provenAt', 'vouched_by as by'])
      .where('id', '<>', ada)
      .orderBy('id')
      .execute();
    expect(rows).toEqual([
      { id: typed, provenAt: null, by: ada },
      { id: opened, provenAt: AT, by: null },
      { id: registered, provenAt: AT, by: null },
    ]);
  });

  test('takes a password as an administrator’s where nobody has proven the address that they typed', async () => {
    const { database } = await anEmptyDatabase();
    const { db } = database;
    await migrate(database, { upTo: '0055-deactivated-by-district' });
    const ada = await aUserRow(db, 'ada');
    const vouched = { vouched_at: AT, vouched_by: ada };
    const password = { password_hash: 'hashed' };
    const rows = [
      { ...vouched, ...password },
      { ...vouched, ...password, email_verified_at: AT },
      vouched,
      password,
    ];
    const ids: number[] = [];
    for (const [number, row] of rows.entries()) {
      const id = await aUserRow(db, `person${number}`);
      await db.updateTable('users').set(row).where('id', '=', id).execute();
      ids.push(id);
    }
    await migrate(database);
    const found = await db
      .selectFrom('users')
      .select(['password_given_at as at', 'password_given_by as by'])
      .where('id', 'in', ids)
      .orderBy('id')
      .execute();
    const nobody = { at: null, by: null };
    expect(found).toEqual([{ at: AT, by: ada }, nobody, nobody, nobody]);
  });

  test('knows the addresses that an account had before, also those of an account that became part of it', async () => {
    const { database } = await anEmptyDatabase();
    const { db } = database;
    await migrate(database, { upTo: '0053-past-addresses' });
    const [ann, merged, parted, erased] = [
      await aUserRow(db, 'ann'),
      await aUserRow(db, 'merged'),
      await aUserRow(db, 'parted'),
      await aUserRow(db, 'erased'),
    ];
    for (const id of [merged, erased]) {
      await db.updateTable('users').set({ erased_at: AT }).where('id', '=', id).execute();
    }
    const merge = { into_user_id: ann, merged_by: null, merged_at: AT, sealed: null };
    await db
      .insertInto('account_merges')
      .values([
        { ...merge, from_user_id: merged, undone_at: null },
        { ...merge, from_user_id: parted, undone_at: AT },
      ])
      .execute();
    const deed = (subject_id: number, action: string, before: string | null, after: string | null) => ({
      ...aRecord({ subject_id, subject: 'user' }),
      action,
      before: before === null ? null : JSON.stringify({ email: before }),
      after: after === null ? null : JSON.stringify({ email: after }),
    });
    const { email: now } = await db
      .selectFrom('users')
      .select('email')
      .where('id', '=', ann)
      .executeTakeFirstOrThrow();
    await db
      .insertInto('audit')
      .values([
        deed(ann, 'account.register', null, 'First@a.example'),
        deed(ann, 'account.edit', 'First@a.example', now),
        deed(merged, 'account.merge-away', 'other@a.example', null),
        deed(parted, 'account.merge-away', 'theirs@a.example', null),
        deed(erased, 'account.change', 'gone@a.example', null),
        deed(ann, 'session.fail', 'guess@a.example', null),
      ])
      .execute();
    await migrate(database);
    const rows = await db.selectFrom('past_addresses').selectAll().orderBy('email_key').execute();
    expect(rows).toEqual([
      { user_id: ann, email_key: 'first@a.example' },
      { user_id: ann, email_key: 'other@a.example' },
      { user_id: parted, email_key: 'theirs@a.example' },
    ]);
  });

  test('knows whom the district deactivated before', async () => {
    const { database } = await anEmptyDatabase();
    const { db } = database;
    await migrate(database, { upTo: '0053-past-addresses' });
    const [ada, boss] = [await aUserRow(db, 'ada'), await aUserRow(db, 'boss')];
    await db.updateTable('users').set({ role: 'admin' }).where('id', '=', ada).execute();
    const [byDistrict, bySchool, again, active] = [
      await aUserRow(db, 'by-district'),
      await aUserRow(db, 'by-school'),
      await aUserRow(db, 'again'),
      await aUserRow(db, 'active'),
    ];
    const out = [byDistrict, bySchool, again];
    await db.updateTable('users').set({ is_active: 0 }).where('id', 'in', out).execute();
    const deed = (subject_id: number, actor_id: number, isActive: boolean) => ({
      ...aRecord({ subject_id, subject: 'user' }),
      action: 'account.change',
      actor_id,
      before: JSON.stringify({ isActive: !isActive }),
      after: JSON.stringify({ isActive }),
    });
    await db
      .insertInto('audit')
      .values([
        deed(byDistrict, ada, false),
        deed(bySchool, boss, false),
        deed(again, ada, false),
        deed(again, ada, true),
        deed(again, boss, false),
        deed(active, ada, false),
        deed(active, ada, true),
      ])
      .execute();
    await migrate(database);
    const shut = db.selectFrom('users').select('id').where('deactivated_by_district', '=', 1);
    expect(await shut.execute()).toEqual([{ id: byDistrict }]);
  });

  test('lets members of before see photos that only approved ones see, but not those who registered by themselves', async () => {
    const { database } = await anEmptyDatabase();
    const { db } = database;
    await migrate(database, { upTo: '0040-reminders' });
    const schools = [await aSchoolRow(db, 'Lincoln'), await aSchoolRow(db, 'Harbor')] as const;
    const [lincoln, harbor] = schools;
    const added = await aUserRow(db, 'added');
    const self = await aUserRow(db, 'self');
    const waiting = await aUserRow(db, 'waiting');
    const approved = await aUserRow(db, 'approved');
    const invited = await aUserRow(db, 'invited');
    const everywhere = [self, approved, invited].flatMap((user_id) =>
      schools.map((school_id) => ({ user_id, school_id, status: 'active' as const, created_at: AT })),
    );
    await db
      .insertInto('user_schools')
      .values([
        ...everywhere,
        { user_id: added, school_id: lincoln, status: 'active', created_at: AT },
        { user_id: waiting, school_id: lincoln, status: 'pending', created_at: AT },
      ])
      .execute();
    const registered = [self, approved, invited].map((subject_id) => ({
      ...aRecord({ subject_id, subject: 'user' }),
      action: 'account.register',
    }));
    const approval = { ...aRecord({ subject_id: approved, subject: 'user' }), action: 'membership.approve' };
    // Other deeds about people say nothing of how they came, nor does what was done to a school of the same number.
    const others = [
      { ...aRecord({ subject_id: added, subject: 'user' }), action: 'account.add' },
      { ...aRecord({ subject_id: self, subject: 'user' }), action: 'membership.refuse', school_id: lincoln },
      {
        ...aRecord({ subject_id: self, subject: 'school' }),
        action: 'membership.approve',
        school_id: lincoln,
      },
    ];
    await db
      .insertInto('audit')
      .values([...registered, { ...approval, school_id: lincoln }])
      .execute();
    await db.insertInto('audit').values(others).execute();
    await sql`insert into invites (token_hash, email, email_key, role, created_at, expires_at, used_at, used_by)
      values (${'a'.repeat(64)}, 'i@a.example', 'i@a.example', 'user', ${AT}, ${AT}, ${AT}, ${invited})`.execute(
      db,
    );
    await sql`insert into invite_schools (invite_id, school_id) select id, ${harbor} from invites`.execute(
      db,
    );
    await migrate(database);
    const rows = await db
      .selectFrom('user_schools')
      .select(['user_id', 'school_id', 'is_approved'])
      .execute();
    const unapproved = rows.filter(({ is_approved }) => is_approved === 0);
    expect(new Set(unapproved.map(({ user_id, school_id }) => `${user_id} ${school_id}`))).toEqual(
      new Set([
        `${self} ${lincoln}`,
        `${self} ${harbor}`,
        `${waiting} ${lincoln}`,
        `${approved} ${harbor}`,
        `${invited} ${lincoln}`,
      ]),
    );
  });

  test('that is newer than the program stops the start, untouched', async () => {
    const { database } = await anEmptyDatabase();
    await migrate(database);
    await sql`insert into schema_migrations (name, timestamp) values ('9999-future', '2030-01-01')`.execute(
      database.db,
    );
    await sql`update server_state set value = '9999-future' where name = 'must-know'`.execute(database.db);
    await expect(migrate(database)).rejects.toThrow(
      /^The database was made by a newer version of this program \(9999-future\)\. Start that version, or restore/,
    );
  });
});

async function aSchoolRow(db: Db, name: string): Promise<number> {
  const { id } = await db
    .insertInto('schools')
    .values({ name, name_key: name.toLowerCase(), logo_url: null, created_at: AT })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function aUserRow(db: Db, name: string): Promise<number> {
  const email = `${name}@maplegrove.example`;
  const { id } = await db
    .insertInto('users')
    .values({
      email,
      email_key: email,
      password_hash: null,
      first_name: name,
      last_name: 'Person',
      sort_key: name,
      search_key: name,
      role: 'user',
      is_active: 1,
      created_at: AT,
      last_login_at: null,
      email_verified_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

function aRecord(differing: { subject_id: number; subject?: string; before?: string; after?: string }) {
  return {
    at: AT,
    actor_id: 1,
    action: 'photo.change',
    subject: 'photo',
    school_id: null,
    before: null,
    after: null,
    address: null,
    request_id: null,
    ...differing,
  };
}

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

describe('the database itself refuses', () => {
  test.each([
    ['hours under a quarter', { hours_hundredths: 24 }],
    ['hours over a day', { hours_hundredths: 2401 }],
    ['a day that does not exist', { entry_date: '2026-02-30' }],
    ['a day that is no day', { entry_date: 'someday' }],
    ['notes over 500 characters', { notes: 'x'.repeat(501) }],
    ['blank notes', { notes: '' }],
    ['an entry of nobody', { user_id: 999_999 }],
    ['an activity of another school', { school_id: 999_999 }],
    ['a deletion by nobody', { deleted_at: AT }],
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
    ['a role that is none', { role: 'owner' }],
    ['an address twice, in other letters', { email_key: 'taken@maplegrove.example' }],
    ['an empty name', { first_name: '' }],
    ['a flag that is no flag', { is_active: 2 }],
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

  test('an activity whose end lies before its start, or that asks for nothing in particular', async () => {
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

  test('to change or remove what was recorded; what it says of a person can be blanked', async () => {
    const app = await sharedApp();
    const { db } = app.deps.database;
    const { id } = await db
      .insertInto('audit')
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
    await expect(db.deleteFrom('audit').where('id', '=', id).execute()).rejects.toThrow('append-only');
    for (const change of [
      { action: 'x' },
      { actor_id: 2 },
      { after: '{}' },
      { before: '{}' },
      { at: AT, id: 0 },
    ]) {
      await expect(db.updateTable('audit').set(change).where('id', '=', id).execute()).rejects.toThrow(
        'append-only',
      );
    }
    await db.updateTable('audit').set({ after: null }).where('id', '=', id).execute();
  });
});

describe('a transaction', () => {
  test('that fails leaves nothing behind', async () => {
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
  test('does not let its log grow without end under writes', async () => {
    const app = await startApp();
    const row = await rowOf(app);
    for (let i = 0; i < 1500; i++) {
      await app.deps.database.db.insertInto('time_entries').values(row).returning('id').execute();
    }
    expect(statSync(join(app.dataDir, 'volunteer-time.db-wal')).size).toBeLessThan(12_000_000);
  });
});

describe.runIf(ENGINE === 'postgres')('PostgreSQL', () => {
  test('is refused at start when synchronous_commit is off', async () => {
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

  test('is refused at start when fsync is off', async () => {
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
