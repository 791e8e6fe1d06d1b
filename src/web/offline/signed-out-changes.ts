import { database } from './database.ts';
import { pendingChangesOf, removeAccount } from './offline-storage.ts';
import type { PendingChange } from './pending-changes.ts';

/** What waits on this device and can still be opened, of every account, while nobody is signed in. */
export async function pendingOnDevice(): Promise<PendingChange[]> {
  const changes = await Promise.all((await accountsWaiting()).map(pendingChangesOf));
  return changes.flat();
}

/** Removes what waits, of every account, and with it their keys and lists. */
export async function removePendingOnDevice(): Promise<void> {
  const db = await database();
  for (const account of await accountsWaiting()) await removeAccount(db, account);
}

async function accountsWaiting(): Promise<number[]> {
  const rows = await (await database()).getAll('waiting');
  return [...new Set(rows.map(({ account }) => account))];
}
