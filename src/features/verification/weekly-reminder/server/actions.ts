import { transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { scopeFor, type Viewer } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { messages } from '../contract.ts';
import { findEmailPreference, isAnyVerifying, saveEmailPreference } from './store.ts';

type Choice = { isWanted: boolean } | null;

/** Returns whether the viewer gets the weekly reminder; null if they cannot verify hours anywhere. */
export async function readWeeklyReminder(deps: Deps, viewer: Viewer): Promise<{ mail: Choice }> {
  const { db } = deps.database;
  if (!(await isAnyVerifying(db, scopeFor(viewer, 'verify hours')))) return { mail: null };
  return { mail: { isWanted: (await findEmailPreference(db, viewer.userId))?.wanted !== 0 } };
}

/** Changes whether the viewer gets the reminder; an absent field keeps its value. */
export async function updateWeeklyReminder(
  deps: Deps,
  viewer: Viewer,
  { isWanted }: { isWanted?: boolean | undefined },
): Promise<{ mail: Choice; message: string }> {
  const before = await readWeeklyReminder(deps, viewer);
  const isChanged = before.mail !== null && isWanted !== undefined && isWanted !== before.mail.isWanted;
  if (isChanged) await savePreference(deps, viewer.userId, isWanted);
  return { mail: isChanged ? { isWanted } : before.mail, message: translate(deps, messages.saved) };
}

/** Unsubscribes a user, who need not be signed in, from the weekly reminder. */
export function unsubscribeWeeklyReminder(deps: Deps, userId: number): Promise<void> {
  return savePreference(deps, userId, false);
}

function savePreference(deps: Deps, userId: number, isWanted: boolean): Promise<void> {
  return transaction(deps.database, (trx) => saveEmailPreference(trx, userId, isWanted));
}
