import type { Db } from '#server/db/database.ts';
import { canonicalOwner } from '#shared/email-address.ts';
import { everyAddressOf } from './email-change-store.ts';

export { reopenOwnDecisions } from './email-change-store.ts';

/** Whether an address, in any spelling, is or was one of this account's. */
export type OwnAddresses = (userId: number, address: string) => boolean;

/** Returns a function that compares an address with every current and past address of these accounts. */
export async function ownAddresses(db: Db, userIds: readonly number[]): Promise<OwnAddresses> {
  const rows = await everyAddressOf(db, [...new Set(userIds)]);
  const owned = new Set(rows.map(({ userId, address }) => `${userId} ${canonicalOwner(address)}`));
  return (userId, address) => owned.has(`${userId} ${canonicalOwner(address)}`);
}
