import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';
import { deviceNow, millisecondsOf } from '#shared/calendar-date.ts';
import type { Answers, Store } from './offline-storage.ts';

/** Lists older than this are not shown any more, nor kept. */
const LONGEST_MS = 30 * 24 * 3_600_000;
const PAUSE_MS = 1_000;

/** What is kept of a list: `key` is its name, `shown` what of its data is kept, undefined for nothing. */
export type CachedList = Readonly<{ key: QueryKey; shown: unknown }>;

/** Says of a list whether it is kept, and under which name. */
export type ChooseList = (query: Query) => CachedList | undefined;

/** Keeps the lists of this session whenever they are loaded. Returns what ends that. */
export function cacheLists(
  client: QueryClient,
  store: Store,
  session: string,
  choose: ChooseList,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const keepNow = async () => {
    const now = listsIn(client, choose);
    const before = young(await store.answers());
    if (!isOver) await store.keepAnswers(session, { ...before, ...now });
  };
  const keepSoon = () => {
    clearTimeout(timer);
    // Where there is no room for the lists, hours are still kept.
    timer = setTimeout(() => void keepNow().catch(() => undefined), PAUSE_MS);
  };
  keepSoon();
  const stop = client.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && query.state.status === 'success' && choose(query) !== undefined) keepSoon();
  });
  return () => {
    isOver = true;
    clearTimeout(timer);
    stop();
  };
}

/** Shows the lists that were kept, where nothing newer has come; `keyOf` gives the key of a name in this session. */
export async function showCachedLists(
  client: QueryClient,
  store: Store,
  keyOf: (name: QueryKey) => QueryKey,
) {
  for (const [name, { at, data }] of Object.entries(young(await store.answers()))) {
    const key = keyOf(JSON.parse(name));
    if (client.getQueryData(key) === undefined) client.setQueryData(key, data, { updatedAt: at });
  }
}

function listsIn(client: QueryClient, choose: ChooseList): Answers {
  const queries = client.getQueryCache().findAll({ predicate: ({ state }) => state.status === 'success' });
  return Object.fromEntries(
    queries.flatMap((query) => {
      const kept = choose(query);
      if (kept === undefined) return [];
      return [[JSON.stringify(kept.key), { at: query.state.dataUpdatedAt, data: kept.shown }] as const];
    }),
  );
}

function young(answers: Answers): Answers {
  const oldest = millisecondsOf(deviceNow()) - LONGEST_MS;
  return Object.fromEntries(Object.entries(answers).filter(([, { at }]) => at > oldest));
}
