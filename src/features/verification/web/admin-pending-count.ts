import { useQuery } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { listVerifications } from '../contract.ts';

/** How often the number of entries to verify is refetched while the Admin Panel is open. */
const COUNT_EVERY_MS = 60_000;

/** The number of waiting entries at all of the viewer's schools, refetched regularly while `isWanted`. */
export function usePendingVerificationCount(isWanted: boolean): number {
  const count = useQuery({
    // Under the key of the entries, so that it is reloaded after each decision.
    queryKey: ['time-entries', 'to-verify'],
    queryFn: ({ signal }) => call(listVerifications, { query: { limit: 1 }, signal }),
    select: ({ total }) => total,
    staleTime: 0,
    refetchInterval: COUNT_EVERY_MS,
    enabled: isWanted,
  });
  return count.data ?? 0;
}
