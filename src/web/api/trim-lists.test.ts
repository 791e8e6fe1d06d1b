import { type InfiniteData, InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { MAX_REFETCHED_PAGES, trimUnusedLists } from './list-cache.ts';

it.each([
  [MAX_REFETCHED_PAGES + 1, 1],
  [MAX_REFETCHED_PAGES, MAX_REFETCHED_PAGES],
])('a list of %i pages is trimmed to %i once no screen shows it', (count, left) => {
  const client = new QueryClient();
  const stop = trimUnusedLists(client);
  const numbers = Array.from({ length: count }, (_, at) => at);
  client.setQueryData(['list'], { pages: numbers, pageParams: numbers });
  const pages = () => client.getQueryData<InfiniteData<number>>(['list'])?.pages;
  const watch = () =>
    new InfiniteQueryObserver(client, {
      queryKey: ['list'],
      queryFn: () => 0,
      initialPageParam: 0,
      getNextPageParam: () => undefined,
      staleTime: Number.POSITIVE_INFINITY,
    }).subscribe(() => undefined);
  const [leave, leaveToo] = [watch(), watch()];
  leave();
  expect(pages()).toHaveLength(count);
  leaveToo();
  expect(pages()).toHaveLength(left);
  stop();
});
