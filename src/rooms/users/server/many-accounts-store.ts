import type { Instant } from '#base/calendar-date.ts';
import { collect, inChunks } from '#server/db/chunks.ts';
import type { Trx } from '#server/db/connect.ts';
import type { Row } from '#server/db/tables.ts';
import { emailKey, type Role } from '../contract.ts';
import { nameKeys } from './store.ts';

/** Somebody on a list of people who get accounts. */
export type ListedPerson = Readonly<{
  email: string;
  firstName: string;
  lastName: string;
  role: Role;
  schoolIds: readonly number[];
}>;

/** A place in a school, for somebody. */
export type Place = Readonly<{ userId: number; schoolId: number }>;

/** Adds accounts without a password. Answers their ids, by `emailKey`. A unique violation: an address is taken. */
export async function insertAccounts(
  trx: Trx,
  people: readonly ListedPerson[],
  at: Instant,
): Promise<Map<string, number>> {
  const made = await collect(people, (some) =>
    trx
      .insertInto('users')
      .values(
        some.map((person) => ({
          email: person.email,
          email_key: emailKey(person.email),
          password_hash: null,
          first_name: person.firstName,
          last_name: person.lastName,
          ...nameKeys(person),
          role: person.role,
          is_active: 1 as const,
          created_at: at,
          last_login_at: null,
          // The district vouches for the addresses of its list.
          email_verified_at: at,
        })),
      )
      .returning(['id', 'email_key'])
      .execute(),
  );
  return new Map(made.map((row) => [row.email_key, row.id]));
}

/** Makes people members of schools that they neither belong to nor have asked for. */
export async function insertPlaces(trx: Trx, places: readonly Place[], at: Instant): Promise<void> {
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

/** Changes whether somebody belongs to a school or waits to. */
export async function setPlace(
  trx: Trx,
  { userId, schoolId }: Place,
  status: Row<'user_schools'>['status'],
): Promise<void> {
  await trx
    .updateTable('user_schools')
    .set({ status })
    .where('user_id', '=', userId)
    .where('school_id', '=', schoolId)
    .execute();
}

/** Ends memberships. */
export async function deletePlaces(trx: Trx, places: readonly Place[]): Promise<void> {
  const bySchool = Map.groupBy(places, ({ schoolId }) => schoolId);
  for (const [schoolId, members] of bySchool) {
    const ids = members.map(({ userId }) => userId);
    await inChunks(ids, (some) =>
      trx.deleteFrom('user_schools').where('school_id', '=', schoolId).where('user_id', 'in', some).execute(),
    );
  }
}

/**
 * Deletes accounts that nobody has begun to use: one that somebody signs in to at this very moment stays. A
 * foreign-key violation means that something hangs on one of them.
 */
export async function deleteUnusedAccounts(trx: Trx, ids: readonly number[]): Promise<void> {
  await trx.deleteFrom('users').where('id', 'in', ids).where('last_login_at', 'is', null).execute();
}
