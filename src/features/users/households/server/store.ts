import type { Db, Trx } from '#server/db/database.ts';
import { countRows } from '#server/db/queries/count-rows.ts';
import { forUpdate } from '#server/db/row-locks.ts';
import type { Row } from '#server/db/tables.ts';
import type { CalendarDate, Instant } from '#shared/calendar-date.ts';
import { fromHundredths } from '#shared/hours.ts';

export type Member = Row<'household_members'>;

/** A user's household membership, or undefined. */
export function findMembership(db: Db, userId: number): Promise<Member | undefined> {
  return db.selectFrom('household_members').selectAll().where('user_id', '=', userId).executeTakeFirst();
}

/** Returns the owner of a code, if it is valid and their account active. */
export function findByCode(db: Db, code: string, now: Instant): Promise<Member | undefined> {
  return db
    .selectFrom('household_members')
    .innerJoin('users', 'users.id', 'household_members.user_id')
    .selectAll('household_members')
    .where('household_members.code', '=', code)
    .where('household_members.code_until', '>', now)
    .where('users.is_active', '=', 1)
    .executeTakeFirst();
}

/** Locks the members of a household until the transaction ends, always in the same order. */
export async function lockHousehold(trx: Trx, household: string): Promise<void> {
  const rows = trx.selectFrom('household_members').select('user_id').where('household', '=', household);
  await forUpdate(trx, rows.orderBy('user_id')).execute();
}

/** The size of a household, including deactivated accounts. */
export function countMembers(trx: Trx, household: string): Promise<number> {
  return countRows(trx.selectFrom('household_members').where('household', '=', household));
}

/** Members with active accounts, by name, with their hours at all schools since a day. */
export async function membersOf(db: Db, household: string, since: CalendarDate) {
  const rows = await db
    .selectFrom('household_members')
    .innerJoin('users', 'users.id', 'household_members.user_id')
    .select((eb) => [
      'users.id as userId',
      'users.first_name as firstName',
      'users.last_name as lastName',
      eb
        .selectFrom('time_entries')
        .select(({ fn }) => fn.sum<number | null>('hours_hundredths').as('hundredths'))
        .whereRef('time_entries.user_id', '=', 'users.id')
        .where('time_entries.deleted_at', 'is', null)
        .where('time_entries.entry_date', '>=', since)
        .as('hundredths'),
    ])
    .where('household_members.household', '=', household)
    .where('users.is_active', '=', 1)
    .orderBy('users.sort_key')
    .orderBy('users.id')
    .execute();
  return rows.map(({ hundredths, ...row }) => ({ ...row, hours: fromHundredths(hundredths ?? 0) }));
}

/** Adds a user to a household. A unique violation means that they already belong to one. */
export async function addMember(trx: Trx, member: Member): Promise<void> {
  await trx.insertInto('household_members').values(member).execute();
}

/** Sets a user's code and its expiry, or removes it. */
export async function setCode(
  trx: Trx,
  userId: number,
  code: Readonly<{ code: string; until: Instant }> | null,
): Promise<void> {
  await trx
    .updateTable('household_members')
    .set({ code: code?.code ?? null, code_until: code?.until ?? null })
    .where('user_id', '=', userId)
    .execute();
}

/** Invalidates all codes after a restore, because codes in the backup may have been used since. */
export async function endAllHouseholdCodes(trx: Trx): Promise<void> {
  await trx.updateTable('household_members').set({ code: null, code_until: null }).execute();
}

/** Removes a user from their household. */
export async function removeMember(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('household_members').where('user_id', '=', userId).execute();
}

/** Deletes a household without active members. */
export async function removeHouseholdIfEmpty(trx: Trx, household: string): Promise<void> {
  await trx
    .deleteFrom('household_members')
    .where('household', '=', household)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('household_members as others')
            .innerJoin('users', 'users.id', 'others.user_id')
            .select('others.user_id')
            .where('others.household', '=', household)
            .where('users.is_active', '=', 1),
        ),
      ),
    )
    .execute();
}

/** When a user joined their household, by which code, and their own code; null without a household. */
export async function ownMembership(db: Db, userId: number) {
  const row = await findMembership(db, userId);
  return row === undefined
    ? null
    : { joinedAt: row.joined_at, joinedWith: row.joined_with, code: row.code, codeUntil: row.code_until };
}
