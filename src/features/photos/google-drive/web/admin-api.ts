import { hashKey, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { BodyOf } from '#shared/endpoint.ts';
import type { Id } from '#shared/id.ts';
import { call } from '#web/api/call.ts';
import {
  cancelSync,
  disconnectDrive,
  getCurrentSync,
  getDriveStatus,
  type Sync,
  syncActivities,
  updateDriveSettings,
} from '../contract.ts';

const STATUS = ['drive', 'status'] as const;
const SYNC = ['drive', 'sync'] as const;
const POLL_MS = 700;

/** Fetches whether photos can be copied to Drive, again whenever the user returns to the page. */
export function useDriveStatus() {
  return useQuery({
    queryKey: STATUS,
    queryFn: ({ signal }) => call(getDriveStatus, { signal }),
    staleTime: 0,
  });
}

/**
 * Fetches the running sync and polls its progress; without one, fetches the latest sync. `isAwaited` means that a sync was just
 * requested, and polls until it appears.
 */
export function useCurrentSync(isAwaited: boolean) {
  return useQuery({
    queryKey: SYNC,
    queryFn: ({ signal }) => call(getCurrentSync, { signal }).then((reply) => reply.sync),
    staleTime: 0,
    refetchInterval: ({ state }) => (isAwaited || isUnderWay(state.data) ? POLL_MS : false),
  });
}

/** Calls `onSync` with the current sync whenever it is loaded or changed. */
export function useWatchSync(onSync: (sync: Sync) => void) {
  const client = useQueryClient();
  const pass = useEffectEvent(onSync);
  useEffect(() => {
    const hash = hashKey(SYNC);
    return client.getQueryCache().subscribe(({ type, query }) => {
      const sync = client.getQueryData<Sync | null>(SYNC);
      if (type === 'updated' && query.queryHash === hash && sync != null) pass(sync);
    });
  }, [client]);
}

/** Whether a sync is queued or running. */
export function isUnderWay(sync: Sync | null | undefined): boolean {
  return sync?.state === 'queued' || sync?.state === 'running';
}

/** Starts a sync; the request lasts until the sync is over. */
export function useSyncActivities() {
  return useMutation({
    mutationFn: (activityIds: readonly Id[]) =>
      call(syncActivities, { body: { activityIds: [...activityIds] } }),
  });
}

export function useCancelSync() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: Id) => call(cancelSync, { params: { id } }),
    onSuccess: ({ sync }) => client.setQueryData(SYNC, sync),
  });
}

export function useDisconnect() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(disconnectDrive),
    onSuccess: ({ status }) => {
      client.setQueryData(STATUS, status);
      void client.invalidateQueries({ queryKey: SYNC });
    },
  });
}

export function useChangeDriveSettings() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyOf<typeof updateDriveSettings>) => call(updateDriveSettings, { body }),
    onSuccess: ({ status }) => client.setQueryData(STATUS, status),
  });
}
