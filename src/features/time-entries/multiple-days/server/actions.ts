import { findTerms } from '#features/activities/server/actions.ts';
import { closedBefore } from '#features/schools/closed-period.ts';
import { recordEvents } from '#server/audit-log.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { type Acting, actorOf, canAt, type Request, type Viewer } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { type CalendarDate, formatDay } from '#shared/calendar-date.ts';
import { errors } from '#shared/errors.ts';
import { formatHours, fromHundredths, sumHours, toHundredths } from '#shared/hours.ts';
import type { Message } from '#shared/i18n/message.ts';
import { insertEntriesWithAudit } from '../../admin-list/server/actions.ts';
import type { TimeEntry } from '../../contract.ts';
import { isOutsideDates } from '../../entry-flags.ts';
import {
  entryEvent,
  entryValues,
  findActivityForNewEntry,
  newEntryValues,
  type PickedActivityTerms,
  rejectClosedPeriod,
  today,
} from '../../server/entry-rules.ts';
import { findExternalVerifier } from '../../server/external-verifiers.ts';
import { markDeleted } from '../../server/store.ts';
import { lockUnchangedEntries, readUndoBatch, sealUndoBatch } from '../../server/undo-batch.ts';
import { auditedStatus } from '../../server/verification-status.ts';
import { isLocked } from '../../server/verification-status-store.ts';
import { MULTIPLE_DAYS, type MultipleDaysInput, multipleDaysMessages as messages } from '../contract.ts';
import { findActivityDates, findHoursByDay, lockVolunteer } from './store.ts';

const PURPOSE = 'several-days';

type Logging = { viewer: Viewer; request: Request; input: MultipleDaysInput };

/**
 * Logs the same hours for each of several days: all of them or, when a day cannot be logged or needs confirmation,
 * none.
 */
export async function logMultipleDays(
  trx: Trx,
  deps: Deps,
  { viewer, request, input }: Logging,
): Promise<{ timeEntries: TimeEntry[]; batch: string | null; message: string }> {
  const { userId } = viewer;
  const { dates, isSure: _, reason, outsideVerifier: named, ...shared } = input;
  const activity = await findActivityForNewEntry(trx, viewer, input);
  const { terms, schoolId } = activity;
  await rejectInvalidDays(trx, deps, { viewer, request, input }, activity);
  const why = rejectClosedPeriod(deps, { viewer, request }, { schoolId, terms, dates, reason });
  const entries = dates
    .toSorted()
    .map((entryDate) => newEntryValues(deps, request, { ...shared, userId, entryDate }, activity));
  const target = { userId, schoolId, activityId: activity.id, terms };
  const outsideVerifier = await findExternalVerifier(trx, viewer, target, named);
  const logged = entries.map((entry) => ({ ...entry, at: request.at, outsideVerifier }));
  const timeEntries = await insertEntriesWithAudit(trx, { viewer, request }, logged, { deps, terms, why });
  const hours = formatHours(sumHours(entries.map((entry) => entry.hours)), deps.translator.language);
  const mayUndo = timeEntries.every(({ canDelete }) => canDelete);
  const { undoMinutes } = MULTIPLE_DAYS;
  const done = { by: userId, schoolId, timeEntries, at: request.at, undoMinutes };
  return {
    timeEntries,
    batch: mayUndo ? sealUndoBatch(deps, PURPOSE, done) : null,
    message: translate(deps, messages.logged(dates.length, hours, activity.name)),
  };
}

/**
 * Undoes several days. Keeps entries that have since been changed or decided about. 404 if the batch is not the viewer's,
 * 409 when nothing is left, the period has closed or the time is up.
 */
export function undoMultipleDays(
  deps: Deps,
  { viewer, request }: Acting,
  given: string,
): Promise<{ deleted: number; message: string }> {
  const batch = readUndoBatch(deps, viewer, PURPOSE, given);
  if (batch.until < request.at) throw errors.conflict(messages.tooLate);
  return transaction(deps.database, async (trx) => {
    const unchanged = await lockUnchangedEntries(trx, viewer, batch);
    const entries = unchanged.filter((entry) => !isLocked(viewer, { ...entry, userId: entry.user.id }));
    const [first] = entries;
    if (first === undefined) throw errors.conflict(messages.undoneBefore);
    const terms = await findTerms(trx, first.activityId);
    const dates = entries.map(({ entryDate }) => entryDate);
    const why = canAt(viewer, 'edit entries', batch.schoolId)
      ? {}
      : rejectClosedPeriod(deps, { viewer, request }, { schoolId: batch.schoolId, terms, dates });
    const ids = entries.map(({ id }) => id);
    await markDeleted(trx, ids, { at: request.at, by: viewer.userId });
    const auditEvents = entries.map((entry) =>
      entryEvent(entry, {
        action: 'entry.delete',
        before: { ...entryValues(entry), ...auditedStatus(entry), ...why },
      }),
    );
    await recordEvents(trx, actorOf(viewer, request), auditEvents);
    const isAll = entries.length === batch.entries.length;
    const message = isAll ? messages.undone(entries.length) : messages.undonePartly(entries.length);
    return { deleted: entries.length, message: translate(deps, message) };
  });
}

// Throws with a message for each day that cannot be logged (400) or needs confirmation (409).
async function rejectInvalidDays(
  trx: Trx,
  deps: Deps,
  { viewer, request, input }: Logging,
  activity: PickedActivityTerms,
): Promise<void> {
  await lockVolunteer(trx, viewer.userId);
  const logged = await findHoursByDay(trx, { userId: viewer.userId, activityId: activity.id }, input.dates);
  const activityDates = { name: activity.name, ...(await findActivityDates(trx, activity.id)) };
  const fields = { impossible: {} as Fields, unusual: {} as Fields };
  for (const [index, date] of input.dates.entries()) {
    const { all, ofActivity } = logged.get(date) ?? { all: 0, ofActivity: 0 };
    const impossible =
      closedDayProblem(deps, { viewer, request }, activity, date) ??
      dayLimitProblem(deps, all, input.hours, date);
    const unusual = unusualDayProblem(deps, activityDates, ofActivity, date);
    if (impossible !== undefined) fields.impossible[`dates.${index}.date`] = impossible;
    else if (unusual !== undefined) fields.unusual[`dates.${index}.date`] = unusual;
  }
  if (Object.keys(fields.impossible).length > 0) throw errors.invalid(messages.refused, fields.impossible);
  const mustConfirm = Object.keys(fields.unusual).length > 0 && input.isSure !== true;
  if (mustConfirm) throw errors.setByServer(messages.unsure, fields.unusual);
}

type Fields = Record<string, Message>;

function closedDayProblem(
  deps: Deps,
  { viewer, request }: Acting,
  { terms, schoolId }: PickedActivityTerms,
  date: CalendarDate,
): Message | undefined {
  const currentDay = today(deps, request);
  if (date > currentDay) return messages.future(dayOf(deps, date));
  const before = closedBefore(terms, currentDay);
  // Users who may edit everyone's hours give a reason instead.
  const isClosed = before !== null && date < before && !canAt(viewer, 'edit entries', schoolId);
  return isClosed ? messages.closed(dayOf(deps, date)) : undefined;
}

function dayLimitProblem(
  deps: Deps,
  already: number,
  hours: number,
  date: CalendarDate,
): Message | undefined {
  if (already + toHundredths(hours) <= toHundredths(MULTIPLE_DAYS.hoursOfDay)) return undefined;
  return messages.full(formatHours(fromHundredths(already), deps.translator.language), dayOf(deps, date));
}

type ActivityDates = { name: string; activeFrom: CalendarDate | null; activeUntil: CalendarDate | null };

function unusualDayProblem(
  deps: Deps,
  activity: ActivityDates,
  already: number,
  entryDate: CalendarDate,
): Message | undefined {
  const date = dayOf(deps, entryDate);
  if (already > 0) {
    const hours = formatHours(fromHundredths(already), deps.translator.language);
    return messages.already(hours, activity.name, date);
  }
  return isOutsideDates({ ...activity, entryDate }) ? messages.outside(activity.name, date) : undefined;
}

function dayOf(deps: Deps, date: CalendarDate): string {
  return formatDay(date, deps.translator.language);
}
