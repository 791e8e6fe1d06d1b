import { describe, expect, test } from 'vitest';
import { day } from '#shared/calendar-date.ts';
import { messages as activityMessages } from '../contract.ts';
import { suggestionProblem } from './contract.ts';

describe('the dates of a suggestion', () => {
  const march = day('2026-03-10');

  test.each([
    ['none', null, null, undefined],
    ['a first day alone', march, null, undefined],
    ['one day', march, march, undefined],
    ['a last day alone', null, march, activityMessages.endNeedsStart],
    ['a last day before the first', march, day('2026-03-09'), activityMessages.endBeforeStart],
  ])('%s', (_, activeFrom, activeUntil, message) => {
    const problem = message === undefined ? undefined : { field: 'activeUntil', message };
    expect(suggestionProblem({ activeFrom, activeUntil })).toEqual(problem);
  });
});
