import { recordEvent } from '#server/audit-log.ts';
import { addDeletedAccounts, type DeletedAccount } from '#server/backup/deleted-accounts-list.ts';
import { openBackupStorage } from '#server/backup/open-backup-storage.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import { getServerState, setServerState, takeServerState } from '#server/db/server-state.ts';
import type { Deps } from '#server/deps.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { deletePersonalDataEverywhere } from './registry.ts';
import { erasedAccounts, findRemainingPersonalData } from './store.ts';

export { erasedAccounts };

const STATE = 'erase-again';

/**
 * Adds deleted accounts to the list stored with the backups. If that storage cannot be reached, the deletion still counts
 * and the next backup adds them.
 */
export async function storeDeletedAccountList({ config, database, log }: Deps): Promise<void> {
  if (config.backup === undefined) return;
  try {
    const depot = await openBackupStorage(config.backup.to, config.dataDir);
    try {
      await addDeletedAccounts(depot, await erasedAccounts(database.db));
    } finally {
      depot.close();
    }
  } catch (error) {
    log.warn({ err: error }, 'the deletion is not listed next to the backups yet. The next backup lists it');
  }
}

/**
 * Records in a restored database which accounts were deleted after the backup, so that `repeatDeletionsAfterRestore`
 * deletes them before the first request. Returns how many people that concerns.
 */
export async function recordDeletionForRestore(
  trx: Trx,
  accounts: readonly DeletedAccount[],
  at: Instant,
): Promise<number> {
  const remaining = await findRemainingPersonalData(trx, accounts);
  if (remaining.ids.length > 0) await setServerState(trx, STATE, JSON.stringify(remaining.ids), at);
  return remaining.people;
}

/** Deletes what `recordDeletionForRestore` recorded, at the first start after a restore. If one fails, so does the start. */
export async function repeatDeletionsAfterRestore(deps: Deps): Promise<void> {
  if ((await getServerState(deps.database.db, STATE)) === undefined) return;
  const at = deps.clock.now();
  await transaction(deps.database, async (trx) => {
    // Another process of the same start may have done it already.
    const ids = JSON.parse((await takeServerState(trx, STATE)) ?? '[]') as number[];
    for (const id of ids) {
      // A legal hold from the time of the backup was lifted before the account was deleted.
      await deletePersonalDataEverywhere(trx, deps, { at }, id);
      const byServer = { userId: null, at, address: null, requestId: null };
      await recordEvent(trx, byServer, { action: 'account.erase', subject: 'user', subjectId: id });
    }
  });
  await deps.database.scrubAfterDeletion();
}
