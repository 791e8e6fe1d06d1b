import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BodyOf, ReplyOf } from '#shared/endpoint.ts';
import type { Id } from '#shared/id.ts';
import { CallError, call } from '#web/api/call.ts';
import { pagesOf } from '#web/api/infinite-pages.ts';
import { refreshEverything } from '#web/api/list-cache.ts';
import {
  type AdminSuggestion,
  approveSuggestion,
  countPending,
  deleteSuggestion,
  listSuggestions,
  rejectSuggestion,
} from '../contract.ts';
import { withStatus } from './api.ts';

type Page = ReplyOf<typeof listSuggestions>;

/** How often the number of pending suggestions is refetched while the admin view is open. */
const COUNT_EVERY_MS = 30_000;

/** The suggestions of a school, or of all: pending ones first, then decided ones unless `isWaiting`. */
export function useSuggestionList(schoolId: Id | undefined, isWaiting: boolean) {
  const status = isWaiting ? 'pending' : undefined;
  return useInfiniteQuery(
    pagesOf(
      ['admin', 'suggestions', schoolId ?? 'all', status ?? 'any'],
      ({ cursor, signal }): Promise<Page> =>
        call(listSuggestions, { query: { schoolId, status, cursor }, signal }).catch(withStatus),
      (pages) => pages.flatMap((page) => page.suggestions),
    ),
  );
}

/** How many suggestions are pending at a school, or in the district, refetched regularly. Only administrators ask. */
export function usePendingCount(schoolId?: Id): number {
  const count = useQuery({
    queryKey: ['admin', 'suggestions', 'count', schoolId ?? 'all'],
    queryFn: ({ signal }) => call(countPending, { query: { schoolId }, signal }),
    select: ({ pendingCount }) => pendingCount,
    staleTime: 0,
    refetchInterval: COUNT_EVERY_MS,
  });
  return count.data ?? 0;
}

/** Approves a suggestion and creates the activity that the form describes. */
export function useApprove() {
  return useDecision(({ id }: AdminSuggestion, body: BodyOf<typeof approveSuggestion>) =>
    call(approveSuggestion, { params: { id }, body }),
  );
}

/** Rejects a suggestion. */
export function useReject() {
  return useDecision(({ id }: AdminSuggestion, body: BodyOf<typeof rejectSuggestion>) =>
    call(rejectSuggestion, { params: { id }, body }),
  );
}

/** Deletes a suggestion in the version shown, so that a colleague's newer decision is not deleted unseen. */
export function useDelete() {
  return useDecision(({ id, version }: AdminSuggestion, body: BodyOf<typeof deleteSuggestion>) =>
    call(deleteSuggestion, { params: { id }, body, version }),
  );
}

/** Whether somebody else decided first; the list then already shows the outcome. */
export function isAlreadyDecided(error: unknown): error is CallError {
  return error instanceof CallError && [404, 409].includes(error.status);
}

// Somebody who decides second gets fresh lists too.
function useDecision<Body, Reply>(decide: (suggestion: AdminSuggestion, body: Body) => Promise<Reply>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ suggestion, body }: { suggestion: AdminSuggestion; body: Body }) =>
      decide(suggestion, body).catch(withStatus),
    onSuccess: () => void refreshEverything(client),
    onError: (error) => {
      if (isAlreadyDecided(error)) void refreshEverything(client);
    },
  });
}
