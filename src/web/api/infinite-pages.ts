import { type InfiniteData, infiniteQueryOptions, type QueryKey } from '@tanstack/react-query';
import type * as z from 'zod/mini';
import type { Endpoint } from '#shared/endpoint.ts';
import { call } from './call.ts';
import { MAX_REFETCHED_PAGES } from './list-cache.ts';

type Page = Readonly<{ nextCursor: string | null }>;

/** Arguments of `read`: the cursor of a page, undefined for the first one. */
type PageRequest = Readonly<{ cursor: string | undefined; signal: AbortSignal }>;

/** Returns an infinite query for a paged list; `select` computes the shown value from the loaded pages. */
export function pagesOf<P extends Page, Shown>(
  queryKey: QueryKey,
  read: (request: PageRequest) => Promise<P>,
  select: (pages: readonly P[]) => Shown,
) {
  return infiniteQueryOptions<P, Error, Shown, QueryKey, string>({
    queryKey,
    queryFn: ({ pageParam, signal }) => read({ cursor: pageParam || undefined, signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    select: ({ pages }: InfiniteData<P, string>) => select(pages),
    // Returning to a tab refetches the list (specification section 2).
    staleTime: 0,
    refetchOnWindowFocus: isShort,
    refetchOnReconnect: isShort,
  });
}

type ListEndpoint<P, Query> = Endpoint<{
  query: z.core.$ZodType<unknown, Query>;
  reply: z.core.$ZodType<P>;
}>;
type WithoutCursor<Query> = NoInfer<Omit<Exclude<Query, undefined>, 'cursor'>>;

/** Like `pagesOf`, for a list that an endpoint returns for a query. */
export function listPages<P extends Page, Query, Shown>(
  queryKey: QueryKey,
  list: ListEndpoint<P, Query>,
  query: WithoutCursor<Query>,
  select: (pages: readonly P[]) => Shown,
) {
  return pagesOf(
    queryKey,
    ({ cursor, signal }): Promise<P> => call(list, { query: { ...query, cursor } as Query, signal }),
    select,
  );
}

/** Reads the pages of a list one after the other, up to `most` pages. */
export async function readPages<P extends Page, Query>(
  list: ListEndpoint<P, Query>,
  query: WithoutCursor<Query>,
  { signal, most = Number.POSITIVE_INFINITY }: { signal?: AbortSignal | undefined; most?: number },
): Promise<P[]> {
  const pages: P[] = [];
  let cursor: string | undefined;
  do {
    const page: P = await call(list, { query: { ...query, cursor } as Query, ...(signal && { signal }) });
    pages.push(page);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && pages.length < most);
  return pages;
}

// Refetching a long list would load all its pages again, one after the other.
const isShort = ({ state: { data } }: { state: { data: InfiniteData<unknown> | undefined } }) =>
  (data?.pages.length ?? 0) <= MAX_REFETCHED_PAGES;

/** Returns the total number of rows according to the latest page. */
export function totalOf(pages: readonly Readonly<{ total: number }>[]): number {
  return pages.at(-1)?.total ?? 0;
}

type Pages = {
  hasNextPage: boolean;
  fetchNextPage: () => Promise<{ hasNextPage: boolean; isError: boolean }>;
};

/** Loads the remaining pages of a list, up to `most` pages, so a printout is not limited to what is on screen. */
export async function loadAll(list: Pages, most: number): Promise<void> {
  let more = list.hasNextPage;
  for (let page = 0; more && page < most; page += 1) {
    const next = await list.fetchNextPage();
    more = next.hasNextPage && !next.isError;
  }
}
