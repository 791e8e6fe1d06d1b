import { type InfiniteData, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';

/** So many pages of a list are read again when its screen is come back to, or when the window is. */
export const MAX_REFETCHED_PAGES = 20;

/**
 * Keeps only the first page of a long list that nobody sees any more: coming back begins at its top, and would read a thousand
 * pages again, one after the other. Returns what ends it.
 */
export function trimUnusedLists(client: QueryClient): () => void {
  return client.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'observerRemoved' || query.getObserversCount() > 0) return;
    const { pages, pageParams } = (query.state.data ?? {}) as Partial<InfiniteData<unknown>>;
    if (pages === undefined || pageParams === undefined || pages.length <= MAX_REFETCHED_PAGES) return;
    query.setData({ pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) });
  });
}

/** After an administrator's change: reloads the lists on screen now, and every other list when it is next shown. */
export function refreshEverything(client: QueryClient): Promise<void> {
  return client.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[0] !== 'public' || queryKey[1] === 'schools',
  });
}

/** A mutation by an administrator that reloads the lists once it is done. */
export function useAdminChange<Input, Reply>(mutationFn: (input: Input) => Promise<Reply>) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSuccess: () => void refreshEverything(client) });
}
