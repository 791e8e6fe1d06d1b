import { usersWithPermission } from '#features/users/roles/server/actions.ts';
import { queueEmail } from '#server/email/outbox.ts';
import { scopeFor } from '#server/http/viewer.ts';
import { withRecipientNames } from '#server/i18n/recipient-language.ts';
import type { DailyJob } from '#server/jobs/daily-jobs.ts';
import { DIGEST_HOUR } from '../contract.ts';
import { findDigestRecipients, findOldestPending } from './email-preferences-store.ts';
import { digestEmail } from './emails.ts';
import { countPending } from './store.ts';

/** Maximum number of suggestions listed in a digest. */
const MAX_LISTED = 10;

/** Emails the pending suggestions daily to the administrators who subscribed. Sends nothing if there are none. */
export const suggestionDigestJob: DailyJob = {
  name: 'suggestion-digest',
  fromHour: DIGEST_HOUR,
  run: async (trx, deps) => {
    const subscribers = await findDigestRecipients(trx);
    if (subscribers.size === 0) return;
    const at = deps.clock.now();
    const recipients = (await usersWithPermission(trx, 'decide suggestions')).filter(({ id }) =>
      subscribers.has(id),
    );
    for (const recipient of recipients) {
      const schools = scopeFor(recipient, 'decide suggestions');
      const pending = await withRecipientNames(deps, recipient, () =>
        findOldestPending(trx, schools, MAX_LISTED),
      );
      if (pending.length === 0) continue;
      await queueEmail(trx, deps, {
        kind: 'suggestion-digest',
        userId: recipient.id,
        letter: digestEmail(deps, recipient, pending, await countPending(trx, schools)),
        at,
      });
    }
  },
};
