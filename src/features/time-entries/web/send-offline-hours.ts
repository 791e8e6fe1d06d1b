import { formatDay } from '#shared/calendar-date.ts';
import { formatHours, sumHours } from '#shared/hours.ts';
import { CallError, call } from '#web/api/call.ts';
import { type Text, t } from '#web/i18n/translate.ts';
import { MustAsk, type Waiting } from '#web/offline/pending-changes.ts';
import { createTimeEntry, hoursAlready, listTimeEntries, updateTimeEntry } from '../contract.ts';
import type { OfflineHours } from './offline-hours.ts';

const PATIENCE_MS = 30_000;
/** The most that the server gives of a list. */
const LATEST = 100;

type Sending = Readonly<{ token: string; userId: number; language: string; trying: () => Promise<void> }>;

/**
 * Sends hours that waited, in the session in which they were logged. Hours for the same activity and day that the person did
 * not know of, from another device, are asked about first. Those whose answer was lost are not: they may be the same.
 */
export async function sendOfflineHours(waiting: Waiting<OfflineHours>, sending: Sending): Promise<void> {
  const { what, key, isTried, isEdited } = waiting;
  const { token, trying } = sending;
  if (!isTried && !what.isSure) await askAboutOthers(what, sending);
  await trying();
  const given = { body: what.body, token, signal: AbortSignal.timeout(PATIENCE_MS) };
  try {
    await call(createTimeEntry, { ...given, idempotencyKey: key });
  } catch (error) {
    if (!(error instanceof CallError) || error.made === undefined) throw error;
    // They were stored as they were first sent, and changed here since.
    if (isEdited) await call(updateTimeEntry, { ...given, params: { id: error.made } });
  }
}

async function askAboutOthers({ activity, body, known }: OfflineHours, sending: Sending): Promise<void> {
  const { timeEntries } = await call(listTimeEntries, {
    query: { schoolId: activity.schoolId, limit: LATEST },
    token: sending.token,
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const own = timeEntries.filter(({ user }) => user.id === sending.userId);
  const there = hoursAlready(own, { activityId: activity.id, entryDate: body.entryDate });
  if (there <= known) return;
  throw new MustAsk(
    t('time-entries:alreadyElsewhere', {
      already: formatHours(there, sending.language),
      activity: activity.name,
      date: formatDay(body.entryDate, sending.language),
    }),
  );
}

/** What waits, a line for each, for whoever cannot send it. */
export function offlineHoursAsText(
  { what: { body, activity } }: Waiting<OfflineHours>,
  { language }: Text,
): string {
  const hours = t('time-entries:shortHours', { hours: formatHours(Number(body.hours), language) });
  return [body.entryDate, activity.name, hours, body.notes ?? ''].filter((part) => part !== '').join(' · ');
}

/** The hours that wait, in all. */
export function totalOf(waiting: readonly Waiting<OfflineHours>[]): number {
  return sumHours(waiting.map(({ what }) => Number(what.body.hours)));
}
