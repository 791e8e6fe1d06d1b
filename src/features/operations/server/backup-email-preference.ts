import { transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import type { Viewer } from '#server/http/viewer.ts';
import { keepBackupMail, wantsBackupMail } from './backup-email-store.ts';

/** Whether the viewer is told when backups fail. */
export async function backupChoice(deps: Deps, { userId }: Viewer): Promise<{ isWanted: boolean }> {
  return { isWanted: await wantsBackupMail(deps.database.db, userId) };
}

/** Changes whether the viewer is told when backups fail; left out, it stays. */
export function changeBackupChoice(
  deps: Deps,
  { userId }: Viewer,
  change: { isWanted?: boolean | undefined },
): Promise<{ isWanted: boolean }> {
  return transaction(deps.database, async (trx) => {
    const before = await wantsBackupMail(trx, userId);
    const isWanted = change.isWanted ?? before;
    if (isWanted !== before) await keepBackupMail(trx, userId, isWanted);
    return { isWanted };
  });
}
