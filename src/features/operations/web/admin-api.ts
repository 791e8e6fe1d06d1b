import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { cancelSync } from '#features/photos/google-drive/contract.ts';
import type { CalendarDate } from '#shared/calendar-date.ts';
import type { Id } from '#shared/id.ts';
import { call } from '#web/api/call.ts';
import { listPages } from '#web/api/infinite-pages.ts';
import { useDecision } from '#web/api/list-cache.ts';
import {
  confirmServerDate,
  discardEmail,
  getSystem,
  listMailQueue,
  retryEmail,
  runBackup,
  runJob,
  type System,
  sendTestMail,
} from '../contract.ts';

const SYSTEM = ['admin', 'system'];
const POLL_MS = 2_000;

/** Fetches the server's status whenever the screen opens. */
export function useSystem() {
  return useQuery({
    queryKey: SYSTEM,
    queryFn: ({ signal }): Promise<System> => call(getSystem, { signal }),
    staleTime: 0,
    // Polls only during a backup, so that the screen does not change while the user reads it.
    refetchInterval: ({ state }) => (isBackingUp(state.data) ? POLL_MS : false),
  });
}

function isBackingUp(system: System | undefined): boolean {
  return typeof system?.backup.runningSince === 'string';
}

// Reloads the status afterwards, even after an error.
function useSystemChange<Input, Reply>(mutationFn: (input: Input) => Promise<Reply>) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSettled: () => client.invalidateQueries({ queryKey: SYSTEM }) });
}

/** Starts a backup. The screen then polls its progress. */
export function useRunBackup() {
  return useSystemChange(() => call(runBackup));
}

/** Confirms the server's date, so that jobs resume. */
export function useConfirmDate() {
  return useSystemChange((today: CalendarDate) => call(confirmServerDate, { body: { today } }));
}

/** Stops a photo sync, as the Photo Sync screen does. */
export function useStopSync() {
  return useSystemChange((id: Id) => call(cancelSync, { params: { id } }));
}

/** Fetches pending and failed emails, newest first. */
export function useMailQueue() {
  return useInfiniteQuery(
    listPages(['admin', 'mail-queue'], listMailQueue, {}, (pages) => pages.flatMap((page) => page.letters)),
  );
}

export function useRetryEmail() {
  return useDecision((id: Id) => call(retryEmail, { params: { id } }));
}

export function useDiscardEmail() {
  return useDecision((id: Id) => call(discardEmail, { params: { id } }));
}

export function useTestMail() {
  return useDecision((to: string) => call(sendTestMail, { body: { to } }));
}

export function useRunJob() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => call(runJob, { params: { name } }),
    onSettled: () => void client.invalidateQueries({ queryKey: SYSTEM }),
  });
}
