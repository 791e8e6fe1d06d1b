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
import { compareLatestFirst } from './entries-by-day.ts';
import { type LogRequest, logHandler } from './log-hours-handler.ts';

type Page = ReplyOf<typeof listTimeEntries>;

/** The query for a school's recent entries, page by page. */
export const recentEntriesQuery = (schoolId: Id) =>
  infiniteQueryOptions({
    queryKey: ['time-entries', 'recent', schoolId],
    queryFn: ({ pageParam, signal }): Promise<Page> =>
      call(listTimeEntries, {
        query: { limit: RECENT, schoolId, ...(pageParam === '' ? {} : { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    select: (data) => data.pages.flatMap((page) => page.timeEntries).toSorted(compareLatestFirst),
  });

/** The query for a school's most active tasks. */
export const mostActiveQuery = (schoolId: Id) =>
  queryOptions({
    queryKey: ['time-entries', 'most-active', schoolId],
    queryFn: ({ signal }) => call(mostActive, { query: { schoolId }, signal }),
  });

/** A school's entries, latest first, twenty per page. */
export function useRecentEntries(schoolId: Id) {
  return useInfiniteQuery(recentEntriesQuery(schoolId));
}

/**
 * Whether the list in Log Time is still loading; on a phone the parts below it wait too. Deferred, because rendering
 * everything at once would block touches on a slow phone.
 */
export function useIsRecentActivityLoading(schoolId: Id): boolean {
  const activities = useActivities(schoolId);
  const recent = useRecentEntries(schoolId);
  return useDeferredValue(activities.isPending || (activities.isSuccess && recent.isPending));
}

/** The activities with the most hours of the school year. */
export function useMostActive(schoolId: Id) {
  return useQuery(mostActiveQuery(schoolId));
}

/** Logs hours, or stores them on this device when there is no answer. Retries do not create duplicates. */
export function useLogHours() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (given: LogRequest) => logHandler.log(given),
    onSuccess: (reply) => {
      if (reply === 'queued') return;
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

/** Undoes everything that one request logged, and returns the server's message. */
export type UndoLog = () => Promise<{ message: string }>;

/** Deletes an entry, which can be restored for a few minutes, or undoes the entries of one request. */
export function useDeleteEntry() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (entry: Id | UndoLog) =>
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

// Shows the reply immediately, then reloads the lists in the background.
function changePages(
  client: QueryClient,
  schoolId: Id,
  change: (entries: TimeEntry[], page: number) => TimeEntry[],
) {
  client.setQueryData(recentEntriesQuery(schoolId).queryKey, (data) =>
    data === undefined
      ? undefined
      : {
          ...data,
          pages: data.pages.map((page, at) => ({ ...page, timeEntries: change(page.timeEntries, at) })),
        },
  );
}

// The entry was deleted or changed in another tab or by an administrator. Reloading removes or updates the stale row,
// which would otherwise fail again each time.
function refreshWhenStale(client: QueryClient, error: Error) {
  if (error instanceof CallError && [404, 409].includes(error.status)) void refreshEntries(client);
}

/** Reloads the entries and their sums. */
export function refreshEntries(client: QueryClient) {
  return client.invalidateQueries({ queryKey: ['time-entries'] });
}
