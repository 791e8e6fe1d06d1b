import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Id } from '#base/id.ts';
import { call } from '#web/lib/call.ts';
import { type Activity, listActivities } from '../contract.ts';

/** The query for a school's activities. */
export const activitiesOf = (schoolId: Id) =>
  queryOptions({
    queryKey: ['activities', schoolId],
    queryFn: ({ signal }): Promise<Activity[]> =>
      call(listActivities, { query: { schoolId }, signal }).then((reply) => reply.activities),
  });

/** Every activity of a school, inactive ones included. */
export function useActivities(schoolId: Id) {
  return useQuery(activitiesOf(schoolId));
}
