import { collect, inChunks } from '#server/db/chunks.ts';
import type { Trx } from '#server/db/database.ts';
import type { Row } from '#server/db/tables.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { type InputOf, newRecordValues, toColumns } from '#shared/entity-fields.ts';
import { USER_FIELDS } from '../user-fields.ts';
import { keysOf, vouched } from './store.ts';

/** A person in a list of accounts to create. */
export type ListedPerson = Readonly<
  Omit<InputOf<typeof USER_FIELDS>, 'isActive'> & { schoolIds: readonly number[] }
>;

/** A person's membership of a school. */
export type Place = Readonly<{ userId: number; schoolId: number }>;

/**
 * Adds accounts without a password whose addresses the actor vouches for. Returns their IDs by `emailKey`. A unique violation
 * means that an address is taken.
 */
export async function insertAccounts(
  trx: Trx,
  people: readonly ListedPerson[],
  { by, at }: { by: number; at: Instant },
): Promise<Map<string, number>> {
  const made = await collect(people, (some) =>
    trx
      .insertInto('users')
      .values(
        some.map((person) => ({
          ...toColumns(USER_FIELDS, newRecordValues(USER_FIELDS, { ...person, isActive: true })),
          ...keysOf(person),
          created_at: at,
          ...vouched(by, at),
        })),
      )
      .returning(['id', 'email_key'])
      .execute(),
  );
  return new Map(made.map((row) => [row.email_key, row.id]));
}

/** Makes users members of schools where they have no membership row yet. */
export async function insertActiveMemberships(
  trx: Trx,
  places: readonly Place[],
  at: Instant,
): Promise<void> {
  await inChunks(places, (some) =>
    trx
      .insertInto('user_schools')
      .values(
        some.map(({ userId, schoolId }) => ({
          user_id: userId,
          school_id: schoolId,
          status: 'active' as const,
          created_at: at,
        })),
      )
      .execute(),
  );
}

/** Sets a membership to active, which approves it, or to pending. */
export async function setMembershipStatus(
  trx: Trx,
  { userId, schoolId }: Place,
  status: Row<'user_schools'>['status'],
): Promise<void> {
  await trx
    .updateTable('user_schools')
    .set({ status, is_approved: status === 'active' ? 1 : 0 })
    .where('user_id', '=', userId)
    .where('school_id', '=', schoolId)
    .execute();
}

/** Deletes memberships. */
export async function deleteMemberships(trx: Trx, places: readonly Place[]): Promise<void> {
  const bySchool = Map.groupBy(places, ({ schoolId }) => schoolId);
  for (const [schoolId, members] of bySchool) {
    const ids = members.map(({ userId }) => userId);
    await inChunks(ids, (some) =>
      trx.deleteFrom('user_schools').where('school_id', '=', schoolId).where('user_id', 'in', some).execute(),
    );
  }
}

/**
 * Deletes accounts, except any that was signed in to meanwhile. A foreign-key violation means that a record refers to one of
 * them.
 */
export async function deleteUnusedAccounts(trx: Trx, ids: readonly number[]): Promise<void> {
  await trx.deleteFrom('users').where('id', 'in', ids).where('last_login_at', 'is', null).execute();
}
