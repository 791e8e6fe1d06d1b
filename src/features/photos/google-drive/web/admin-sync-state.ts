import { useRef, useState } from 'react';
import type { Id } from '#shared/id.ts';
import { CallError, failureText } from '#web/api/call.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { NOTICE_MS, notify } from '#web/ui/toasts.ts';
import { messages, type Sync } from '../contract.ts';
import { isUnderWay, useCancelSync, useCurrentSync, useSyncActivities, useWatchSync } from './admin-api.ts';
import { outcomeLabel } from './admin-sync-labels.ts';

/**
 * Returns the sync on the screen and its actions. The request that starts a sync lasts as long as the sync, and a proxy may cut
 * it short, so only the sync's state on the server counts. Long because starting, following and canceling share one sync and
 * one failure.
 */
export function useSyncing(refetchStatus: () => void) {
  const text = useTranslation();
  const { say } = text;
  const start = useSyncActivities();
  const cancellation = useCancelSync();
  const current = useCurrentSync(start.isPending);
  const [failure, setFailure] = useState<string>();
  const sync = current.data ?? undefined;
  const followed = useRef(isUnderWay(sync) ? sync?.id : undefined);
  const reported = useRef<Id>(undefined);

  function reportEnd(ended: Sync) {
    if (reported.current === ended.id) return;
    reported.current = ended.id;
    if (ended.state === 'done')
      notify.success(outcomeLabel(ended.photos, text), { lasts: NOTICE_MS.photoSync });
    // The sync may have created the folder, or have ended because Google no longer accepts the connection.
    refetchStatus();
  }
  useWatchSync((update) => {
    if (isUnderWay(update)) {
      followed.current = update.id;
    } else if (followed.current === update.id) {
      followed.current = undefined;
      reportEnd(update);
    }
  });

  async function begin(activityIds: readonly Id[]) {
    if (activityIds.length === 0) return setFailure(say(messages.selectActivity));
    setFailure(undefined);
    try {
      await start.mutateAsync(activityIds);
    } catch (error) {
      const { data } = await current.refetch();
      const isRejected = error instanceof CallError && error.status >= 400 && error.status < 500;
      // The request failed, but the sync is running on the server.
      if (!isRejected && isUnderWay(data)) return;
      setFailure(failureText(error, messages.syncFailed));
      if (isRejected) refetchStatus();
      return;
    }
    // A short sync may have ended before the page saw it running.
    const { data, isSuccess } = await current.refetch();
    if (isSuccess && data !== null && !isUnderWay(data)) reportEnd(data);
  }

  async function cancel() {
    if (sync === undefined) return;
    try {
      const { message } = await cancellation.mutateAsync(sync.id);
      notify.success(message, { lasts: NOTICE_MS.photoSync });
    } catch (error) {
      setFailure(failureText(error));
    }
  }

  return {
    sync,
    isUnderWay: isUnderWay(sync),
    /** The sync was requested, but the page has not seen it running yet. */
    isStarting: start.isPending && !isUnderWay(sync),
    isCancelling: cancellation.isPending,
    failure,
    clearFailure: () => setFailure(undefined),
    begin: (activityIds: readonly Id[]) => void begin(activityIds),
    cancel: () => void cancel(),
  };
}

export type Syncing = ReturnType<typeof useSyncing>;
