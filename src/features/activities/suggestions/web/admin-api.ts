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

/** The interval for refetching the number of pending suggestions while the Admin Panel is open. */
const COUNT_EVERY_MS = 30_000;

/** Fetches the suggestions of a school, or of all: pending ones first, then decided ones unless `isPendingOnly`. */
export function useSuggestionList(schoolId: Id | undefined, isPendingOnly: boolean) {
  const status = isPendingOnly ? 'pending' : undefined;
  return useInfiniteQuery(
    pagesOf(
      ['admin', 'suggestions', schoolId ?? 'all', status ?? 'any'],
      ({ cursor, signal }): Promise<Page> =>
        call(listSuggestions, { query: { schoolId, status, cursor }, signal }).catch(withStatus),
      (pages) => pages.flatMap((page) => page.suggestions),
    ),
  );
}

/**
 * Returns the number of pending suggestions at a school, or at all schools in the viewer's scope; 0 while it loads. Refetched
 * regularly.
 */
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

/** Approves a suggestion and creates its activity from the form. */
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

/** Deletes the given version of a suggestion, so that another administrator's newer decision is not lost. */
export function useDelete() {
  return useDecision(({ id, version }: AdminSuggestion, body: BodyOf<typeof deleteSuggestion>) =>
    call(deleteSuggestion, { params: { id }, body, version }),
  );
}

/** Whether another administrator decided first. `useDecision` then refetches the lists, which show that decision. */
export function isAlreadyDecided(error: unknown): error is CallError {
  return error instanceof CallError && [404, 409].includes(error.status);
}

// Refetches the lists after an error too, because another administrator may have decided first.
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
