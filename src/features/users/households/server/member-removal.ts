import type { Trx } from '#server/db/database.ts';
import { findMembership, lockHousehold, removeHouseholdIfEmpty, removeMember } from './store.ts';

/** Takes somebody out of their household, and removes it when nobody is left. Nothing happens to whoever is in none. */
export async function removeFromHousehold(trx: Trx, userId: number): Promise<void> {
  const member = await findMembership(trx, userId);
  if (member === undefined) return;
  await lockHousehold(trx, member.household);
  await removeMember(trx, userId);
  await removeHouseholdIfEmpty(trx, member.household);
}
