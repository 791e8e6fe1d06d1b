import { boolean, integer, option, record, sample } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, day, type Instant, millisecondsOf } from '#shared/calendar-date.ts';
import { type Facts, FLAG_RULES, type Flag, findFlags } from './entry-flags.ts';
import { FLAGS } from './verification-status.ts';

const DAY = day('2026-03-04');
const ORDINARY: Facts = {
  hours: 2,
  entryDate: DAY,
  loggedOn: DAY,
  lateAfterDays: null,
  dayHours: 2,
  sameDay: 0,
  activeFrom: null,
  activeUntil: null,
  others: { count: 0, farBelow: 0 },
};

const quarters = (most: number) => integer({ min: 1, max: most * 4 }).map((quarter) => quarter / 4);
const days = integer({ min: -400, max: 400 }).map((count) => addDays(DAY, count));
const dates = record({ from: days, length: integer({ min: 0, max: 90 }), isEndless: boolean() }).map(
  ({ from, length, isEndless }) => ({
    activeFrom: from,
    activeUntil: isEndless ? null : addDays(from, length),
  }),
);
const anything = record({
  hours: quarters(24),
  entryDate: days,
  loggedOn: days,
  lateAfterDays: option(integer({ min: 1, max: 366 })),
  dayHours: quarters(48),
  sameDay: integer({ min: 0, max: 3 }),
  dates: option(dates),
  others: record({ count: integer({ min: 0, max: 12 }), share: integer({ min: 0, max: 12 }) }),
}).map(
  ({ dates: given, others: { count, share }, ...rest }): Facts => ({
    ...rest,
    activeFrom: given?.activeFrom ?? null,
    activeUntil: given?.activeUntil ?? null,
    others: { count, farBelow: Math.min(count, share) },
  }),
);

const number = (date: string) => millisecondsOf(`${date}T00:00:00.000Z` as Instant) / 86_400_000;

/** The rules written independently of the contract (beyond sections 1 and 9). */
const RESTATED: Readonly<Record<Flag, (facts: Facts) => boolean>> = {
  longEntry: ({ hours }) => !(hours <= 8),
  longDay: ({ dayHours }) => !(dayHours <= 16),
  sameDay: ({ sameDay }) => sameDay !== 0,
  late: ({ entryDate, loggedOn, lateAfterDays }) =>
    number(loggedOn) - (lateAfterDays === null ? 30 : lateAfterDays) > number(entryDate),
  outsideDates: ({ entryDate, activeFrom, activeUntil }) =>
    activeFrom !== null &&
    !(number(activeFrom) <= number(entryDate) && number(entryDate) <= number(activeUntil ?? '9999-12-31')),
  unusual: ({ others: { count, farBelow } }) => count > 4 && farBelow >= count - farBelow,
};

test.each(FLAGS)('the flag %s follows the agreed rule for random facts', (flag) => {
  expect(findFlags(ORDINARY)).toEqual([]);
  for (const facts of sample(anything, { numRuns: 2_000, seed: 17 })) {
    expect([facts, FLAG_RULES[flag](facts)]).toEqual([facts, RESTATED[flag](facts)]);
    expect(findFlags(facts).includes(flag)).toBe(RESTATED[flag](facts));
  }
});

describe('findFlags', () => {
  const agoLogged = (count: number, lateAfterDays: number | null = null): Partial<Facts> => ({
    entryDate: addDays(DAY, -count),
    lateAfterDays,
  });
  const open = (from: number, until: number | null): Partial<Facts> => ({
    activeFrom: addDays(DAY, from),
    activeUntil: until === null ? null : addDays(DAY, until),
  });
  const CASES: readonly (readonly [Flag, Partial<Facts>, Partial<Facts>])[] = [
    ['longEntry', { hours: 8 }, { hours: 8.01 }],
    ['longDay', { dayHours: 16 }, { dayHours: 16.01 }],
    ['sameDay', { sameDay: 0 }, { sameDay: 1 }],
    ['late', agoLogged(30), agoLogged(31)],
    ['late', agoLogged(7, 7), agoLogged(8, 7)],
    ['late', agoLogged(366, 366), agoLogged(367, 366)],
    ['late', agoLogged(-1), agoLogged(31)],
    ['outsideDates', open(0, 0), open(1, 9)],
    ['outsideDates', open(-9, 0), open(-9, -1)],
    ['outsideDates', open(-9, null), open(1, null)],
    ['unusual', { others: { count: 4, farBelow: 4 } }, { others: { count: 5, farBelow: 5 } }],
    ['unusual', { others: { count: 5, farBelow: 2 } }, { others: { count: 5, farBelow: 3 } }],
    ['unusual', { others: { count: 6, farBelow: 2 } }, { others: { count: 6, farBelow: 3 } }],
  ];
  test.each(CASES)('returns %s not for %o but for %o', (flag, ordinary, odd) => {
    expect(findFlags({ ...ORDINARY, ...ordinary })).toEqual([]);
    expect(findFlags({ ...ORDINARY, ...odd })).toEqual([flag]);
  });

  test('returns the late flag after 30 days, even across leap days, clock changes and new year', () => {
    for (const start of ['2024-02-28', '2026-03-07', '2026-10-31', '2026-12-31'].map(day)) {
      for (let late = 0; late <= 40; late += 1) {
        const facts = { ...ORDINARY, entryDate: start, loggedOn: addDays(start, late) };
        expect([start, late, findFlags(facts)]).toEqual([start, late, late > 30 ? ['late'] : []]);
      }
    }
  });
});
