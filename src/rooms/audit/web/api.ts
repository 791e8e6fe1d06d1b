import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { ReplyOf } from '#base/endpoint.ts';
import type { Id } from '#base/id.ts';
import { call } from '#web/lib/call.ts';
import { listAudit, type Thing } from '../contract.ts';
import { asked, type LogFilters } from './log-filters.ts';

type Page = ReplyOf<typeof listAudit>;
type Question = Readonly<{ thing?: Thing; thingId?: Id } | ReturnType<typeof asked>>;

const recordsFound = (question: Question) =>
  infiniteQueryOptions({
    queryKey: ['admin', 'audit', question],
    queryFn: ({ pageParam, signal }): Promise<Page> =>
      call(listAudit, { query: { ...question, limit: 50, cursor: pageParam || undefined }, signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap((page) => page.records),
    // Always refetched: a change made a moment ago should be in it.
    staleTime: 0,
  });

/** The district's log as filtered; the previous results stay while new ones load. */
export function useLog(filters: LogFilters) {
  return useInfiniteQuery({ ...recordsFound(asked(filters)), placeholderData: keepPreviousData });
}

/** The history of one item. */
export function useHistory({ kind, id }: Readonly<{ kind: Thing; id: Id }>) {
  return useInfiniteQuery(recordsFound({ thing: kind, thingId: id }));
}
