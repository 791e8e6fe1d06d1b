import { lockOwnAccount } from '#features/users/server/current-account.ts';
import { transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import type { Acting, Viewer } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { sendsMail } from '../../reminders/server/preferences.ts';
import { messages } from '../preference-contract.ts';
import { isWanted, saveUnsubscribe, setWanted } from './store.ts';

/** Returns whether the viewer gets announcements. */
export async function readAnnouncementPreference(deps: Deps, { userId }: Viewer) {
  return { isWanted: sendsMail(deps) ? await isWanted(deps.database.db, userId) : null };
}

/** Turns announcements on or off; nothing changes if the district sends no email. */
export function setAnnouncementPreference(
  deps: Deps,
  { viewer, request }: Acting,
  wanted: boolean | undefined,
) {
  return transaction(deps.database, async (trx) => {
    await lockOwnAccount(trx, viewer);
    const mayChange = sendsMail(deps);
    const before = await isWanted(trx, viewer.userId);
    const wants = wanted ?? before;
    if (mayChange && before !== wants) await setWanted(trx, viewer.userId, wants, request.at);
    return { isWanted: mayChange ? wants : null, message: translate(deps, messages.saved) };
  });
}

/** Turns announcements off for a user, who need not be signed in. */
export function unsubscribeFromAnnouncements(deps: Deps, userId: number): Promise<void> {
  return transaction(deps.database, (trx) => saveUnsubscribe(trx, userId, deps.clock.now()));
}
