import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { day } from '#shared/calendar-date.ts';
import { en } from '#shared/i18n/english-messages.ts';
import { createMessageCatalog, render } from '#shared/i18n/message-catalog.ts';
import {
  descriptionProblem,
  HOURS,
  LIMITS,
  listAdminTimeEntries,
  messages,
  sumExistingHours,
  TimeEntryChange,
  TimeEntryInput,
  updateTimeEntry,
} from './contract.ts';

const catalogue = createMessageCatalog('en', en);
const say = (message: string | undefined) =>
  message === undefined ? undefined : render(catalogue, message, `no message: ${message}`);

const least = { activityId: 3, hours: 1.5 };
const selectBoth = 'Please select an activity and enter hours';
const fillAll = 'Please fill in all required fields';
const hoursLimits = 'Hours must be between 0.25 and 24';

describe('TimeEntryInput', () => {
  const said = (input: unknown) => say(TimeEntryInput.safeParse(input).error?.issues[0]?.message);

  it('requires only an activity and hours', () => {
    expect(TimeEntryInput.parse(least)).toEqual(least);
  });

  test.each([
    ['no activity', { hours: 1 }, selectBoth],
    ['an activity as text', { ...least, activityId: '3' }, selectBoth],
    ['an activity of zero', { ...least, activityId: 0 }, selectBoth],
    ['no hours', { activityId: 3 }, selectBoth],
    ['null hours', { activityId: 3, hours: null }, selectBoth],
    ['hours as text', { ...least, hours: '8' }, hoursLimits],
    ['hours that are not a number', { ...least, hours: Number.NaN }, hoursLimits],
    ['infinite hours', { ...least, hours: Number.POSITIVE_INFINITY }, hoursLimits],
    ['zero hours', { ...least, hours: 0 }, hoursLimits],
    ['negative hours', { ...least, hours: -1 }, hoursLimits],
    ['hours just below the minimum', { ...least, hours: 0.24 }, hoursLimits],
    ['hours just above 24', { ...least, hours: 24.01 }, hoursLimits],
    ['hours with three decimals', { ...least, hours: 1.125 }, 'Hours can have up to two decimals'],
    ['a day that does not exist', { ...least, entryDate: '2026-02-30' }, 'Invalid date'],
    ['a date with a time', { ...least, entryDate: '2026-03-01T00:00:00Z' }, 'Invalid date'],
    ['a date as a number', { ...least, entryDate: 20260301 }, 'Invalid date'],
    ['notes that are too long', { ...least, notes: 'x'.repeat(501) }, 'Notes can be up to 500 characters'],
    ['notes that are not text', { ...least, notes: 5 }, 'Notes can be up to 500 characters'],
  ])('rejects %s', (_, input, message) => {
    expect(said(input)).toBe(message);
  });

  test.each([
    ['the minimum of hours', { ...least, hours: HOURS.min }],
    ['the maximum of hours', { ...least, hours: HOURS.max }],
    ['hours between the steps of the form', { ...least, hours: 1.1 }],
    ['hours with two decimals', { ...least, hours: 7.77 }],
    ['the longest notes', { ...least, notes: 'x'.repeat(LIMITS.notes) }],
    ['a null date, which means today', { ...least, entryDate: null }],
    ['a leap day', { ...least, entryDate: '2028-02-29' }],
  ])('accepts %s', (_, input) => {
    expect(TimeEntryInput.parse(input)).toEqual(input);
  });

  it('reads blank notes as null and trims others', () => {
    expect(TimeEntryInput.parse({ ...least, notes: '  ' }).notes).toBeNull();
    expect(TimeEntryInput.parse({ ...least, notes: ' set up chairs \r\n' }).notes).toBe('set up chairs');
  });

  it('accepts exactly the hundredths of an hour within the limits', () => {
    fc.assert(
      fc.property(fc.integer({ min: -500, max: 5000 }), (hundredths) => {
        const taken = TimeEntryInput.safeParse({ ...least, hours: hundredths / 100 }).success;
        expect(taken).toBe(hundredths >= 25 && hundredths <= 2400);
      }),
    );
  });
});

describe('an edited time entry', () => {
  const said = (input: unknown) => say(updateTimeEntry.parts.body.safeParse(input).error?.issues[0]?.message);

  test.each([
    ['no activity', { hours: 1 }, fillAll],
    ['no hours', { activityId: 3 }, fillAll],
    ['null hours', { activityId: 3, hours: null }, fillAll],
    ['too few hours', { ...least, hours: 0.2 }, hoursLimits],
    ['too many hours', { ...least, hours: 25 }, hoursLimits],
    ['notes that are too long', { ...least, notes: 'x'.repeat(501) }, 'Notes can be up to 500 characters'],
  ])('is rejected with %s', (_, input, message) => {
    expect(said(input)).toBe(message);
  });

  it('may omit unchanged fields but cannot clear the hours', () => {
    expect(TimeEntryChange.parse({ hours: 2 })).toEqual({ hours: 2 });
    expect(TimeEntryChange.safeParse({ hours: null }).success).toBe(false);
  });
});

describe('descriptionProblem', () => {
  const asking = { name: 'Classroom help', requiresDescription: true, descriptionPrompt: 'the grade' };
  const whenBlank = 'Please enter the grade for Classroom help activities';

  test.each([
    ['missing', asking, undefined, whenBlank],
    ['null', asking, null, whenBlank],
    ['empty', asking, '', whenBlank],
    ['blank', asking, ' \n\t ', whenBlank],
    ['present', asking, 'Grade 2', undefined],
    [
      'empty, for an activity without a prompt',
      { ...asking, descriptionPrompt: null },
      '',
      'Please enter description for Classroom help activities',
    ],
    ['empty but not required', { ...asking, requiresDescription: false }, '', undefined],
  ])('checks notes that are %s', (_, activity, notes, message) => {
    expect(say(descriptionProblem(activity, notes, catalogue.t(messages.defaultPrompt)))).toBe(message);
  });

  it('inserts a name with quotes and braces unchanged', () => {
    const odd = { ...asking, name: 'The "A" {{team}} $& fair' };
    expect(say(descriptionProblem(odd, '', 'description'))).toBe(
      'Please enter the grade for The "A" {{team}} $& fair activities',
    );
  });
});

describe('sumExistingHours', () => {
  const on = { activityId: 3, entryDate: day('2026-03-04') };

  it('adds up the hours of the same activity on the same day', () => {
    const entries = [
      { ...on, hours: 1.1 },
      { ...on, hours: 2.2 },
      { ...on, activityId: 4, hours: 8 },
      { ...on, entryDate: day('2026-03-03'), hours: 16 },
    ];
    expect(sumExistingHours(entries, on)).toBe(3.3);
  });

  it('is 0 when nothing was logged', () => {
    expect(sumExistingHours([], on)).toBe(0);
  });
});

describe("the administrator's entry filter", () => {
  const read = (query: object) => listAdminTimeEntries.parts.query.safeParse(query);
  const [first, second] = ['2026-03-01', '2026-03-02'];

  test.each([
    ['a filter without dates', {}],
    ['a first day alone', { startDate: second }],
    ['a last day alone', { endDate: first }],
    ['one day', { startDate: first, endDate: first }],
    ['a day and a later day', { startDate: first, endDate: second }],
  ])('accepts %s', (_, query) => {
    expect(read(query).success).toBe(true);
  });

  it('rejects an end date before the start date, with the error on the end date', () => {
    const { error } = read({ startDate: second, endDate: first });
    expect(error?.issues.map(({ path, message }) => [path, message])).toEqual([
      [['endDate'], messages.endBeforeStart],
    ]);
  });

  test.each([
    ['0', 0],
    ['6', 6],
    [3, 3],
  ])('reads the weekday %s', (weekday, number) => {
    expect(read({ weekday }).data?.weekday).toBe(number);
  });

  test.each(['7', '-1', '10', '1x', 'x1', '1.5', 'Monday'])('rejects the weekday %s', (weekday) => {
    expect(read({ weekday }).error?.issues[0]?.message).toBe(messages.unknownWeekday);
  });
});

describe('the messages', () => {
  test.each([
    [messages.future, 'Date cannot be in the future'],
    [messages.loggedToday('1.5', 'Book fair'), '1.5h logged for Book fair today!'],
    [messages.loggedOn('1.5', 'Book fair', 'Mar 1, 2026'), '1.5h logged for Book fair on Mar 1, 2026'],
    [messages.updated, 'Time entry updated successfully'],
    [messages.deleted, 'Time entry deleted successfully'],
    [messages.confirmDelete, 'Are you sure you want to delete this time entry?'],
    [messages.failedToLoad, 'Failed to load recent entries'],
  ])('render %s as "%s"', (message, sentence) => {
    expect(say(message)).toBe(sentence);
  });

  it('have no empty English text', () => {
    expect(Object.values(en['time-entries']).filter((text) => text.trim() === '')).toEqual([]);
  });
});
