import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { BodyOf } from '#shared/endpoint.ts';
import type { Id } from '#shared/id.ts';
import { call } from '#web/api/call.ts';
import { useAdminChange, useDecision } from '#web/api/list-cache.ts';
import {
  type BulkDone,
  type BulkPreview,
  bulkActivities,
  getStarterSet,
  listBatches,
  undoBulk,
} from '../contract.ts';

type Body = BodyOf<typeof bulkActivities>;

/** Fetches the outcome of each row; nothing is written. `written` is the request body as JSON. */
export function useBulkPreview(written: string) {
  return useQuery({
    queryKey: ['admin', 'activities-bulk-preview', written],
    queryFn: async ({ signal }): Promise<BulkPreview> => {
      const body: Body = { ...JSON.parse(written), preview: true };
      const reply = await call(bulkActivities, { body, signal });
      if (!('rows' in reply)) throw new Error('the server created activities instead of a preview');
      return reply;
    },
    placeholderData: keepPreviousData,
  });
}

/** Adds activities to a school in bulk, skipping duplicates. */
export async function createActivities(body: Body): Promise<BulkDone> {
  const reply = await call(bulkActivities, { body: { ...body, leaveOutDuplicates: true } });
  if (!('batch' in reply)) throw new Error('the server returned a preview instead of creating activities');
  return reply;
}

export function useCreateMany() {
  return useAdminChange(createActivities);
}

/** Fetches a school's batches that can still be undone. */
export function useBatches(schoolId: Id) {
  return useQuery({
    queryKey: ['admin', 'activities-bulk', schoolId],
    queryFn: ({ signal }) =>
      call(listBatches, { query: { schoolId }, signal }).then(({ batches }) => batches),
  });
}

export function useUndoBulk() {
  return useDecision((id: Id) => call(undoBulk, { params: { id } }));
}

/** Fetches common school activities by category. */
export function useStarterSet() {
  return useQuery({
    queryKey: ['admin', 'starter-set'],
    queryFn: ({ signal }) => call(getStarterSet, { signal }).then(({ categories }) => categories),
  });
}
