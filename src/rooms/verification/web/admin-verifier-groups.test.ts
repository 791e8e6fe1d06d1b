import { expect, it } from 'vitest';
import { day, type Instant } from '#base/calendar-date.ts';
import { aWaitingEntry as anEntry } from '#test/dom/an-entry.ts';
import { groupsOf, nextPlace } from './admin-verifier-groups.ts';

const here = { today: day('2026-03-30'), timeZone: 'America/Chicago' };

it('stands by activity and day, with the marked entries apart', () => {
  const entries = [
    anEntry(1),
    anEntry(2, { flags: ['longEntry'], hours: 9 }),
    anEntry(3, { activityId: 4 }),
    anEntry(4),
  ];
  const groups = groupsOf(entries, here);
  expect(groups.map(({ key, hours }) => [key, hours])).toEqual([
    ['2026-03-20 3', 12],
    ['2026-03-20 4', 1.5],
  ]);
  expect(groups[0]?.marked.map(({ id }) => id)).toEqual([2]);
  expect(groups[0]?.plain.map(({ id }) => id)).toEqual([1, 4]);
});

it('puts first what has waited over 21 days', () => {
  const logged = (date: string) => `${date}T10:00:00.000Z` as Instant;
  const groups = groupsOf(
    [
      anEntry(1, { entryDate: day('2026-03-01'), createdAt: logged('2026-03-29') }),
      anEntry(2, { entryDate: day('2026-03-02'), createdAt: logged('2026-03-09') }),
      anEntry(3, { entryDate: day('2026-03-03'), createdAt: logged('2026-03-08') }),
    ],
    here,
  );
  expect(groups.map(({ date, isOverdue }) => [date, isOverdue])).toEqual([
    ['2026-03-03', true],
    ['2026-03-01', false],
    ['2026-03-02', false],
  ]);
});

it('counts days in the district, where midnight comes later', () => {
  // In Chicago it was still March 8.
  const createdAt = '2026-03-09T04:59:59.000Z' as Instant;
  expect(groupsOf([anEntry(1, { createdAt })], here)[0]?.isOverdue).toBe(true);
});

it('gives the focus to what follows the decided entries, at the end to what stands before them', () => {
  const [one, odd, other] = [anEntry(1), anEntry(2, { flags: ['late'] }), anEntry(3, { activityId: 4 })];
  const groups = groupsOf([one, odd, other], here);
  expect(nextPlace(groups, [odd])).toBe('group 2026-03-20 3');
  expect(nextPlace(groups, [one])).toBe('group 2026-03-20 4');
  expect(nextPlace(groups, [other])).toBe('group 2026-03-20 3');
  expect(nextPlace(groups, [one, odd, other])).toBeUndefined();
});

it('stays at a group of which one entry is left', () => {
  const groups = groupsOf([anEntry(1), anEntry(2)], here);
  expect(nextPlace(groups, [anEntry(1)])).toBe('group 2026-03-20 3');
});
