import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BodyOf } from '#shared/endpoint.ts';
import { call } from '#web/api/call.ts';
import { getGoal, setGoal } from '../contract.ts';

// Under the key of the entries, so that it is reloaded with them whenever hours change.
const GOAL = ['time-entries', 'goal'];

/** The viewer's own goal and progress. */
export function useGoal() {
  return useQuery({
    queryKey: GOAL,
    queryFn: async ({ signal }) => (await call(getGoal, { signal })).goal,
  });
}

/** Sets or removes the viewer's own goal. */
export function useSetGoal() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyOf<typeof setGoal>) => call(setGoal, { body }),
    onSuccess: ({ goal }) => client.setQueryData(GOAL, goal),
  });
}
