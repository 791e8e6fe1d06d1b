import type { Activity } from '#features/activities/contract.ts';
import type { CalendarDate } from '#shared/calendar-date.ts';
import type { BodyOf, ReplyOf } from '#shared/endpoint.ts';
import { CallError, call } from '#web/api/call.ts';
import { t } from '#web/i18n/translate.ts';
import { createTimeEntry, type TimeEntry } from '../contract.ts';

export type LogRequest = Readonly<{
  body: BodyOf<typeof createTimeEntry>;
  activity: Activity;
  today: CalendarDate;
  /** The user's entries loaded so far. */
  own: readonly TimeEntry[];
}>;

type LogHandler = Readonly<{
  /** Logs hours; 'queued' when they are queued on this device. Throws a CallError. */
  log: (logging: LogRequest) => Promise<ReplyOf<typeof createTimeEntry> | 'queued'>;
  /** The queued hours. */
  waiting: () => readonly Pick<TimeEntry, 'activityId' | 'entryDate' | 'hours'>[];
}>;

const DIRECT: LogHandler = { log: ({ body }) => call(createTimeEntry, { body }), waiting: () => [] };

/** The storage name of the draft of hours that are not logged yet; it is the same for all activities. */
export const LOG_DRAFT = 'log';

/** Logs hours: directly until the offline queue is loaded, then through it. */
export let logHandler = DIRECT;

export function setLogHandler(way: LogHandler | undefined): void {
  logHandler = way ?? DIRECT;
}

/** Returns the error with this screen's message, unless the offline queue has already set one. */
export function withLogMessage(error: CallError): CallError {
  return logHandler === DIRECT ? new CallError(0, t('time-entries:notSent'), true) : error;
}
