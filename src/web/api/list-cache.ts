import { type InfiniteData, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';

/** Lists with more pages than this are not refetched when the user returns to the screen or window. */
export const MAX_REFETCHED_PAGES = 20;

/**
 * Drops all but the first page of a long list that is not on screen. Returning to it starts at its top and would
 * otherwise refetch all its pages, one after the other. Returns the unsubscribe function.
 */
export function trimUnusedLists(client: QueryClient): () => void {
  return client.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'observerRemoved' || query.getObserversCount() > 0) return;
    const { pages, pageParams } = (query.state.data ?? {}) as Partial<InfiniteData<unknown>>;
    if (pages === undefined || pageParams === undefined || pages.length <= MAX_REFETCHED_PAGES) return;
    query.setData({ pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) });
  });
}

/**
 * After an administrator's change: reloads the data on screen now, and other data when it is next shown. Public data other than
 * the schools is not reloaded.
 */
export function refreshEverything(client: QueryClient): Promise<void> {
  return client.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[0] !== 'public' || queryKey[1] === 'schools',
  });
}

/** Returns a mutation for administrators that reloads the lists afterwards. */
export function useAdminChange<Input, Reply>(mutationFn: (input: Input) => Promise<Reply>) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSuccess: () => void refreshEverything(client) });
}

/**
 * An administrator's decision. Refetches the lists after an error too, because another administrator may have decided first.
 */
export function useDecision<Given, Reply extends { message: string }>(
  decide: (given: Given) => Promise<Reply>,
) {
  const client = useQueryClient();
  return useMutation({ mutationFn: decide, onSettled: () => void refreshEverything(client) });
}
