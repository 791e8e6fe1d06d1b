import { type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Engine } from '#server/db/column-types.ts';
import type { Db, Trx } from '#server/db/database.ts';
import { hasRows } from '#server/db/queries/count-rows.ts';
import { type Recipient, selectAdministrators } from '#server/db/queries/recipient.ts';
import type { Tables } from '#server/db/tables.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { fromHundredths } from '#shared/hours.ts';
import { fullName } from '#shared/person-name.ts';

/** Counts photos that are not deleted, with the size of their files. */
export async function countPhotos(db: Db): Promise<{ count: number; bytes: number }> {
  const { count, bytes } = await db
    .selectFrom('photos')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number | null>('file_size').as('bytes')])
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return { count, bytes: bytes ?? 0 };
}

/** Returns the number of entries and their hours from the rollups. */
export async function countHours(db: Db): Promise<{ entries: number; hours: number }> {
  const { entries, hundredths } = await db
    .selectFrom('school_sums')
    .select(({ fn }) => fn.sum<number | null>('entries').as('entries'))
    .select(({ fn }) => fn.sum<number | null>('hours_hundredths').as('hundredths'))
    .executeTakeFirstOrThrow();
  return { entries: entries ?? 0, hours: fromHundredths(hundredths ?? 0) };
}

/** Returns running exports. */
export function listRunningExports(db: Db) {
  return db
    .selectFrom('exports')
    .innerJoin('users', 'users.id', 'exports.user_id')
    .select([
      'exports.id',
      'exports.format',
      'exports.done',
      'exports.total',
      'exports.started_at as startedAt',
    ])
    .select(['users.first_name as firstName', 'users.last_name as lastName'])
    .where('exports.started_at', 'is not', null)
    .where('exports.outcome', 'is', null)
    .orderBy('exports.id')
    .execute();
}

/** Returns imports of hours that are running or being undone, with the user who started them. */
export function listRunningHoursImports(db: Db) {
  return (
    db
      .selectFrom('time_entry_imports as one')
      .leftJoin('users', (join) =>
        join.on((eb) => eb('users.id', '=', eb.fn.coalesce('one.undone_by', 'one.imported_by'))),
      )
      .select(['one.id', 'one.state', 'one.planned', 'one.made', 'one.left_out as leftOut', 'one.undone'])
      .select((eb) => eb.fn.coalesce('one.undone_at', 'one.imported_at').as('startedAt'))
      .select(['users.first_name as firstName', 'users.last_name as lastName'])
      // Must be the same condition as in the index on running imports.
      .where(sql<SqlBool>`one.state in ('running', 'undoing')`)
      .orderBy('one.id')
      .execute()
  );
}

/** Returns unfinished syncs. */
export function listRunningSyncs(db: Db) {
  return db
    .selectFrom('drive_syncs')
    .leftJoin('users', 'users.id', 'drive_syncs.requested_by')
    .select(['drive_syncs.id', 'drive_syncs.kind', 'drive_syncs.requested_at as requestedAt'])
    .select(['drive_syncs.waiting_until as waitingUntil'])
    .select(['users.first_name as firstName', 'users.last_name as lastName'])
    .select((eb) => [
      photosOf(eb).as('total'),
      photosOf(eb).where('drive_sync_photos.state', '<>', 'waiting').as('done'),
    ])
    .where('finished_at', 'is', null)
    .where('cancelled_at', 'is', null)
    .orderBy('drive_syncs.id')
    .execute();
}

function photosOf(eb: ExpressionBuilder<Tables, 'drive_syncs'>) {
  return eb
    .selectFrom('drive_sync_photos')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .whereRef('drive_sync_photos.sync_id', '=', 'drive_syncs.id');
}

/** Returns the names of accounts by id. */
export async function findNames(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('users')
    .select(['id', 'first_name as firstName', 'last_name as lastName'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, fullName(row)]));
}

/** Returns all server state whose name has this prefix. */
export function findServerStates(db: Db, prefix: string) {
  return db
    .selectFrom('server_state')
    .select(['name', 'value', 'noted_at as at'])
    .where('name', 'like', `${prefix}%`)
    .orderBy('name')
    .execute();
}

/** Returns the size of the database in bytes, without SQLite's log. */
export async function readDatabaseSize(db: Db, engine: Engine): Promise<number> {
  const size =
    engine === 'postgres'
      ? sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`
      : sql<{
          bytes: number;
        }>`select pages.page_count * sizes.page_size as bytes from pragma_page_count as pages, pragma_page_size as sizes`;
  const { rows } = await size.execute(db);
  return rows[0]?.bytes ?? 0;
}

/** Returns the email address of an account. */
export async function findEmail(db: Db, userId: number): Promise<string | undefined> {
  const row = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst();
  return row?.email;
}

/** Whether the connection to Google Drive was lost, because Google or a nightly sync ended it. */
export function isDriveDisconnected(db: Db): Promise<boolean> {
  return hasRows(db.selectFrom('drive_connection').where('lost_at', 'is not', null));
}

/** Returns the database's own time in milliseconds since 1970, and its version as text. */
export async function readDatabaseClock(db: Db, engine: Engine): Promise<{ now: number; version: string }> {
  const query =
    engine === 'postgres'
      ? sql<{
          now: number;
          version: string;
        }>`select extract(epoch from clock_timestamp()) * 1000 as now, current_setting('server_version') as version`
      : sql<{
          now: number;
          version: string;
        }>`select (julianday('now') - 2440587.5) * 86400000.0 as now, sqlite_version() as version`;
  const { rows } = await query.execute(db);
  return { now: Number(rows[0]?.now), version: rows[0]?.version ?? '' };
}

/** Counts the enabled triggers that protect the audit log from changes. */
export async function countAuditTriggers(db: Db, engine: Engine): Promise<number> {
  const query =
    engine === 'postgres'
      ? sql<{ count: number }>`select count(*) as count from pg_trigger
          where tgrelid = 'audit_events'::regclass and tgname like 'audit_%_stay' and tgenabled <> 'D'`
      : sql<{ count: number }>`select count(*) as count from sqlite_schema
          where type = 'trigger' and tbl_name = 'audit_events' and name like 'audit_%_stay'`;
  const { rows } = await query.execute(db);
  return rows[0]?.count ?? 0;
}

/** Counts time entries since a moment that have no audit event. */
export async function countEntriesWithoutAudit(db: Db, since: Instant): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from time_entries
    where created_at >= ${since} and not exists (select 1 from audit_events
      where audit_events.subject = 'time-entry' and audit_events.subject_id = time_entries.id)`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Returns the administrators who get emails about backups: all except those who opted out. */
export async function listBackupEmailRecipients(db: Db): Promise<Recipient[]> {
  return selectAdministrators(db)
    .leftJoin('backup_email_preferences', 'backup_email_preferences.user_id', 'users.id')
    .where((eb) =>
      eb.or([
        eb('backup_email_preferences.is_wanted', 'is', null),
        eb('backup_email_preferences.is_wanted', '=', 1),
      ]),
    )
    .execute();
}

/** Whether a user wants emails about backups; true by default. */
export async function wantsBackupEmail(db: Db, userId: number): Promise<boolean> {
  return (await findBackupEmailPreference(db, userId))?.wanted !== 0;
}

/** Returns a user's stored preference, or undefined. */
export function findBackupEmailPreference(db: Db, userId: number) {
  return db
    .selectFrom('backup_email_preferences')
    .select('is_wanted as wanted')
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** Stores whether a user wants emails about backups. */
export async function saveBackupEmailPreference(trx: Trx, userId: number, isWanted: boolean): Promise<void> {
  const choice = { is_wanted: isWanted ? 1 : 0 } as const;
  await trx
    .insertInto('backup_email_preferences')
    .values({ user_id: userId, ...choice })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(choice))
    .execute();
}

/** Deletes a user's preference. */
export async function deleteBackupEmailPreference(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('backup_email_preferences').where('user_id', '=', userId).execute();
}
