import { type CalendarDate, dayIn } from '#shared/calendar-date.ts';
import type { Trx } from '../db/database.ts';
import { compareAndSetServerState, getServerStates } from '../db/server-state.ts';
import type { Deps } from '../deps.ts';
import { hasRunOn } from '../jobs/daily-jobs.ts';

type Notified = Readonly<{ day: CalendarDate; isFailing: boolean }>;

/**
 * Queues the emails in the transaction that marks them as sent. `reason` explains the failure; null means that the failure is
 * over.
 */
export type SendFailureEmail = (trx: Trx, deps: Deps, reason: string | null) => Promise<void>;

/**
 * Emails about a failure at most once a day, and once when it is over (`reason` null). `key` is the key in `server_state` that
 * prevents several servers from sending the same email. Returns whether emails were queued.
 */
export async function emailFailureDaily(
  trx: Trx,
  deps: Deps,
  { key, sendFailureEmail }: Readonly<{ key: string; sendFailureEmail: SendFailureEmail }>,
  reason: string | null,
): Promise<boolean> {
  const before = (await getServerStates(trx, [key])).get(key);
  const notified = before === undefined ? undefined : (JSON.parse(before.value) as Notified);
  const today = dayIn(deps.config.timeZone, deps.clock.now());
  const isNews =
    reason === null ? notified?.isFailing === true : notified === undefined || !hasRunOn(notified.day, today);
  if (!isNews) return false;
  const now: Notified = {
    day: reason === null ? (notified?.day ?? today) : today,
    isFailing: reason !== null,
  };
  if (
    !(await compareAndSetServerState(trx, key, before, {
      value: JSON.stringify(now),
      at: deps.clock.now(),
    }))
  )
    return false;
  await sendFailureEmail(trx, deps, reason);
  return true;
}
