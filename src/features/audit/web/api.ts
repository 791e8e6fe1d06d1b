import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { ReplyOf } from '#shared/endpoint.ts';
import type { Id } from '#shared/id.ts';
import { call } from '#web/api/call.ts';
import { pagesOf } from '#web/api/infinite-pages.ts';
import { listAudit, type Thing } from '../contract.ts';
import { asked, type LogFilters } from './audit-log-filters.ts';

type Page = ReplyOf<typeof listAudit>;
type Question = Readonly<{ thing?: Thing; thingId?: Id } | ReturnType<typeof asked>>;

const recordsFound = (question: Question) =>
  pagesOf(
    ['admin', 'audit', question],
    ({ cursor, signal }): Promise<Page> =>
      call(listAudit, { query: { ...question, limit: 50, cursor }, signal }),
    (pages) => pages.flatMap((page) => page.records),
  );

/** The district's log as filtered; the previous results stay while new ones load. */
export function useAuditLog(filters: LogFilters) {
  return useInfiniteQuery({ ...recordsFound(asked(filters)), placeholderData: keepPreviousData });
}

/** The history of one item. */
export function useAuditHistory({ kind, id }: Readonly<{ kind: Thing; id: Id }>) {
  return useInfiniteQuery(recordsFound({ thing: kind, thingId: id }));
}
