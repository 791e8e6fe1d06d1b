import { expiringRows } from '#server/personal-data/expired-rows-store.ts';
import { isDeleted, isLive } from './retention-store.ts';

const about = { people: ['time_entries.user_id'], school: 'time_entries.school_id' } as const;
const entries = { table: 'time_entries', at: 'entry_date', isDay: true, about } as const;

/** Time entries by their day, the deleted ones apart, since each has an index of its own. Sums follow by triggers. */
export const entryRetention = [
  expiringRows({ ...entries, only: isLive }),
  expiringRows({ ...entries, only: isDeleted }),
] as const;

/** Exported files by when they were asked for: what is left of them, never the file. */
export const exportRetention = expiringRows({
  table: 'exports',
  at: 'created_at',
  about: { people: ['exports.user_id'] },
});
