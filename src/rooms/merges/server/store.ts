import { sql } from 'kysely';
import type { Instant } from '#base/calendar-date.ts';
import type { Db, Trx } from '#server/db/connect.ts';
import { forUpdate } from '#server/db/lock.ts';
import type { Row } from '#server/db/tables.ts';
import { isHeld } from '#server/legal-hold-store.ts';
import { forgetMergedRows } from '#server/merged-rows-store.ts';

/** Notes a merge; `sealed` is what both rows of `users` were. Returns its id. */
export async function insertMerge(
  trx: Trx,
  merge: { from: number; into: number; by: number; at: Instant; sealed: string },
): Promise<number> {
  const { id } = await trx
    .insertInto('account_merges')
    .values({
      from_user_id: merge.from,
      into_user_id: merge.into,
      merged_by: merge.by,
      merged_at: merge.at,
      sealed: merge.sealed,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A merge, its row locked until the transaction ends. */
export function holdMerge(trx: Trx, id: number): Promise<Row<'account_merges'> | undefined> {
  return forUpdate(trx, trx.selectFrom('account_merges').selectAll().where('id', '=', id)).executeTakeFirst();
}

/** Whether something became part of an account after a merge, and is so still. */
export async function hasLaterMerge(trx: Trx, { id, into }: { id: number; into: number }): Promise<boolean> {
  const row = await trx
    .selectFrom('account_merges')
    .select('id')
    .where('into_user_id', '=', into)
    .where('id', '>', id)
    .where('undone_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Notes that a merge was undone; what was kept for it goes. */
export async function closeMerge(trx: Trx, id: number, by: number, at: Instant): Promise<void> {
  await trx
    .updateTable('account_merges')
    .set({ undone_by: by, undone_at: at, sealed: null })
    .where('id', '=', id)
    .execute();
  await forgetMergedRows(trx, [id]);
}

/** Forgets what is kept to undo merges made before a moment, of people under no hold. */
export async function forgetOldMerges(trx: Trx, before: Instant): Promise<void> {
  const rows = await trx
    .selectFrom('account_merges')
    .select('id')
    .where('merged_at', '<', before)
    .where('sealed', 'is not', null)
    .where(
      sql<boolean>`not ${isHeld({ people: ['account_merges.into_user_id', 'account_merges.from_user_id'] })}`,
    )
    .orderBy('merged_at')
    .limit(200)
    .execute();
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  await trx.updateTable('account_merges').set({ sealed: null }).where('id', 'in', ids).execute();
  await forgetMergedRows(trx, ids);
}

/** The merges since a moment that are in force. */
export async function mergesSince(
  db: Db,
  since: Instant,
): Promise<{ id: number; from: number; into: number }[]> {
  return db
    .selectFrom('account_merges')
    .select(['id', 'from_user_id as from', 'into_user_id as into'])
    .where('merged_at', '>=', since)
    .where('sealed', 'is not', null)
    .where('undone_at', 'is', null)
    .execute();
}

/** What became part of an account, the latest first, with the names of then and of who did it. */
export function mergesOf(db: Db, into: number) {
  return db
    .selectFrom('account_merges')
    .innerJoin('users as gone', 'gone.id', 'account_merges.from_user_id')
    .leftJoin('users as merger', 'merger.id', 'account_merges.merged_by')
    .select(['account_merges.id', 'merged_at', 'undone_at', 'sealed'])
    .select(['gone.first_name', 'gone.last_name'])
    .select(['merger.first_name as by_first', 'merger.last_name as by_last'])
    .where('into_user_id', '=', into)
    .orderBy('account_merges.id', 'desc')
    .limit(100)
    .execute();
}

/** Every school at which these people are, hold a role, or have hours, photos or suggestions. */
export async function schoolsOf(db: Db, people: readonly number[]): Promise<number[]> {
  const of = (table: string) =>
    sql`select distinct school_id from ${sql.table(table)} where user_id in (${sql.join(people)})`;
  const { rows } = await sql<{ school_id: number | null }>`${sql.join(
    ['user_schools', 'user_grants', 'time_entries', 'photos', 'activity_suggestions'].map(of),
    sql` union `,
  )}`.execute(db);
  return rows.flatMap(({ school_id }) => school_id ?? []);
}

/** Locks the sums of schools in one order: whoever logs hours there waits. */
export async function holdSums(trx: Trx, schools: readonly number[]): Promise<void> {
  if (schools.length === 0) return;
  await forUpdate(
    trx,
    trx.selectFrom('school_sums').select('school_id').where('school_id', 'in', schools).orderBy('school_id'),
  ).execute();
}

/** What an account holds that a merge moves, what lies in the trash left out. */
export async function countsOf(db: Db, userId: number) {
  const { rows } = await sql<
    Record<'entries' | 'hundredths' | 'photos' | 'suggestions' | 'letters', number>
  >`select
    (select count(*) from time_entries where user_id = ${userId} and deleted_at is null) as entries,
    (select coalesce(sum(hours_hundredths), 0) from time_entries
      where user_id = ${userId} and deleted_at is null) as hundredths,
    (select count(*) from photos where user_id = ${userId} and deleted_at is null) as photos,
    (select count(*) from activity_suggestions where user_id = ${userId} and status <> 'deleted') as suggestions,
    (select count(*) from service_letters where user_id = ${userId}) as letters`.execute(db);
  const [found] = rows;
  if (found === undefined) throw new Error('a count gave no row');
  return Object.fromEntries(
    Object.entries(found).map(([name, count]) => [name, Number(count)]),
  ) as typeof found;
}

/** Whether an account has anything to sign in with. */
export async function signsIn(db: Db, userId: number): Promise<boolean> {
  const { rows } = await sql`select 1 from users where id = ${userId} and (password_hash is not null
    or exists (select 1 from passkeys where user_id = ${userId})
    or exists (select 1 from provider_links where user_id = ${userId}))`.execute(db);
  return rows.length > 0;
}
