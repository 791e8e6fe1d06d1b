import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { BodyOf, ReplyOf } from '#base/endpoint.ts';
import type { Id } from '#base/id.ts';
import { call } from '#web/lib/call.ts';
import {
  createTimeEntryFor,
  deleteAdminTimeEntry,
  listAdminTimeEntries,
  logRoster,
  restoreTimeEntry,
  summarizeTimeEntries,
  type TimeEntrySummary,
} from '../contract.ts';
import { type Filters, narrowing } from './admin-filters.ts';

type Page = ReplyOf<typeof listAdminTimeEntries>;

const LIST = 'admin';

const entriesFound = (schoolId: Id, filters: Filters) =>
  infiniteQueryOptions({
    queryKey: ['time-entries', LIST, schoolId, filters],
    queryFn: ({ pageParam, signal }): Promise<Page> =>
      call(listAdminTimeEntries, {
        query: {
          ...narrowing(filters, schoolId),
          sortBy: filters.sortBy,
          sortOrder: filters.sortOrder,
          cursor: pageParam || undefined,
        },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    select: ({ pages }) => ({
      entries: pages.flatMap((page) => page.timeEntries),
      total: pages.at(-1)?.total ?? 0,
    }),
    staleTime: 0,
  });

/** The entries of a school that the filters find; while they are asked for, what was found before. */
export function useEntryList(schoolId: Id, filters: Filters) {
  return useInfiniteQuery({ ...entriesFound(schoolId, filters), placeholderData: keepPreviousData });
}

/** What the entries that the filters find add up to. */
export function useEntrySummary(schoolId: Id, filters: Filters) {
  // Sorting changes no sum.
  const query = narrowing(filters, schoolId);
  return useQuery({
    queryKey: ['time-entries', 'summary', query],
    queryFn: ({ signal }): Promise<TimeEntrySummary> =>
      call(summarizeTimeEntries, { query, signal }).then((reply) => reply.summary),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
}

/** Deletes an entry. Its row stays where it is, to be brought back; everything else is loaded anew. */
export function useDeleteListedEntry() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: Id) => call(deleteAdminTimeEntry, { params: { id } }),
    onSuccess: () => void refreshAround(client),
  });
}

/** Brings a deleted entry back. */
export function useRestoreListedEntry() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: Id) => call(restoreTimeEntry, { params: { id } }),
    onSuccess: ({ timeEntry }) => {
      // Deleting and bringing back are changes: the row has another version now.
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
      void refreshAround(client);
    },
  });
}

/** Logs hours for somebody else. */
export function useLogFor() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyOf<typeof createTimeEntryFor>) => call(createTimeEntryFor, { body }),
    onSuccess: () => void client.invalidateQueries({ queryKey: ['time-entries'] }),
  });
}

/** Logs one event for many: all are logged or none. */
export function useLogRoster() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyOf<typeof logRoster>) => call(logRoster, { body }),
    onSuccess: () => void client.invalidateQueries({ queryKey: ['time-entries'] }),
  });
}

function refreshAround(client: QueryClient) {
  return client.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[0] === 'time-entries' && queryKey[1] !== LIST,
  });
}
