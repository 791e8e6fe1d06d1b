import { inChunks } from '#server/db/chunks.ts';
import type { Trx } from '#server/db/database.ts';
import { deleteEmailsToUsers } from '#server/email/outbox.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { emailKey } from '../contract.ts';
import {
  deleteMemberships,
  deleteUnusedAccounts,
  insertAccounts,
  insertActiveMemberships,
  type ListedPerson,
  type Place,
  setMembershipStatus,
} from './bulk-accounts-store.ts';

/** A membership of a school. `wasPending` means that the user had asked to join. */
export type RequestedMembership = Place & Readonly<{ wasPending: boolean }>;

/**
 * Creates accounts without a password, as members of their schools. Returns their ids by `emailKey`. A unique
 * violation means that an address is taken.
 */
export async function makeAccounts(
  trx: Trx,
  people: readonly ListedPerson[],
  { by, at }: { by: number; at: Instant },
): Promise<Map<string, number>> {
  const ids = await insertAccounts(trx, people, { by, at });
  const places = people.flatMap(({ email, schoolIds }) =>
    schoolIds.map((schoolId) => ({ userId: ids.get(emailKey(email)) ?? 0, schoolId })),
  );
  await insertActiveMemberships(trx, places, at);
  return ids;
}

/** Adds members to schools, including those with a pending request. */
export async function addManyToSchools(
  trx: Trx,
  places: readonly RequestedMembership[],
  at: Instant,
): Promise<void> {
  for (const place of places.filter(({ wasPending }) => wasPending))
    await setMembershipStatus(trx, place, 'active');
  await insertActiveMemberships(
    trx,
    places.filter(({ wasPending }) => !wasPending),
    at,
  );
}

/** Removes memberships. Users who had asked to join are pending again. */
export async function removeManyFromSchools(trx: Trx, places: readonly RequestedMembership[]): Promise<void> {
  for (const place of places.filter(({ wasPending }) => wasPending))
    await setMembershipStatus(trx, place, 'pending');
  await deleteMemberships(
    trx,
    places.filter(({ wasPending }) => !wasPending),
  );
}

/** Deletes unused accounts, and the emails to them. */
export async function removeUnusedAccounts(trx: Trx, ids: readonly number[]): Promise<void> {
  await inChunks(ids, (some) => deleteUnusedAccounts(trx, some));
  // The links in the emails are no longer valid.
  await deleteEmailsToUsers(trx, ids);
}
