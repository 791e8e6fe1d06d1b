import type { CalendarDate } from '#shared/calendar-date.ts';
import type { Id } from '#shared/id.ts';
import { foldForSearch } from '#shared/text-normalization.ts';
import type { Kind } from './categories/contract.ts';

/** The fields of an activity that its group, tag and availability depend on. */
type Dated = {
  id: Id;
  name: string;
  isActive: boolean;
  activeFrom: CalendarDate | null;
  activeUntil: CalendarDate | null;
  category: { name: string; kind: Kind };
};

export type Group = 'yearRound' | 'events' | 'other';
export type EventTag = 'today' | 'upcoming' | 'past';
export type Unavailability = 'inactive' | 'future' | 'past';

/** Returns the group of an activity; the first matching rule wins (specification section 4, decisions: grouping). */
export function groupOf(activity: Pick<Dated, 'activeFrom' | 'category'>): Group {
  if (activity.category.kind === 'classroom' || activity.activeFrom === null) return 'yearRound';
  return activity.category.kind === 'event' ? 'events' : 'other';
}

/**
 * Returns the tag of a dated event. `utcDay` is the day in UTC (specification section 4: 'Today' is the same UTC day).
 */
export function eventTag(activeFrom: CalendarDate, utcDay: CalendarDate): EventTag {
  if (activeFrom === utcDay) return 'today';
  return activeFrom > utcDay ? 'upcoming' : 'past';
}

/** Returns why an activity is 'Unavailable', or undefined if it is available. `today` is the district's day (decisions). */
export function unavailability(activity: Dated, today: CalendarDate): Unavailability | undefined {
  if (!activity.isActive) return 'inactive';
  if (activity.activeFrom !== null && activity.activeFrom > today) return 'future';
  return activity.activeUntil !== null && activity.activeUntil < today ? 'past' : undefined;
}

/** Whether to show the 'Ongoing' badge: undated and not a classroom activity (specification section 4). */
export function isOngoing(activity: Pick<Dated, 'activeFrom' | 'category'>): boolean {
  return activity.activeFrom === null && activity.category.kind !== 'classroom';
}

/** Whether an event takes place on the district's day. An event without an end date lasts one day. */
export function isHappening(activity: Dated, today: CalendarDate): boolean {
  if (!activity.isActive || activity.activeFrom === null || groupOf(activity) !== 'events') return false;
  return activity.activeFrom <= today && today <= (activity.activeUntil ?? activity.activeFrom);
}

/**
 * Returns the last day of a past activity, or undefined if it is not over. An event without an end date lasts one day.
 */
export function endedOn(activity: Dated, today: CalendarDate): CalendarDate | undefined {
  const { activeFrom, activeUntil } = activity;
  const last = activeUntil ?? (groupOf(activity) === 'events' ? activeFrom : null);
  return last !== null && last < today ? last : undefined;
}

/** Returns the three groups, each sorted by its own rule (specification section 4). */
export function groupActivities<A extends Dated>(
  activities: readonly A[],
  utcDay: CalendarDate,
): Record<Group, A[]> {
  const groups: Record<Group, A[]> = { events: [], yearRound: [], other: [] };
  for (const activity of activities) groups[groupOf(activity)].push(activity);
  groups.events.sort((a, b) => compareEvents(a, b, utcDay));
  groups.yearRound.sort(compareNames);
  groups.other.sort(compareOthers);
  return groups;
}

const TAG_ORDER: Record<EventTag, number> = { today: 0, upcoming: 1, past: 2 };

// Today's first, then upcoming (soonest first), then past (most recent first), undated last.
function compareEvents(a: Dated, b: Dated, utcDay: CalendarDate): number {
  if (a.activeFrom === null || b.activeFrom === null) {
    return Number(a.activeFrom === null) - Number(b.activeFrom === null) || compareNames(a, b);
  }
  const tagA = eventTag(a.activeFrom, utcDay);
  const tagB = eventTag(b.activeFrom, utcDay);
  if (tagA !== tagB) return TAG_ORDER[tagA] - TAG_ORDER[tagB];
  const soonestFirst = compare(a.activeFrom, b.activeFrom);
  return (tagA === 'past' ? -soonestFirst : soonestFirst) || compareNames(a, b);
}

// Latest start date first, undated activities last, then by category and name.
function compareOthers(a: Dated, b: Dated): number {
  return (
    compare(b.activeFrom ?? '', a.activeFrom ?? '') ||
    compare(foldForSearch(a.category.name), foldForSearch(b.category.name)) ||
    compareNames(a, b)
  );
}

// Sorts by name and then by id, so that equal names keep a stable order.
function compareNames(a: Dated, b: Dated): number {
  return compare(foldForSearch(a.name), foldForSearch(b.name)) || a.id - b.id;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
