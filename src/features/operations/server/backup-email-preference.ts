import { transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import type { Viewer } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { messages } from '../contract.ts';
import { saveBackupEmailPreference, wantsBackupEmail } from './backup-email-store.ts';

/** Returns whether the viewer gets emails about backups. */
export async function readBackupEmailPreference(deps: Deps, { userId }: Viewer) {
  return { mail: { isWanted: await wantsBackupEmail(deps.database.db, userId) } };
}

/** Changes whether the viewer gets emails about backups; an omitted field stays. */
export function changeBackupEmailPreference(
  deps: Deps,
  { userId }: Viewer,
  change: { isWanted?: boolean | undefined },
) {
  return transaction(deps.database, async (trx) => {
    const before = await wantsBackupEmail(trx, userId);
    const isWanted = change.isWanted ?? before;
    if (isWanted !== before) await saveBackupEmailPreference(trx, userId, isWanted);
    return { mail: { isWanted }, message: translate(deps, messages.backupMailSaved) };
  });
}
