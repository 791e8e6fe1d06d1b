import * as z from 'zod/mini';
import { type DayRange, daysInOrder } from '#features/time-entries/contract.ts';
import { VerifiedOnlyFilter, verifiedHours } from '#features/time-entries/verification-status.ts';
import { PersonRef } from '#features/users/contract.ts';
import { CalendarDate, ComputedDate, formatDay } from '#shared/calendar-date.ts';
import { endpoint } from '#shared/endpoint.ts';
import { type MessageValues, messageFactory } from '#shared/i18n/message.ts';
import { Id, IdText } from '#shared/id.ts';
import type text from './messages.en.json';

const say = messageFactory<typeof text>('analytics');

/** The length of the list of top volunteers. */
export const TOP_VOLUNTEERS = 10;

/**
 * The definition of an inactive volunteer: at least `entries` entries in total, none in the last `quietDays` days, and the last
 * one at most `withinDays` days before that. At most `named` people are listed.
 */
export const INACTIVE_VOLUNTEERS = { entries: 3, quietDays: 60, withinDays: 365, named: 50 } as const;

/** Messages of analytics. */
export const messages = {
  failedToLoad: say('failedToLoad'),
} as const;

/** The days of a period, both included; a missing end means no limit. */
export const bounds = { startDate: z.optional(CalendarDate), endDate: z.optional(CalendarDate) };

/** The same days in a body, where null means absent. */
export const bodyBounds = { startDate: z.nullish(CalendarDate), endDate: z.nullish(CalendarDate) };

type PeriodKey = 'analytics:fromTo' | 'analytics:since' | 'analytics:until' | 'analytics:allTime';

type PeriodText = Readonly<{ t: (key: PeriodKey, values?: MessageValues) => string; language: string }>;

/** Formats a period. */
export function formatPeriod({ startDate, endDate }: DayRange, { t, language }: PeriodText): string {
  const [from, to] = [startDate, endDate].map((date) => date && formatDay(date, language));
  if (from && to) return t('analytics:fromTo', { from, to });
  if (from) return t('analytics:since', { date: from });
  return to ? t('analytics:until', { date: to }) : t('analytics:allTime');
}

/** Filters entries: by period, by school (without one, all schools in the viewer's scope), and to only verified ones. */
export const Period = z
  .object({ ...bounds, schoolId: z.optional(IdText), only: z.optional(VerifiedOnlyFilter) })
  .check(daysInOrder);
export type Period = z.infer<typeof Period>;

const added = { totalHours: z.number(), verifiedHours, totalEntries: z.int() };
const addedOfPeople = { ...added, uniqueUsers: z.int() };

/** The totals of one activity (specification section 3). */
export const ActivityAnalytics = z.object({
  id: Id,
  name: z.string(),
  category: z.object({ name: z.string(), color: z.string() }),
  schoolId: Id,
  ...addedOfPeople,
});
export type ActivityAnalytics = z.infer<typeof ActivityAnalytics>;

/** Returns every activity with entries, most hours first (decisions: shapes), without a limit. */
export const analyzeActivities = endpoint('GET', '/admin/analytics/activities', {
  query: Period,
  reply: z.object({ activities: z.array(ActivityAnalytics) }),
});

/** One month of a school year, and the same month of the previous year. `month` is its first day. */
export const MonthAnalytics = z.object({
  month: ComputedDate,
  ...added,
  lastYear: z.object({ month: ComputedDate, ...added }),
});
export type MonthAnalytics = z.infer<typeof MonthAnalytics>;

/**
 * Several breakdowns of the same entries. `newUsers` logged their first hours ever at these schools within the period, and
 * `returningUsers` had logged some before. Both are null without a start, when everyone would be new. `months` are those of the
 * school year in which the period ends. Categories of several schools are combined by name.
 */
export const Overview = z.object({
  totals: z.object({
    ...addedOfPeople,
    newUsers: z.nullable(z.int()),
    returningUsers: z.nullable(z.int()),
  }),
  schools: z.array(z.object({ id: Id, name: z.string(), ...addedOfPeople })),
  categories: z.array(z.object({ name: z.string(), color: z.string(), ...added })),
  /** Days from Sunday (0) to Saturday (6). */
  weekdays: z.array(z.object({ weekday: z.int(), ...added })),
  months: z.array(MonthAnalytics),
});
export type Overview = z.infer<typeof Overview>;

export const analyzeOverview = endpoint('GET', '/admin/analytics/overview', {
  query: Period,
  reply: Overview,
});

/** A person's hours and entries by school, most hours first, so that each number links to one list of entries. */
const sumsBySchool = z.array(z.object({ id: Id, name: z.string(), ...added }));

/**
 * Returns the volunteers with the most hours in the period, and inactive ones regardless of the period (`INACTIVE_VOLUNTEERS`),
 * latest entry first. `stoppedTotal` also counts inactive volunteers who are not listed.
 */
export const analyzeVolunteers = endpoint('GET', '/admin/analytics/volunteers', {
  query: Period,
  reply: z.object({
    top: z.array(z.object({ user: PersonRef, ...added, schools: sumsBySchool })),
    stopped: z.array(z.object({ user: PersonRef, lastDate: CalendarDate, ...added, schools: sumsBySchool })),
    stoppedTotal: z.int(),
  }),
});
