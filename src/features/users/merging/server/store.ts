import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '#server/db/database.ts';
import { inSchools } from '#server/db/queries/conditions.ts';
import { hasRows } from '#server/db/queries/count-rows.ts';
import type { Page } from '#server/db/queries/pagination.ts';
import { schoolConnections } from '#server/db/queries/school-connections.ts';
import { forUpdate } from '#server/db/row-locks.ts';
import type { Row } from '#server/db/tables.ts';
import type { SchoolScope } from '#server/http/viewer.ts';
import { isUnderLegalHold } from '#server/personal-data/legal-hold-store.ts';
import { deleteMergeHistory } from '#server/personal-data/merged-rows-store.ts';
import { assertDefined } from '#shared/assert-defined.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { fullName } from '#shared/person-name.ts';

/** Records a merge; `sealed` has both former rows of `users`, encrypted. Returns its ID. */
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

/** Stores the data for undoing a merge. */
export async function saveUnmergeSnapshot(trx: Trx, id: number, sealed: string): Promise<void> {
  await trx.updateTable('account_merges').set({ sealed }).where('id', '=', id).execute();
}

/** Returns a merge and locks its row until the transaction ends. */
export function lockMerge(trx: Trx, id: number): Promise<Row<'account_merges'> | undefined> {
  return forUpdate(trx, trx.selectFrom('account_merges').selectAll().where('id', '=', id)).executeTakeFirst();
}

/** Whether a later merge into the same account is still in effect. */
export function hasLaterMerge(db: Db, { id, into }: { id: number; into: number }): Promise<boolean> {
  return hasRows(
    db
      .selectFrom('account_merges')
      .where('into_user_id', '=', into)
      .where('id', '>', id)
      .where('undone_at', 'is', null),
  );
}

/** Records that a merge was undone, and deletes the data for undoing it. */
export async function markMergeUndone(trx: Trx, id: number, by: number, at: Instant): Promise<void> {
  await trx
    .updateTable('account_merges')
    .set({ undone_by: by, undone_at: at, sealed: null })
    .where('id', '=', id)
    .execute();
  await deleteMergeHistory(trx, [id]);
}

/** Deletes the data for undoing merges before the given time, at most 200 per call, except for people under a legal hold. */
export async function deleteOldUnmergeSnapshots(trx: Trx, before: Instant): Promise<void> {
  const rows = await trx
    .selectFrom('account_merges')
    .select('id')
    .where('merged_at', '<', before)
    .where('sealed', 'is not', null)
    .where(
      sql<boolean>`not ${isUnderLegalHold({ people: ['account_merges.into_user_id', 'account_merges.from_user_id'] })}`,
    )
    .orderBy('merged_at')
    .limit(200)
    .execute();
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  await trx.updateTable('account_merges').set({ sealed: null }).where('id', 'in', ids).execute();
  await deleteMergeHistory(trx, ids);
}

/** The merges since the given time that have not been undone and whose undo data is still stored. */
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

/** A page of the merges since the given time into users of these schools only, newest first, with one extra row. */
export function pageOfMerges(db: Db, schools: SchoolScope, since: Instant, page: Page) {
  const isOurs = sql<boolean>`exists (select 1 from users
    where users.id = account_merges.into_user_id and ${onlyOf(schools)})`;
  return db
    .selectFrom('account_merges')
    .selectAll()
    .where('merged_at', '>=', since)
    .where(schools === 'all' ? sql<boolean>`1 = 1` : isOurs)
    .where('id', '<', Number(page.after?.[0] ?? Number.MAX_SAFE_INTEGER))
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute();
}

/** The full names of people, including erased ones. */
export async function namesOf(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('users')
    .select(['id', 'first_name as firstName', 'last_name as lastName'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, fullName(row)]));
}

/** Whether all schools and roles of a row of `users` lie within a scope; a district administrator needs the district scope. */
export function onlyOf(schools: SchoolScope): RawBuilder<boolean> {
  if (schools === 'all') return sql<boolean>`1 = 1`;
  const within = (table: string) =>
    sql`select user_id from ${sql.table(table)} where ${inSchools('school_id', schools)}`;
  const elsewhere = (table: string) =>
    sql`select user_id from ${sql.table(table)} where school_id is null or not (${inSchools('school_id', schools)})`;
  return sql<boolean>`users.role = 'user'
    and users.id in (${within('user_schools')} union all ${within('user_grants')})
    and users.id not in (${elsewhere('user_schools')} union all ${elsewhere('user_grants')})`;
}

/** Every school that these users are tied to. */
export async function schoolsOf(db: Db, people: readonly number[]): Promise<number[]> {
  const ties = await schoolConnections(db, people);
  return [...new Set([...ties.values()].flat())];
}

/** Locks the totals of schools, in a fixed order, until the transaction ends. Requests that log hours there have to wait. */
export async function lockSchoolTotals(trx: Trx, schools: readonly number[]): Promise<void> {
  if (schools.length === 0) return;
  await forUpdate(
    trx,
    trx.selectFrom('school_sums').select('school_id').where('school_id', 'in', schools).orderBy('school_id'),
  ).execute();
}

/** Counts the rows that a merge would move, without deleted ones. */
export async function countMovableRows(db: Db, userId: number) {
  const { rows } = await sql<
    Record<'entries' | 'hundredths' | 'photos' | 'suggestions' | 'letters', number>
  >`select
    (select count(*) from time_entries where user_id = ${userId} and deleted_at is null) as entries,
    (select coalesce(sum(hours_hundredths), 0) from time_entries
      where user_id = ${userId} and deleted_at is null) as hundredths,
    (select count(*) from photos where user_id = ${userId} and deleted_at is null) as photos,
    (select count(*) from activity_suggestions where user_id = ${userId} and status <> 'deleted') as suggestions,
    (select count(*) from service_letters where user_id = ${userId}) as letters`.execute(db);
  return assertDefined(rows[0]);
}

/** Whether an account has a password, a passkey or a linked provider account. */
export async function signsIn(db: Db, userId: number): Promise<boolean> {
  const { rows } = await sql`select 1 from users where id = ${userId} and (password_hash is not null
    or exists (select 1 from passkeys where user_id = ${userId})
    or exists (select 1 from provider_links where user_id = ${userId}))`.execute(db);
  return rows.length > 0;
}

/** When a user's accounts were merged and separated, but not by which administrator. */
export function exportMerges(db: Db, userId: number) {
  return db
    .selectFrom('account_merges')
    .select(['merged_at as mergedAt', 'undone_at as undoneAt'])
    .where((eb) => eb.or([eb('from_user_id', '=', userId), eb('into_user_id', '=', userId)]))
    .orderBy('id')
    .execute();
}

/** Deletes a user's merges with the data for undoing them, and the marks that the user differs from others. */
export async function deleteMergesOf(trx: Trx, userId: number): Promise<void> {
  await trx
    .deleteFrom('account_merges')
    .where((eb) => eb.or([eb('from_user_id', '=', userId), eb('into_user_id', '=', userId)]))
    .execute();
  await trx
    .deleteFrom('not_duplicates')
    .where((eb) => eb.or([eb('low_user_id', '=', userId), eb('high_user_id', '=', userId)]))
    .execute();
}
