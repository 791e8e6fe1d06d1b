import { type CalendarDate, isCalendarDate } from '#base/calendar-date.ts';
import type { BodyOf, ReplyOf } from '#base/endpoint.ts';
import type { Hours } from '#base/hours.ts';
import type { Activity } from '#rooms/activities/contract.ts';
import { CallError, call, forgetKeyFor, isUnanswered, keyFor } from '#web/lib/call.ts';
import { keeperNow, useWaiting, type Waiting, waitingNow } from '#web/lib/kept-for-later.ts';
import { t } from '#web/lib/text.ts';
import { createTimeEntry, hoursAlready, type TimeEntry } from '../contract.ts';

type Body = BodyOf<typeof createTimeEntry>;

/** Hours that wait on this device. Their day is that of the press, not that on which they are sent. */
export type WaitingHours = Readonly<{
  body: Body & { entryDate: CalendarDate };
  activity: Pick<
    Activity,
    'id' | 'name' | 'category' | 'requiresDescription' | 'descriptionPrompt' | 'schoolId'
  >;
  /** The hours for this activity and day that the person knew of: more than that came from elsewhere. */
  known: Hours;
  /** The person was asked about others and wants these too. */
  isSure: boolean;
}>;

/** So long an answer is waited for where the hours can be kept instead. */
const PATIENCE_MS = 20_000;

type Logging = Readonly<{
  body: Body;
  activity: WaitingHours['activity'];
  today: CalendarDate;
  /** The person's entries loaded so far. */
  own: readonly TimeEntry[];
}>;

/** Logs hours; 'kept' when no answer came and they wait on this device now. Throws a CallError. */
export async function logOrKeep(logging: Logging): Promise<ReplyOf<typeof createTimeEntry> | 'kept'> {
  const { body } = logging;
  const keeper = keeperNow();
  const idempotencyKey = keyFor(createTimeEntry, body);
  if (keeper?.isWithoutSignal() === true && (await keep(logging, idempotencyKey, false)) === 'kept')
    return 'kept';
  try {
    const signal = keeper === undefined ? {} : { signal: AbortSignal.timeout(PATIENCE_MS) };
    return await call(createTimeEntry, { body, idempotencyKey, ...signal });
  } catch (error) {
    if (!isUnanswered(error)) throw error;
    const kept = await keep(logging, idempotencyKey, true);
    if (kept === 'kept') return kept;
    const why = kept === 'full' ? 'time-entries:noRoomToKeep' : 'time-entries:cannotKeep';
    throw new CallError(0, t(kept === undefined ? 'time-entries:notSent' : why), true);
  }
}

async function keep({ body, activity, today, own }: Logging, key: string, isTried: boolean) {
  const entryDate = body.entryDate ?? today;
  if (!isCalendarDate(entryDate)) return undefined;
  const at = { activityId: activity.id, entryDate };
  const { id, name, category, requiresDescription, descriptionPrompt, schoolId } = activity;
  const what: WaitingHours = {
    body: { ...body, entryDate },
    activity: { id, name, category, requiresDescription, descriptionPrompt, schoolId },
    isSure: false,
    known: hoursAlready([...own, ...hoursIn(waitingNow().waiting)], at),
  };
  const kept = await keeperNow()?.keep({ kind: 'entry', key, isTried, what });
  // The same hours once more are other hours, with a key of their own.
  if (kept === 'kept') forgetKeyFor(createTimeEntry, body);
  return kept;
}

type Counted = Pick<TimeEntry, 'activityId' | 'entryDate' | 'hours'>;

/** The hours that wait on this device, as far as they count for a day. */
export function useWaitingHours(): readonly Counted[] {
  return hoursIn(useWaiting().waiting);
}

function hoursIn(waiting: readonly Waiting[]): Counted[] {
  return waiting.filter(isHours).map(({ what: { body, activity } }) => ({
    activityId: activity.id,
    entryDate: body.entryDate,
    hours: Number(body.hours),
  }));
}

export function isHours(waiting: Waiting): waiting is Waiting<WaitingHours> {
  return waiting.kind === 'entry';
}
