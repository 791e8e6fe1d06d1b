import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BodyOf } from '#shared/endpoint.ts';
import { call } from '#web/api/call.ts';
import { getGoal, setGoal } from '../contract.ts';

// Among the lists of entries, so that it is read anew with them whenever hours change.
const GOAL = ['time-entries', 'goal'];

/** The viewer's own goal, and how far they are. */
export function useGoal() {
  return useQuery({
    queryKey: GOAL,
    queryFn: async ({ signal }) => (await call(getGoal, { signal })).goal,
  });
}

/** Sets the viewer's own goal, or removes it. */
export function useSetGoal() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyOf<typeof setGoal>) => call(setGoal, { body }),
    onSuccess: ({ goal }) => client.setQueryData(GOAL, goal),
  });
}
