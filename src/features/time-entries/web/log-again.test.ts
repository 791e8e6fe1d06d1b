import { describe, expect, it, test } from 'vitest';
import type { Activity } from '#features/activities/contract.ts';
import { day, type Instant } from '#shared/calendar-date.ts';
import { findLikelyActivities, findUsualHours } from './log-again.ts';

const TODAY = day('2026-03-10');

function anActivity(id: number, given: { from?: string; isActive?: boolean } = {}): Activity {
  return {
    id,
    name: `Activity ${id}`,
    category: { id: 1, name: 'Events', color: '#3498db', kind: 'event' },
    isActive: given.isActive ?? true,
    activeFrom: given.from === undefined ? null : day(given.from),
    activeUntil: null,
    requiresDescription: false,
    descriptionPrompt: null,
    description: null,
    categoryId: 1,
    schoolId: 1,
    createdAt: '2026-01-01T00:00:00.000Z' as Instant,
    version: 1,
    counts: { timeEntries: 0 },
    photoCount: 0,
    verifiedBy: 'school',
    outsideVerifier: null,
  };
}

const logged = (activityId: number, hours: number) => ({ activityId, hours, entryDate: day('2026-03-01') });

describe('findUsualHours', () => {
  test.each([
    ['returns nothing when nothing was logged', [], undefined],
    ['returns the hours logged once', [logged(1, 2)], 2],
    ['returns the most common value', [logged(1, 1), logged(1, 2), logged(1, 2)], 2],
    [
      'returns the more recent of two equally common values',
      [logged(1, 3), logged(1, 2), logged(1, 2), logged(1, 3)],
      3,
    ],
    ['ignores entries of other activities', [logged(2, 4), logged(2, 4), logged(1, 0.5)], 0.5],
  ])('%s', (_, entries, expected) => {
    expect(findUsualHours(entries, 1)).toBe(expected);
  });
});

describe('findLikelyActivities', () => {
  const ids = (...given: Parameters<typeof findLikelyActivities>) =>
    findLikelyActivities(...given).map(({ activity }) => activity.id);
  const plain = [1, 2, 3, 4].map((id) => anActivity(id));
  const fair = anActivity(8, { from: '2026-03-10' });
  const concert = anActivity(9, { from: '2026-03-10' });
  const run = anActivity(10, { from: '2026-03-10' });

  it('returns the three activities logged last, each once', () => {
    const entries = [logged(2, 1), logged(2, 1), logged(4, 1), logged(1, 1), logged(3, 1)];
    expect(ids(entries, plain, TODAY)).toEqual([2, 4, 1]);
  });

  it('returns the date and hours of the last entry', () => {
    expect(findLikelyActivities([logged(2, 1.5)], plain, TODAY)[0]?.last).toEqual(logged(2, 1.5));
  });

  it('returns nothing for a newcomer on a day without events', () => {
    expect(ids([], plain, TODAY)).toEqual([]);
  });

  it("starts with today's event", () => {
    expect(ids([logged(1, 1), logged(2, 1), logged(3, 1)], [...plain, fair], TODAY)).toEqual([8, 1, 2]);
  });

  it("lists today's event with entries before one without", () => {
    expect(ids([logged(1, 1), logged(9, 1)], [...plain, fair, concert], TODAY)).toEqual([9, 8, 1]);
  });

  it('includes a usual activity on a day with many events', () => {
    expect(ids([logged(1, 1)], [...plain, fair, concert, run], TODAY)).toEqual([8, 9, 1]);
  });

  it("returns today's events for a newcomer", () => {
    expect(ids([], [...plain, fair, concert, run], TODAY)).toEqual([8, 9, 10]);
  });

  it('omits inactive and deleted activities', () => {
    const inactive = anActivity(5, { isActive: false });
    expect(ids([logged(5, 1), logged(77, 1), logged(1, 1)], [...plain, inactive], TODAY)).toEqual([1]);
  });
});
