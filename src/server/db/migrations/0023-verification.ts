import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/**
 * Hours that somebody verified: what schools and activities say about it, the state of every entry, sums of the hours
 * that count, and the decisions that can be undone.
 */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await addSettings(db, engine);
  await addStates(db, engine);
  await addSums(db, engine);
  await wakeEntries(db, engine);
  await makeBatches(db, engine);
}

async function addSettings(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  const add = addingTo(db);
  await add(
    'schools',
    sql`verification ${t.key} not null default 'off' check (verification in ('off', 'on'))`,
  );
  await add('schools', sql`closed_before ${t.date('closed_before')}`);
  await add('schools', sql`late_after_days ${t.whole} check (late_after_days between 1 and 366)`);
  await add(
    'activities',
    sql`verification ${t.key} not null default 'school' check (verification in ('school', 'trusted', 'outside'))`,
  );
  await add('activities', sql`outside_verifier ${t.text} check (length(outside_verifier) between 3 and 254)`);
}

// Entries of a school that does not verify have no state: the indexes of states have no row of them either.
async function addStates(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  const add = addingTo(db);
  const entries = 'time_entries';
  await add(entries, sql`verification ${t.key} check (verification in ('waiting', 'verified', 'declined'))`);
  await add(
    entries,
    sql`counted_hundredths ${t.whole} not null default 0 check (counted_hundredths between 0 and 2400)`,
  );
  await add(entries, sql`decided_by ${t.ref}`);
  await add(entries, sql`decided_outside ${t.text}`);
  await add(entries, sql`decided_at ${t.instant('decided_at')}`);
  await add(entries, sql`decided_version ${t.whole}`);
  await add(entries, sql`decision_note ${t.text} check (length(decision_note) between 1 and 500)`);
  await add(entries, sql`reopen_note ${t.text} check (length(reopen_note) between 1 and 500)`);
  await add(entries, sql`reopen_asked_at ${t.instant('reopen_asked_at')}`);
  await add(entries, sql`outside_verifier ${t.text} check (length(outside_verifier) between 3 and 254)`);
  const rest = engine === 'sqlite' ? sql`, deleted_at` : sql``;
  await sql`create index entries_by_verification on time_entries
    (school_id, verification, entry_date, id, activity_id, user_id, hours_hundredths, counted_hundredths${rest})
    where verification is not null and deleted_at is null`.execute(db);
}

/** The sums that have the hours that count, each with its key. */
const SUMS = [
  ['school_sums', ['school_id']],
  ['activity_sums', ['activity_id']],
  ['day_sums', ['school_id', 'entry_date']],
  ['month_sums', ['school_id', 'month', 'activity_id']],
  ['school_people', ['school_id', 'user_id']],
  ['activity_people', ['activity_id', 'user_id']],
] as const;

async function addSums(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  for (const [table] of SUMS) {
    await addingTo(db)(
      table,
      sql`counted_hundredths ${t.whole} not null default 0 check (counted_hundredths >= 0)`,
    );
  }
  const stays = ['school_id', 'user_id', 'activity_id', 'entry_date']
    .map((column) => `new.${column} = old.${column}`)
    .join(' and ');
  const counts = (row: 'old' | 'new') => `(${row}.deleted_at is null and ${row}.counted_hundredths <> 0)`;
  const changes = 'counted_hundredths, school_id, user_id, activity_id, entry_date, deleted_at';
  const on = (name: string, event: string, when: string, deeds: readonly string[]) =>
    makeTrigger(db, engine, { name, event, when, deeds });
  // The names follow those of the triggers that hold the school's row, as PostgreSQL goes by them. An entry that does
  // not count fires none of these.
  await on('entry_counted', 'after insert', counts('new'), adding(engine, '+ new.counted_hundredths'));
  await on('entry_removed_counted', 'after delete', counts('old'), removing(engine));
  await on(
    'entry_moved_5_counted_out',
    `after update of ${changes}`,
    `${counts('old')} and not (new.deleted_at is null and ${stays})`,
    removing(engine),
  );
  await on(
    'entry_moved_6_counted_in',
    `after update of ${changes}`,
    `${counts('new')} and not (old.deleted_at is null and ${stays})`,
    adding(engine, '+ new.counted_hundredths'),
  );
  await on(
    'entry_moved_7_counted',
    `after update of ${changes}`,
    `new.counted_hundredths <> old.counted_hundredths
      and new.deleted_at is null and old.deleted_at is null and ${stays}`,
    adding(engine, '+ new.counted_hundredths - old.counted_hundredths'),
  );
}

// On SQLite the triggers of one event run in no promised order, so the row of the entry itself may not be there yet.
function adding(engine: Engine, by: string): string[] {
  const change = changing(engine, 'new', by);
  if (engine === 'postgres') return change;
  const month = monthOf(engine, 'new.entry_date');
  const zero = (table: string, key: string, values: string) =>
    `insert into ${table} (${key}, entries, hours_hundredths) ${values} on conflict do nothing`;
  const missing = [
    zero('school_sums', 'school_id', 'values (new.school_id, 0, 0)'),
    zero('activity_sums', 'activity_id', 'values (new.activity_id, 0, 0)'),
    zero('day_sums', 'school_id, entry_date', 'values (new.school_id, new.entry_date, 0, 0)'),
    zero(
      'month_sums',
      'school_id, month, activity_id',
      `values (new.school_id, ${month}, new.activity_id, 0, 0)`,
    ),
    zero(
      'school_people',
      'school_id, user_id, sort_key',
      'select new.school_id, id, sort_key, 0, 0 from users where id = new.user_id',
    ),
    zero('activity_people', 'activity_id, user_id', 'values (new.activity_id, new.user_id, 0, 0)'),
  ];
  return [...missing, ...change];
}

function removing(engine: Engine): string[] {
  return changing(engine, 'old', '- old.counted_hundredths');
}

function changing(engine: Engine, row: 'old' | 'new', by: string): string[] {
  const value = (column: string) =>
    column === 'month' ? monthOf(engine, `${row}.entry_date`) : `${row}.${column}`;
  return SUMS.map(([table, key]) => {
    const where = key.map((column) => `${column} = ${value(column)}`).join(' and ');
    return `update ${table} set counted_hundredths = counted_hundredths ${by} where ${where}`;
  });
}

// When a school begins to verify, what was logged before waits. On PostgreSQL nobody logs hours meanwhile: whoever does
// so just then sees the school as it is afterwards.
async function wakeEntries(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const wake = (live: string) =>
    `update time_entries set verification = 'waiting'
     where school_id = new.id and verification is null and deleted_at ${live}`;
  await makeTrigger(db, engine, {
    name: 'school_verifies',
    event: 'after update of verification',
    table: 'schools',
    when: `new.verification = 'on' and old.verification = 'off'`,
    deeds: [
      ...(engine === 'sqlite' ? [] : ['lock table time_entries in share row exclusive mode']),
      wake('is null'),
      wake('is not null'),
    ],
  });
}

// What an entry was before it was decided about, so that the decision can be undone; swept an hour later.
async function makeBatches(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  await sql`create table verification_batches (
    id ${t.id},
    decided_by ${t.ref} not null,
    decided_at ${t.instant('decided_at')} not null,
    decision ${t.key} not null check (decision in ('verify', 'decline', 'reopen')),
    undone_at ${t.instant('undone_at')}
  ) ${t.end}`.execute(db);
  await sql`create table verification_batch_entries (
    batch_id ${t.ref} not null references verification_batches (id) on delete cascade,
    entry_id ${t.ref} not null references time_entries (id) on delete cascade,
    version ${t.whole} not null,
    before ${t.text} not null
  ) ${t.end}`.execute(db);
  await sql`create index verification_batch_entries_of_batch on verification_batch_entries (batch_id)`.execute(
    db,
  );
  await sql`create index verification_batch_entries_of_entry on verification_batch_entries (entry_id)`.execute(
    db,
  );
}

function addingTo(db: Kysely<unknown>) {
  return (table: string, column: ReturnType<typeof sql>) =>
    sql`alter table ${sql.table(table)} add column ${column}`.execute(db);
}

function monthOf(engine: Engine, day: string): string {
  return engine === 'sqlite' ? `substr(${day}, 1, 8) || '01'` : `date_trunc('month', ${day})::date`;
}

async function makeTrigger(
  db: Kysely<unknown>,
  engine: Engine,
  {
    name,
    event,
    table = 'time_entries',
    when,
    deeds,
  }: { name: string; event: string; table?: string; when: string; deeds: readonly string[] },
): Promise<void> {
  const body = deeds.map((deed) => `${deed};`).join('\n');
  if (engine === 'sqlite') {
    await sql.raw(`create trigger ${name} ${event} on ${table} when ${when} begin ${body} end`).execute(db);
    return;
  }
  await sql
    .raw(`create function ${name}() returns trigger language plpgsql as $$ begin ${body} return null; end $$`)
    .execute(db);
  await sql
    .raw(`create trigger ${name} ${event} on ${table} for each row when (${when}) execute function ${name}()`)
    .execute(db);
}
