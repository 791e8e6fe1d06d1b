import { record } from '#server/audit-log.ts';
import { transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { text } from '#server/http/error-replies.ts';
import { type Acting, actorOf } from '#server/http/viewer.ts';
import { confirmClock } from '#server/jobs/clock-guard.ts';
import { type CalendarDate, dayIn } from '#shared/calendar-date.ts';
import { refuse } from '#shared/errors.ts';
import { messages } from '../contract.ts';

/** Confirms the server's date as a person saw it. 409 when it is another day by now. */
export async function confirmDate(
  deps: Deps,
  { viewer, request }: Acting,
  { today }: { today: CalendarDate },
): Promise<{ message: string }> {
  const now = deps.clock.now();
  if (dayIn(deps.config.timeZone, now) !== today) throw refuse.conflict(messages.clockOtherDay);
  await transaction(deps.database, async (trx) => {
    await confirmClock(trx, now);
    await record(trx, actorOf(viewer, request), {
      action: 'system.clock-confirm',
      subject: 'system',
      subjectId: null,
      after: { today },
    });
  });
  return { message: text(deps, messages.clockConfirmed) };
}
