import { expect, test } from 'vitest';
import { addDays, day, type Instant } from '#shared/calendar-date.ts';
import { backupsToKeep } from './backup-retention.ts';

const ZONE = 'America/Chicago';

/** The moments of a backup at half past one every night of the days up to 2026-11-22, a Sunday. */
function nightly(nights: number): Instant[] {
  return Array.from(
    { length: nights },
    (_, index) => `${addDays(day('2026-11-22'), -index)}T07:30:00.000Z` as Instant,
  );
}

function keptDays(moments: readonly Instant[]): string[] {
  return [...backupsToKeep(moments, ZONE)].map((moment) => moment.slice(0, 10)).toSorted();
}

test('pruning two years of nightly backups leaves one for each of 7 days, 5 weeks and 12 months', () => {
  expect(keptDays(nightly(730))).toEqual([
    ...['2025-12-31', '2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31', '2026-06-30'],
    ...['2026-07-31', '2026-08-31', '2026-09-30', '2026-10-31'],
    // Saturdays: weeks begin with Sunday.
    ...['2026-11-07', '2026-11-14'],
    ...['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20', '2026-11-21', '2026-11-22'],
  ]);
});

test.each([
  ['nothing if there is no backup', [], []],
  ['the only backup', ['2026-01-01T00:00:00.000Z'], ['2026-01-01T00:00:00.000Z']],
  [
    'the newest of several backups of one day',
    ['2026-03-04T18:00:00.000Z', '2026-03-04T18:00:00.001Z', '2026-03-05T05:59:00.000Z'],
    ['2026-03-05T05:59:00.000Z'],
  ],
  [
    'old backups if there are no newer ones',
    ['2019-03-04T18:00:00.000Z', '2020-03-04T18:00:00.000Z'],
    ['2019-03-04T18:00:00.000Z', '2020-03-04T18:00:00.000Z'],
  ],
])('backupsToKeep keeps %s', (_of, moments, kept) => {
  expect([...backupsToKeep(moments as Instant[], ZONE)].toSorted()).toEqual(kept);
});

test('the order of backups does not affect pruning, and pruning twice removes nothing more', () => {
  const moments = nightly(500);
  const kept = backupsToKeep(moments, ZONE);
  expect(backupsToKeep(moments.toReversed(), ZONE)).toEqual(kept);
  expect(backupsToKeep([...kept], ZONE)).toEqual(kept);
});

test('nightly pruning leaves at most 24 backups, and the oldest is eleven months old', () => {
  let held: Instant[] = [];
  for (const moment of nightly(730).toReversed()) {
    held = [...backupsToKeep([...held, moment], ZONE)];
  }
  expect(held.length).toBeLessThanOrEqual(24);
  expect(held.toSorted()[0]?.slice(0, 7)).toBe('2025-12');
});
