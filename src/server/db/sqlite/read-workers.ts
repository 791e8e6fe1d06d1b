import { Kysely, type Logger } from 'kysely';
import { commonMessages } from '#shared/common-messages.ts';
import { errors } from '#shared/errors.ts';
import { openLimit } from '../../process/limit.ts';
import { openWorkPool, WorkEnded } from '../../process/worker-pool.ts';
import type { Tables } from '../tables.ts';
import type { ReadReply, ReadRequest } from './read-work.ts';
import { queriesBy, type RunQuery } from './sqlite-dialect.ts';

/**
 * The most processes, the time limit of a query, the limits of the queue, and how long an idle process stays. The last process
 * always stays.
 */
export type ReaderLimits = Readonly<{
  atOnce: number;
  seconds: number;
  waiting?: number;
  waitSeconds?: number;
  idleMs?: number;
}>;

const MODULE = new URL('./read-work.ts', import.meta.url);
const WAITING = 100;
const RETRY_AFTER_SECONDS = 5;
// Statistics have a lower priority than requests, but a higher one than images and files.
const NICENESS = 5;

/**
 * Reads a SQLite file in a few worker processes with a connection each. A query sees everything committed
 * before it. A query that takes longer than `seconds` is killed with its process: nothing else stops SQLite,
 * and a thread cannot be stopped within a native call. Throws 503 for that, when the process crashes, when too
 * many queries wait, and when one waited longer than its time limit. A query whose process was killed from
 * outside is repeated once. No transactions.
 */
export function openReadWorkers(
  path: string,
  { atOnce, seconds, waiting = WAITING, waitSeconds = seconds, ...idle }: ReaderLimits,
  more: { log?: Logger } = {},
  module: URL = MODULE,
): Kysely<Tables> {
  // No heap limit: some reads load the whole district.
  const pool = openWorkPool({ niceness: NICENESS, keepsLastProcess: true, execArgv: [], ...idle });
  const limit = openLimit({ atOnce, waiting, waitMs: waitSeconds * 1_000 }, () =>
    errors.busy(commonMessages.reportsBusy, RETRY_AFTER_SECONDS),
  );
  const tryOnce = (given: ReadRequest) =>
    pool.run<ReadReply>({ module, given }, { milliseconds: seconds * 1_000 });
  const queryWithRetry = (given: ReadRequest) =>
    tryOnce(given)
      .catch((error: unknown) => (isKilled(error) ? tryOnce(given) : Promise.reject(error)))
      .catch(throwUnavailable);
  const run: RunQuery = async ({ sql: text, parameters }) => {
    const reply = await limit.run('', () => queryWithRetry({ path, text, parameters }));
    if ('rows' in reply) return reply;
    throw Object.assign(new Error(reply.message), { code: reply.code });
  };
  return new Kysely<Tables>({ dialect: queriesBy(run, () => pool.close()), ...more });
}

const isKilled = (error: unknown) => error instanceof WorkEnded && error.why === 'killed';

function throwUnavailable(error: unknown): never {
  if (!(error instanceof WorkEnded)) throw error;
  const message = error.why === 'slow' ? commonMessages.tooSlow : commonMessages.unavailable;
  throw errors.unavailable(message, RETRY_AFTER_SECONDS);
}
