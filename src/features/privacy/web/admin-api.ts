import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useDecision } from '#features/users/web/admin-requests-api.ts';
import type { ReplyOf } from '#shared/endpoint.ts';
import type { Id } from '#shared/id.ts';
import { call } from '#web/api/call.ts';
import { pagesOf, totalOf } from '#web/api/infinite-pages.ts';
import { declineErasure, eraseUser, listErasureRequests } from '../admin-contract.ts';

/** People who asked to be deleted, longest waiting first. */
export function useErasureRequests(search: string) {
  return useInfiniteQuery({
    ...pagesOf(
      ['admin', 'erasure-requests', search],
      ({ cursor, signal }): Promise<ReplyOf<typeof listErasureRequests>> =>
        call(listErasureRequests, { query: { search, cursor }, signal }),
      (pages) => ({
        erasureRequests: pages.flatMap((page) => page.erasureRequests),
        total: totalOf(pages),
      }),
    ),
    placeholderData: keepPreviousData,
  });
}

export function useErase() {
  return useDecision((id: Id) => call(eraseUser, { params: { id } }));
}

export function useDeclineErasure() {
  return useDecision(({ id, reason }: { id: Id; reason: string | null }) =>
    call(declineErasure, { params: { id }, body: { reason } }),
  );
}
