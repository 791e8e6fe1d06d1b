import { type ActivityRef, messages as activityMessages } from '#features/activities/contract.ts';
import { findActivityToLogFor, type Terms } from '#features/activities/server/actions.ts';
import { closedBefore, closedMessages, closingDayText } from '#features/schools/closed-period.ts';
import { messages as schoolMessages } from '#features/schools/contract.ts';
import type { AuditEvent } from '#server/audit-log.ts';
import type { Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { type Acting, canAt, narrowTo, type Request, type Viewer } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { todayIn } from '#server/today.ts';
import type { CalendarDate } from '#shared/calendar-date.ts';
import { fieldsOf, newRecordValues } from '#shared/entity-fields.ts';
import { errors } from '#shared/errors.ts';
import {
  descriptionProblem,
  messages,
  type TimeEntry,
  type TimeEntryForInput,
  type TimeEntryInput,
} from '../contract.ts';
import { ENTRY_FIELDS } from '../time-entry-fields.ts';
import type { EntryValues } from './store.ts';

/** An activity that hours are logged for, and the terms that apply to its hours. */
export type PickedActivityTerms = ActivityRef & { schoolId: number; terms: Terms };

/** Returns an activity of the given school, or of any of the viewer's schools if none is given. Throws 404 for others. */
export async function pickActivity(
  trx: Trx,
  viewer: Viewer,
  activityId: number,
  schoolId: number | null | undefined,
): Promise<PickedActivityTerms> {
  const scope =
    schoolId === undefined || schoolId === null ? viewer.schools : narrowTo(viewer.schools, schoolId);
  if (scope === undefined) throw errors.notFound(schoolMessages.notFound);
  const activity = await findActivityToLogFor(trx, scope, activityId);
  if (activity === undefined) throw errors.notFound(activityMessages.notFound);
  return activity;
}

/** Returns the activity for a new entry. Throws 404 if it is outside the viewer's schools, and 400 if it is inactive. */
export async function findActivityForNewEntry(
  trx: Trx,
  viewer: Viewer,
  { activityId, schoolId }: Pick<TimeEntryInput, 'activityId' | 'schoolId'>,
): Promise<PickedActivityTerms> {
  const activity = await pickActivity(trx, viewer, activityId, schoolId);
  rejectInactiveActivity(activity);
  return activity;
}

/** Throws 400 for an activity that is no longer active. */
export function rejectInactiveActivity(activity: ActivityRef): void {
  if (activity.isActive) return;
  const message = messages.inactive(activity.name);
  throw errors.invalid(message, { activityId: message });
}

/** Throws 400 when the activity asks for notes and there are none (specification section 5). */
export function rejectMissingNotes(deps: Deps, activity: ActivityRef, notes: string | null): void {
  const problem = descriptionProblem(activity, notes, translate(deps, messages.defaultPrompt));
  if (problem !== undefined) throw errors.invalid(problem, { notes: problem });
}

/** Returns the day of an entry; null means today. Throws 400 for a future day. */
export function resolveEntryDate(deps: Deps, request: Request, given: CalendarDate | null): CalendarDate {
  const todayHere = today(deps, request);
  if (given === null) return todayHere;
  if (given > todayHere) throw errors.invalid(messages.future, { entryDate: messages.future });
  return given;
}

/** Today's date in the district's time zone. */
export function today(deps: Deps, request: Request): CalendarDate {
  return todayIn(deps.config.timeZone, request.at);
}

/** The field values of an entry, for the audit log and as the base of a change. */
export function entryValues(entry: TimeEntry): EntryValues {
  return fieldsOf(ENTRY_FIELDS, { ...entry, userId: entry.user.id });
}

/** An audit event about an entry. */
export function entryEvent(
  entry: TimeEntry,
  event: Pick<AuditEvent, 'action' | 'before' | 'after'>,
): AuditEvent {
  return {
    subject: 'time-entry',
    subjectId: entry.id,
    schoolId: entry.schoolId,
    personId: entry.user.id,
    ...event,
  };
}

/** Returns the field values of a new entry. The day defaults to today. Throws 400 for a future day or missing notes. */
export function newEntryValues(
  deps: Deps,
  request: Request,
  input: TimeEntryForInput,
  activity: ActivityRef & { schoolId: number },
): EntryValues {
  const { id: activityId, schoolId } = activity;
  const entryDate = resolveEntryDate(deps, request, input.entryDate ?? null);
  const values = newRecordValues(ENTRY_FIELDS, { ...input, activityId, schoolId, entryDate });
  rejectMissingNotes(deps, activity, values.notes);
  return values;
}

/** Hours about to be created, changed or deleted: their days, and the terms of their school. */
export type AffectedHours = Readonly<{
  schoolId: number;
  terms: Pick<Terms, 'school' | 'closedBefore' | 'lateAfterDays'>;
  dates: readonly CalendarDate[];
  reason?: string | null | undefined;
}>;

/**
 * Rejects hours in a closed period: with 409 for volunteers, and with 400 for administrators who give no reason. Returns the
 * reason for the audit log if one was needed.
 */
export function rejectClosedPeriod(
  deps: Deps,
  { viewer, request }: Acting,
  { schoolId, terms, dates, reason }: AffectedHours,
): { reason?: string } {
  const currentDay = today(deps, request);
  const before = closedBefore(terms, currentDay);
  if (before === null || dates.every((date) => date >= before)) return {};
  const date = closingDayText(before, currentDay, deps.translator.language);
  if (!canAt(viewer, 'edit entries', schoolId)) {
    throw errors.conflict(closedMessages.closed(date, terms.school.name));
  }
  if (reason === undefined || reason === null) {
    const problem = closedMessages.reasonNeeded(date);
    throw errors.invalid(problem, { reason: problem });
  }
  return { reason };
}
