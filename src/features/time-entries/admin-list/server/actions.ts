import { findActivityFor, type Terms } from '#features/activities/server/actions.ts';
import { findRequestedSchools } from '#features/schools/server/actions.ts';
import { recordEvents } from '#server/audit-log.ts';
import type { Db, Trx } from '#server/db/database.ts';
import { cutPage, readPage } from '#server/db/queries/pagination.ts';
import { verifyingSchools } from '#server/db/queries/verification-state.ts';
import type { Deps } from '#server/deps.ts';
import { type Acting, actorOf, narrowTo, type Request, type Viewer } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { assertDefined } from '#shared/assert-defined.ts';
import { formatDay } from '#shared/calendar-date.ts';
import { errors } from '#shared/errors.ts';
import { formatHours, fromHundredths } from '#shared/hours.ts';
import {
  DEFAULT_SORT,
  type EntryExtras,
  type EntryFilters,
  type EntrySort,
  messages,
  type SortOrder,
  type TimeEntry,
  type TimeEntryForInput,
} from '../../contract.ts';
import { addFlagsToEntries, flagContext } from '../../server/entry-flags.ts';
import {
  entryEvent,
  entryValues,
  findActivityForNewEntry,
  newEntryValues,
  rejectClosedPeriod,
  today,
} from '../../server/entry-rules.ts';
import { findExternalVerifier } from '../../server/external-verifiers.ts';
import { findEntries, insertEntries, type NewEntry } from '../../server/store.ts';
import { initialAuditedStatus, trustCheck } from '../../server/verification-status.ts';
import { verifyAllHours } from '../../server/verification-status-store.ts';
import { findVolunteers, type Person } from '../../server/volunteers-store.ts';
import type { EntryFilter } from './filter-store.ts';
import { pageOfEntries } from './list-store.ts';
import { countPeople, type Sums, sumEntries, sumVerifiedHours } from './totals-store.ts';

type ListQuery = EntryFilters & {
  sortBy?: EntrySort | undefined;
  sortOrder?: SortOrder | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
};

/** A page of the entries that match the filters, with their total. 404 for an unknown school. */
export async function listForAdministrators(deps: Deps, viewer: Viewer, query: ListQuery) {
  const { db } = deps.database;
  const sorting = {
    by: query.sortBy ?? DEFAULT_SORT.sortBy,
    order: query.sortOrder ?? DEFAULT_SORT.sortOrder,
  };
  // A cursor is only valid for one sort field in one direction.
  const list = `admin/time-entries ${sorting.by} ${sorting.order}`;
  const page = readPage(deps.secretKey, list, query);
  const { filter, sums } = await buildEntryFilter(db, viewer, query);
  if (filter === undefined) return { timeEntries: [], total: 0, nextCursor: null };
  const total = sums.entries;
  const found = await pageOfEntries(db, viewer, { filter, sorting, page, total });
  const { rows, nextCursor } = cutPage(
    deps.secretKey,
    { list, rows: found, limit: page.limit },
    (row) => row.key,
  );
  const entries = rows.map((row) => row.entry);
  return { timeEntries: await addFlagsToEntries(flagContext(deps, db), viewer, entries), total, nextCursor };
}

/** The totals of the entries that match the filters. 404 for an unknown school. */
export async function summarizeEntries(deps: Deps, viewer: Viewer, query: EntryFilters) {
  const { db } = deps.database;
  const { filter, sums } = await buildEntryFilter(db, viewer, query, { people: true });
  const verified = filter === undefined ? undefined : await sumVerified(db, filter, sums);
  return {
    summary: {
      totalEntries: sums.entries,
      totalHours: fromHundredths(sums.hundredths),
      verifiedHours: verified === undefined ? null : fromHundredths(verified),
      uniqueUsers: filter === undefined ? 0 : await countPeople(db, filter, sums),
      averageHoursPerEntry:
        sums.entries === 0 ? 0 : fromHundredths(Math.round(sums.hundredths / sums.entries)),
    },
  };
}

/** The filters that the rollups can answer. They store hours and people for each school and day. */
const ROLLUP_FILTERS: readonly string[] = [
  'schoolId',
  'startDate',
  'endDate',
] satisfies (keyof EntryFilters)[];

/**
 * Whether a summary is read from the rollups instead of the entries. This works for one school with no filters other than a
 * start and end day.
 */
export function isServedFromRollups(query: EntryFilters): boolean {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return query.schoolId !== undefined && given.every(([name]) => ROLLUP_FILTERS.includes(name));
}

// Undefined if none of the filter's schools verifies hours.
async function sumVerified(db: Db, filter: EntryFilter, sums: Sums): Promise<number | undefined> {
  const { schools, activityId, onlyVerifiedAt } = filter;
  const verifying = onlyVerifiedAt ?? (await verifyingSchools(db, schools, activityId));
  if (verifying.length === 0) return undefined;
  return onlyVerifiedAt === undefined ? sumVerifiedHours(db, filter, verifying) : sums.hundredths;
}

/**
 * Logs hours for a volunteer of the activity's school. Throws 404 for an unknown activity or user, 400 for a user who is not
 * a member of the school, and the errors of `logHours` for hours that cannot be logged.
 */
export async function logForVolunteer(
  trx: Trx,
  deps: Deps,
  { viewer, request, input }: { viewer: Viewer; request: Request; input: TimeEntryForInput & EntryExtras },
): Promise<{ timeEntry: TimeEntry; message: string }> {
  const { userId } = input;
  const activity = await findActivityForNewEntry(trx, viewer, input);
  const values = newEntryValues(deps, request, input, activity);
  const person = (await findVolunteers(trx, activity.schoolId, [userId])).get(userId);
  if (person === undefined) throw errors.notFound(messages.userNotFound);
  if (!person.isMember) {
    const problem = messages.notAMember(person.name, person.schoolName);
    throw errors.invalid(problem, { userId: problem });
  }
  const { terms } = activity;
  const touched = { schoolId: values.schoolId, terms, dates: [values.entryDate], reason: input.reason };
  const why = rejectClosedPeriod(deps, { viewer, request }, touched);
  const outsideVerifier = await findExternalVerifier(
    trx,
    viewer,
    { ...values, terms },
    input.outsideVerifier,
  );
  const logged = [{ ...values, at: request.at, outsideVerifier }];
  const entry = assertDefined(
    (await insertEntriesWithAudit(trx, { viewer, request }, logged, { deps, terms, why }))[0],
  );
  return { timeEntry: entry, message: loggedForMessage(deps, request, entry, person) };
}

/**
 * Returns the store filter for an administrator's filters, and the sums of its entries. The filter is undefined if the
 * activity belongs to none of the schools, so that no entry matches. Throws 404 for a school that is unknown or out of scope.
 */
export async function buildEntryFilter(
  db: Db,
  viewer: Viewer,
  query: EntryFilters,
  wanted: { people?: boolean } = {},
): Promise<{ filter: EntryFilter | undefined; sums: Sums }> {
  const filter = await toFilter(db, viewer, query);
  const sums = filter === undefined ? { entries: 0, hundredths: 0 } : await sumEntries(db, filter, wanted);
  // A school with matching entries exists, so only an empty result needs the check.
  if (sums.entries === 0 && query.schoolId !== undefined)
    await findRequestedSchools(db, viewer, query.schoolId);
  return { filter, sums };
}

async function toFilter(
  db: Db,
  viewer: Viewer,
  { schoolId, ...rest }: EntryFilters,
): Promise<EntryFilter | undefined> {
  const schools = schoolId === undefined ? viewer.schools : narrowTo(viewer.schools, schoolId);
  if (schools === undefined) return undefined;
  if (rest.activityId !== undefined && schools !== 'all') {
    const activity = await findActivityFor(db, schools, rest.activityId);
    if (activity === undefined) return undefined;
  }
  const { status, only } = rest;
  const filtersByState = status !== undefined || only !== undefined;
  const verifying = filtersByState ? await verifyingSchools(db, schools, rest.activityId) : [];
  return {
    schools,
    userId: rest.userId,
    activityId: rest.activityId,
    startDate: rest.startDate,
    endDate: rest.endDate,
    weekday: rest.weekday,
    state: status && { status, at: verifying },
    onlyVerifiedAt: only && verifying,
  };
}

/** Stores entries of one activity and their audit events. */
export async function insertEntriesWithAudit(
  trx: Trx,
  { viewer, request }: Acting,
  logged: readonly NewEntry[],
  { deps, terms, why }: { deps: Deps; terms: Terms; why: { reason?: string } },
): Promise<TimeEntry[]> {
  const added = await insertEntries(trx, logged);
  const ids = added.map(({ id }) => id);
  const people = added.map(({ userId }) => userId);
  const isTrusted = await trustCheck(trx, terms, logged[0]?.schoolId ?? 0, people);
  const trustedEntries = added.filter(({ userId }) => isTrusted(userId));
  await verifyAllHours(
    trx,
    trustedEntries.map(({ id }) => id),
    request.at,
  );
  const entries = await findEntries(trx, viewer, ids);
  const auditEvents = entries.map((entry) =>
    entryEvent(entry, {
      action: 'entry.log',
      after: { ...entryValues(entry), ...initialAuditedStatus(isTrusted(entry.user.id)), ...why },
    }),
  );
  await recordEvents(trx, actorOf(viewer, request), auditEvents);
  return addFlagsToEntries(flagContext(deps, trx), viewer, entries);
}

function loggedForMessage(deps: Deps, request: Request, entry: TimeEntry, person: Person): string {
  const hours = formatHours(entry.hours, deps.translator.language);
  const { name } = entry.activity;
  if (entry.entryDate === today(deps, request)) {
    return translate(deps, messages.loggedTodayFor(hours, name, person.name));
  }
  const date = formatDay(entry.entryDate, deps.translator.language);
  return translate(deps, messages.loggedOnFor(hours, name, date, person.name));
}
