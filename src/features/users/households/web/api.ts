import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import {
  getHousehold,
  type Household,
  joinHousehold,
  leaveHousehold,
  makeHousehold,
  makeHouseholdCode,
} from '../contract.ts';

// Among the lists of entries, so that it is refetched with them when hours change.
const HOUSEHOLD = ['time-entries', 'household'];

/** The viewer's household; null when they belong to none. */
export function useHousehold() {
  return useQuery({
    queryKey: HOUSEHOLD,
    queryFn: async ({ signal }) => (await call(getHousehold, { signal })).household,
  });
}

/** Changes to the viewer's household; each returns the message to show. */
export function useHouseholdChanges() {
  const client = useQueryClient();
  const keep = (household: Household | null) => client.setQueryData(HOUSEHOLD, household);
  return {
    make: useMutation({
      mutationFn: () => call(makeHousehold),
      onSuccess: ({ household }) => keep(household),
    }),
    renew: useMutation({
      mutationFn: () => call(makeHouseholdCode),
      onSuccess: ({ household }) => keep(household),
      // Another tab may have left it.
      onError: () => client.invalidateQueries({ queryKey: HOUSEHOLD }),
    }),
    join: useMutation({
      mutationFn: (code: string) => call(joinHousehold, { body: { code, agrees: true } }),
      onSuccess: ({ household }) => keep(household),
    }),
    leave: useMutation({
      mutationFn: () => call(leaveHousehold),
      onSuccess: () => keep(null),
    }),
  };
}
