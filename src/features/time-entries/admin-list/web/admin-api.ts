import {
  type InfiniteData,
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { CalendarDate } from '#shared/calendar-date.ts';
import type { ReplyOf } from '#shared/endpoint.ts';
import type { Id } from '#shared/id.ts';
import { call } from '#web/api/call.ts';
import { listPages, totalOf } from '#web/api/infinite-pages.ts';
import {
  deleteAdminTimeEntry,
  listAdminTimeEntries,
  restoreTimeEntry,
  summarizeTimeEntries,
  type TimeEntrySummary,
} from '../../contract.ts';
import { type Filters, filterParams } from './admin-filters.ts';

type Page = ReplyOf<typeof listAdminTimeEntries>;

const LIST = 'admin';

const entryListQuery = (schoolId: Id | undefined, filters: Filters) =>
  listPages(
    ['time-entries', LIST, schoolId ?? 'all', filters],
    listAdminTimeEntries,
    {
      ...filterParams(filters, schoolId),
      sortBy: filters.sortBy,
      sortOrder: filters.sortOrder,
    },
    (pages) => ({
      entries: pages.flatMap((page) => page.timeEntries),
      total: totalOf(pages),
    }),
  );

/**
 * The entries that match the filters, at one school or, if it is undefined, at all of the viewer's. The previous results stay
 * while new ones load.
 */
export function useEntryList(schoolId: Id | undefined, filters: Filters) {
  return useInfiniteQuery({ ...entryListQuery(schoolId, filters), placeholderData: keepPreviousData });
}

/** The totals of the entries that match the filters. */
export function useEntrySummary(schoolId: Id | undefined, filters: Filters) {
  // Sorting does not change the totals.
  const query = filterParams(filters, schoolId);
  return useQuery({
    queryKey: ['time-entries', 'summary', query],
    queryFn: ({ signal }): Promise<TimeEntrySummary> =>
      call(summarizeTimeEntries, { query, signal }).then((reply) => reply.summary),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
}

/** Deletes an entry. Its row stays in place so that it can be restored; everything else is reloaded. */
export function useDeleteListedEntry() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, reason }: { id: Id; reason: string | null }) =>
      call(deleteAdminTimeEntry, { params: { id }, body: { reason } }),
    onSuccess: () => void refreshOtherLists(client),
  });
}

/** Restores a deleted entry. */
export function useRestoreListedEntry() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: Id) => call(restoreTimeEntry, { params: { id } }),
    onSuccess: ({ timeEntry }) => {
      // Deleting and restoring change the row, so it has a new version now.
      client.setQueriesData<InfiniteData<Page>>({ queryKey: ['time-entries', LIST] }, (data) =>
        data === undefined
          ? undefined
          : {
              ...data,
              pages: data.pages.map((page) => ({
                ...page,
                timeEntries: page.timeEntries.map((entry) => (entry.id === timeEntry.id ? timeEntry : entry)),
              })),
            },
      );
      void refreshOtherLists(client);
    },
  });
}

/** The entries of an activity on a day, of everyone or of one user; at most one page. */
export async function fetchEntriesOfDay(activity: { id: Id; schoolId: Id }, date: CalendarDate, userId?: Id) {
  const query = {
    schoolId: activity.schoolId,
    activityId: activity.id,
    userId,
    startDate: date,
    endDate: date,
    limit: 500,
  };
  return (await call(listAdminTimeEntries, { query })).timeEntries;
}

function refreshOtherLists(client: QueryClient) {
  return client.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[0] === 'time-entries' && queryKey[1] !== LIST,
  });
}
