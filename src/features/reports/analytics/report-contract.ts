import * as z from 'zod/mini';
import { daysInOrder } from '#features/time-entries/contract.ts';
import { VerifiedOnlyFilter, verifiedHours } from '#features/time-entries/verification-status.ts';
import { PersonRef } from '#features/users/contract.ts';
import { CalendarDate } from '#shared/calendar-date.ts';
import { commonMessages } from '#shared/common-messages.ts';
import { endpoint } from '#shared/endpoint.ts';
import { fromHundredths, hasAtMostTwoDecimals, toHundredths } from '#shared/hours.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { Id, IdText } from '#shared/id.ts';
import { requiredText } from '#shared/text-normalization.ts';
import { bodyBounds, bounds } from './contract.ts';
import type text from './messages.en.json';

const say = messageFactory<typeof text>('analytics');

/** Limits of the hourly rate in US dollars, the length of its source, and its year. */
export const RATE = { min: 0.01, max: 1000, source: 200, firstYear: 2000, lastYear: 2099 } as const;

/** Messages of the reports. */
export const messages = {
  rate: say('rateBounds', { min: RATE.min, max: RATE.max }),
  source: say('rateSourceRequired'),
  year: say('rateYear', { min: RATE.firstYear, max: RATE.lastYear }),
  rateSaved: say('rateSaved'),
  rateMissing: say('rateMissing'),
  failedToLoad: say('failedToLoadReport'),
} as const;

/** The hourly rate, its source, and its year. */
export const InKindRate = z.object({
  hourlyRate: z
    .number(messages.rate)
    .check(
      z.minimum(RATE.min, messages.rate),
      z.maximum(RATE.max, messages.rate),
      z.refine(hasAtMostTwoDecimals, { error: messages.rate }),
    ),
  source: requiredText(RATE.source, messages.source, commonMessages.tooLong(RATE.source)),
  year: z
    .int(messages.year)
    .check(z.minimum(RATE.firstYear, messages.year), z.maximum(RATE.lastYear, messages.year)),
});
export type InKindRate = z.infer<typeof InKindRate>;

/** Returns the value of hours in money, rounded once to two decimals, half up. */
export function valueOfHours(hours: number, hourlyRate: number): number {
  return fromHundredths(Math.round((toHundredths(hours) * toHundredths(hourlyRate)) / 100));
}

/** Returns the exact sum of amounts of money: 0.1 + 0.2 is 0.3. */
export function sumMoney(amounts: readonly number[]): number {
  return amounts.reduce((cents, amount) => cents + Math.round(amount * 100), 0) / 100;
}

/** Formats an amount of money in the given language: '$1,234.50'. */
export function formatMoney(amount: number, language: string): string {
  return new Intl.NumberFormat(language, { style: 'currency', currency: 'USD' }).format(amount);
}

export const getInKindRate = endpoint('GET', '/admin/reports/rate', {
  reply: z.object({ rate: z.nullable(InKindRate) }),
});

export const updateInKindRate = endpoint('PUT', '/admin/reports/rate', {
  body: InKindRate,
  reply: z.object({ rate: InKindRate, message: z.string() }),
});

const valuedSums = { totalHours: z.number(), verifiedHours, totalEntries: z.int(), value: z.number() };

/** The hours to value: only verified ones, or all logged ones. */
export const CountedHours = z.enum(['verified', 'logged'], commonMessages.invalidRequest);

const InKindPeriod = z
  .object({ ...bounds, schoolId: z.optional(IdText), only: z.optional(CountedHours) })
  .check(daysInOrder);
export type InKindPeriod = z.infer<typeof InKindPeriod>;

/**
 * The value of volunteers' hours in money. Unless `only` is given, schools that verify count their verified hours and
 * other schools all logged hours; `totalHours` are the hours behind `value`. An activity's value is hours times rate,
 * rounded once. A school's value and the total are sums of these, so every column adds up. 409 without a rate.
 */
export const InKindMatch = z.object({
  rate: InKindRate,
  ...valuedSums,
  schools: z.array(
    z.object({
      id: Id,
      name: z.string(),
      ...valuedSums,
      activities: z.array(z.object({ id: Id, name: z.string(), category: z.string(), ...valuedSums })),
    }),
  ),
});
export type InKindMatch = z.infer<typeof InKindMatch>;

export const matchInKind = endpoint('GET', '/admin/reports/in-kind', {
  query: InKindPeriod,
  reply: InKindMatch,
});

/** The period of a report file. */
export const ReportInput = z
  .object({ ...bodyBounds, schoolId: z.nullish(Id), only: z.nullish(VerifiedOnlyFilter) })
  .check(daysInOrder);
export type ReportInput = z.infer<typeof ReportInput>;

export const IN_KIND_FORMATS = ['csv', 'xlsx'] as const;

/** Exports the values of `matchInKind` as a CSV or Excel file with a line for each activity and the total. */
export const exportInKind = endpoint('POST', '/admin/reports/in-kind/:format', {
  params: z.object({ format: z.enum(IN_KIND_FORMATS, commonMessages.notFound) }),
  body: z
    .object({ ...bodyBounds, schoolId: z.nullish(Id), only: z.nullish(CountedHours) })
    .check(daysInOrder),
  file: true,
});

/** Exports the board summary as a tagged PDF: totals by school, month, category and weekday, and the largest activities. */
export const exportDistrictSummary = endpoint('POST', '/admin/reports/summary', {
  body: ReportInput,
  file: true,
});

/** The viewer's own hours in a period, by school and activity. */
export const Statement = z.object({
  person: PersonRef,
  totalHours: z.number(),
  verifiedHours,
  totalEntries: z.int(),
  schools: z.array(
    z.object({
      id: Id,
      name: z.string(),
      totalHours: z.number(),
      verifiedHours,
      totalEntries: z.int(),
      activities: z.array(
        z.object({
          id: Id,
          name: z.string(),
          category: z.string(),
          firstDate: CalendarDate,
          lastDate: CalendarDate,
          totalHours: z.number(),
          verifiedHours,
          totalEntries: z.int(),
        }),
      ),
    }),
  ),
});
export type Statement = z.infer<typeof Statement>;

const OwnPeriod = z.object({ ...bounds, only: z.optional(VerifiedOnlyFilter) }).check(daysInOrder);
const OwnPeriodInput = z.object({ ...bodyBounds, only: z.nullish(VerifiedOnlyFilter) }).check(daysInOrder);

export const getStatement = endpoint('GET', '/reports/statement', {
  query: OwnPeriod,
  reply: z.object({ statement: Statement }),
});

export const exportStatement = endpoint('POST', '/reports/statement', { body: OwnPeriodInput, file: true });
