import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BodyOf } from '#shared/endpoint.ts';
import type { Id } from '#shared/id.ts';
import { call } from '#web/api/call.ts';
import { listPages } from '#web/api/infinite-pages.ts';
import { useAdminChange, useDecision } from '#web/api/list-cache.ts';
import {
  getHoursImport,
  importTimeEntries,
  listHoursImports,
  previewHoursImport,
  type TimeEntryImport,
  undoHoursImport,
} from '../contract.ts';

const POLL_MS = 1_000;

/** Previews what an import would do. */
export function usePreview() {
  return useMutation({
    mutationFn: (body: BodyOf<typeof previewHoursImport>) =>
      call(previewHoursImport, { body }).then((reply) => reply.preview),
  });
}

export function useImport() {
  return useAdminChange((body: BodyOf<typeof importTimeEntries>) => call(importTimeEntries, { body }));
}

/** Whether an import or undo is still running. */
export function isRunning({ state }: TimeEntryImport): boolean {
  return state === 'running' || state === 'undoing';
}

/** The current state of an import, polled while it is running. */
export function useOneImport(started: TimeEntryImport | undefined) {
  const client = useQueryClient();
  return useQuery({
    queryKey: ['admin', 'time-entry-import', started?.id],
    enabled: started !== undefined,
    queryFn: async ({ signal }) => {
      const reply = await call(getHoursImport, { params: { id: started?.id ?? 0 }, signal });
      if (!isRunning(reply.timeEntryImport))
        void client.invalidateQueries({ queryKey: ['admin', 'time-entry-imports'] });
      return reply;
    },
    refetchInterval: ({ state }) =>
      state.data === undefined || isRunning(state.data.timeEntryImport) ? POLL_MS : false,
  });
}

export function useUndoImport() {
  return useDecision(({ id, reason }: { id: Id; reason: string }) =>
    call(undoHoursImport, { params: { id }, body: reason === '' ? {} : { reason } }),
  );
}

/** The imports of a school, latest first. Undefined means all schools where the viewer may import. */
export function useImports(schoolId: Id | undefined) {
  return useInfiniteQuery({
    ...listPages(
      ['admin', 'time-entry-imports', schoolId],
      listHoursImports,
      { schoolId, limit: 20 },
      (pages) => pages.flatMap((page) => page.timeEntryImports),
    ),
    // Polls while an import is running, to show its progress.
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.timeEntryImports.some(isRunning)) === true ? POLL_MS : false,
  });
}
