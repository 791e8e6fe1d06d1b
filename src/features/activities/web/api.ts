import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Id } from '#shared/id.ts';
import { call } from '#web/api/call.ts';
import { listActivities } from '../contract.ts';

/** The query for a school's activities and its closed period. */
export const activitiesQuery = (schoolId: Id) =>
  queryOptions({
    queryKey: ['activities', schoolId],
    queryFn: ({ signal }) => call(listActivities, { query: { schoolId }, signal }),
  });

/** Fetches every activity of a school, inactive ones included. */
export function useActivities(schoolId: Id) {
  return useQuery({ ...activitiesQuery(schoolId), select: ({ activities }) => activities });
}

/** Returns a school's closed period, or undefined if there is none or it has not loaded yet. */
export function useClosedPeriod(schoolId: Id) {
  return useQuery(activitiesQuery(schoolId)).data?.closed?.[0];
}
