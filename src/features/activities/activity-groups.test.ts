import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { Instant } from '#shared/calendar-date.ts';
import { addDays, day, dayIn, instantOf, millisecondsOf, utcDayOf } from '#shared/calendar-date.ts';
import {
  eventTag,
  groupActivities,
  groupOf,
  isHappening,
  isOngoing,
  unavailability,
} from './activity-groups.ts';
import type { Kind } from './categories/contract.ts';

const TODAY = day('2026-03-10');

type Given = {
  id?: number;
  name?: string;
  isActive?: boolean;
  from?: string;
  until?: string;
  kind?: Kind;
  category?: string;
};

function anActivity(given: Given = {}) {
  return {
    id: given.id ?? 1,
    name: given.name ?? 'Book fair',
    isActive: given.isActive ?? true,
    activeFrom: given.from === undefined ? null : day(given.from),
    activeUntil: given.until === undefined ? null : day(given.until),
    category: { name: given.category ?? 'Events', kind: given.kind ?? 'event' },
  };
}

const names = (activities: readonly { name: string }[]) => activities.map((activity) => activity.name);

describe('the group of an activity', () => {
  test.each([
    ['is year-round for a dated classroom activity', { kind: 'classroom', from: '2026-03-10' }, 'yearRound'],
    ['is year-round for an undated classroom activity', { kind: 'classroom' }, 'yearRound'],
    ['is year-round for an undated event', { kind: 'event' }, 'yearRound'],
    ['is year-round for an undated other activity', { kind: 'other' }, 'yearRound'],
    ['is "events" for a dated event', { kind: 'event', from: '2026-03-10' }, 'events'],
    ['is "other" for a dated other activity', { kind: 'other', from: '2026-03-10' }, 'other'],
  ] as const)('%s', (_, given, group) => {
    expect(groupOf(anActivity(given))).toBe(group);
  });
});

describe('the tag of an event', () => {
  test.each([
    ['is "today" on the same UTC day', '2026-03-10', 'today'],
    ['is "upcoming" for a later day', '2026-03-11', 'upcoming'],
    ['is "past" for an earlier day', '2026-03-09', 'past'],
    ['is "upcoming" for a day next year', '2027-01-01', 'upcoming'],
    ['is "past" for a day last year', '2025-12-31', 'past'],
  ] as const)('%s', (_, from, tag) => {
    expect(eventTag(day(from), TODAY)).toBe(tag);
  });

  it('uses the UTC day when the district is still on the day before', () => {
    const evening = '2026-03-11T01:30:00.000Z' as Instant;
    expect(dayIn('America/Chicago', evening)).toBe('2026-03-10');
    expect(eventTag(day('2026-03-10'), utcDayOf(evening))).toBe('past');
    expect(eventTag(day('2026-03-11'), utcDayOf(evening))).toBe('today');
  });

  it('uses the UTC day when the district is already on the day after', () => {
    const morning = '2026-03-10T20:30:00.000Z' as Instant;
    expect(dayIn('Pacific/Auckland', morning)).toBe('2026-03-11');
    expect(eventTag(day('2026-03-11'), utcDayOf(morning))).toBe('upcoming');
  });
});

describe('the availability of an activity', () => {
  test.each([
    ['an active undated activity is available', {}, undefined],
    ['an inactive activity is unavailable', { isActive: false }, 'inactive'],
    ['an activity that starts tomorrow is unavailable', { from: '2026-03-11' }, 'future'],
    ['an activity that starts today is available', { from: '2026-03-10' }, undefined],
    ['an activity that started and has no end is available', { from: '2026-03-01' }, undefined],
    ['an activity that ends today is available', { from: '2026-03-01', until: '2026-03-10' }, undefined],
    ['an activity that ended yesterday is unavailable', { from: '2026-03-01', until: '2026-03-09' }, 'past'],
    [
      'an inactive activity is reported as inactive even if it also starts later',
      { isActive: false, from: '2026-03-11' },
      'inactive',
    ],
  ] as const)('%s', (_, given, expected) => {
    expect(unavailability(anActivity(given), TODAY)).toBe(expected);
  });

  it("uses the district's day, not the UTC day", () => {
    const evening = '2026-03-11T01:30:00.000Z' as Instant;
    const tomorrow = anActivity({ from: '2026-03-11' });
    expect(unavailability(tomorrow, dayIn('America/Chicago', evening))).toBe('future');
    expect(unavailability(tomorrow, utcDayOf(evening))).toBeUndefined();
  });
});

describe('the "Ongoing" label', () => {
  test.each([
    ['applies to an undated event', { kind: 'event' }, true],
    ['applies to an undated other activity', { kind: 'other' }, true],
    ['does not apply to an undated classroom activity', { kind: 'classroom' }, false],
    ['does not apply to a dated activity', { kind: 'other', from: '2026-03-10' }, false],
  ] as const)('%s', (_, given, expected) => {
    expect(isOngoing(anActivity(given))).toBe(expected);
  });
});

describe('isHappening', () => {
  test.each([
    ['is true on the day of an event', { from: '2026-03-10' }, true],
    ['is false on the day before', { from: '2026-03-11' }, false],
    ['is false on the day after if the event has no end', { from: '2026-03-09' }, false],
    [
      'is true on the last day of an event of several days',
      { from: '2026-03-08', until: '2026-03-10' },
      true,
    ],
    ['is false after the last day', { from: '2026-03-08', until: '2026-03-09' }, false],
    ['is false for an inactive event', { from: '2026-03-10', isActive: false }, false],
    ['is false for an activity that is not an event', { from: '2026-03-10', kind: 'other' }, false],
    ['is false for an undated event', {}, false],
  ] as const)('%s', (_, given, expected) => {
    expect(isHappening(anActivity(given), TODAY)).toBe(expected);
  });
});

describe('the sort order of a group', () => {
  it("puts today's events first, then upcoming ones, then past ones", () => {
    const groups = groupActivities(
      [
        anActivity({ id: 1, name: 'Past long ago', from: '2026-01-05' }),
        anActivity({ id: 2, name: 'Upcoming late', from: '2026-06-01' }),
        anActivity({ id: 3, name: 'Today B', from: '2026-03-10' }),
        anActivity({ id: 4, name: 'Past yesterday', from: '2026-03-09' }),
        anActivity({ id: 5, name: 'Upcoming soon', from: '2026-03-11' }),
        anActivity({ id: 6, name: 'today a', from: '2026-03-10' }),
      ],
      TODAY,
    );
    expect(names(groups.events)).toEqual([
      'today a',
      'Today B',
      'Upcoming soon',
      'Upcoming late',
      'Past yesterday',
      'Past long ago',
    ]);
  });

  it('sorts year-round activities by name, ignoring case and accents', () => {
    const groups = groupActivities(
      [
        anActivity({ id: 1, name: 'zoo' }),
        anActivity({ id: 2, name: 'Élan' }),
        anActivity({ id: 3, name: 'art' }),
        anActivity({ id: 4, name: 'Elbow' }),
      ],
      TODAY,
    );
    expect(names(groups.yearRound)).toEqual(['art', 'Élan', 'Elbow', 'zoo']);
  });

  it('sorts other activities by latest start, then category, then name', () => {
    const other = { kind: 'other' } as const;
    const groups = groupActivities(
      [
        anActivity({ ...other, id: 1, name: 'B', category: 'Sport', from: '2026-02-01' }),
        anActivity({ ...other, id: 2, name: 'A', category: 'Sport', from: '2026-02-01' }),
        anActivity({ ...other, id: 3, name: 'Z', category: 'garden', from: '2026-02-01' }),
        anActivity({ ...other, id: 4, name: 'Later', category: 'Sport', from: '2026-05-01' }),
      ],
      TODAY,
    );
    expect(names(groups.other)).toEqual(['Later', 'Z', 'A', 'B']);
  });
});

const anyActivity = fc.record({
  id: fc.integer({ min: 1, max: 1_000_000 }),
  name: fc.constantFrom('Book fair', 'book fair', 'Bóok fair', 'Library', 'Zoo', ''),
  isActive: fc.boolean(),
  activeFrom: fc.option(fc.integer({ min: -400, max: 400 }).map((days) => addDays(TODAY, days))),
  activeUntil: fc.option(fc.integer({ min: -400, max: 400 }).map((days) => addDays(TODAY, days))),
  category: fc.record({
    name: fc.constantFrom('Events', 'Classroom', 'Garden'),
    kind: fc.constantFrom<Kind[]>('event', 'classroom', 'other'),
  }),
});
const manyActivities = fc.uniqueArray(anyActivity, { selector: (activity) => activity.id, maxLength: 60 });

describe('grouping random activities', () => {
  it('puts each activity in exactly one group', () => {
    fc.assert(
      fc.property(manyActivities, (activities) => {
        const groups = groupActivities(activities, TODAY);
        const all = [...groups.events, ...groups.yearRound, ...groups.other];
        expect(new Set(all)).toEqual(new Set(activities));
        expect(all).toHaveLength(activities.length);
      }),
    );
  });

  it('does not depend on the input order', () => {
    fc.assert(
      fc.property(manyActivities, (activities) => {
        expect(groupActivities(activities.toReversed(), TODAY)).toEqual(groupActivities(activities, TODAY));
      }),
    );
  });

  it("tags an event 'Today' on one UTC day only", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000_000_000_000 }), (milliseconds) => {
        const utcDay = utcDayOf(instantOf(milliseconds));
        expect(eventTag(utcDay, utcDay)).toBe('today');
        expect(eventTag(addDays(utcDay, 1), utcDay)).toBe('upcoming');
        expect(eventTag(addDays(utcDay, -1), utcDay)).toBe('past');
        expect(millisecondsOf(instantOf(milliseconds))).toBe(milliseconds);
      }),
    );
  });
});
