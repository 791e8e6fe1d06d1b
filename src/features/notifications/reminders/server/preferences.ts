import { lockOwnAccount } from '#features/users/server/current-account.ts';
import { type Db, transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { isUnchanged } from '#server/http/change-checks.ts';
import type { Viewer } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { messages, type Reminders } from '../contract.ts';
import { isConfirmed, remindersOf, saveReminders, unsubscribeFromReminders } from './preference-store.ts';

type Change = Readonly<{ [Name in keyof Reminders]?: boolean | undefined }>;

/** Which letters the viewer asked for. */
export function readReminderPreferences(deps: Deps, { userId }: Viewer) {
  return read(deps, deps.database.db, userId);
}

/** Changes them; what is left out stays. Nothing changes where the district sends no mail. */
export function choose(deps: Deps, viewer: Viewer, change: Change) {
  const { userId } = viewer;
  return transaction(deps.database, async (trx) => {
    await lockOwnAccount(trx, viewer);
    const before = await remindersOf(trx, userId);
    const after = {
      afterEvents: change.afterEvents ?? before.afterEvents,
      weekly: change.weekly ?? before.weekly,
      decisions: change.decisions ?? before.decisions,
    };
    if (sendsMail(deps) && !isUnchanged(before, after)) await saveReminders(trx, userId, after);
    return { ...(await read(deps, trx, userId)), message: translate(deps, messages.saved) };
  });
}

/** Stops the letters after events to somebody, who need not be signed in. */
export function stopAfterEvents(deps: Deps, userId: number): Promise<void> {
  return transaction(deps.database, (trx) => unsubscribeFromReminders(trx, userId, 'after events'));
}

/** Stops the letters on Mondays to somebody, who need not be signed in. */
export function stopMondays(deps: Deps, userId: number): Promise<void> {
  return transaction(deps.database, (trx) => unsubscribeFromReminders(trx, userId, 'on Mondays'));
}

/** Whether the district sends mail; without a mail server, letters are files that nobody gets. */
export function sendsMail({ config }: Pick<Deps, 'config'>): boolean {
  return config.smtpUrl !== undefined;
}

async function read(deps: Deps, db: Db, userId: number) {
  return {
    mail: sendsMail(deps) ? await remindersOf(db, userId) : null,
    isConfirmed: await isConfirmed(db, userId),
  };
}
