import { type RawBuilder, sql } from 'kysely';
import { collect } from '../db/chunks.ts';
import type { Db, Trx } from '../db/database.ts';
import { isPostgres } from '../db/database.ts';
import { hasRows } from '../db/queries/count-rows.ts';

/** The columns that identify the users and the school that a row is about. */
export type RowSubjects = Readonly<{ people?: readonly (string | RawBuilder<unknown>)[]; school?: string }>;

/**
 * Whether a row is under a legal hold: on a user it is about, on its school, or on a school where such a user is a member or
 * has hours.
 */
export function isUnderLegalHold({ people = [], school }: RowSubjects): RawBuilder<boolean> {
  const matches = [
    ...people
      .map((column) => (typeof column === 'string' ? sql.ref(column) : column))
      .flatMap((person) => [sql`held.user_id = ${person}`, connectedSchools(person)]),
    ...(school === undefined ? [] : [sql`held.school_id = ${sql.ref(school)}`]),
  ];
  return sql<boolean>`exists (select 1 from legal_holds as held
    where held.lifted_at is null and (${sql.join(matches, sql` or `)}))`;
}

/**
 * For transactions that delete permanently. A hold that is being placed either applies to this transaction or waits until it
 * ends. Call this before locking anything else.
 */
export async function lockLegalHolds(trx: Trx): Promise<void> {
  // SQLite has one writer at a time.
  if (isPostgres(trx)) await sql`lock table legal_holds in share mode`.execute(trx);
}

/** Returns which of these users are under a legal hold: on themselves, or on a school where they are a member or have data. */
export async function usersUnderLegalHold(db: Db, userIds: readonly number[]): Promise<ReadonlySet<number>> {
  const person = sql.ref('users.id');
  const photos = sql`exists (select 1 from photos
    where photos.user_id = ${person} and photos.school_id = held.school_id)`;
  const suggestions = sql`exists (select 1 from activity_suggestions as idea
    where idea.user_id = ${person} and idea.school_id = held.school_id)`;
  const rows = await collect(userIds, (some) =>
    db
      .selectFrom('users')
      .select('users.id')
      .where('users.id', 'in', some)
      .where(
        sql<boolean>`exists (select 1 from legal_holds as held where held.lifted_at is null
          and (held.user_id = ${person} or ${connectedSchools(person)} or ${photos} or ${suggestions}))`,
      )
      .execute(),
  );
  return new Set(rows.map(({ id }) => id));
}

/** Whether a school is under a legal hold. */
export function isSchoolUnderLegalHold(db: Db, schoolId: number): Promise<boolean> {
  return hasRows(
    db.selectFrom('legal_holds').where('school_id', '=', schoolId).where('lifted_at', 'is', null),
  );
}

/** Whether a suggestion for a school is under a legal hold on a user. */
export function hasSuggestionUnderLegalHold(db: Db, schoolId: number): Promise<boolean> {
  return hasRows(
    db
      .selectFrom('activity_suggestions')
      .where('school_id', '=', schoolId)
      .where(isUnderLegalHold({ people: ['activity_suggestions.user_id'] })),
  );
}

/** Whether an activity is under a legal hold: on its school, or on a user with an entry or photo of it, deleted or not. */
export async function isActivityUnderLegalHold(
  db: Db,
  { id, schoolId }: { id: number; schoolId: number },
): Promise<boolean> {
  if (await isSchoolUnderLegalHold(db, schoolId)) return true;
  for (const table of ['time_entries', 'photos'] as const) {
    const row = await db
      .selectFrom(table)
      .select('id')
      .where('activity_id', '=', id)
      .where(isUnderLegalHold({ people: [`${table}.user_id`] }))
      .limit(1)
      .executeTakeFirst();
    if (row !== undefined) return true;
  }
  return false;
}

// The schools where the user is a member, requested to join, or ever logged hours.
function connectedSchools(person: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(held.school_id is not null and (
    exists (select 1 from user_schools where user_schools.user_id = ${person}
      and user_schools.school_id = held.school_id)
    or exists (select 1 from school_volunteers where school_volunteers.school_id = held.school_id
      and school_volunteers.user_id = ${person})))`;
}
