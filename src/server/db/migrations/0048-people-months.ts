import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/**
 * In which months somebody helped at a school, four years of them in one row: the different people of a whole district
 * over years are counted from a row or two for each person, where `month_people` has one for each of their months.
 * Triggers of that table keep it.
 */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  const run = (statement: ReturnType<typeof sql>) => statement.execute(db);
  const end = engine === 'sqlite' ? sql`strict, without rowid` : sql``;
  await run(sql`create table people_months (
    school_id ${t.ref} not null references schools (id) on delete cascade,
    user_id ${t.ref} not null references users (id) on delete cascade,
    era ${t.whole} not null,
    months ${t.whole} not null check (months > 0 and months < 281474976710656),
    primary key (school_id, user_id, era)
  ) ${end}`);
  await run(sql`create index people_months_of_user on people_months (user_id, era, months, school_id)`);
  const era = sql.raw(eraOf(engine, 'month'));
  await run(sql`insert into people_months (school_id, user_id, era, months)
    select school_id, user_id, ${era}, sum(${sql.raw(bitOf(engine, 'month'))}) from month_people
    group by school_id, user_id, ${era}`);

  const gone = bitOf(engine, 'old.month');
  const theirs = `school_id = old.school_id and user_id = old.user_id and era = ${eraOf(engine, 'old.month')}`;
  await makeTrigger(db, engine, 'month_person_added', 'after insert', [
    `insert into people_months (school_id, user_id, era, months)
     values (new.school_id, new.user_id, ${eraOf(engine, 'new.month')}, ${bitOf(engine, 'new.month')})
     on conflict (school_id, user_id, era) do update set months = people_months.months | excluded.months`,
  ]);
  await makeTrigger(db, engine, 'month_person_removed', 'after delete', [
    `delete from people_months where ${theirs} and months = ${gone}`,
    `update people_months set months = months - ${gone} where ${theirs} and months & ${gone} <> 0`,
  ]);
}

// Months are counted from the year 0, and 48 of them make an era.
function monthNumber(engine: Engine, month: string): string {
  return engine === 'sqlite'
    ? `(cast(substr(${month}, 1, 4) as integer) * 12 + cast(substr(${month}, 6, 2) as integer) - 1)`
    : `(extract(year from ${month})::int * 12 + extract(month from ${month})::int - 1)`;
}

function eraOf(engine: Engine, month: string): string {
  return `(${monthNumber(engine, month)} / 48)`;
}

function bitOf(engine: Engine, month: string): string {
  return `(${engine === 'sqlite' ? '1' : '1::bigint'} << (${monthNumber(engine, month)} % 48))`;
}

async function makeTrigger(
  db: Kysely<unknown>,
  engine: Engine,
  name: string,
  event: string,
  deeds: readonly string[],
): Promise<void> {
  const body = deeds.map((deed) => `${deed};`).join('\n');
  if (engine === 'sqlite') {
    await sql.raw(`create trigger ${name} ${event} on month_people begin ${body} end`).execute(db);
    return;
  }
  await sql
    .raw(`create function ${name}() returns trigger language plpgsql as $$ begin ${body} return null; end $$`)
    .execute(db);
  await sql
    .raw(`create trigger ${name} ${event} on month_people for each row execute function ${name}()`)
    .execute(db);
}
