import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/**
 * Sums of the live time entries, kept by triggers: whoever writes an entry, by whatever way, cannot forget them. And
 * the indexes that administrators' lists are read from.
 */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await makeTables(db, engine);
  await fill(db, engine);
  await count(db, engine);
  await nameInOrder(db, engine);
  await makeIndexes(db, engine);
}

async function makeTables(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  const run = (statement: ReturnType<typeof sql>) => statement.execute(db);
  // A key of several columns is the row's place on disk; without this SQLite keeps it a second time.
  const end = engine === 'sqlite' ? sql`strict, without rowid` : sql``;
  const school = sql`${t.ref} not null references schools (id) on delete cascade`;
  const activity = sql`${t.ref} not null references activities (id) on delete cascade`;
  const user = sql`${t.ref} not null references users (id) on delete cascade`;
  const sums = sql`entries ${t.whole} not null check (entries >= 0),
    hours_hundredths ${t.whole} not null check (hours_hundredths >= 0)`;
  const people = sql`people ${t.whole} not null default 0 check (people >= 0)`;

  await run(sql`create table school_sums (school_id ${school} primary key, ${sums}, ${people}) ${end}`);
  await run(sql`create table activity_sums (activity_id ${activity} primary key, ${sums}, ${people}) ${end}`);
  await run(sql`create table day_sums (
    school_id ${school}, entry_date ${t.date('entry_date')} not null, ${sums},
    primary key (school_id, entry_date)
  ) ${end}`);
  await run(sql`create table month_sums (
    school_id ${school}, month ${t.date('month')} not null, activity_id ${activity}, ${sums},
    primary key (school_id, month, activity_id)
  ) ${end}`);
  await run(sql`create table school_people (
    school_id ${school}, user_id ${user}, sort_key ${t.key} not null, ${sums},
    primary key (school_id, user_id)
  ) ${end}`);
  await run(sql`create table activity_people (
    activity_id ${activity}, user_id ${user}, ${sums},
    primary key (activity_id, user_id)
  ) ${end}`);
  await run(sql`create index month_sums_of_activity on month_sums (activity_id)`);
  await run(sql`create unique index school_people_by_name on school_people (school_id, sort_key, user_id)`);
  await run(sql`create index school_people_of_user on school_people (user_id, entries)`);
  await run(sql`create index activity_people_of_user on activity_people (user_id)`);
}

async function fill(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const run = (statement: ReturnType<typeof sql>) => statement.execute(db);
  const sums = sql`count(*), sum(hours_hundredths)`;
  const live = sql`from time_entries where deleted_at is null`;
  await run(sql`insert into school_sums
    select school_id, ${sums}, count(distinct user_id) ${live} group by school_id`);
  await run(sql`insert into activity_sums
    select activity_id, ${sums}, count(distinct user_id) ${live} group by activity_id`);
  await run(sql`insert into day_sums
    select school_id, entry_date, ${sums} ${live} group by school_id, entry_date`);
  const month = sql.raw(monthOf(engine, 'entry_date'));
  await run(sql`insert into month_sums
    select school_id, ${month}, activity_id, ${sums} ${live} group by school_id, ${month}, activity_id`);
  await run(sql`insert into school_people
    select found.school_id, users.id, users.sort_key, found.entries, found.hours
    from (select school_id, user_id, count(*) as entries, sum(hours_hundredths) as hours ${live}
      group by school_id, user_id) as found
    join users on users.id = found.user_id`);
  await run(sql`insert into activity_people
    select activity_id, user_id, ${sums} ${live} group by activity_id, user_id`);
}

async function count(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const stays = ['school_id', 'user_id', 'activity_id', 'entry_date']
    .map((column) => `new.${column} = old.${column}`)
    .join(' and ');
  const live = (row: 'old' | 'new') => `${row}.deleted_at is null`;
  const places = 'school_id, user_id, activity_id, entry_date, deleted_at';
  const on = (name: string, event: string, when: string, deeds: readonly string[]) =>
    makeTrigger(db, engine, { name, event: `${event} on time_entries`, when, deeds });

  const added = adding(engine);
  const removed = changing(engine, 'old', '- 1', '- old.hours_hundredths');
  await on('entry_added', 'after insert', live('new'), added);
  await on('entry_removed', 'after delete', live('old'), removed);
  await on(
    'entry_hours_changed',
    'after update of hours_hundredths',
    `${live('old')} and ${live('new')} and ${stays} and new.hours_hundredths <> old.hours_hundredths`,
    changing(engine, 'new', '+ 0', '+ new.hours_hundredths - old.hours_hundredths'),
  );
  // Two steps in the order of their names, which PostgreSQL goes by.
  await on(
    'entry_moved_1_out',
    `after update of ${places}`,
    `${live('old')} and not (${live('new')} and ${stays})`,
    [...bothSchools(engine), ...removed],
  );
  await on(
    'entry_moved_2_in',
    `after update of ${places}`,
    `${live('new')} and not (${live('old')} and ${stays})`,
    added,
  );
  for (const [people, sums, id] of [
    ['school_people', 'school_sums', 'school_id'],
    ['activity_people', 'activity_sums', 'activity_id'],
  ] as const) {
    const change = (by: string) => `update ${sums} set people = people + ${by} where ${id} = new.${id}`;
    await makeTrigger(db, engine, {
      name: `${people}_first`,
      event: `after insert on ${people}`,
      when: 'new.entries > 0',
      deeds: [change('1')],
    });
    await makeTrigger(db, engine, {
      name: `${people}_again_or_no_more`,
      event: `after update of entries on ${people}`,
      when: '(new.entries = 0) <> (old.entries = 0)',
      deeds: [change('case when new.entries > 0 then 1 else -1 end')],
    });
  }
}

// The school's own row comes first in every change: on PostgreSQL it makes the writers of a school take turns, so that
// no two of them hold what the other waits for.
function adding(engine: Engine): string[] {
  const month = monthOf(engine, 'new.entry_date');
  const add = (table: string, key: string, values: string) =>
    `insert into ${table} (${key}, entries, hours_hundredths) ${values} on conflict (${key.replace(', sort_key', '')})
     do update set entries = ${table}.entries + 1,
       hours_hundredths = ${table}.hours_hundredths + new.hours_hundredths`;
  const one = '1, new.hours_hundredths';
  return [
    add('school_sums', 'school_id', `values (new.school_id, ${one})`),
    add('activity_sums', 'activity_id', `values (new.activity_id, ${one})`),
    add('day_sums', 'school_id, entry_date', `values (new.school_id, new.entry_date, ${one})`),
    add(
      'month_sums',
      'school_id, month, activity_id',
      `values (new.school_id, ${month}, new.activity_id, ${one})`,
    ),
    ...steadyName(engine),
    add(
      'school_people',
      'school_id, user_id, sort_key',
      `select new.school_id, id, sort_key, ${one} from users where id = new.user_id`,
    ),
    add('activity_people', 'activity_id, user_id', `values (new.activity_id, new.user_id, ${one})`),
  ];
}

function changing(engine: Engine, row: 'old' | 'new', entries: string, hours: string): string[] {
  const change = (table: string, where: string) =>
    `update ${table} set entries = entries ${entries}, hours_hundredths = hours_hundredths ${hours} where ${where}`;
  const [school, activity, user] = [
    `school_id = ${row}.school_id`,
    `activity_id = ${row}.activity_id`,
    `user_id = ${row}.user_id`,
  ];
  return [
    change('school_sums', school),
    change('activity_sums', activity),
    change('day_sums', `${school} and entry_date = ${row}.entry_date`),
    change('month_sums', `${school} and month = ${monthOf(engine, `${row}.entry_date`)} and ${activity}`),
    change('school_people', `${school} and ${user}`),
    change('activity_people', `${activity} and ${user}`),
  ];
}

// Two entries that trade schools at once would each hold what the other waits for.
function bothSchools(engine: Engine): string[] {
  if (engine === 'sqlite') return [];
  return [
    `if old.school_id <> new.school_id then
       perform 1 from school_sums where school_id in (old.school_id, new.school_id) order by school_id for update;
     end if`,
  ];
}

// Whoever is renamed while their first entry at a school is written waits, or is waited for.
function steadyName(engine: Engine): string[] {
  if (engine === 'sqlite') return [];
  return [
    `if not exists (select from school_people where school_id = new.school_id and user_id = new.user_id) then
       perform 1 from users where id = new.user_id for share;
     end if`,
  ];
}

// The name that a school's people are sorted by follows the person's own.
async function nameInOrder(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await makeTrigger(db, engine, {
    name: 'school_people_renamed',
    event: 'after update of sort_key on users',
    when: 'new.sort_key <> old.sort_key',
    deeds: ['update school_people set sort_key = new.sort_key where user_id = new.id'],
  });
}

async function makeTrigger(
  db: Kysely<unknown>,
  engine: Engine,
  { name, event, when, deeds }: { name: string; event: string; when: string; deeds: readonly string[] },
): Promise<void> {
  const body = deeds.map((deed) => `${deed};`).join('\n');
  if (engine === 'sqlite') {
    await sql.raw(`create trigger ${name} ${event} when ${when} begin ${body} end`).execute(db);
    return;
  }
  await sql
    .raw(`create function ${name}() returns trigger language plpgsql as $$ begin ${body} return null; end $$`)
    .execute(db);
  await sql
    .raw(`create trigger ${name} ${event} for each row when (${when}) execute function ${name}()`)
    .execute(db);
}

// What a list or a sum needs of an entry stands in the index itself, so that its row is not fetched.
async function makeIndexes(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(db);
  // SQLite looks at the column even where the index holds only rows without it; PostgreSQL knows.
  const end = engine === 'sqlite' ? ', deleted_at) where deleted_at is null' : ') where deleted_at is null';
  const remake = async (name: string, columns: string) => {
    await run(`drop index if exists ${name}`);
    await run(`create index ${name} on time_entries (${columns}`);
  };
  await remake(
    'entries_of_school',
    `school_id, entry_date, id, activity_id, hours_hundredths, user_id${end}`,
  );
  await remake('entries_by_date', `entry_date, id, activity_id, hours_hundredths, user_id${end}`);
  await remake(
    'entries_of_school_by_hours',
    `school_id, hours_hundredths, id, entry_date, activity_id, user_id${end}`,
  );
  await remake('entries_by_hours', `hours_hundredths, id, entry_date, activity_id, user_id${end}`);
  await remake(
    'entries_of_user_in_school',
    `user_id, school_id, entry_date, id, activity_id, hours_hundredths${end}`,
  );
  await remake('entries_of_user', `user_id, entry_date, id, school_id, activity_id, hours_hundredths${end}`);
  // Deleting an activity asks for whatever points at it, deleted or not: a partial index would not be used.
  await remake('entries_of_activity', 'activity_id, entry_date, id, deleted_at, user_id, hours_hundredths)');

  await run('create index activities_of_school_by_date on activities (school_id, active_from, id)');
  await run('create index activities_by_date on activities (active_from, id)');
}

function monthOf(engine: Engine, day: string): string {
  return engine === 'sqlite' ? `substr(${day}, 1, 8) || '01'` : `date_trunc('month', ${day})::date`;
}
