import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/** What reading the record needs: whose thing a row is about, and its lists' indexes. And the schools' logos. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await nameThePerson(db, engine);
  await makeIndexes(db);
  await makeAppendOnly(db, engine);
  await makeLogos(db, engine);
}

// The person whom a row concerns when somebody else acted: whose account, whose entry.
async function nameThePerson(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  await sql`alter table audit add column person_id ${t.ref}`.execute(db);
  await sql`update audit set person_id = subject_id
    where subject = 'user' and subject_id is distinct from actor_id`.execute(db);
  const owner =
    engine === 'sqlite'
      ? sql`json_extract(coalesce(after, before), '$.userId')`
      : sql`(coalesce(after, before)::json ->> 'userId')::bigint`;
  const recorded = sql`coalesce(${owner}, (select user_id from time_entries where time_entries.id = subject_id))`;
  await sql`update audit set person_id = ${recorded}
    where subject = 'time-entry' and ${recorded} is distinct from actor_id`.execute(db);
}

// Lists are read from the latest moment back; rows of one moment by id.
async function makeIndexes(db: Kysely<unknown>): Promise<void> {
  for (const index of ['audit_of_subject', 'audit_of_actor']) {
    await sql`drop index ${sql.ref(index)}`.execute(db);
  }
  await sql`create index audit_by_time on audit (at, id)`.execute(db);
  await sql`create index audit_of_subject on audit (subject, subject_id, at, id)`.execute(db);
  await sql`create index audit_of_actor on audit (actor_id, at, id)`.execute(db);
  // Most rows are volunteers' own: these two indexes take no room for them.
  await sql`create index audit_of_person on audit (person_id, at, id) where person_id is not null`.execute(
    db,
  );
  await sql`create index audit_of_action on audit (action, at, id) where action <> 'entry.log'`.execute(db);
}

// As in 0001, for the new column and the address too: an address can be blanked, and never be another one.
async function makeAppendOnly(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const kept = [
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
  const refused = sql.raw(
    [
      ...kept.map((column) => `new.${column} is distinct from old.${column}`),
      ...['before', 'after', 'address'].map(
        (column) => `(new.${column} is not null and new.${column} is distinct from old.${column})`,
      ),
    ].join(' or '),
  );
  if (engine === 'sqlite') {
    await sql`drop trigger audit_keeps_values`.execute(db);
    await sql`create trigger audit_keeps_values before update on audit when ${refused}
      begin select raise(abort, 'the audit record is append-only'); end`.execute(db);
    return;
  }
  await sql`drop trigger audit_keeps_values on audit`.execute(db);
  await sql`create trigger audit_keeps_values before update on audit
    for each row when (${refused}) execute function refuse_audit_change()`.execute(db);
}

// The picture itself, small and re-encoded: in the database it changes together with its school and its record.
async function makeLogos(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  await sql`create table school_logos (
    school_id ${t.ref} primary key references schools (id) on delete cascade,
    name ${t.key} not null check (length(name) between 8 and 100),
    type ${t.text} not null check (type in ('image/png', 'image/webp')),
    content ${t.bytes} not null,
    created_at ${t.instant('created_at')} not null
  ) ${t.end}`.execute(db);
  await sql`create index school_logos_by_name on school_logos (name)`.execute(db);
}
