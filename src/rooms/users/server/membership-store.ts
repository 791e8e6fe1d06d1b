import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import type { Page } from '#server/db/page.ts';
import { containsWords } from '#server/db/search.ts';
import type { PendingMembership } from '../contract.ts';

/** A page of pending memberships, the oldest first; one more than the page's limit, to see if more come. */
export async function pageOfPending(db: Db, search: string, page: Page): Promise<PendingMembership[]> {
  const rows = await pending(db, search)
    .innerJoin('schools', 'schools.id', 'user_schools.school_id')
    .select([
      'user_schools.created_at',
      'users.id',
      'users.first_name',
      'users.last_name',
      'users.email',
      'schools.id as school_id',
      'schools.name',
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
    school: { id: row.school_id, name: row.name, logoUrl: row.logo_url },
    requestedAt: row.created_at,
  }));
}

/** How many pending memberships a search finds. */
export async function countPending(db: Db, search: string): Promise<number> {
  const { count } = await pending(db, search)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** How many people wish to be deleted. */
export async function countErasureWishes(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('erasure_requests')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** An account beside a school, whether it belongs to it or not; nothing when either is not there. */
export function findMember(db: Db, userId: number, schoolId: number) {
  return db
    .selectFrom('users')
    .innerJoin('schools', (join) => join.on('schools.id', '=', schoolId))
    .select(['users.first_name', 'users.last_name', 'users.email', 'schools.name as school_name'])
    .where('users.id', '=', userId)
    .executeTakeFirst();
}

// Who was deactivated while waiting is not let in by accident.
function pending(db: Db, search: string) {
  return (
    db
      .selectFrom('user_schools')
      .innerJoin('users', 'users.id', 'user_schools.user_id')
      // Written out: with a parameter no engine takes the index of pending ones alone.
      .where('user_schools.status', '=', sql.lit('pending'))
      .where('users.is_active', '=', 1)
      .where(containsWords('users.search_key', search))
  );
}
