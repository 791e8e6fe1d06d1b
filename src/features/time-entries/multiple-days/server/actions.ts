import { termsOf } from '#features/activities/server/actions.ts';
import { closedBefore } from '#features/schools/closed-period.ts';
import { recordAll } from '#server/audit-log.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { type Acting, actorOf, canAt, isWithin, type Request, type Viewer } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { seal, unseal } from '#server/secrets.ts';
import { type CalendarDate, formatDay, type Instant, plusMilliseconds } from '#shared/calendar-date.ts';
import { refuse } from '#shared/errors.ts';
import { formatHours, fromHundredths, sumHours, toHundredths } from '#shared/hours.ts';
import type { Message } from '#shared/i18n/message.ts';
import { insertEntriesWithAudit } from '../../admin-list/server/actions.ts';
import { messages as entryMessages, type TimeEntry } from '../../contract.ts';
import { isOutsideDates } from '../../entry-flags.ts';
import {
  findActivityForNewEntry,
  type Picked,
  rejectClosedPeriod,
  today,
  valuesFrom,
  valuesOf,
} from '../../server/entry-rules.ts';
import { findExternalVerifier } from '../../server/external-verifiers.ts';
import { findEntries, lockLiveEntries, markDeleted } from '../../server/store.ts';
import { statusOf } from '../../server/verification-status.ts';
import { isLocked } from '../../server/verification-status-store.ts';
import { MULTIPLE_DAYS, type MultipleDaysInput, multipleDaysMessages as messages } from '../contract.ts';
import { datesOf, lockVolunteer, loggedOn } from './store.ts';

const PURPOSE = 'several-days';
const MINUTE_MS = 60_000;

/** What one call logged: by whom, where, until when it can be taken back, and its entries with their versions. */
type Batch = Readonly<{
  by: number;
  schoolId: number;
  until: Instant;
  entries: readonly (readonly [id: number, version: number])[];
}>;

type Logging = { viewer: Viewer; request: Request; input: MultipleDaysInput };

/** Logs the same hours for each of some days: all of them or, when a day cannot be logged or must be asked about, none. */
export async function logSeveral(
  trx: Trx,
  deps: Deps,
  { viewer, request, input }: Logging,
): Promise<{ timeEntries: TimeEntry[]; batch: string | null; message: string }> {
  const { userId } = viewer;
  const { dates, isSure: _, reason, outsideVerifier: named, ...shared } = input;
  const activity = await findActivityForNewEntry(trx, viewer, input);
  const { terms, schoolId } = activity;
  await refuseDays(trx, deps, { viewer, request, input }, activity);
  const why = rejectClosedPeriod(deps, { viewer, request }, { schoolId, terms, dates, reason });
  const entries = dates
    .toSorted()
    .map((entryDate) => valuesFrom(deps, request, { ...shared, userId, entryDate }, activity));
  const place = { userId, schoolId, activityId: activity.id, terms };
  const outsideVerifier = await findExternalVerifier(trx, viewer, place, named);
  const logged = entries.map((entry) => ({ ...entry, at: request.at, outsideVerifier }));
  const timeEntries = await insertEntriesWithAudit(trx, { viewer, request }, logged, { deps, terms, why });
  const hours = formatHours(sumHours(entries.map((entry) => entry.hours)), deps.catalogue.language);
  const mayUndo = timeEntries.every(({ canDelete }) => canDelete);
  return {
    timeEntries,
    batch: mayUndo ? sealed(deps, { by: userId, schoolId, timeEntries, at: request.at }) : null,
    message: translate(deps, messages.logged(dates.length, hours, activity.name)),
  };
}

/**
 * Takes several days back. What was changed or decided since stays. 404 for what the viewer did not log, 409 when nothing is
 * left, the period is closed by now or too much time has passed.
 */
export function undoSeveral(
  deps: Deps,
  viewer: Viewer,
  request: Request,
  given: string,
): Promise<{ deleted: number; message: string }> {
  const batch = readBatch(deps, viewer, given);
  if (batch.until < request.at) throw refuse.conflict(messages.tooLate);
  return transaction(deps.database, async (trx) => {
    const entries = await leftOf(trx, viewer, batch);
    const [first] = entries;
    if (first === undefined) throw refuse.conflict(messages.undoneBefore);
    const terms = await termsOf(trx, first.activityId);
    const dates = entries.map(({ entryDate }) => entryDate);
    const why = canAt(viewer, 'edit entries', batch.schoolId)
      ? {}
      : rejectClosedPeriod(deps, { viewer, request }, { schoolId: batch.schoolId, terms, dates });
    for (const { id } of entries) await markDeleted(trx, id, { at: request.at, by: viewer.userId });
    const deeds = entries.map((entry) => ({
      action: 'entry.delete',
      subject: 'time-entry',
      subjectId: entry.id,
      schoolId: entry.schoolId,
      personId: entry.user.id,
      before: { ...valuesOf(entry), ...statusOf(entry), ...why },
    }));
    await recordAll(trx, actorOf(viewer, request), deeds);
    const isAll = entries.length === batch.entries.length;
    const message = isAll ? messages.undone(entries.length) : messages.undonePartly(entries.length);
    return { deleted: entries.length, message: translate(deps, message) };
  });
}

// Those that nobody changed or decided since, locked until the transaction ends.
async function leftOf(trx: Trx, viewer: Viewer, batch: Batch): Promise<TimeEntry[]> {
  const versions = new Map(batch.entries);
  const held = await lockLiveEntries(trx, [...versions.keys()]);
  const ids = held.filter(({ id, version }) => versions.get(id) === version).map(({ id }) => id);
  if (ids.length === 0) return [];
  const entries = await findEntries(trx, viewer, ids);
  return entries.filter((entry) => !isLocked(viewer, { ...entry, userId: entry.user.id }));
}

// Says of each day why it cannot be logged (400) or what must be asked first (409).
async function refuseDays(
  trx: Trx,
  deps: Deps,
  { viewer, request, input }: Logging,
  activity: Picked,
): Promise<void> {
  await lockVolunteer(trx, viewer.userId);
  const logged = await loggedOn(trx, { userId: viewer.userId, activityId: activity.id }, input.dates);
  const told = { name: activity.name, ...(await datesOf(trx, activity.id)) };
  const fields = { impossible: {} as Fields, odd: {} as Fields };
  for (const [index, date] of input.dates.entries()) {
    const { all, ofActivity } = logged.get(date) ?? { all: 0, ofActivity: 0 };
    const impossible =
      notOpen(deps, { viewer, request }, activity, date) ?? tooFull(deps, all, input.hours, date);
    const odd = oddDay(deps, told, ofActivity, date);
    if (impossible !== undefined) fields.impossible[`dates.${index}.date`] = impossible;
    else if (odd !== undefined) fields.odd[`dates.${index}.date`] = odd;
  }
  if (Object.keys(fields.impossible).length > 0) throw refuse.invalid(messages.refused, fields.impossible);
  const isAsked = Object.keys(fields.odd).length > 0 && input.isSure !== true;
  if (isAsked) throw refuse.setByServer(messages.unsure, fields.odd);
}

type Fields = Record<string, Message>;

function notOpen(
  deps: Deps,
  { viewer, request }: Acting,
  { terms, schoolId }: Picked,
  date: CalendarDate,
): Message | undefined {
  const here = today(deps, request);
  if (date > here) return messages.future(dayOf(deps, date));
  const before = closedBefore(terms, here);
  // Whoever edits everybody's hours is asked for a reason instead.
  const isClosed = before !== null && date < before && !canAt(viewer, 'edit entries', schoolId);
  return isClosed ? messages.closed(dayOf(deps, date)) : undefined;
}

function tooFull(deps: Deps, already: number, hours: number, date: CalendarDate): Message | undefined {
  if (already + toHundredths(hours) <= toHundredths(MULTIPLE_DAYS.hoursOfDay)) return undefined;
  return messages.full(formatHours(fromHundredths(already), deps.catalogue.language), dayOf(deps, date));
}

type ToldActivity = { name: string; activeFrom: CalendarDate | null; activeUntil: CalendarDate | null };

function oddDay(
  deps: Deps,
  activity: ToldActivity,
  already: number,
  entryDate: CalendarDate,
): Message | undefined {
  const date = dayOf(deps, entryDate);
  if (already > 0) {
    const hours = formatHours(fromHundredths(already), deps.catalogue.language);
    return messages.already(hours, activity.name, date);
  }
  return isOutsideDates({ ...activity, entryDate }) ? messages.outside(activity.name, date) : undefined;
}

function dayOf(deps: Deps, date: CalendarDate): string {
  return formatDay(date, deps.catalogue.language);
}

function sealed(
  deps: Deps,
  made: Pick<Batch, 'by' | 'schoolId'> & { timeEntries: readonly TimeEntry[]; at: Instant },
): string {
  const { by, schoolId, timeEntries, at } = made;
  const until = plusMilliseconds(at, MULTIPLE_DAYS.undoMinutes * MINUTE_MS);
  const entries = timeEntries.map(({ id, version }) => [id, version] as const);
  return seal(deps.secretKey, PURPOSE, JSON.stringify({ by, schoolId, until, entries } satisfies Batch));
}

function readBatch(deps: Deps, viewer: Viewer, given: string): Batch {
  const batch = opened(deps, given);
  if (batch?.by === viewer.userId && isWithin(viewer.schools, batch.schoolId)) return batch;
  throw refuse.notFound(entryMessages.notFound);
}

function opened(deps: Deps, given: string): Batch | undefined {
  try {
    return JSON.parse(unseal(deps.secretKey, PURPOSE, given)) as Batch;
  } catch {
    return undefined;
  }
}
