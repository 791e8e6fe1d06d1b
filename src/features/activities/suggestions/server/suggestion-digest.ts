import { usersWithPermission } from '#features/users/roles/server/actions.ts';
import { noticeExpiry, queueEmail } from '#server/email/outbox.ts';
import { scopeFor } from '#server/http/viewer.ts';
import { withRecipientNames } from '#server/i18n/recipient-language.ts';
import type { DailyJob } from '#server/jobs/daily-jobs.ts';
import { DIGEST_HOUR } from '../contract.ts';
import { countWaiting, findDigestRecipients, findOldestPending } from './email-preferences-store.ts';
import { digestEmail } from './emails.ts';

/** Maximum number of suggestions listed in a digest. */
const NAMED = 10;

/** Emails the pending suggestions daily to the administrators who subscribed. Sends nothing if there are none. */
export const suggestionDigestJob: DailyJob = {
  name: 'suggestion-digest',
  fromHour: DIGEST_HOUR,
  run: async (trx, deps) => {
    const wanting = await findDigestRecipients(trx);
    if (wanting.size === 0) return;
    const at = deps.clock.now();
    const readers = (await usersWithPermission(trx, 'decide suggestions')).filter(({ id }) =>
      wanting.has(id),
    );
    for (const reader of readers) {
      const schools = scopeFor(reader, 'decide suggestions');
      const waiting = await withRecipientNames(deps, reader, () => findOldestPending(trx, schools, NAMED));
      if (waiting.length === 0) continue;
      await queueEmail(trx, deps, {
        kind: 'suggestion-digest',
        userId: reader.id,
        letter: digestEmail(deps, reader, waiting, await countWaiting(trx, schools)),
        at,
        expiresAt: noticeExpiry(at),
      });
    }
  },
};
