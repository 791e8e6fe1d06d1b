import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { QueryOf } from '#shared/endpoint.ts';
import type { Id } from '#shared/id.ts';
import { listPages } from '#web/api/infinite-pages.ts';
import { type AuditSubject, listAudit } from '../contract.ts';

/** The filters of the log. */
export type LogFilters = Readonly<{
  search: string;
  user?: Readonly<{ id: Id; name: string }> | undefined;
}> &
  Pick<QueryOf<typeof listAudit>, 'kind' | 'thing' | 'startDate' | 'endDate'>;

/** No filters. */
export const NO_FILTERS: LogFilters = { search: '' };

/** Applies a change; an end before the new start is cleared, and so is a start after the new end. */
export function applyFilterChange(filters: LogFilters, change: Partial<LogFilters>): LogFilters {
  const next = { ...filters, ...change };
  const { startDate, endDate } = next;
  if (startDate === undefined || endDate === undefined || startDate <= endDate) return next;
  return 'endDate' in change ? { ...next, startDate: undefined } : { ...next, endDate: undefined };
}

/** How many filters are set, not counting the search. */
export function countActiveFilters({ user, kind, thing, startDate, endDate }: LogFilters): number {
  return [user, kind, thing, startDate, endDate].filter((one) => one !== undefined).length;
}

/** The filters as request parameters. */
function toQuery({ search, user, kind, thing, startDate, endDate }: LogFilters) {
  return { search: search === '' ? undefined : search, userId: user?.id, kind, thing, startDate, endDate };
}

type AuditQuery = Readonly<{ thing?: AuditSubject; thingId?: Id } | ReturnType<typeof toQuery>>;

const auditPages = (query: AuditQuery) =>
  listPages(['admin', 'audit', query], listAudit, { ...query, limit: 50 }, (pages) =>
    pages.flatMap((page) => page.records),
  );

/** The district's log with the current filters. The previous results stay visible while new ones load. */
export function useAuditLog(filters: LogFilters) {
  return useInfiniteQuery({ ...auditPages(toQuery(filters)), placeholderData: keepPreviousData });
}

/** The history of one item. */
export function useAuditHistory({ kind, id }: Readonly<{ kind: AuditSubject; id: Id }>) {
  return useInfiniteQuery(auditPages({ thing: kind, thingId: id }));
}
