import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { getDistrict } from '../contract.ts';

/** The district's public data, refetched from time to time because `today` changes. */
export const districtQuery = queryOptions({
  queryKey: ['public', 'district'],
  queryFn: () => call(getDistrict),
  staleTime: 5 * 60_000,
  refetchInterval: 10 * 60_000,
});

export function useDistrict() {
  return useQuery(districtQuery);
}
