import { useQuery } from '@tanstack/react-query';
import type { Id } from '#shared/id.ts';
import { call } from '#web/api/call.ts';
import { countPhotosToReview } from '../contract.ts';

/** The interval for refetching the number of photos to review while the Admin Panel is open. */
const COUNT_EVERY_MS = 30_000;

/**
 * Counts the photos that wait for a decision at one school, or at all of the viewer's schools. Refetched regularly while
 * `isWanted`.
 */
export function usePendingPhotoCount(schoolId: Id | undefined, isWanted: boolean): number {
  const count = useQuery({
    queryKey: ['photos', 'admin', 'count', schoolId ?? 'all'],
    queryFn: ({ signal }) => call(countPhotosToReview, { query: { schoolId }, signal }),
    select: (reply) => reply.count,
    staleTime: 0,
    refetchInterval: COUNT_EVERY_MS,
    enabled: isWanted,
  });
  return count.data ?? 0;
}
