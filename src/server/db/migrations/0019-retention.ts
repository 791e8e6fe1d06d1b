import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/**
 * How long things are kept: legal holds, rows of the record that may go when they are older than the district keeps
 * them, and indexes by age for what is deleted by it.
 */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await makeHolds(db, engine);
  await letOldRecordGo(db, engine);
  // What was done every hour until now: nobody runs these jobs any more, so no failure of theirs would ever pass.
  const gone = ['Sessions', 'Imports', 'Mail', 'Exports', 'Tries'].map((what) => `sweep${what}`);
  for (const job of [...gone, 'blankOldAddresses']) {
    await sql`delete from server_state where name in (${`ran:${job}`}, ${`failed:${job}`})`.execute(db);
  }
  await sql`delete from server_state where name = 'addresses-blanked-before'`.execute(db);
  await sql`create index photos_by_age on photos (created_at, id)`.execute(db);
  await sql`create index try_limits_by_age on try_limits (window_started_at, key)`.execute(db);
  await sql`create index sessions_by_age on sessions (created_at, id)`.execute(db);
  await sql`create index deleted_entries_by_date on time_entries (entry_date, id)
    where deleted_at is not null`.execute(db);
}

// No foreign keys: a hold stays when it was lifted and its person or school is deleted afterwards.
async function makeHolds(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  await sql`create table legal_holds (
    id ${t.id},
    user_id ${t.ref},
    school_id ${t.ref},
    reason ${t.text} check (length(reason) between 1 and 2000),
    placed_by ${t.ref} not null,
    placed_at ${t.instant('placed_at')} not null,
    lifted_by ${t.ref},
    lifted_at ${t.instant('lifted_at')},
    check ((user_id is null) <> (school_id is null)),
    check ((lifted_by is null) = (lifted_at is null))
  ) ${t.end}`.execute(db);
  for (const subject of ['user_id', 'school_id']) {
    await sql`create unique index ${sql.ref(`holds_in_force_by_${subject}`)} on legal_holds (${sql.ref(subject)})
      where lifted_at is null and ${sql.ref(subject)} is not null`.execute(db);
  }
}

// Only within the transaction that says up to when, and takes that back before it ends.
async function letOldRecordGo(db: Kysely<unknown>, engine: Engine): Promise<void> {
  if (engine === 'sqlite') {
    await sql`drop trigger audit_keeps_rows`.execute(db);
    await sql`create trigger audit_keeps_rows before delete on audit
      when not exists (select 1 from server_state where name = 'record-may-go' and old.at < value)
      begin select raise(abort, 'the audit record is append-only'); end`.execute(db);
    return;
  }
  await sql`drop trigger audit_keeps_rows on audit`.execute(db);
  await sql`create function refuse_audit_removal() returns trigger language plpgsql as
    $$ begin
      if exists (select 1 from server_state where name = 'record-may-go' and old.at < value::timestamptz) then
        return old;
      end if;
      raise exception 'the audit record is append-only';
    end $$`.execute(db);
  await sql`create trigger audit_keeps_rows before delete on audit
    for each row execute function refuse_audit_removal()`.execute(db);
}
