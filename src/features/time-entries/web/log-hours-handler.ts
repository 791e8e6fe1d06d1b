import type { Activity } from '#features/activities/contract.ts';
import type { CalendarDate } from '#shared/calendar-date.ts';
import type { BodyOf, ReplyOf } from '#shared/endpoint.ts';
import { CallError, call } from '#web/api/call.ts';
import { t } from '#web/i18n/translate.ts';
import { createTimeEntry, type TimeEntry } from '../contract.ts';

export type Logging = Readonly<{
  body: BodyOf<typeof createTimeEntry>;
  activity: Activity;
  today: CalendarDate;
  /** The person's entries loaded so far. */
  own: readonly TimeEntry[];
}>;

type Way = Readonly<{
  /** Logs hours; 'kept' when they wait on this device. Throws a CallError. */
  log: (logging: Logging) => Promise<ReplyOf<typeof createTimeEntry> | 'kept'>;
  /** The hours that wait, as far as they count for a day. */
  waiting: () => readonly Pick<TimeEntry, 'activityId' | 'entryDate' | 'hours'>[];
}>;

const DIRECT: Way = { log: ({ body }) => call(createTimeEntry, { body }), waiting: () => [] };

/** The name of the draft of hours that are not logged yet; it says itself for which activity. */
export const LOG_DRAFT = 'log';

/** How hours are logged: directly, until what keeps them without signal is loaded. */
export let logging = DIRECT;

export function setLogHandler(way: Way | undefined): void {
  logging = way ?? DIRECT;
}

/** The same failure in this screen's words, unless whoever keeps hours has said why. */
export function withLogMessage(error: CallError): CallError {
  return logging === DIRECT ? new CallError(0, t('time-entries:notSent'), true) : error;
}
