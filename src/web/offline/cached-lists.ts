import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';
import { deviceNow, millisecondsOf } from '#shared/calendar-date.ts';
import type { CachedLists, Store } from './offline-storage.ts';

/** Lists older than this are neither shown nor stored. */
const MAX_AGE_MS = 30 * 24 * 3_600_000;
const PAUSE_MS = 1_000;

/** A list to cache: `key` is its name, and `shown` is the data to store, undefined for nothing. */
export type CachedList = Readonly<{ key: QueryKey; shown: unknown }>;

/** Decides whether a list is cached, and under which name. */
export type ChooseList = (query: Query) => CachedList | undefined;

/** Caches this session's lists whenever they load. Returns the function that stops it. */
export function cacheLists(
  client: QueryClient,
  store: Store,
  session: string,
  choose: ChooseList,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const storeNow = async () => {
    const now = loadedLists(client, choose);
    const before = withoutExpired(await store.answers());
    if (!isOver) await store.saveLists(session, { ...before, ...now });
  };
  const storeSoon = () => {
    clearTimeout(timer);
    // If there is no room for the lists, hours are still stored.
    timer = setTimeout(() => void storeNow().catch(() => undefined), PAUSE_MS);
  };
  storeSoon();
  const stop = client.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && query.state.status === 'success' && choose(query) !== undefined) storeSoon();
  });
  return () => {
    isOver = true;
    clearTimeout(timer);
    stop();
  };
}

/** Shows cached lists where nothing newer has loaded; `keyOf` maps a name to the query key of this session. */
export async function showCachedLists(
  client: QueryClient,
  store: Store,
  keyOf: (name: QueryKey) => QueryKey,
) {
  for (const [name, { at, data }] of Object.entries(withoutExpired(await store.answers()))) {
    const key = keyOf(JSON.parse(name));
    if (client.getQueryData(key) === undefined) client.setQueryData(key, data, { updatedAt: at });
  }
}

function loadedLists(client: QueryClient, choose: ChooseList): CachedLists {
  const queries = client.getQueryCache().findAll({ predicate: ({ state }) => state.status === 'success' });
  return Object.fromEntries(
    queries.flatMap((query) => {
      const cached = choose(query);
      if (cached === undefined) return [];
      return [[JSON.stringify(cached.key), { at: query.state.dataUpdatedAt, data: cached.shown }] as const];
    }),
  );
}

function withoutExpired(answers: CachedLists): CachedLists {
  const oldest = millisecondsOf(deviceNow()) - MAX_AGE_MS;
  return Object.fromEntries(Object.entries(answers).filter(([, { at }]) => at > oldest));
}
