import { commonMessages } from '#shared/common-messages.ts';
import { errors } from '#shared/errors.ts';
import { openLimit } from '../process/limit.ts';

const LIMITS = { atOnce: Number.POSITIVE_INFINITY, atOnceEach: 1, waiting: 1_000, waitMs: 30_000 };
const RETRY_AFTER_SECONDS = 5;

/**
 * Runs jobs of the same key one after another, in order. Jobs of other keys run concurrently. Throws 503 if too many jobs wait
 * or the job waited too long.
 */
export const { run: runSequentially } = openLimit(LIMITS, () =>
  errors.busy(commonMessages.busy, RETRY_AFTER_SECONDS),
);
