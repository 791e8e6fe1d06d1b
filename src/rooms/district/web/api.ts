import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '#web/lib/call.ts';
import { getDistrict } from '../contract.ts';

/** The district as everybody may know it; `today` in it grows old, so it is asked for again now and then. */
export const districtQuery = queryOptions({
  queryKey: ['public', 'district'],
  queryFn: () => call(getDistrict),
  staleTime: 5 * 60_000,
  refetchInterval: 10 * 60_000,
});

export function useDistrict() {
  return useQuery(districtQuery);
}
