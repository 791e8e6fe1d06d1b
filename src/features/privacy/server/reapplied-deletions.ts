import { recordEvent } from '#server/audit-log.ts';
import { addDeletedAccounts, type DeletedAccount } from '#server/backup/deleted-accounts-list.ts';
import { openBackupStorage } from '#server/backup/open-backup-storage.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import { getServerState, setServerState, takeServerState } from '#server/db/server-state.ts';
import type { Deps } from '#server/deps.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { deletePersonalDataEverywhere } from './registry.ts';
import { findRemainingPersonalData, listDeletedAccounts } from './store.ts';

export { listDeletedAccounts };

const PENDING_DELETIONS = 'erase-again';

/**
 * Adds deleted accounts to the list stored with the backups. If that storage cannot be reached, the deletion still succeeds and
 * the next backup adds them.
 */
export async function storeDeletedAccountList({ config, database, log }: Deps): Promise<void> {
  if (config.backup === undefined) return;
  try {
    const storage = await openBackupStorage(config.backup.to, config.dataDir);
    try {
      await addDeletedAccounts(storage, await listDeletedAccounts(database.db));
    } finally {
      storage.close();
    }
  } catch (error) {
    log.warn(
      { err: error },
      'could not add a deletion to the list stored with the backups. The next backup adds it',
    );
  }
}

/**
 * Records in a restored database which accounts were deleted after the backup, so that `repeatDeletionsAfterRestore` deletes
 * them before the first request. Returns how many people are affected.
 */
export async function recordDeletionForRestore(
  trx: Trx,
  accounts: readonly DeletedAccount[],
  at: Instant,
): Promise<number> {
  const remaining = await findRemainingPersonalData(trx, accounts);
  if (remaining.ids.length > 0)
    await setServerState(trx, PENDING_DELETIONS, JSON.stringify(remaining.ids), at);
  return remaining.people;
}

/**
 * Deletes the accounts that `recordDeletionForRestore` recorded, at the first start after a restore. If a deletion fails, so
 * does the start.
 */
export async function repeatDeletionsAfterRestore(deps: Deps): Promise<void> {
  if ((await getServerState(deps.database.db, PENDING_DELETIONS)) === undefined) return;
  const at = deps.clock.now();
  await transaction(deps.database, async (trx) => {
    // Another process that starts at the same time may have taken the list.
    const ids = JSON.parse((await takeServerState(trx, PENDING_DELETIONS)) ?? '[]') as number[];
    for (const id of ids) {
      // A legal hold from the time of the backup was lifted before the account was deleted.
      await deletePersonalDataEverywhere(trx, deps, { at }, id);
      const byServer = { userId: null, at, address: null, requestId: null };
      await recordEvent(trx, byServer, { action: 'account.erase', subject: 'user', subjectId: id });
    }
  });
  await deps.database.scrubAfterDeletion();
}
