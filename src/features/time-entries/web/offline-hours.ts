import type { Activity } from '#features/activities/contract.ts';
import { type CalendarDate, formatDay, isCalendarDate } from '#shared/calendar-date.ts';
import type { BodyOf, ReplyOf } from '#shared/endpoint.ts';
import { formatHours, type Hours, sumHours } from '#shared/hours.ts';
import { CallError, call } from '#web/api/call.ts';
import { randomKey } from '#web/api/random-key.ts';
import { gotNoAnswer } from '#web/api/unanswered.ts';
import { type Text, t } from '#web/i18n/translate.ts';
import {
  ConfirmationNeeded,
  currentPendingChanges,
  currentPendingStore,
  type PendingChange,
} from '#web/offline/pending-changes.ts';
import {
  createTimeEntry,
  listTimeEntries,
  sumExistingHours,
  type TimeEntry,
  updateTimeEntry,
} from '../contract.ts';
import type { LogRequest } from './log-hours-handler.ts';

type Body = BodyOf<typeof createTimeEntry>;

/** Hours queued on this device. Without a chosen day they are dated when they were logged, not when they are sent. */
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
  /** Whether the user confirmed these hours despite other hours for the activity that day. */
  isSure: boolean;
}>;

/** How long to wait for an answer if the hours can be queued instead. */
const ANSWER_TIMEOUT_MS = 20_000;

/** Logs hours; 'queued' when no answer came and they are queued on this device. Throws a CallError. */
export async function logOrQueue(logging: LogRequest): Promise<ReplyOf<typeof createTimeEntry> | 'queued'> {
  const { body } = logging;
  const pendingStore = currentPendingStore();
  const idempotencyKey = keyOf(body);
  if (
    pendingStore?.hasNoConnection() === true &&
    (await queueHours(logging, idempotencyKey, false)) === 'queued'
  )
    return 'queued';
  try {
    const signal = pendingStore === undefined ? {} : { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) };
    const reply = await call(createTimeEntry, { body, idempotencyKey, ...signal });
    keys.delete(JSON.stringify(body));
    return reply;
  } catch (error) {
    if (!gotNoAnswer(error)) throw error;
    const result = await queueHours(logging, idempotencyKey, true);
    if (result === 'queued') return result;
    throw new CallError(
      0,
      t(result === 'full' ? 'time-entries:noRoomToKeep' : 'time-entries:cannotKeep'),
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
    known: sumExistingHours([...own, ...listOfflineHours()], at),
  };
  const result = await currentPendingStore()?.keep({ kind: 'entry', key, isTried, what });
  // The next identical hours are new hours and need their own key.
  if (result === 'queued') keys.delete(JSON.stringify(body));
  return result;
}

// Identical hours sent again before an answer came are a retry and reuse the key.
const keys = new Map<string, string>();

function keyOf(body: Body): string {
  const text = JSON.stringify(body);
  const key = keys.get(text) ?? randomKey();
  keys.set(text, key);
  return key;
}

/** The hours queued on this device, for comparison with entries of the same day. */
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

const SEND_TIMEOUT_MS = 30_000;
/** The server's maximum page size for this list. */
const PAGE_LIMIT = 100;

type Sending = Readonly<{ token: string; userId: number; language: string; trying: () => Promise<void> }>;

/**
 * Sends queued hours in the session in which they were logged. If the server has hours for the same activity and day that the
 * user had not seen, for example from another device, the user is asked first. This is skipped if an earlier request got no
 * answer, because the server may already have these hours from that request.
 */
export async function sendOfflineHours(
  waiting: PendingChange<OfflineHours>,
  sending: Sending,
): Promise<void> {
  const { what, key, isTried, isEdited } = waiting;
  const { token, trying } = sending;
  if (!isTried && !what.isSure) await requireSeenHours(what, sending);
  await trying();
  const given = { body: what.body, token, signal: AbortSignal.timeout(SEND_TIMEOUT_MS) };
  try {
    await call(createTimeEntry, { ...given, idempotencyKey: key });
  } catch (error) {
    if (!(error instanceof CallError) || error.made === undefined) throw error;
    // The first request stored them, and the user has edited them here since.
    if (isEdited) await call(updateTimeEntry, { ...given, params: { id: error.made } });
  }
}

async function requireSeenHours({ activity, body, known }: OfflineHours, sending: Sending): Promise<void> {
  const { timeEntries } = await call(listTimeEntries, {
    query: { schoolId: activity.schoolId, limit: PAGE_LIMIT },
    token: sending.token,
    signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
  });
  const own = timeEntries.filter(({ user }) => user.id === sending.userId);
  const already = sumExistingHours(own, { activityId: activity.id, entryDate: body.entryDate });
  if (already <= known) return;
  throw new ConfirmationNeeded(
    t('time-entries:alreadyElsewhere', {
      already: formatHours(already, sending.language),
      activity: activity.name,
      date: formatDay(body.entryDate, sending.language),
    }),
  );
}

/** The queued hours as a line of text, for users who cannot send them. */
export function offlineHoursAsText(
  { what: { body, activity } }: PendingChange<OfflineHours>,
  { language }: Text,
): string {
  const hours = t('time-entries:shortHours', { hours: formatHours(Number(body.hours), language) });
  return [body.entryDate, activity.name, hours, body.notes ?? ''].filter((part) => part !== '').join(' · ');
}

/** The total of the queued hours. */
export function totalOfflineHours(waiting: readonly PendingChange<OfflineHours>[]): number {
  return sumHours(waiting.map(({ what }) => Number(what.body.hours)));
}
