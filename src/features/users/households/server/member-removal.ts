import type { Trx } from '#server/db/database.ts';
import { findMembership, holdHousehold, removeIfLeft, removeMember } from './store.ts';

/** Takes somebody out of their household, and removes it when nobody is left. Nothing happens to whoever is in none. */
export async function takeOut(trx: Trx, userId: number): Promise<void> {
  const member = await findMembership(trx, userId);
  if (member === undefined) return;
  await holdHousehold(trx, member.household);
  await removeMember(trx, userId);
  await removeIfLeft(trx, member.household);
}
