/**
 * The district as a Directus user would set it up: tables with keys, an index for each list, and permissions. Deleted entries
 * are left out.
 */
export type Engine = 'sqlite' | 'postgres';

const VOLUNTEER = '11111111-0000-4000-8000-000000000001';
/** The start of a user's id in Directus, followed by our own id. */
const PREFIX = '00000000-0000-4000-8000-';

/** The differences between the two engines. */
const DIALECTS = {
  sqlite: {
    id: 'integer primary key autoincrement',
    userId: 'char(36)',
    hours: 'float',
    userOf: (column: string) => `'${PREFIX}' || printf('%012d', ${column})`,
    hoursOf: (column: string) => `${column} / 100.0`,
    isTrue: (column: string) => column,
    // Directus stores dates as milliseconds in SQLite.
    dayOf: (column: string) => `unixepoch(${column}) * 1000`,
    /** The statement to run once a table has its rows. */
    finish: () => 'analyze',
  },
  postgres: {
    id: 'serial primary key',
    userId: 'uuid',
    hours: 'numeric(6, 2)',
    userOf: (column: string) => `('${PREFIX}' || lpad(${column}::text, 12, '0'))::uuid`,
    hoursOf: (column: string) => `${column} / 100.0::numeric`,
    isTrue: (column: string) => `${column} = 1`,
    dayOf: (column: string) => `${column}::date`,
    finish: (table: string) =>
      `select setval(pg_get_serial_sequence('${table}', 'id'), max(id)) from ${table}`,
  },
} as const;

const TABLES = ['schools', 'categories', 'activities', 'memberships', 'time_entries'];

const OWN = '{"user_id":{"_eq":"$CURRENT_USER"}}';
/** Volunteers read what a district offers, and log, read and change their own hours. */
const PERMISSIONS = [
  { collection: 'schools', action: 'read', rule: '{}' },
  { collection: 'categories', action: 'read', rule: '{}' },
  { collection: 'activities', action: 'read', rule: '{}' },
  { collection: 'memberships', action: 'read', rule: OWN },
  { collection: 'time_entries', action: 'read', rule: OWN },
  { collection: 'time_entries', action: 'update', rule: OWN },
  { collection: 'time_entries', action: 'create', rule: '{}', presets: '{"user_id":"$CURRENT_USER"}' },
  { collection: 'directus_users', action: 'read', rule: '{"id":{"_eq":"$CURRENT_USER"}}' },
] as const;

/** Replaces the end `.example` of our addresses, which Directus rejects. */
export const ADDRESS_END = '.org';

/** Returns the id of one of our users in Directus. */
export function directusUser(userId: number): string {
  return `${PREFIX}${String(userId).padStart(12, '0')}`;
}

/** The statements that create the tables and fill them from ours, which have the prefix `from`. */
export function schemaStatements(engine: Engine, from: string): string[] {
  const { id, userId, hours, userOf, hoursOf, isTrue, dayOf, finish } = DIALECTS[engine];
  const user = `user_id ${userId} not null references directus_users (id)`;
  const school = 'school_id integer not null references schools (id)';
  return [
    `create table schools (id ${id}, name varchar(255) not null)`,
    `create table categories (id ${id}, ${school}, name varchar(255) not null, color varchar(255) not null,
      kind varchar(255) not null)`,
    `create table activities (id ${id}, ${school}, category_id integer not null references categories (id),
      name varchar(255) not null, description text, is_active boolean not null, active_from date,
      active_until date, requires_description boolean not null, description_prompt varchar(255))`,
    `create table memberships (id ${id}, ${user}, ${school})`,
    `create table time_entries (id ${id}, ${user}, ${school},
      activity_id integer not null references activities (id), hours ${hours} not null, entry_date date not null,
      notes text)`,
    `insert into directus_roles (id, name) values ('${VOLUNTEER}', 'Volunteer')`,
    `insert into directus_policies (id, name) values ('${VOLUNTEER}', 'Volunteer')`,
    `insert into directus_access (id, role, policy) values ('${VOLUNTEER}', '${VOLUNTEER}', '${VOLUNTEER}')`,
    ...PERMISSIONS.map(permission),
    // Directus does this for tables that it creates, so that it records each change.
    ...TABLES.map((table) => `insert into directus_collections (collection) values ('${table}')`),
    `insert into directus_fields (collection, field, special) values ('directus_users', 'memberships', 'o2m')`,
    `insert into directus_relations (many_collection, many_field, one_collection, one_field)
      values ('memberships', 'user_id', 'directus_users', 'memberships')`,
    `insert into schools select id, name from ${from}schools`,
    `insert into categories select id, school_id, name, color, kind from ${from}categories`,
    `insert into activities select id, school_id, category_id, name, description, ${isTrue('is_active')},
      ${dayOf('active_from')}, ${dayOf('active_until')}, ${isTrue('requires_description')}, description_prompt
      from ${from}activities`,
    `insert into directus_users (id, email, first_name, last_name, password, role)
      select ${userOf('id')}, email || '${ADDRESS_END}', first_name, last_name, password_hash, '${VOLUNTEER}' from ${from}users`,
    `insert into memberships (user_id, school_id)
      select ${userOf('user_id')}, school_id from ${from}user_schools where status = 'active'`,
    `insert into time_entries select id, ${userOf('user_id')}, school_id, activity_id,
      ${hoursOf('hours_hundredths')}, ${dayOf('entry_date')}, notes from ${from}time_entries where deleted_at is null`,
    'create index entries_by_day on time_entries (school_id, entry_date)',
    'create index entries_by_hours on time_entries (school_id, hours)',
    'create index entries_of_user on time_entries (user_id, school_id, entry_date)',
    'create index entries_of_activity on time_entries (activity_id, entry_date)',
    'create index activities_of_school on activities (school_id)',
    'create index memberships_of_user on memberships (user_id)',
    ...TABLES.map(finish),
  ];
}

function permission({ collection, action, rule, ...more }: (typeof PERMISSIONS)[number]): string {
  const presets = 'presets' in more ? `'${more.presets}'` : 'null';
  return `insert into directus_permissions (collection, action, permissions, validation, presets, fields, policy)
    values ('${collection}', '${action}', '${rule}', '{}', ${presets}, '*', '${VOLUNTEER}')`;
}
