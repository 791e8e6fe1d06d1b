import { type Kysely, sql } from 'kysely';
import type { Engine } from '../column-types.ts';
import { ENTRY_SUMS, SUMMED } from '../sums.ts';

type Row = 'old' | 'new';
type Trigger = Readonly<{ name: string; event: string; when?: string; steps: readonly string[] }>;

/**
 * Creates triggers that update the totals of entries, so that no write can miss them, and that protect the audit log. They are
 * generated from `sums.ts`: once this migration is frozen, a change there needs a migration that recreates them.
 */
export async function makeTriggers(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const triggers = [
    ...entrySums(engine),
    ...ENTRY_SUMS.flatMap(countedVolunteers),
    ...volunteerNames(),
    ...photoFiles(),
    schoolVerifies(engine),
  ];
  for (const trigger of triggers) await makeTrigger(db, engine, trigger);
  await makeAuditAppendOnly(db, engine);
}

// PostgreSQL runs an event's triggers in the order of their names. SQLite guarantees no order, and none is needed.
function entrySums(engine: Engine): Trigger[] {
  const isSamePlace = ['school_id', 'user_id', 'activity_id', 'entry_date']
    .map((column) => `new.${column} = old.${column}`)
    .join(' and ');
  const isLive = (row: Row) => `${row}.deleted_at is null`;
  const moved = 'after update of school_id, user_id, activity_id, entry_date, deleted_at on time_entries';
  const added = [...addToSums(engine), ...addDay(engine)];
  const removed = [
    ...changeSums(engine, 'old', (column) => `- ${amount('old', column)}`),
    ...removeDay(engine),
  ];
  return [
    { name: 'entry_added', event: 'after insert on time_entries', when: isLive('new'), steps: added },
    { name: 'entry_removed', event: 'after delete on time_entries', when: isLive('old'), steps: removed },
    {
      name: 'entry_hours_changed',
      event: 'after update of hours_hundredths, counted_hundredths on time_entries',
      when: `${isLive('old')} and ${isLive('new')} and ${isSamePlace}`,
      steps: changeSums(engine, 'new', (column) => `+ ${amount('new', column)} - ${amount('old', column)}`),
    },
    {
      name: 'entry_moved_1_out',
      event: moved,
      when: `${isLive('old')} and not (${isLive('new')} and ${isSamePlace})`,
      steps: [...lockBothSchools(engine), ...removed],
    },
    {
      name: 'entry_moved_2_in',
      event: moved,
      when: `${isLive('new')} and not (${isLive('old')} and ${isSamePlace})`,
      steps: added,
    },
  ];
}

/** Returns the SQL for an entry's contribution to a column of a total. */
function amount(row: Row, column: string): string {
  return column === 'entries' ? '1' : `${row}.${column}`;
}

// The school's own row comes first: on PostgreSQL it serializes the writers of a school, which prevents deadlocks.
function addToSums(engine: Engine): string[] {
  return ENTRY_SUMS.flatMap(({ table, key, copied }) => {
    const amounts = SUMMED.map((column) => amount('new', column));
    const values = key.map((column) => keyValue(engine, 'new', column));
    const columns = [...key, ...(copied === undefined ? [] : [copied]), ...SUMMED].join(', ');
    const source =
      copied === undefined
        ? `values (${[...values, ...amounts].join(', ')})`
        : `select ${[...values, copied, ...amounts].join(', ')} from users where id = new.user_id`;
    const added = SUMMED.map((column, index) => `${column} = ${table}.${column} + ${amounts[index]}`);
    return [
      ...(copied === undefined ? [] : lockName(engine, table)),
      `insert into ${table} (${columns}) ${source} on conflict (${key.join(', ')}) do update set ${added.join(', ')}`,
    ];
  });
}

function changeSums(engine: Engine, row: Row, by: (column: string) => string): string[] {
  return ENTRY_SUMS.map(({ table, key }) => {
    const where = key.map((column) => `${column} = ${keyValue(engine, row, column)}`).join(' and ');
    const columns = SUMMED.filter((column) => row === 'old' || column !== 'entries');
    return `update ${table} set ${columns.map((column) => `${column} = ${column} ${by(column)}`).join(', ')} where ${where}`;
  });
}

function keyValue(engine: Engine, row: Row, column: string): string {
  return column === 'month' ? monthOf(engine, `${row}.entry_date`) : `${row}.${column}`;
}

// Prevents a deadlock between two entries that swap schools at the same time.
function lockBothSchools(engine: Engine): string[] {
  if (engine === 'sqlite') return [];
  return [
    `if old.school_id <> new.school_id then
       perform 1 from school_sums where school_id in (old.school_id, new.school_id) order by school_id for update;
     end if`,
  ];
}

// Prevents a change of name from running at the same time as the volunteer's first entry at a school.
function lockName(engine: Engine, table: string): string[] {
  if (engine === 'sqlite') return [];
  return [
    `if not exists (select from ${table} where school_id = new.school_id and user_id = new.user_id) then
       perform 1 from users where id = new.user_id for share;
     end if`,
  ];
}

function addDay(engine: Engine): string[] {
  const month = monthOf(engine, 'new.entry_date');
  return [
    `insert into month_volunteers (school_id, month, user_id, days, last_before)
     values (new.school_id, ${month}, new.user_id, ${bitOf(engine, 'new.entry_date')}, (
       select max(entry_date) from time_entries where ${ofVolunteer('new')} and entry_date < ${month}))
     on conflict (school_id, month, user_id) do update set days = month_volunteers.days | excluded.days
     where month_volunteers.days & excluded.days = 0`,
    `update month_volunteers set last_before = new.entry_date
     where ${inNextMonth(engine, 'new')} and (last_before is null or last_before < new.entry_date)`,
  ];
}

function removeDay(engine: Engine): string[] {
  const bit = bitOf(engine, 'old.entry_date');
  const row = `school_id = old.school_id and month = ${monthOf(engine, 'old.entry_date')} and user_id = old.user_id`;
  const isLast = `not exists (select 1 from time_entries where ${ofVolunteer('old')} and entry_date = old.entry_date)`;
  return [
    `delete from month_volunteers where ${row} and days = ${bit} and ${isLast}`,
    `update month_volunteers set days = days - ${bit} where ${row} and days & ${bit} <> 0 and ${isLast}`,
    `update month_volunteers set last_before = (
       select max(entry_date) from time_entries where ${ofVolunteer('old')} and entry_date < month_volunteers.month)
     where ${inNextMonth(engine, 'old')} and last_before = old.entry_date`,
  ];
}

// The same volunteer's next month with entries at the same school.
function inNextMonth(engine: Engine, row: Row): string {
  const after =
    engine === 'sqlite'
      ? `date(${monthOf(engine, `${row}.entry_date`)}, '+1 month')`
      : `(date_trunc('month', ${row}.entry_date) + interval '1 month')::date`;
  const next = `(select min(entry_date) from time_entries where ${ofVolunteer(row)} and entry_date >= ${after})`;
  return `school_id = ${row}.school_id and user_id = ${row}.user_id and month = ${monthOf(engine, next)}`;
}

function ofVolunteer(row: Row): string {
  return `user_id = ${row}.user_id and school_id = ${row}.school_id and deleted_at is null`;
}

function monthOf(engine: Engine, day: string): string {
  return engine === 'sqlite' ? `substr(${day}, 1, 8) || '01'` : `date_trunc('month', ${day})::date`;
}

// Bit 0 is the first of the month.
function bitOf(engine: Engine, day: string): string {
  return engine === 'sqlite'
    ? `(1 << (cast(substr(${day}, 9) as integer) - 1))`
    : `(1::bigint << (extract(day from ${day})::int - 1))`;
}

/** Triggers that update the number of volunteers in the totals of a school or an activity. */
function countedVolunteers({ table, key: [id], peopleIn }: (typeof ENTRY_SUMS)[number]): Trigger[] {
  if (peopleIn === undefined) return [];
  const change = (by: string) => `update ${table} set people = people + ${by} where ${id} = new.${id}`;
  return [
    {
      name: `${peopleIn}_first_entry`,
      event: `after insert on ${peopleIn}`,
      when: 'new.entries > 0',
      steps: [change('1')],
    },
    {
      name: `${peopleIn}_entries_changed`,
      event: `after update of entries on ${peopleIn}`,
      when: '(new.entries = 0) <> (old.entries = 0)',
      steps: [change('case when new.entries > 0 then 1 else -1 end')],
    },
  ];
}

/** Triggers that update the copies of a user's sort key, by which lists of volunteers are sorted. */
function volunteerNames(): Trigger[] {
  return ENTRY_SUMS.filter(({ copied }) => copied !== undefined).map(({ table, copied }) => ({
    name: `${table}_renamed`,
    event: `after update of ${copied} on users`,
    when: `new.${copied} <> old.${copied}`,
    steps: [`update ${table} set ${copied} = new.${copied} where user_id = new.id`],
  }));
}

/** Triggers that mark the files of deleted photos for removal, and their copies in Google Drive as unwanted. */
function photoFiles(): Trigger[] {
  return [
    {
      name: 'photo_files_orphaned',
      event: 'after delete on photos',
      steps: [
        `insert into orphaned_photo_files (storage_key, due_at) values (old.storage_key, '2000-01-01T00:00:00.000Z')
         on conflict (storage_key) do nothing`,
      ],
    },
    {
      name: 'drive_files_hidden',
      event: 'after update of deleted_at, review on photos',
      steps: [
        `update drive_files
         set is_unwanted = case when new.deleted_at is not null or new.review <> 'visible' then 1 else 0 end
         where photo_id = new.id`,
      ],
    },
    {
      name: 'drive_files_unwanted',
      event: 'after delete on photos',
      steps: ['update drive_files set is_unwanted = 1 where photo_id = old.id'],
    },
  ];
}

// When a school turns verification on, its existing hours become pending. On PostgreSQL the lock blocks new entries until the
// change is committed.
function schoolVerifies(engine: Engine): Trigger {
  const wait = (deleted: string) =>
    `update time_entries set verification = 'waiting'
     where school_id = new.id and verification is null and deleted_at ${deleted}`;
  return {
    name: 'school_verifies',
    event: 'after update of verification on schools',
    when: `new.verification = 'on' and old.verification = 'off'`,
    steps: [
      ...(engine === 'sqlite' ? [] : ['lock table time_entries in share row exclusive mode']),
      wait('is null'),
      wait('is not null'),
    ],
  };
}

async function makeTrigger(
  db: Kysely<unknown>,
  engine: Engine,
  { name, event, when, steps }: Trigger,
): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(db);
  const body = steps.map((step) => `${step};`).join('\n');
  const condition = when === undefined ? '' : `when (${when})`;
  if (engine === 'sqlite') {
    await run(`create trigger ${name} ${event} ${condition} begin ${body} end`);
    return;
  }
  await run(
    `create function ${name}() returns trigger language plpgsql as $$ begin ${body} return null; end $$`,
  );
  await run(`create trigger ${name} ${event} for each row ${condition} execute function ${name}()`);
}

// Audit events are added and never changed. Two exceptions: personal data in them can be blanked, and events older than the
// retention period may be deleted while `server_state` says so.
async function makeAuditAppendOnly(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const fixed = [
    'id',
    'at',
    'actor_id',
    'action',
    'subject',
    'subject_id',
    'school_id',
    'person_id',
    'request_id',
  ];
  const changed = [
    ...fixed.map((column) => `new.${column} is distinct from old.${column}`),
    ...['before', 'after', 'address'].map(
      (column) => `(new.${column} is not null and new.${column} is distinct from old.${column})`,
    ),
  ].join(' or ');
  const run = (statement: string) => sql.raw(statement).execute(db);
  const expired = (value: string) =>
    `exists (select 1 from server_state where name = 'audit-delete-before' and old.at < ${value})`;
  if (engine === 'sqlite') {
    const reject = `begin select raise(abort, 'the audit log is append-only'); end`;
    await run(
      `create trigger audit_rows_stay before delete on audit_events when not ${expired('value')} ${reject}`,
    );
    await run(`create trigger audit_values_stay before update on audit_events when ${changed} ${reject}`);
    return;
  }
  const reject = `raise exception 'the audit log is append-only';`;
  await run(
    `create function reject_audit_change() returns trigger language plpgsql as $$ begin ${reject} end $$`,
  );
  await run(`create function reject_audit_deletion() returns trigger language plpgsql as
    $$ begin if ${expired('value::timestamptz')} then return old; end if; ${reject} end $$`);
  await run(`create trigger audit_rows_stay before delete on audit_events
    for each row execute function reject_audit_deletion()`);
  await run(`create trigger audit_values_stay before update on audit_events
    for each row when (${changed}) execute function reject_audit_change()`);
}
