import type { Deps } from '#server/deps.ts';
import { text } from '#server/http/error-replies.ts';
import type { Viewer } from '#server/http/viewer.ts';
import { messages } from '../contract.ts';
import { changeBackupEmailPreference, readBackupEmailPreference } from './backup-email-preference.ts';

/** Whether the viewer is told when backups fail. */
export async function readBackupMail(deps: Deps, viewer: Viewer) {
  return { mail: await readBackupEmailPreference(deps, viewer) };
}

/** Changes whether the viewer is told when backups fail. */
export async function setBackupEmailPreference(
  deps: Deps,
  viewer: Viewer,
  change: { isWanted?: boolean | undefined },
) {
  const mail = await changeBackupEmailPreference(deps, viewer, change);
  return { mail, message: text(deps, messages.backupMailSaved) };
}
