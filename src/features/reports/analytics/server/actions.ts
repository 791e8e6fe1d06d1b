import { findRequestedSchools } from '#features/schools/server/actions.ts';
import { summarizeEntries } from '#features/time-entries/admin-list/server/actions.ts';
import type { Db } from '#server/db/database.ts';
import { type VerifyingSchools, verifyingSchools } from '#server/db/queries/verification-state.ts';
import type { Deps } from '#server/deps.ts';
import { type Acting, narrowTo, type Request, type SchoolScope, type Viewer } from '#server/http/viewer.ts';
import {
  addDays,
  type CalendarDate,
  day,
  dayIn,
  formatDay,
  schoolYearStart,
  weekdayOf,
} from '#shared/calendar-date.ts';
import { fromHundredths, sumHours } from '#shared/hours.ts';
import {
  type ActivityAnalytics,
  INACTIVE_VOLUNTEERS,
  type Overview,
  type Period,
  TOP_VOLUNTEERS,
} from '../contract.ts';
import {
  type ActivitySums,
  countReturning,
  type EntrySelection,
  type EntrySums,
  findInactivePeople,
  findTopPeople,
  sumActivities,
  sumDays,
  sumEachSchool,
  sumMonths,
  sumSchoolsOfPeople,
} from './store.ts';

/** Returns every activity with entries in the period, most hours first. Throws 404 for an unknown school. */
export async function readActivityAnalytics(deps: Deps, viewer: Viewer, period: Period) {
  const { db } = deps.database;
  const { schoolId } = period;
  const schools = schoolId === undefined ? viewer.schools : narrowTo(viewer.schools, schoolId);
  const of = schools === undefined ? undefined : await selectionIn(db, schools, period);
  const rows = of === undefined ? [] : await sumActivities(db, of);
  // Only an empty result can mean an unknown school.
  if (rows.length === 0 && schoolId !== undefined) await findRequestedSchools(db, viewer, schoolId);
  return { activities: rows.map((row) => toActivityAnalytics(row, of?.verifying ?? [])) };
}

/**
 * Returns the requested school, or all in the viewer's scope, by name, and whether each verifies. Throws 404 for an unknown
 * school.
 */
export async function listSchoolsInPeriod(deps: Deps, viewer: Viewer, period: Period) {
  const of = await toEntrySelection(deps, viewer, period);
  const rows = await sumEachSchool(deps.database.db, of);
  return rows.map((row) => ({ id: row.id, name: row.name, isVerifying: of.verifying.includes(row.id) }));
}

/** Returns all breakdowns of the period's entries. Throws 404 for an unknown school. */
export async function readOverview(
  deps: Deps,
  { viewer, request }: Acting,
  period: Period,
): Promise<Overview> {
  const { db } = deps.database;
  const of = await toEntrySelection(deps, viewer, period);
  const sums = await summarizeEntries(deps, viewer, period);
  const { averageHoursPerEntry: _, uniqueUsers, ...totals } = sums.summary;
  const returning =
    period.startDate === undefined ? null : await countReturning(db, { ...of, startDate: period.startDate });
  const schools = await sumEachSchool(db, of);
  const { verifying } = of;
  return {
    totals: {
      ...totals,
      uniqueUsers,
      newUsers: returning === null ? null : uniqueUsers - returning,
      returningUsers: returning,
    },
    schools: schools.map(({ id, name, people, ...added }) => ({
      id,
      name,
      ...toTotals(added, verifying.includes(id)),
      uniqueUsers: people,
    })),
    categories: sumByCategory(await sumActivities(db, of), verifying.length > 0),
    weekdays: sumByWeekday(await sumDays(db, of), verifying.length > 0),
    months: await readMonths(deps, of, period.endDate ?? dayIn(deps.config.timeZone, request.at)),
  };
}

/** Returns the volunteers with the most hours in the period, and the inactive ones. Throws 404 for an unknown school. */
export async function readVolunteerAnalytics(deps: Deps, { viewer, request }: Acting, period: Period) {
  const { db } = deps.database;
  const of = await toEntrySelection(deps, viewer, period);
  const until = addDays(dayIn(deps.config.timeZone, request.at), -INACTIVE_VOLUNTEERS.quietDays - 1);
  const from = addDays(until, -INACTIVE_VOLUNTEERS.withinDays);
  const stopped = await findInactivePeople(db, { ...of, entries: INACTIVE_VOLUNTEERS.entries, from, until });
  const top = await findTopPeople(db, of, TOP_VOLUNTEERS);
  const named = stopped.slice(0, INACTIVE_VOLUNTEERS.named);
  const topSchools = await schoolsOfPeople(db, of, top);
  const stoppedSchools = await schoolsOfPeople(db, { ...of, ...ALL_TIME }, named);
  const person = (row: (typeof top)[number], schools: typeof topSchools) => ({
    user: { id: row.id, firstName: row.first_name, lastName: row.last_name },
    ...toTotals(row, of.verifying.length > 0),
    schools: (schools.get(row.id) ?? []).map(({ id, name, ...sums }) => ({
      id,
      name,
      ...toTotals(sums, of.verifying.includes(id)),
    })),
  });
  return {
    top: top.map((row) => person(row, topSchools)),
    stopped: named.map((row) => ({ ...person(row, stoppedSchools), lastDate: row.last })),
    stoppedTotal: stopped.length,
  };
}

async function schoolsOfPeople(db: Db, of: EntrySelection, people: readonly { id: number }[]) {
  const ids = people.map(({ id }) => id);
  return Map.groupBy(await sumSchoolsOfPeople(db, of, ids), (row) => row.user_id);
}

async function toEntrySelection(deps: Deps, viewer: Viewer, period: Period): Promise<EntrySelection> {
  const { db } = deps.database;
  return selectionIn(db, await findRequestedSchools(db, viewer, period.schoolId), period);
}

async function selectionIn(
  db: Db,
  schools: SchoolScope,
  { startDate, endDate, only }: Period,
): Promise<EntrySelection> {
  const verifying = await verifyingSchools(db, schools);
  return { schools, startDate, endDate, verifying, onlyVerified: only === 'verified' };
}

type Totals = { totalHours: number; verifiedHours: number | null; totalEntries: number };

/** Returns sums in hours. Verified hours are null where no school verifies. */
export function toTotals({ entries, hundredths, counted }: EntrySums, isVerifying: boolean): Totals {
  return {
    totalHours: fromHundredths(hundredths),
    verifiedHours: isVerifying ? fromHundredths(counted) : null,
    totalEntries: entries,
  };
}

/** Adds up totals. */
export function sumTotals(lines: readonly Totals[], isVerifying: boolean): Totals {
  return {
    totalHours: sumHours(lines.map((line) => line.totalHours)),
    verifiedHours: isVerifying ? sumHours(lines.map((line) => line.verifiedHours ?? 0)) : null,
    totalEntries: lines.reduce((sum, line) => sum + line.totalEntries, 0),
  };
}

function toActivityAnalytics(row: ActivitySums, verifying: VerifyingSchools): ActivityAnalytics {
  return {
    id: row.id,
    name: row.name,
    category: { name: row.category_name, color: row.color },
    schoolId: row.school_id,
    ...toTotals(row, verifying.includes(row.school_id)),
    uniqueUsers: row.people,
  };
}

// In district totals, categories of the same name are combined and get the color of the largest one.
function sumByCategory(rows: readonly ActivitySums[], isVerifying: boolean): Overview['categories'] {
  const found = [...Map.groupBy(rows, (row) => row.category_key).values()].flatMap((of) => {
    const [largest] = of;
    return largest === undefined
      ? []
      : [{ name: largest.category_name, color: largest.color, ...toTotals(addSums(of), isVerifying) }];
  });
  return found.sort((a, b) => b.totalHours - a.totalHours);
}

function sumByWeekday(
  rows: readonly (EntrySums & { day: Parameters<typeof weekdayOf>[0] })[],
  isVerifying: boolean,
): Overview['weekdays'] {
  const days = Map.groupBy(rows, (row) => weekdayOf(row.day));
  return [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({
    weekday,
    ...toTotals(addSums(days.get(weekday) ?? []), isVerifying),
  }));
}

async function readMonths(
  deps: Deps,
  entries: EntrySelection,
  lastDay: NonNullable<Period['endDate']>,
): Promise<Overview['months']> {
  const year = schoolYearMonths(lastDay, deps.config.schoolYearStart);
  const [first, last] = [year[0]?.lastYear, year.at(-1)?.month];
  const sums = await sumMonths(deps.database.db, { ...entries, startDate: first, endDate: last });
  const known = new Map(sums.map((row) => [row.month, row]));
  const of = (month: NonNullable<typeof first>) => ({
    month,
    ...toTotals(known.get(month) ?? NO_ENTRIES, entries.verifying.length > 0),
  });
  return year.map(({ month, lastYear }) => ({ ...of(month), lastYear: of(lastYear) }));
}

function addSums(rows: readonly EntrySums[]): EntrySums {
  return rows.reduce<EntrySums>(
    (sum, row) => ({
      entries: sum.entries + row.entries,
      hundredths: sum.hundredths + row.hundredths,
      counted: sum.counted + row.counted,
    }),
    NO_ENTRIES,
  );
}

const NO_ENTRIES: EntrySums = { entries: 0, hundredths: 0, counted: 0 };
// Inactive volunteers get totals of all their entries, whatever period and hours were requested.
const ALL_TIME = { startDate: undefined, endDate: undefined, onlyVerified: false } as const;

/** Returns the language and the footer of a report's PDF. */
export function pdfFrame({ translator: { t, language }, config }: Deps, { at }: Request) {
  const day = formatDay(dayIn(config.timeZone, at), language);
  return {
    language,
    foot: t('analytics:pdfFoot', { district: config.districtName, day }),
    page: t('analytics:pdfPage', { page: '{page}', pages: '{pages}' }),
  };
}

/** A month and the same month a year earlier, each given by its first day. */
type MonthOfYear = Readonly<{ month: CalendarDate; lastYear: CalendarDate }>;

/**
 * Returns the twelve months of the school year that contains a day. `yearStart` is the month and day on which a school year
 * begins ('07-01'). A whole month belongs to the school year that begins in it.
 */
export function schoolYearMonths(date: CalendarDate, yearStart: string): MonthOfYear[] {
  const first = schoolYearStart(date, yearStart);
  const [year, month] = [Number(first.slice(0, 4)), Number(first.slice(5, 7))];
  const at = (index: number, yearsBefore: number) => {
    const months = month - 1 + index;
    const inYear = year - yearsBefore + Math.floor(months / 12);
    return day(`${inYear}-${String((months % 12) + 1).padStart(2, '0')}-01`);
  };
  return Array.from({ length: 12 }, (_, index) => ({ month: at(index, 0), lastYear: at(index, 1) }));
}
