import type { DailyJob } from '#server/daily.ts';
import { noticeExpiry, post } from '#server/mail/outbox.ts';
import { DIGEST_HOUR } from '../contract.ts';
import { digestLetter } from './letters.ts';
import { countWaiting, digestReaders, longestWaiting } from './mail-store.ts';

/** How many suggestions a digest names. */
const NAMED = 10;

/**
 * Once a day, mails the pending suggestions to the administrators who asked for it; sends nothing when none is
 * pending.
 */
export const suggestionDigest: DailyJob = {
  name: 'suggestion-digest',
  fromHour: DIGEST_HOUR,
  run: async (trx, deps) => {
    const waiting = await longestWaiting(trx, NAMED);
    if (waiting.length === 0) return;
    const count = await countWaiting(trx);
    const at = deps.clock.now();
    for (const reader of await digestReaders(trx)) {
      await post(trx, deps, {
        kind: 'suggestion-digest',
        userId: reader.id,
        letter: digestLetter(deps, { ...reader, isProven: true }, waiting, count),
        at,
        expiresAt: noticeExpiry(at),
      });
    }
  },
};
