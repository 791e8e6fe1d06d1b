import type { Activity } from '#features/activities/contract.ts';
import { type CalendarDate, isCalendarDate } from '#shared/calendar-date.ts';
import type { BodyOf, ReplyOf } from '#shared/endpoint.ts';
import type { Hours } from '#shared/hours.ts';
import { CallError, call } from '#web/api/call.ts';
import { randomKey } from '#web/api/random-key.ts';
import { gotNoAnswer } from '#web/api/unanswered.ts';
import { t } from '#web/i18n/translate.ts';
import { currentPendingChanges, currentPendingStore, type Waiting } from '#web/offline/pending-changes.ts';
import { createTimeEntry, hoursAlready, type TimeEntry } from '../contract.ts';
import type { Logging } from './log-hours-handler.ts';

type Body = BodyOf<typeof createTimeEntry>;

/** Hours that wait on this device. Their day is that of the press, not that on which they are sent. */
export type OfflineHours = Readonly<{
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

/** Logs hours; 'kept' when no answer came and they wait on this device now. Throws a CallError. */
export async function logOrQueue(logging: Logging): Promise<ReplyOf<typeof createTimeEntry> | 'kept'> {
  const { body } = logging;
  const keeper = currentPendingStore();
  const idempotencyKey = keyOf(body);
  if (keeper?.isWithoutSignal() === true && (await keep(logging, idempotencyKey, false)) === 'kept')
    return 'kept';
  try {
    const signal = keeper === undefined ? {} : { signal: AbortSignal.timeout(PATIENCE_MS) };
    const reply = await call(createTimeEntry, { body, idempotencyKey, ...signal });
    keys.delete(JSON.stringify(body));
    return reply;
  } catch (error) {
    if (!gotNoAnswer(error)) throw error;
    const kept = await keep(logging, idempotencyKey, true);
    if (kept === 'kept') return kept;
    throw new CallError(
      0,
      t(kept === 'full' ? 'time-entries:noRoomToKeep' : 'time-entries:cannotKeep'),
      true,
    );
  }
}

async function keep({ body, activity, today, own }: Logging, key: string, isTried: boolean) {
  const entryDate = body.entryDate ?? today;
  if (!isCalendarDate(entryDate)) return undefined;
  const at = { activityId: activity.id, entryDate };
  const { id, name, category, requiresDescription, descriptionPrompt, schoolId } = activity;
  const what: OfflineHours = {
    body: { ...body, entryDate },
    activity: { id, name, category, requiresDescription, descriptionPrompt, schoolId },
    isSure: false,
    known: hoursAlready([...own, ...countedHours()], at),
  };
  const kept = await currentPendingStore()?.keep({ kind: 'entry', key, isTried, what });
  // The same hours once more are other hours, with a key of their own.
  if (kept === 'kept') keys.delete(JSON.stringify(body));
  return kept;
}

// The same hours pressed again before an answer came are the same hours, and get the same key.
const keys = new Map<string, string>();

function keyOf(body: Body): string {
  const text = JSON.stringify(body);
  const key = keys.get(text) ?? randomKey();
  keys.set(text, key);
  return key;
}

/** The hours that wait on this device, as far as they count for a day. */
export function countedHours(): readonly Counted[] {
  return hoursIn(currentPendingChanges().waiting);
}

type Counted = Pick<TimeEntry, 'activityId' | 'entryDate' | 'hours'>;

function hoursIn(waiting: readonly Waiting[]): Counted[] {
  return waiting.filter(isHours).map(({ what: { body, activity } }) => ({
    activityId: activity.id,
    entryDate: body.entryDate,
    hours: Number(body.hours),
  }));
}

export function isHours(waiting: Waiting): waiting is Waiting<OfflineHours> {
  return waiting.kind === 'entry';
}
