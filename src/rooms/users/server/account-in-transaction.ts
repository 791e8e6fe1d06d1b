import type { Trx } from '#server/db/connect.ts';
import type { User } from '../contract.ts';
import { findUser } from './store.ts';

/** An account within the transaction that made or changed it. */
export async function ownUser(trx: Trx, id: number): Promise<User> {
  const user = await findUser(trx, id);
  if (user === undefined) throw new Error(`user ${id} vanished within its own transaction`);
  return user;
}
