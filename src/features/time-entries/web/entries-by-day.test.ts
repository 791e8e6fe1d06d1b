import { describe, expect, it } from 'vitest';
import { day, type Instant } from '#shared/calendar-date.ts';
import type { TimeEntry } from '../contract.ts';
import { groupByDay, withDeleted } from './entries-by-day.ts';

function anEntry(id: number, date: string, hours = 1): TimeEntry {
  return {
    id,
    activityId: 1,
    activity: {
      id: 1,
      name: 'Book fair',
      category: { id: 1, name: 'Events', color: '#3498db', kind: 'event' },
      isActive: true,
      activeFrom: null,
      requiresDescription: false,
      descriptionPrompt: null,
    },
    hours,
    entryDate: day(date),
    notes: null,
    createdAt: '2026-03-01T00:00:00.000Z' as Instant,
    schoolId: 1,
    school: { id: 1, name: 'Lincoln Elementary' },
    user: { id: 1, firstName: 'Maria', lastName: 'Lopez' },
    version: 1,
    canEdit: true,
    canDelete: true,
    verification: null,
    flags: null,
  };
}

const ids = (entries: readonly TimeEntry[]) => entries.map((entry) => entry.id);

describe('groupByDay', () => {
  it('groups entries under their day with an exact sum', () => {
    const entries = [
      anEntry(3, '2026-03-02', 0.1),
      anEntry(2, '2026-03-02', 0.2),
      anEntry(1, '2026-03-01', 2),
    ];
    expect(
      groupByDay(entries, new Set()).map(({ date, hours, entries: rows }) => [date, hours, ids(rows)]),
    ).toEqual([
      ['2026-03-02', 0.3, [3, 2]],
      ['2026-03-01', 2, [1]],
    ]);
  });

  it('includes deleted entries without counting their hours', () => {
    const [first] = groupByDay([anEntry(2, '2026-03-02', 3), anEntry(1, '2026-03-02', 1)], new Set([2]));
    expect(first?.hours).toBe(1);
    expect(ids(first?.entries ?? [])).toEqual([2, 1]);
  });
});

describe('withDeleted', () => {
  const loaded = [anEntry(5, '2026-03-03'), anEntry(4, '2026-03-02'), anEntry(2, '2026-03-02')];

  it('puts deleted entries in their old positions', () => {
    expect(ids(withDeleted(loaded, [anEntry(3, '2026-03-02'), anEntry(1, '2026-03-01')]))).toEqual([
      5, 4, 3, 2, 1,
    ]);
  });

  it('does not repeat deleted entries before the list is reloaded', () => {
    expect(ids(withDeleted(loaded, [anEntry(4, '2026-03-02')]))).toEqual([5, 4, 2]);
  });
});
