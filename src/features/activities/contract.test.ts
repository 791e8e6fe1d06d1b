import { describe, expect, it, test } from 'vitest';
import { day } from '#shared/calendar-date.ts';
import { ActivityChange, ActivityInput, activityProblem, LIMITS, messages } from './contract.ts';

const least = { name: 'Book fair', schoolId: 1, categoryId: 2 };

const firstMessage = (input: unknown) => ActivityInput.safeParse(input).error?.issues[0]?.message;

describe('a new activity', () => {
  it('requires only a name, a school and a category', () => {
    expect(ActivityInput.parse(least)).toEqual(least);
  });

  test.each([
    ['no name', { ...least, name: undefined }, messages.nameRequired],
    ['a blank name', { ...least, name: ' \n' }, messages.nameRequired],
    ['a name that is not a string', { ...least, name: 7 }, messages.nameRequired],
    ['no school', { ...least, schoolId: undefined }, messages.schoolRequired],
    ['a school id that is a string', { ...least, schoolId: '1' }, messages.schoolRequired],
    ['no category', { ...least, categoryId: undefined }, messages.categoryRequired],
    ['a category id of zero', { ...least, categoryId: 0 }, messages.categoryRequired],
    ['a name too long', { ...least, name: 'x'.repeat(LIMITS.name + 1) }, 'shared:tooLong {"max":120}'],
    ['a description too long', { ...least, description: 'x'.repeat(1001) }, 'shared:tooLong {"max":1000}'],
    ['a prompt too long', { ...least, descriptionPrompt: 'x'.repeat(201) }, 'shared:tooLong {"max":200}'],
    ['a day that does not exist', { ...least, activeFrom: '2026-02-30' }, 'shared:date'],
  ])('is rejected with %s', (_, input, message) => {
    expect(firstMessage(input)).toBe(message);
  });

  it('accepts text of the maximum length', () => {
    const longest = {
      ...least,
      name: 'x'.repeat(LIMITS.name),
      description: 'x'.repeat(LIMITS.description),
      descriptionPrompt: 'x'.repeat(LIMITS.prompt),
    };
    expect(ActivityInput.parse(longest)).toEqual(longest);
  });

  it('turns a blank description or prompt into null', () => {
    const parsed = ActivityInput.parse({ ...least, description: ' ', descriptionPrompt: '' });
    expect(parsed).toMatchObject({ description: null, descriptionPrompt: null });
  });

  it('ignores the form-only year-long flag', () => {
    expect(ActivityInput.parse({ ...least, isYearLong: true })).toEqual(least);
  });
});

describe('an activity change', () => {
  it('contains only the sent fields, including those set to null', () => {
    expect(ActivityChange.parse({ activeFrom: null })).toEqual({ activeFrom: null });
  });
});

describe('rules across activity fields', () => {
  const plain = { activeFrom: null, activeUntil: null, requiresDescription: false, descriptionPrompt: null };
  const march = day('2026-03-10');

  test.each([
    ['accept an activity without dates', plain, undefined],
    ['accept a start without an end', { ...plain, activeFrom: march }, undefined],
    [
      'accept an end on the same day as the start',
      { ...plain, activeFrom: march, activeUntil: march },
      undefined,
    ],
    [
      'reject an end without a start',
      { ...plain, activeUntil: march },
      { field: 'activeUntil', message: messages.endNeedsStart },
    ],
    [
      'reject an end before the start',
      { ...plain, activeFrom: march, activeUntil: day('2026-03-09') },
      { field: 'activeUntil', message: messages.endBeforeStart },
    ],
    [
      'reject a required description without a prompt',
      { ...plain, requiresDescription: true },
      { field: 'descriptionPrompt', message: messages.promptRequired },
    ],
    [
      'accept a required description with a prompt',
      { ...plain, requiresDescription: true, descriptionPrompt: 'the class' },
      undefined,
    ],
  ])('%s', (_, activity, problem) => {
    expect(activityProblem(activity)).toEqual(problem);
  });
});
