import { lockOwnAccount } from '#features/users/server/current-account.ts';
import { type Db, transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { isUnchanged } from '#server/http/change-checks.ts';
import type { Viewer } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { messages, type Reminders } from '../contract.ts';
import {
  findReminders,
  isEmailConfirmed,
  saveReminders,
  unsubscribeFromReminders,
} from './preference-store.ts';

type Change = Readonly<{ [Name in keyof Reminders]?: boolean | undefined }>;

/** Returns which reminders the viewer opted in to. */
export function readReminderPreferences(deps: Deps, { userId }: Viewer) {
  return readPreferences(deps, deps.database.db, userId);
}

/** Changes the preferences; omitted fields stay. Nothing changes if the district sends no email. */
export function changeReminderPreferences(deps: Deps, viewer: Viewer, change: Change) {
  const { userId } = viewer;
  return transaction(deps.database, async (trx) => {
    await lockOwnAccount(trx, viewer);
    const before = await findReminders(trx, userId);
    const after = {
      afterEvents: change.afterEvents ?? before.afterEvents,
      weekly: change.weekly ?? before.weekly,
      decisions: change.decisions ?? before.decisions,
    };
    if (sendsMail(deps) && !isUnchanged(before, after)) await saveReminders(trx, userId, after);
    return { ...(await readPreferences(deps, trx, userId)), message: translate(deps, messages.saved) };
  });
}

/** Turns off event reminders for a user, who need not be signed in. */
export function unsubscribeFromEventReminders(deps: Deps, userId: number): Promise<void> {
  return transaction(deps.database, (trx) => unsubscribeFromReminders(trx, userId, 'after events'));
}

/** Turns off the Monday email, with hours and decisions, for a user, who need not be signed in. */
export function unsubscribeFromWeeklySummary(deps: Deps, userId: number): Promise<void> {
  return transaction(deps.database, (trx) => unsubscribeFromReminders(trx, userId, 'on Mondays'));
}

/** Whether the district sends email; without a mail server, emails are only written to files. */
export function sendsMail({ config }: Pick<Deps, 'config'>): boolean {
  return config.smtpUrl !== undefined;
}

async function readPreferences(deps: Deps, db: Db, userId: number) {
  return {
    mail: sendsMail(deps) ? await findReminders(db, userId) : null,
    isConfirmed: await isEmailConfirmed(db, userId),
  };
}
