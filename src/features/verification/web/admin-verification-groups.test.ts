import { expect, it } from 'vitest';
import { day } from '#shared/calendar-date.ts';
import { aWaitingEntry as anEntry } from '#test/dom/time-entries.ts';
import { groupEntries, nextFocusKey } from './admin-verification-groups.ts';

it('groupEntries groups by activity and day, with flagged entries separate', () => {
  const entries = [
    anEntry(1),
    anEntry(2, { flags: ['longEntry'], hours: 9 }),
    anEntry(3, { activityId: 4 }),
    anEntry(4),
  ];
  const groups = groupEntries(entries);
  expect(groups.map(({ key, hours }) => [key, hours])).toEqual([
    ['2026-03-20 3', 12],
    ['2026-03-20 4', 1.5],
  ]);
  expect(groups[0]?.marked.map(({ id }) => id)).toEqual([2]);
  expect(groups[0]?.plain.map(({ id }) => id)).toEqual([1, 4]);
});

it('groupEntries lists overdue groups first', () => {
  const groups = groupEntries([
    anEntry(1, { entryDate: day('2026-03-01'), isLate: false }),
    anEntry(2, { entryDate: day('2026-03-02'), isLate: false }),
    anEntry(3, { entryDate: day('2026-03-03'), isLate: true }),
  ]);
  expect(groups.map(({ date, isOverdue }) => [date, isOverdue])).toEqual([
    ['2026-03-03', true],
    ['2026-03-01', false],
    ['2026-03-02', false],
  ]);
});

it('nextFocusKey moves the focus to the next group, or from the last group to the previous one', () => {
  const [one, odd, other] = [anEntry(1), anEntry(2, { flags: ['late'] }), anEntry(3, { activityId: 4 })];
  const groups = groupEntries([one, odd, other]);
  expect(nextFocusKey(groups, [odd])).toBe('group 2026-03-20 3');
  expect(nextFocusKey(groups, [one])).toBe('group 2026-03-20 4');
  expect(nextFocusKey(groups, [other])).toBe('group 2026-03-20 3');
  expect(nextFocusKey(groups, [one, odd, other])).toBeUndefined();
});

it('nextFocusKey leaves the focus in a group that still has entries', () => {
  const groups = groupEntries([anEntry(1), anEntry(2)]);
  expect(nextFocusKey(groups, [anEntry(1)])).toBe('group 2026-03-20 3');
});
