import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Activity } from '#features/activities/contract.ts';
import { membersOf } from '#features/users/web/admin-api.ts';
import { type CalendarDate, isCalendarDate } from '#shared/calendar-date.ts';
import { type Hours, sumHours } from '#shared/hours.ts';
import type { Id } from '#shared/id.ts';
import { entriesOfDay } from '../../admin-list/web/admin-api.ts';
import type { Member } from './group-entry-rows.ts';

/** The members of a school, all of them: a name is found while it is typed, without asking the server. */
export function useMembers(schoolId: Id) {
  const client = useQueryClient();
  const query = { queryKey: ['admin', 'users', 'members', schoolId], queryFn: () => membersOf(schoolId) };
  const members = useQuery(query);
  return {
    people: members.data ?? [],
    isLoading: members.data === undefined && !members.isError,
    error: members.isError ? members.error : undefined,
    retry: () => void members.refetch(),
    /** The same once they are there; nobody when they cannot be had. */
    all: (): Promise<readonly Member[]> => client.ensureQueryData(query).catch((): readonly Member[] => []),
  } as const;
}

/** Who has hours for an activity on a day already, and how many. */
export function useDayHours(activity: Activity | undefined, date: string): ReadonlyMap<Id, Hours> {
  const day = isCalendarDate(date) ? date : undefined;
  const found = useQuery({
    queryKey: ['time-entries', 'of day', activity?.id, day],
    queryFn: () => entriesOfDay(activity as Activity, day as CalendarDate),
    enabled: activity !== undefined && day !== undefined,
    staleTime: 0,
  }).data;
  const had = new Map<Id, Hours>();
  for (const { user, hours } of found ?? []) had.set(user.id, sumHours([had.get(user.id) ?? 0, hours]));
  return had;
}
