import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/**
 * On which days of a month somebody helped at a school, and when they last did before that month: different people of
 * any days can be counted without reading the entries. Kept by triggers of their own beside those of the other sums.
 */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  const run = (statement: ReturnType<typeof sql>) => statement.execute(db);
  const end = engine === 'sqlite' ? sql`strict, without rowid` : sql``;

  await run(sql`create table month_people (
    school_id ${t.ref} not null references schools (id) on delete cascade,
    month ${t.date('month')} not null,
    user_id ${t.ref} not null references users (id) on delete cascade,
    days ${t.whole} not null check (days > 0 and days < 2147483648),
    last_before ${t.date('last_before')},
    primary key (school_id, month, user_id)
  ) ${end}`);
  await run(sql`create index month_people_of_user on month_people (user_id)`);
  await run(sql`insert into month_people (school_id, month, user_id, days, last_before)
    select school_id, month, user_id, days, lag(last) over (partition by school_id, user_id order by month)
    from (
      select school_id, month, user_id, sum(${sql.raw(bitOf(engine, 'entry_date'))}) as days,
        max(entry_date) as last
      from (
        select distinct school_id, ${sql.raw(monthOf(engine, 'entry_date'))} as month, user_id, entry_date
        from time_entries where deleted_at is null
      ) as helped group by school_id, month, user_id
    ) as months`);

  const stays = ['school_id', 'user_id', 'entry_date'].map((key) => `new.${key} = old.${key}`).join(' and ');
  const live = (row: 'old' | 'new') => `${row}.deleted_at is null`;
  const places = 'school_id, user_id, entry_date, deleted_at';
  const on = (name: string, event: string, when: string, deeds: readonly string[]) =>
    makeTrigger(db, engine, { name, event, when, deeds });
  // Their names follow those of the triggers that hold the school's row: PostgreSQL goes by the names, and two who
  // delete the last two entries of a day must see each other.
  await on('entry_day_added', 'after insert', live('new'), adding(engine));
  await on('entry_removed_day', 'after delete', live('old'), removing(engine));
  await on(
    'entry_moved_3_day_out',
    `after update of ${places}`,
    `${live('old')} and not (${live('new')} and ${stays})`,
    removing(engine),
  );
  await on(
    'entry_moved_4_day_in',
    `after update of ${places}`,
    `${live('new')} and not (${live('old')} and ${stays})`,
    adding(engine),
  );
}

function adding(engine: Engine): string[] {
  const month = monthOf(engine, 'new.entry_date');
  return [
    `insert into month_people (school_id, month, user_id, days, last_before)
     values (new.school_id, ${month}, new.user_id, ${bitOf(engine, 'new.entry_date')}, (
       select max(entry_date) from time_entries where ${theirs('new')} and entry_date < ${month}))
     on conflict (school_id, month, user_id) do update set days = month_people.days | excluded.days
     where month_people.days & excluded.days = 0`,
    `update month_people set last_before = new.entry_date
     where ${nextMonth(engine, 'new')} and (last_before is null or last_before < new.entry_date)`,
  ];
}

function removing(engine: Engine): string[] {
  const bit = bitOf(engine, 'old.entry_date');
  const row = `school_id = old.school_id and month = ${monthOf(engine, 'old.entry_date')} and user_id = old.user_id`;
  const isOver = `not exists (select 1 from time_entries where ${theirs('old')} and entry_date = old.entry_date)`;
  return [
    `delete from month_people where ${row} and days = ${bit} and ${isOver}`,
    `update month_people set days = days - ${bit} where ${row} and days & ${bit} <> 0 and ${isOver}`,
    `update month_people set last_before = (
       select max(entry_date) from time_entries where ${theirs('old')} and entry_date < month_people.month)
     where ${nextMonth(engine, 'old')} and last_before = old.entry_date`,
  ];
}

// The next month in which the same person helped at the same school.
function nextMonth(engine: Engine, row: 'old' | 'new'): string {
  const next = `(select min(entry_date) from time_entries
    where ${theirs(row)} and entry_date >= ${monthAfter(engine, `${row}.entry_date`)})`;
  return `school_id = ${row}.school_id and user_id = ${row}.user_id and month = ${monthOf(engine, next)}`;
}

function theirs(row: 'old' | 'new'): string {
  return `user_id = ${row}.user_id and school_id = ${row}.school_id and deleted_at is null`;
}

function monthOf(engine: Engine, day: string): string {
  return engine === 'sqlite' ? `substr(${day}, 1, 8) || '01'` : `date_trunc('month', ${day})::date`;
}

function monthAfter(engine: Engine, day: string): string {
  return engine === 'sqlite'
    ? `date(${monthOf(engine, day)}, '+1 month')`
    : `(date_trunc('month', ${day}) + interval '1 month')::date`;
}

// The first of a month is 1, the second 2, the third 4.
function bitOf(engine: Engine, day: string): string {
  return engine === 'sqlite'
    ? `(1 << (cast(substr(${day}, 9) as integer) - 1))`
    : `(1::bigint << (extract(day from ${day})::int - 1))`;
}

async function makeTrigger(
  db: Kysely<unknown>,
  engine: Engine,
  { name, event, when, deeds }: { name: string; event: string; when: string; deeds: readonly string[] },
): Promise<void> {
  const body = deeds.map((deed) => `${deed};`).join('\n');
  if (engine === 'sqlite') {
    await sql
      .raw(`create trigger ${name} ${event} on time_entries when ${when} begin ${body} end`)
      .execute(db);
    return;
  }
  await sql
    .raw(`create function ${name}() returns trigger language plpgsql as $$ begin ${body} return null; end $$`)
    .execute(db);
  await sql
    .raw(
      `create trigger ${name} ${event} on time_entries for each row when (${when}) execute function ${name}()`,
    )
    .execute(db);
}
