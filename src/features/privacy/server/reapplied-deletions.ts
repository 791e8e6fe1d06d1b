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
 * Adds an erased account to the list beside the backups. When they cannot be reached the erasure stands, and the next
 * backup adds them.
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
    log.warn({ err: error }, 'the erasure is not listed beside the backups yet: the next backup lists it');
  }
}

/**
 * Notes in a restored database who was erased after its backup was made, so that `repeatDeletionsAfterRestore` erases them before anybody
 * is served. Returns how many people that will be.
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

/** Erases at the first start after a restore those whom `recordDeletionForRestore` noted. All of them, or the start fails. */
export async function repeatDeletionsAfterRestore(deps: Deps): Promise<void> {
  if ((await getServerState(deps.database.db, STATE)) === undefined) return;
  const at = deps.clock.now();
  await transaction(deps.database, async (trx) => {
    // Another process of the same start may have been first.
    const ids = JSON.parse((await takeServerState(trx, STATE)) ?? '[]') as number[];
    for (const id of ids) {
      // A hold of the time of the backup had ended when the person was erased.
      await deletePersonalDataEverywhere(trx, deps, { at }, id);
      const byServer = { userId: null, at, address: null, requestId: null };
      await recordEvent(trx, byServer, { action: 'account.erase', subject: 'user', subjectId: id });
    }
  });
  await deps.database.scrubErased();
}
