import { existsSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { ENTRY_FIELDS } from '#features/time-entries/time-entry-fields.ts';
import { columnNames } from '#shared/entity-fields.ts';

const ENTRY_COLUMNS = [...columnNames(ENTRY_FIELDS), 'created_at', 'version'];

/** Opens the baseline's file beside the product's, which is made when it is missing; as durable as the product's. */
export function openBaseline(dataDir: string): BetterSqlite.Database {
  const path = join(dataDir, 'baseline.db');
  const isNew = !existsSync(path);
  const file = new BetterSqlite(path);
  file.pragma('journal_mode = WAL');
  file.pragma('synchronous = FULL');
  if (isNew) {
    file.exec(`attach '${join(dataDir, 'volunteer-time.db')}' as ours`);
    for (const statement of statements()) file.exec(statement);
    file.exec('detach ours');
  }
  return file;
}

// Tables made from the product's: only what the queries need, no checks, no keys, an index for each question.
function statements(): string[] {
  return [
    ...table('schools', 'id, name, name_key, logo_url'),
    ...table(
      'users',
      'id, email, email_key, password_hash, first_name, last_name, role, is_active, created_at, last_login_at',
    ),
    ...unique('users', 'email_key'),
    ...table('user_schools', 'user_id, school_id', `status = 'active'`),
    `create index user_schools_user on user_schools (user_id, school_id)`,
    // Nobody in the cast holds a role at all schools.
    ...table('user_grants', 'user_id, role, school_id', 'school_id is not null'),
    `create index user_grants_user on user_grants (user_id)`,
    ...table('categories', 'id, name, color, kind'),
    ...table(
      'activities',
      `id, school_id, category_id, name, name_key, description, is_active, active_from, active_until,
       requires_description, description_prompt, created_at, version`,
    ),
    `create index activities_name on activities (school_id, name_key, id)`,
    `create index activities_date on activities (school_id, active_from, id)`,
    ...table('time_entries', `id, ${ENTRY_COLUMNS}`, 'deleted_at is null'),
    `create index entries_user on time_entries (user_id, school_id, entry_date, id)`,
    `create index entries_school on time_entries (school_id, entry_date, id, user_id, hours_hundredths)`,
    `create index entries_hours on time_entries (school_id, hours_hundredths, id)`,
    `create index entries_activity on time_entries (activity_id, entry_date, id, user_id, hours_hundredths)`,
    ...table('school_sums', 'school_id, entries, hours_hundredths, people'),
    ...unique('school_sums', 'school_id'),
    ...table('day_sums', 'school_id, entry_date, entries, hours_hundredths'),
    ...unique('day_sums', 'school_id, entry_date'),
    ...table('activity_sums', 'activity_id, entries, hours_hundredths, people'),
    ...unique('activity_sums', 'activity_id'),
    ...table('school_people', 'school_id, user_id, sort_key, entries'),
    ...unique('school_people', 'school_id, user_id'),
    ...unique('school_people', 'school_id, sort_key, user_id'),
    'create table sessions (token_hash text primary key, user_id integer) without rowid',
    'insert into sessions select token_hash, user_id from ours.sessions',
    ...triggers(),
    'analyze',
  ];
}

// SQLite keeps the order of an outer loop only where it knows the key to be a whole number and unique.
function table(name: string, columns: string, where = 'true'): string[] {
  const typed = columns.split(',').map((column) => {
    const wanted = column.trim();
    if (wanted === 'id') return 'id integer primary key';
    const type = /(_id|_hundredths|^version|^entries|^people|^is_active)$/.test(wanted) ? ' integer' : '';
    return `${wanted}${type}${/^(school_id|user_id|sort_key|name_key)$/.test(wanted) ? ' not null' : ''}`;
  });
  return [
    `create table ${name} (${typed.join(', ')})`,
    `insert into ${name} select ${columns} from ours.${name} where ${where}`,
  ];
}

function unique(table: string, columns: string): string[] {
  return [`create unique index ${table}_${columns.replaceAll(', ', '_')} on ${table} (${columns})`];
}

function triggers(): string[] {
  const sums = (table: string, key: string, values: string, more = '', moreValues = '') =>
    `insert into ${table} (${key}, entries, hours_hundredths${more}) values (${values}, 1, new.hours_hundredths${moreValues})
     on conflict (${key}) do update set entries = entries + 1, hours_hundredths = hours_hundredths + new.hours_hundredths;`;
  const hours = 'set hours_hundredths = hours_hundredths + new.hours_hundredths - old.hours_hundredths';
  return [
    `create trigger added after insert on time_entries begin
       ${sums('school_sums', 'school_id', 'new.school_id', ', people', ', 0')}
       ${sums('day_sums', 'school_id, entry_date', 'new.school_id, new.entry_date')}
       ${sums('activity_sums', 'activity_id', 'new.activity_id')}
       insert into school_people (school_id, user_id, sort_key, entries) values (new.school_id, new.user_id, '', 1)
         on conflict (school_id, user_id) do update set entries = entries + 1;
     end`,
    `create trigger changed after update on time_entries begin
       update school_sums ${hours} where school_id = new.school_id;
       update day_sums ${hours} where school_id = new.school_id and entry_date = new.entry_date;
       update activity_sums ${hours} where activity_id = new.activity_id;
     end`,
  ];
}
