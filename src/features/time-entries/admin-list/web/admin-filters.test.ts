import { expect, test } from 'vitest';
import { day } from '#shared/calendar-date.ts';
import {
  applyFilter,
  countActiveFilters,
  daysOf,
  filterParams,
  isFiltered,
  NO_FILTERS,
  toggleSort,
} from './admin-filters.ts';

const march = applyFilter(NO_FILTERS, { startDate: day('2026-03-01'), endDate: day('2026-03-31') });

test('NO_FILTERS filters nothing and lists the latest day first', () => {
  expect(isFiltered(NO_FILTERS)).toBe(false);
  expect(NO_FILTERS).toMatchObject({ sortBy: 'entryDate', sortOrder: 'desc' });
});

test('a start after the end clears the end', () => {
  expect(applyFilter(march, { startDate: day('2026-04-01') })).toMatchObject({
    startDate: '2026-04-01',
    endDate: undefined,
  });
  expect(applyFilter(march, { startDate: day('2026-03-31') }).endDate).toBe('2026-03-31');
});

test('an end before the start is ignored', () => {
  expect(applyFilter(march, { endDate: day('2026-02-28') }).endDate).toBe('2026-03-31');
  expect(applyFilter(march, { endDate: undefined }).endDate).toBeUndefined();
});

test('sorting counts as a change but not as a filter', () => {
  const sorted = applyFilter(NO_FILTERS, { sortOrder: 'asc' });
  expect(isFiltered(sorted)).toBe(true);
  expect(countActiveFilters(sorted)).toBe(0);
  expect(countActiveFilters(march)).toBe(2);
});

test('filterParams sends ids and omits unset filters', () => {
  const filters = applyFilter(march, { user: { id: 7, name: 'Maria Ruiz' }, weekday: 0 });
  expect(filterParams(filters, 3)).toEqual({
    schoolId: 3,
    startDate: '2026-03-01',
    endDate: '2026-03-31',
    weekday: 0,
    userId: 7,
    activityId: undefined,
    status: undefined,
  });
});

test('toggleSort sorts by a column, hours from the highest, and reverses on the second press', () => {
  const byName = toggleSort(NO_FILTERS, 'userName');
  expect([byName.sortBy, byName.sortOrder]).toEqual(['userName', 'asc']);
  expect(toggleSort(byName, 'userName').sortOrder).toBe('desc');
  expect(toggleSort(byName, 'hours').sortOrder).toBe('desc');
  expect(toggleSort(NO_FILTERS, 'entryDate').sortOrder).toBe('asc');
});

test.each([
  ['thisMonth', '2026-03-01', '2026-03-31'],
  ['lastMonth', '2026-02-01', '2026-02-28'],
  ['schoolYear', '2025-07-01', '2026-03-31'],
] as const)('%s covers %s to %s on the last day of March', (range, startDate, endDate) => {
  const district = { today: day('2026-03-31'), schoolYearStart: day('2025-07-01') };
  expect(daysOf(range, district)).toEqual({ startDate, endDate });
});
