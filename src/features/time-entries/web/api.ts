import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { useActivities } from '#features/activities/web/api.ts';
import type { BodyOf, ReplyOf } from '#shared/endpoint.ts';
import type { Id } from '#shared/id.ts';
import { CallError, call } from '#web/api/call.ts';
import {
  deleteTimeEntry,
  listTimeEntries,
  mostActive,
  RECENT,
  restoreTimeEntry,
  type TimeEntry,
  updateTimeEntry,
} from '../contract.ts';
import { latestFirst } from './entries-by-day.ts';
import { type Logging, logging } from './log-hours-handler.ts';

type Page = ReplyOf<typeof listTimeEntries>;

/** The query for a school's recent entries, page by page. */
export const recentEntriesOf = (schoolId: Id) =>
  infiniteQueryOptions({
    queryKey: ['time-entries', 'recent', schoolId],
    queryFn: ({ pageParam, signal }): Promise<Page> =>
      call(listTimeEntries, {
        query: { limit: RECENT, schoolId, ...(pageParam === '' ? {} : { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    select: (data) => data.pages.flatMap((page) => page.timeEntries).toSorted(latestFirst),
  });

/** The query for a school's most active tasks. */
export const mostActiveOf = (schoolId: Id) =>
  queryOptions({
    queryKey: ['time-entries', 'most-active', schoolId],
    queryFn: ({ signal }) => call(mostActive, { query: { schoolId }, signal }),
  });

/** A school's entries, latest first, twenty per page. */
export function useRecentEntries(schoolId: Id) {
  return useInfiniteQuery(recentEntriesOf(schoolId));
}

/**
 * Whether the list in Log Time is still to come; on a phone the parts below it wait too. It is drawn in slices: in one piece it
 * would keep a slow phone from answering a touch. The parts below appear in the last of them.
 */
export function useIsRecentActivityLoading(schoolId: Id): boolean {
  const activities = useActivities(schoolId);
  const recent = useRecentEntries(schoolId);
  return useDeferredValue(activities.isPending || (activities.isSuccess && recent.isPending));
}

/** The activities with the most hours of the school year. */
export function useMostActive(schoolId: Id) {
  return useQuery(mostActiveOf(schoolId));
}

/**
 * Logs hours, or keeps them on this device where no answer comes. However often they are sent, they are stored once.
 */
export function useLogHours() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (given: Logging) => logging.log(given),
    onSuccess: (reply) => {
      if (reply === 'kept') return;
      const { timeEntry } = reply;
      changePages(client, timeEntry.schoolId, (entries, page) =>
        page === 0 ? [timeEntry, ...entries] : entries,
      );
      void refreshEntries(client);
    },
  });
}

/** Changes an entry. */
export function useEditEntry() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ entry, body }: { entry: TimeEntry; body: BodyOf<typeof updateTimeEntry> }) =>
      call(updateTimeEntry, { params: { id: entry.id }, body, version: entry.version }),
    onSuccess: ({ timeEntry }) => {
      changePages(client, timeEntry.schoolId, (entries) =>
        entries.map((entry) => (entry.id === timeEntry.id ? timeEntry : entry)),
      );
      void refreshEntries(client);
    },
    onError: (error) => refreshWhenStale(client, error),
  });
}

/** Takes back what one call logged, and says so. */
export type TakeBack = () => Promise<{ message: string }>;

/** Deletes an entry, which can be restored for a few minutes, or takes several back. */
export function useDeleteEntry() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (entry: Id | TakeBack) =>
      typeof entry === 'function' ? entry() : call(deleteTimeEntry, { params: { id: entry }, body: {} }),
    onSuccess: () => refreshEntries(client),
    onError: (error) => refreshWhenStale(client, error),
  });
}

/** Restores a deleted entry. */
export function useRestoreEntry() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: Id) => call(restoreTimeEntry, { params: { id } }),
    onSuccess: () => refreshEntries(client),
  });
}

// Shows the data of the answer at once, then reloads the lists in the background.
function changePages(
  client: QueryClient,
  schoolId: Id,
  change: (entries: TimeEntry[], page: number) => TimeEntry[],
) {
  client.setQueryData(recentEntriesOf(schoolId).queryKey, (data) =>
    data === undefined
      ? undefined
      : {
          ...data,
          pages: data.pages.map((page, at) => ({ ...page, timeEntries: change(page.timeEntries, at) })),
        },
  );
}

// Deleted or changed in another tab or by an administrator: reload, so that its row disappears or shows the current
// state. Otherwise the stale row would stay and fail again each time.
function refreshWhenStale(client: QueryClient, error: Error) {
  if (error instanceof CallError && [404, 409].includes(error.status)) void refreshEntries(client);
}

/** Loads the entries and their sums again. */
export function refreshEntries(client: QueryClient) {
  return client.invalidateQueries({ queryKey: ['time-entries'] });
}
