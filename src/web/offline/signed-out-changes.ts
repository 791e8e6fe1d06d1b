import { database } from './database.ts';
import { pendingChangesOf, removeAccount } from './offline-storage.ts';
import type { PendingChange } from './pending-changes.ts';

/** Returns the decryptable pending changes of every account on this device, while no user is signed in. */
export async function pendingOnDevice(): Promise<PendingChange[]> {
  const changes = await Promise.all((await accountsWithPending()).map(pendingChangesOf));
  return changes.flat();
}

/** Removes the pending changes of every account, with their keys and cached lists. */
export async function removePendingOnDevice(): Promise<void> {
  const db = await database();
  for (const account of await accountsWithPending()) await removeAccount(db, account);
}

async function accountsWithPending(): Promise<number[]> {
  const rows = await (await database()).getAll('waiting');
  return [...new Set(rows.map(({ account }) => account))];
}
