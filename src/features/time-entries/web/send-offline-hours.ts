import { formatDay } from '#shared/calendar-date.ts';
import { formatHours, sumHours } from '#shared/hours.ts';
import { CallError, call } from '#web/api/call.ts';
import { type Text, t } from '#web/i18n/translate.ts';
import { ConfirmationNeeded, type PendingChange } from '#web/offline/pending-changes.ts';
import { createTimeEntry, hoursAlready, listTimeEntries, updateTimeEntry } from '../contract.ts';
import type { OfflineHours } from './offline-hours.ts';

const ANSWER_TIMEOUT_MS = 30_000;
/** The server's maximum page size for this list. */
const PAGE_LIMIT = 100;

type Sending = Readonly<{ token: string; userId: number; language: string; trying: () => Promise<void> }>;

/**
 * Sends queued hours in the session in which they were logged. If there are hours for the same activity and day that
 * the user had not seen, for example from another device, it asks first, unless a request was sent and its answer
 * lost: those may be the same hours.
 */
export async function sendOfflineHours(
  waiting: PendingChange<OfflineHours>,
  sending: Sending,
): Promise<void> {
  const { what, key, isTried, isEdited } = waiting;
  const { token, trying } = sending;
  if (!isTried && !what.isSure) await askAboutOthers(what, sending);
  await trying();
  const given = { body: what.body, token, signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) };
  try {
    await call(createTimeEntry, { ...given, idempotencyKey: key });
  } catch (error) {
    if (!(error instanceof CallError) || error.made === undefined) throw error;
    // The first request stored them, and the user has edited them here since.
    if (isEdited) await call(updateTimeEntry, { ...given, params: { id: error.made } });
  }
}

async function askAboutOthers({ activity, body, known }: OfflineHours, sending: Sending): Promise<void> {
  const { timeEntries } = await call(listTimeEntries, {
    query: { schoolId: activity.schoolId, limit: PAGE_LIMIT },
    token: sending.token,
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
  });
  const own = timeEntries.filter(({ user }) => user.id === sending.userId);
  const already = hoursAlready(own, { activityId: activity.id, entryDate: body.entryDate });
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
export function totalOf(waiting: readonly PendingChange<OfflineHours>[]): number {
  return sumHours(waiting.map(({ what }) => Number(what.body.hours)));
}
