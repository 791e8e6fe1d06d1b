import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Id } from '#shared/id.ts';
import { call } from '#web/api/call.ts';
import { listPages, totalOf } from '#web/api/infinite-pages.ts';
import { useAdminChange, useDecision } from '#web/api/list-cache.ts';
import {
  type Holding,
  type Keep,
  listDuplicates,
  listMerges,
  markNotDuplicate,
  mergeUsers,
  previewMerge,
  undoMerge,
} from '../contract.ts';

/** Pairs of possible duplicates that match a search. */
export function useDuplicates(search: string) {
  return useInfiniteQuery({
    ...listPages(['admin', 'duplicates', search], listDuplicates, { search, limit: 25 }, (pages) => ({
      pairs: pages.flatMap((page) => page.pairs),
      total: totalOf(pages),
    })),
    placeholderData: keepPreviousData,
  });
}

/** The data of both accounts, and the reason why they cannot be merged, or null. */
export function usePreviewMerge(from: Id, into: Id) {
  return useQuery({
    queryKey: ['admin', 'merge-preview', from, into],
    queryFn: ({ signal }) => call(previewMerge, { params: { id: from }, query: { into }, signal }),
    placeholderData: keepPreviousData,
    // Not refetched after the merge itself, because one of the two accounts is then gone.
    staleTime: 'static',
    gcTime: 0,
  });
}

/** Merges an account into another one. Rejected if the account has changed since it was displayed. */
export function useMerge() {
  type Given = { from: Holding; into: Holding; keep: Keep; unconfirmed?: true };
  return useAdminChange(({ from, into, ...chosen }: Given) =>
    call(mergeUsers, {
      params: { id: from.user.id },
      body: { into: into.user.id, ...chosen },
      version: from.user.version,
    }),
  );
}

export function useUndoMerge() {
  return useDecision((id: Id) => call(undoMerge, { params: { id } }));
}

/** Marks two people as different, or reverts that. */
export function useMarkNotDuplicate() {
  return useAdminChange(({ id, other, areTwo }: { id: Id; other: Id; areTwo: boolean }) =>
    call(markNotDuplicate, { params: { id }, body: { other, areTwo } }),
  );
}

/** The recent merges, newest first, including those that were undone. */
export function usePastMerges() {
  return useInfiniteQuery(
    listPages(['admin', 'merges'], listMerges, { limit: 20 }, (pages) =>
      pages.flatMap((page) => page.merges),
    ),
  );
}
