import type { Activity } from '#features/activities/contract.ts';
import { type CalendarDate, isCalendarDate } from '#shared/calendar-date.ts';
import type { BodyOf, ReplyOf } from '#shared/endpoint.ts';
import type { Hours } from '#shared/hours.ts';
import { CallError, call } from '#web/api/call.ts';
import { randomKey } from '#web/api/random-key.ts';
import { gotNoAnswer } from '#web/api/unanswered.ts';
import { t } from '#web/i18n/translate.ts';
import {
  currentPendingChanges,
  currentPendingStore,
  type PendingChange,
} from '#web/offline/pending-changes.ts';
import { createTimeEntry, hoursAlready, type TimeEntry } from '../contract.ts';
import type { LogRequest } from './log-hours-handler.ts';

type Body = BodyOf<typeof createTimeEntry>;

/** Hours queued on this device. Their day is the day of logging, not of sending. */
export type OfflineHours = Readonly<{
  body: Body & { entryDate: CalendarDate };
  activity: Pick<
    Activity,
    'id' | 'name' | 'category' | 'requiresDescription' | 'descriptionPrompt' | 'schoolId'
  >;
  /**
   * The hours for this activity and day that the user had seen. If the server has more, they came from another
   * device.
   */
  known: Hours;
  /** The user confirmed these hours despite other hours for that day. */
  isSure: boolean;
}>;

/** How long to wait for an answer where the hours can be queued instead. */
const ANSWER_TIMEOUT_MS = 20_000;

/** Logs hours; 'kept' when no answer came and they are queued on this device. Throws a CallError. */
export async function logOrQueue(logging: LogRequest): Promise<ReplyOf<typeof createTimeEntry> | 'kept'> {
  const { body } = logging;
  const pendingStore = currentPendingStore();
  const idempotencyKey = keyOf(body);
  if (
    pendingStore?.isWithoutSignal() === true &&
    (await queueHours(logging, idempotencyKey, false)) === 'kept'
  )
    return 'kept';
  try {
    const signal = pendingStore === undefined ? {} : { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) };
    const reply = await call(createTimeEntry, { body, idempotencyKey, ...signal });
    keys.delete(JSON.stringify(body));
    return reply;
  } catch (error) {
    if (!gotNoAnswer(error)) throw error;
    const kept = await queueHours(logging, idempotencyKey, true);
    if (kept === 'kept') return kept;
    throw new CallError(
      0,
      t(kept === 'full' ? 'time-entries:noRoomToKeep' : 'time-entries:cannotKeep'),
      true,
    );
  }
}

async function queueHours({ body, activity, today, own }: LogRequest, key: string, isTried: boolean) {
  const entryDate = body.entryDate ?? today;
  if (!isCalendarDate(entryDate)) return undefined;
  const at = { activityId: activity.id, entryDate };
  const { id, name, category, requiresDescription, descriptionPrompt, schoolId } = activity;
  const what: OfflineHours = {
    body: { ...body, entryDate },
    activity: { id, name, category, requiresDescription, descriptionPrompt, schoolId },
    isSure: false,
    known: hoursAlready([...own, ...listOfflineHours()], at),
  };
  const kept = await currentPendingStore()?.keep({ kind: 'entry', key, isTried, what });
  // The next identical hours are new hours and need their own key.
  if (kept === 'kept') keys.delete(JSON.stringify(body));
  return kept;
}

// Identical hours sent again before an answer came are a retry and reuse the key.
const keys = new Map<string, string>();

function keyOf(body: Body): string {
  const text = JSON.stringify(body);
  const key = keys.get(text) ?? randomKey();
  keys.set(text, key);
  return key;
}

/** The hours queued on this device, as compared with entries of a day. */
export function listOfflineHours(): readonly OfflineHoursOfDay[] {
  return toHoursOfDay(currentPendingChanges().waiting);
}

type OfflineHoursOfDay = Pick<TimeEntry, 'activityId' | 'entryDate' | 'hours'>;

function toHoursOfDay(waiting: readonly PendingChange[]): OfflineHoursOfDay[] {
  return waiting.filter(isHours).map(({ what: { body, activity } }) => ({
    activityId: activity.id,
    entryDate: body.entryDate,
    hours: Number(body.hours),
  }));
}

export function isHours(waiting: PendingChange): waiting is PendingChange<OfflineHours> {
  return waiting.kind === 'entry';
}
