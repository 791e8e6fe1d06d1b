import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { Row } from '#server/db/tables.ts';

/** Up to `limit` rows that a person made or is concerned by, by id. */
export function recordOf(
  db: Db,
  userId: number,
  { last, limit }: { last: { id: number } | undefined; limit: number },
): Promise<Row<'audit'>[]> {
  return db
    .selectFrom('audit')
    .selectAll()
    .where((eb) => eb.or([eb('actor_id', '=', userId), eb('person_id', '=', userId)]))
    .where('id', '>', last?.id ?? 0)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** What the record keeps of an account, or of all invitations. */
export function valuesOf(db: Db, subject: 'user' | 'invite', id?: number) {
  return db
    .selectFrom('audit')
    .select(['subject_id', 'before', 'after'])
    .where('subject', '=', subject)
    .$if(id !== undefined, (query) => query.where('subject_id', '=', id ?? 0))
    .execute();
}

/** What the record keeps of accounts that were deleted. */
export function valuesOfDeletedAccounts(db: Db) {
  return (
    db
      .selectFrom('audit')
      .select(['subject_id', 'before', 'after'])
      // What SQLite needs to see to use the index on actions.
      .where(sql<boolean>`action <> 'entry.log'`)
      .where('action', '=', 'account.delete')
      .where('before', 'is not', null)
      .execute()
  );
}
