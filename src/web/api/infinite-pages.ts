import { type InfiniteData, infiniteQueryOptions, type QueryKey } from '@tanstack/react-query';
import { MAX_REFETCHED_PAGES } from './list-cache.ts';

type Page = Readonly<{ nextCursor: string | null }>;

/** What `read` is given: the cursor of a page, undefined for the first one. */
type Asked = Readonly<{ cursor: string | undefined; signal: AbortSignal }>;

/** A query of a list that is read page by page; `select` makes what is shown of the pages so far. */
export function pagesOf<P extends Page, Shown>(
  queryKey: QueryKey,
  read: (asked: Asked) => Promise<P>,
  select: (pages: readonly P[]) => Shown,
) {
  return infiniteQueryOptions<P, Error, Shown, QueryKey, string>({
    queryKey,
    queryFn: ({ pageParam, signal }) => read({ cursor: pageParam || undefined, signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    select: ({ pages }: InfiniteData<P, string>) => select(pages),
    // Coming back to a tab refetches the list (specification section 2).
    staleTime: 0,
    refetchOnWindowFocus: isShort,
    refetchOnReconnect: isShort,
  });
}

// A thousand pages would be read again one after the other.
const isShort = ({ state: { data } }: { state: { data: InfiniteData<unknown> | undefined } }) =>
  (data?.pages.length ?? 0) <= MAX_REFETCHED_PAGES;

/** How many rows there are in all, by the latest page. */
export function totalOf(pages: readonly Readonly<{ total: number }>[]): number {
  return pages.at(-1)?.total ?? 0;
}

type Pages = {
  hasNextPage: boolean;
  fetchNextPage: () => Promise<{ hasNextPage: boolean; isError: boolean }>;
};

/** Loads the remaining pages of a list, up to `most` pages, so that a printout is not limited to what is on screen. */
export async function loadAll(list: Pages, most: number): Promise<void> {
  let more = list.hasNextPage;
  for (let page = 0; more && page < most; page += 1) {
    const next = await list.fetchNextPage();
    more = next.hasNextPage && !next.isError;
  }
}
