import type { TimeEntry } from '#features/time-entries/contract.ts';
import type { CalendarDate } from '#shared/calendar-date.ts';
import { groupBy } from '#shared/group-by.ts';
import { type Hours, sumHours } from '#shared/hours.ts';
import type { VerifierRequest } from '../external-verifiers/request-contract.ts';

/** An entry in the verification queue, its request to an external verifier, and whether it is overdue. */
export type QueueEntry = TimeEntry & Readonly<{ asked?: VerifierRequest | null; isLate?: boolean }>;

/** The entries of one activity and day. */
export type Group = Readonly<{
  key: string;
  activity: TimeEntry['activity'];
  date: CalendarDate;
  hours: Hours;
  /** Flagged entries, which are reviewed one by one. */
  marked: readonly QueueEntry[];
  plain: readonly QueueEntry[];
  /** Whether one of its entries is overdue. */
  isOverdue: boolean;
}>;

/** Groups entries by activity and day, in the given order; overdue groups come first. */
export function groupEntries(entries: readonly QueueEntry[]): Group[] {
  const groups = groupBy(entries, ({ entryDate, activityId }) => `${entryDate} ${activityId}`);
  const all = [...groups].flatMap(([key, same]) => toGroup(key, same) ?? []);
  return [...all.filter(({ isOverdue }) => isOverdue), ...all.filter(({ isOverdue }) => !isOverdue)];
}

function toGroup(key: string, entries: readonly QueueEntry[]): Group | undefined {
  const [first] = entries;
  if (first === undefined) return undefined;
  return {
    key,
    activity: first.activity,
    date: first.entryDate,
    hours: sumEntryHours(entries),
    marked: entries.filter(isMarked),
    plain: entries.filter((entry) => !isMarked(entry)),
    isOverdue: entries.some(({ isLate }) => isLate === true),
  };
}

/** Whether an entry is flagged, or its volunteer has asked to reopen it. */
export function isMarked({ flags, verification }: TimeEntry): boolean {
  return (flags ?? []).length > 0 || verification?.reopenRequested === true;
}

/** The total hours of entries. */
export function sumEntryHours(entries: readonly TimeEntry[]): Hours {
  return sumHours(entries.map(({ hours }) => hours));
}

/** The focus target of a marked entry's buttons, and of a group's. */
export const entryFocusKey = ({ id }: Pick<TimeEntry, 'id'>) => `entry ${id}`;
export const groupFocusKey = ({ key }: Pick<Group, 'key'>) => `group ${key}`;

/**
 * Returns the focus target when entries leave the list: the next row or group after them, or the last one before
 * them; undefined when none is left.
 */
export function nextFocusKey(groups: readonly Group[], gone: readonly TimeEntry[]): string | undefined {
  const ids = new Set(gone.map(({ id }) => id));
  const targets = groups.flatMap((group) => [
    ...group.marked.map((entry) => ({ target: entryFocusKey(entry), stays: !ids.has(entry.id) })),
    ...(group.plain.length === 0
      ? []
      : [{ target: groupFocusKey(group), stays: group.plain.some(({ id }) => !ids.has(id)) }]),
  ]);
  const first = targets.findIndex(({ stays }) => !stays);
  const next =
    targets.slice(Math.max(first, 0)).find(({ stays }) => stays) ?? targets.findLast(({ stays }) => stays);
  return next?.target;
}
