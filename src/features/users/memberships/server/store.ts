import { sql } from 'kysely';
import type { Db, Trx } from '#server/db/database.ts';
import { changesRows } from '#server/db/queries/changes-rows.ts';
import { containsWords, inSchools } from '#server/db/queries/conditions.ts';
import { countRows } from '#server/db/queries/count-rows.ts';
import type { Page } from '#server/db/queries/pagination.ts';
import { sortByTranslatedName, translatedName } from '#server/db/queries/translated-name.ts';
import type { SchoolScope } from '#server/http/viewer.ts';
import type { PendingMembership } from '../../contract.ts';

/** A filter of requests: to these schools, from users who match a search. */
export type PendingFilter = Readonly<{ schools: SchoolScope; search: string }>;

/** A page of pending memberships, oldest first, with one extra row that shows whether there is a next page. */
export async function pageOfPending(db: Db, filter: PendingFilter, page: Page): Promise<PendingMembership[]> {
  const rows = await pending(db, filter)
    .innerJoin('schools', 'schools.id', 'user_schools.school_id')
    .select([
      'user_schools.created_at',
      'users.id',
      'users.first_name',
      'users.last_name',
      'users.email',
      'users.email_verified_at',
      'schools.id as school_id',
      translatedName('schools').as('name'),
      'schools.logo_url',
    ])
    .$if(page.after !== undefined, (query) => {
      const [at, userId, schoolId] = page.after ?? [];
      return query.where(
        sql<boolean>`(user_schools.created_at, user_schools.user_id, user_schools.school_id) > (${at}, ${userId}, ${schoolId})`,
      );
    })
    .orderBy('user_schools.created_at')
    .orderBy('user_schools.user_id')
    .orderBy('user_schools.school_id')
    .limit(page.limit + 1)
    .execute();
  return rows.map((row) => ({
    user: { id: row.id, firstName: row.first_name, lastName: row.last_name, email: row.email },
    isEmailConfirmed: row.email_verified_at !== null,
    school: { id: row.school_id, name: row.name, logoUrl: row.logo_url },
    requestedAt: row.created_at,
  }));
}

/** The number of pending memberships that match a filter. */
export function countPending(db: Db, filter: PendingFilter): Promise<number> {
  return countRows(pending(db, filter));
}

/** The number of users who requested deletion. */
export function countRequestedDeletions(db: Db): Promise<number> {
  return countRows(db.selectFrom('deletion_requests'));
}

/** An account and a school, whether or not the account is a member. Undefined if either does not exist. */
export function findMember(db: Db, userId: number, schoolId: number) {
  return db
    .selectFrom('users')
    .innerJoin('schools', (join) => join.on('schools.id', '=', schoolId))
    .select([
      'users.id',
      'users.first_name',
      'users.last_name',
      'users.email',
      'users.email_verified_at',
      'users.vouched_by',
      'users.language',
      translatedName('schools').as('school_name'),
    ])
    .where('users.id', '=', userId)
    .executeTakeFirst();
}

/** Approves or declines a pending membership in one write. Returns false if it was decided before. */
export function decidePending(
  trx: Trx,
  { userId, schoolId, isApproved }: { userId: number; schoolId: number; isApproved: boolean },
): Promise<boolean> {
  if (isApproved) {
    return changesRows(
      trx
        .updateTable('user_schools')
        .set({ status: 'active', is_approved: 1 })
        .where('user_id', '=', userId)
        .where('school_id', '=', schoolId)
        .where('status', '=', 'pending'),
    );
  }
  return changesRows(
    trx
      .deleteFrom('user_schools')
      .where('user_id', '=', userId)
      .where('school_id', '=', schoolId)
      .where('status', '=', 'pending'),
  );
}

/** Records that an administrator approved a member. Returns false if that was recorded before. */
export function approveMember(trx: Trx, userId: number, schoolId: number): Promise<boolean> {
  return changesRows(
    trx
      .updateTable('user_schools')
      .set({ is_approved: 1 })
      .where('user_id', '=', userId)
      .where('school_id', '=', schoolId)
      .where('status', '=', 'active')
      .where('is_approved', '=', 0),
  );
}

/** The schools that a user belongs to or asked to join, with the status of each. */
export async function listMemberships(
  db: Db,
  userId: number,
): Promise<{ schoolId: number; isActive: boolean }[]> {
  const rows = await db
    .selectFrom('user_schools')
    .select(['school_id', 'status'])
    .where('user_id', '=', userId)
    .execute();
  return rows.map((row) => ({ schoolId: row.school_id, isActive: row.status === 'active' }));
}

/** Deletes memberships and requests. */
export async function leaveSchools(trx: Trx, userId: number, schoolIds: readonly number[]): Promise<void> {
  if (schoolIds.length === 0) return;
  await trx
    .deleteFrom('user_schools')
    .where('user_id', '=', userId)
    .where('school_id', 'in', schoolIds)
    .execute();
}

/** The names of schools, sorted as in lists of schools. */
export async function namesOfSchools(db: Db, schoolIds: readonly number[]): Promise<string[]> {
  const rows = await db
    .selectFrom('schools')
    .select(translatedName('schools').as('name'))
    .where('id', 'in', schoolIds)
    .orderBy('name_key')
    .execute();
  return sortByTranslatedName(rows).map((row) => row.name);
}

/** Which of these schools exist. */
export async function existingSchoolIds(db: Db, ids: readonly number[]): Promise<number[]> {
  const rows = await db.selectFrom('schools').select('id').where('id', 'in', ids).execute();
  return rows.map((row) => row.id);
}

// Excludes deactivated users, so that an account deactivated meanwhile is not approved by accident.
function pending(db: Db, { schools, search }: PendingFilter) {
  return (
    db
      .selectFrom('user_schools')
      .innerJoin('users', 'users.id', 'user_schools.user_id')
      // A literal, because no engine uses the partial index of pending memberships with a parameter.
      .where('user_schools.status', '=', sql.lit('pending'))
      .where('users.is_active', '=', 1)
      .where(containsWords('users.search_key', search))
      .where(inSchools('user_schools.school_id', schools))
  );
}
