import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { Id } from '#shared/id.ts';
import { call } from '#web/api/call.ts';
import { listPages, totalOf } from '#web/api/infinite-pages.ts';
import { useDecision } from '#web/api/list-cache.ts';
import { declineDeletionRequest, deleteUserData, listDeletionRequests } from '../admin-contract.ts';

/** Deletion requests, oldest first. */
export function useDeletionRequests(search: string) {
  return useInfiniteQuery({
    ...listPages(['admin', 'erasure-requests', search], listDeletionRequests, { search }, (pages) => ({
      erasureRequests: pages.flatMap((page) => page.erasureRequests),
      total: totalOf(pages),
    })),
    placeholderData: keepPreviousData,
  });
}

export function useDeleteAccount() {
  return useDecision((id: Id) => call(deleteUserData, { params: { id } }));
}

export function useDeclineDeletion() {
  return useDecision(({ id, reason }: { id: Id; reason: string | null }) =>
    call(declineDeletionRequest, { params: { id }, body: { reason } }),
  );
}
