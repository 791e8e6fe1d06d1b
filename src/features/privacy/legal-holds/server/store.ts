import type { Db, Trx } from '#server/db/database.ts';
import { changesRows } from '#server/db/queries/changes-rows.ts';
import { hasRows } from '#server/db/queries/count-rows.ts';
import { beforeId, type Page } from '#server/db/queries/pagination.ts';
import { translatedName } from '#server/db/queries/translated-name.ts';
import type { Instant } from '#shared/calendar-date.ts';
import type { LegalHold } from '../../retention/contract.ts';

/** Returns a page of holds, latest first, with one row more than the limit. */
export async function pageOfHolds(db: Db, page: Page): Promise<LegalHold[]> {
  const rows = await selectHolds(db)
    .where(beforeId('legal_holds', page))
    .orderBy('legal_holds.id', 'desc')
    .limit(page.limit + 1)
    .execute();
  return rows.map(toHold);
}

/** A hold, or undefined. */
export async function findHold(db: Db, id: number): Promise<LegalHold | undefined> {
  const row = await selectHolds(db).where('legal_holds.id', '=', id).executeTakeFirst();
  return row === undefined ? undefined : toHold(row);
}

/** Stores a hold. A unique violation means the person or school already has one. */
export async function insertHold(
  trx: Trx,
  hold: { userId: number | null; schoolId: number | null; reason: string; by: number; at: Instant },
): Promise<number> {
  const { id } = await trx
    .insertInto('legal_holds')
    .values({
      user_id: hold.userId,
      school_id: hold.schoolId,
      reason: hold.reason,
      placed_by: hold.by,
      placed_at: hold.at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Whether the account exists and is not deleted, or the school exists. */
export function isHoldSubjectPresent(
  db: Db,
  { userId, schoolId }: { userId: number | null; schoolId: number | null },
): Promise<boolean> {
  return userId === null
    ? hasRows(db.selectFrom('schools').where('id', '=', schoolId ?? 0))
    : hasRows(db.selectFrom('users').where('id', '=', userId).where('erased_at', 'is', null));
}

/** Lifts a hold. Returns false if it was already lifted. */
export function markHoldLifted(trx: Trx, id: number, lifted: { by: number; at: Instant }): Promise<boolean> {
  return changesRows(
    trx
      .updateTable('legal_holds')
      .set({ lifted_by: lifted.by, lifted_at: lifted.at })
      .where('id', '=', id)
      .where('lifted_at', 'is', null),
  );
}

/** Clears the reasons of a person's holds; the holds stay. */
export async function deleteHoldReasons(trx: Trx, userId: number): Promise<void> {
  await trx.updateTable('legal_holds').set({ reason: null }).where('user_id', '=', userId).execute();
}

// Left joins, because the person or school of a lifted hold may be deleted.
function selectHolds(db: Db) {
  return db
    .selectFrom('legal_holds')
    .leftJoin('users as person', 'person.id', 'legal_holds.user_id')
    .leftJoin('schools', 'schools.id', 'legal_holds.school_id')
    .leftJoin('users as placer', 'placer.id', 'legal_holds.placed_by')
    .leftJoin('users as lifter', 'lifter.id', 'legal_holds.lifted_by')
    .select([
      'legal_holds.id',
      'legal_holds.user_id',
      'legal_holds.school_id',
      'legal_holds.reason',
      'legal_holds.placed_by',
      'legal_holds.placed_at',
      'legal_holds.lifted_by',
      'legal_holds.lifted_at',
      translatedName<string | null>('schools').as('school'),
      'person.first_name as person_first',
      'person.last_name as person_last',
      'placer.first_name as placer_first',
      'placer.last_name as placer_last',
      'lifter.first_name as lifter_first',
      'lifter.last_name as lifter_last',
    ]);
}

type ShownRow = Awaited<ReturnType<ReturnType<typeof selectHolds>['execute']>>[number];

function toHold(row: ShownRow): LegalHold {
  const person = (id: number, first: string | null, last: string | null) => ({
    id,
    firstName: first ?? '',
    lastName: last ?? '',
  });
  return {
    id: row.id,
    person: row.user_id === null ? null : person(row.user_id, row.person_first, row.person_last),
    school: row.school_id === null ? null : { id: row.school_id, name: row.school ?? '' },
    reason: row.reason,
    placedAt: row.placed_at,
    placedBy: person(row.placed_by, row.placer_first, row.placer_last),
    liftedAt: row.lifted_at,
    liftedBy: row.lifted_by === null ? null : person(row.lifted_by, row.lifter_first, row.lifter_last),
  };
}
