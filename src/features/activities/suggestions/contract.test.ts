import { describe, expect, test } from 'vitest';
import { day } from '#shared/calendar-date.ts';
import { messages as activityMessages, datesProblem } from '../contract.ts';

describe('suggestion dates', () => {
  const march = day('2026-03-10');

  test.each([
    ['may be missing', null, null, undefined],
    ['may be a first day alone', march, null, undefined],
    ['may be a single day', march, march, undefined],
    ['are rejected without a first day', null, march, activityMessages.endNeedsStart],
    [
      'are rejected if the last day is before the first',
      march,
      day('2026-03-09'),
      activityMessages.endBeforeStart,
    ],
  ])('%s', (_, activeFrom, activeUntil, message) => {
    const problem = message === undefined ? undefined : { field: 'activeUntil', message };
    expect(datesProblem({ activeFrom, activeUntil })).toEqual(problem);
  });
});
