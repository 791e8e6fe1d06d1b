import { addDays, type CalendarDate, dayIn, type Instant, weekdayOf } from '#shared/calendar-date.ts';
import { errorMessage } from '#shared/errors.ts';
import type { BackupStorage } from './backup-storage.ts';
import type { Backup } from './manifest.ts';

/** How many days, weeks and months with a backup are covered. The newest backup of each is kept. */
const RETENTION: readonly (readonly [count: number, periodOf: (day: CalendarDate) => string])[] = [
  [7, (day) => day],
  [5, (day) => addDays(day, -weekdayOf(day))],
  [12, (day) => day.slice(0, 7)],
];

/**
 * Returns which backups to keep: the newest of each of the last 7 days, 5 weeks and 12 months that have one,
 * by the calendar of a time zone. Periods without a backup do not count, so when backups stop, none is
 * deleted.
 */
export function backupsToKeep(moments: readonly Instant[], zone: string): ReadonlySet<Instant> {
  const newestFirst = moments.toSorted().toReversed();
  const kept = new Set<Instant>();
  for (const [count, periodOf] of RETENTION) {
    const periods = new Set<string>();
    for (const moment of newestFirst) {
      const period = periodOf(dayIn(zone, moment));
      if (periods.has(period)) continue;
      if (periods.size === count) break;
      periods.add(period);
      kept.add(moment);
    }
  }
  return kept;
}

/**
 * Removes old nightly backups of this district, except `newest`, which was just made. Manual backups and those of other
 * districts stay. If it fails it returns a warning instead of failing the backup.
 */
export async function removeOldBackups(
  storage: BackupStorage,
  newest: Backup,
  zone: string,
): Promise<string[]> {
  const { fingerprint } = newest.manifest.secretKey;
  try {
    const nightly = (await storage.backups()).filter(
      ({ manifest }) => manifest.nightly === true && manifest.secretKey.fingerprint === fingerprint,
    );
    const kept = backupsToKeep(
      nightly.map(({ manifest }) => manifest.takenAt),
      zone,
    );
    await storage.remove(nightly.filter(({ manifest }) => !kept.has(manifest.takenAt)));
    return [];
  } catch (error) {
    return [`Old backups could not be removed (${errorMessage(error)})`];
  }
}
