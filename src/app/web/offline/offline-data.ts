import type { QueryClient } from '@tanstack/react-query';
import { isOfflinePhoto, sendOfflinePhoto } from '#features/photos/web/offline-photos.ts';
import { refreshEntries } from '#features/time-entries/web/api.ts';
import { setLogHandler } from '#features/time-entries/web/log-hours-handler.ts';
import {
  isHours,
  listOfflineHours,
  logOrQueue,
  sendOfflineHours,
} from '#features/time-entries/web/offline-hours.ts';
import { getProfile, type User } from '#features/users/contract.ts';
import { CallError, call } from '#web/api/call.ts';
import { getToken } from '#web/api/session.ts';
import { isSharedComputer } from '#web/api/shared-computer.ts';
import { PAGE_LANGUAGE, t } from '#web/i18n/translate.ts';
import { cacheLists, showCachedLists } from '#web/offline/cached-lists.ts';
import {
  type ConnectionMonitor,
  isConnectionLost,
  startConnectionMonitor,
} from '#web/offline/connection-monitor.ts';
import { canStoreOffline } from '#web/offline/database.ts';
import { hashOf } from '#web/offline/encryption.ts';
import {
  accountOf,
  countPendingChanges,
  deleteOtherCachedLists,
  openStore,
  StorageLimitReached,
  type Store,
} from '#web/offline/offline-storage.ts';
import {
  currentPendingChanges,
  type NewPendingChange,
  type StoreResult,
  setHasPendingChanges,
  setPendingChanges,
  setPendingStore,
} from '#web/offline/pending-changes.ts';
import { type Send, sendPendingChanges } from '#web/offline/pending-sender.ts';
import { notify } from '#web/ui/toasts.ts';
import { cachedListKey, cachedListOf } from './cached-lists.ts';

const PROBE_MS = 10_000;
const CHANNEL = 'offline';

/** What this device stores in a session, and the actions its screens use. */
export type OfflineSession = Readonly<{
  isShared: boolean;
  /** Undefined if the browser stores nothing. */
  store: Promise<Store | undefined>;
  /** Refreshes the pending changes in all tabs, and sends what can be sent. */
  changed: () => Promise<void>;
  /** Stops storing, because the session is about to end. */
  stopStoring: () => void;
  /** Stores for the sign-in page whether changes are pending. */
  updateFlag: () => Promise<void>;
  /** Removes the account's pending changes and cached lists. Lists are not cached again in this session. */
  removeAll: () => Promise<void>;
  /** A number that differs for each session. */
  number: number;
}>;

let sessions = 0;

type SessionOptions = Readonly<{
  client: QueryClient;
  token: string;
  user: User;
}>;

/**
 * Starts an offline session for the signed-in user. Returns it and the function that ends it. Long because it assembles
 * all parts of a session.
 */
export function startOfflineSession({ client, token, user }: SessionOptions): [OfflineSession, () => void] {
  const isShared = isSharedComputer();
  const store = canStoreOffline()
    ? openStore(user.id, isShared).catch(() => undefined)
    : Promise.resolve(undefined);
  const channel = 'BroadcastChannel' in window ? new BroadcastChannel(CHANNEL) : undefined;
  let [isOver, stopLists] = [false, () => {}];
  const show = async () => {
    const waiting = (await (await store)?.all()) ?? [];
    if (!isOver) setPendingChanges({ waiting });
    if (await store) await updatePendingFlag();
  };
  const monitor = monitorConnection({
    client,
    token,
    user,
    store,
    show,
    notifyTabs: () => channel?.postMessage('changed'),
  });
  const changed = async () => {
    await show();
    channel?.postMessage('changed');
    monitor.lookNow();
  };
  channel?.addEventListener('message', () => {
    void show();
    void refreshEntries(client);
  });
  setPendingStore({
    hasNoConnection: isConnectionLost,
    keep: (change) => storeIn(store, change, changed),
  });
  setLogHandler({ log: logOrQueue, waiting: listOfflineHours });
  void show();
  void store.then(async (opened) => {
    if (opened === undefined || isOver) return;
    const session = await hashOf(token);
    await deleteOtherCachedLists(session);
    const stop = cacheLists(client, opened, session, (query) => cachedListOf(user, query));
    if (isOver) stop();
    else stopLists = stop;
  });
  const stopStoring = () => {
    isOver = true;
    stopLists();
  };
  return [
    {
      isShared,
      store,
      changed,
      stopStoring,
      updateFlag: () => updatePendingFlag().catch(() => undefined),
      removeAll: async () => {
        stopLists();
        await (await store)?.removeContents();
        await changed();
      },
      number: ++sessions,
    },
    () => {
      stopStoring();
      monitor.stop();
      channel?.close();
      setPendingStore(undefined);
      setLogHandler(undefined);
      setPendingChanges({ waiting: [], sendingId: undefined });
      if (getToken() !== token) void deleteOtherLists();
    },
  ];
}

/** Shows the cached lists of the session of `token`. Returns whether there were any. */
export async function showCachedData(client: QueryClient, token: string): Promise<boolean> {
  if (!canStoreOffline()) return false;
  try {
    const account = await accountOf(await hashOf(token));
    const store = account === undefined ? undefined : await openStore(account, isSharedComputer());
    if (store === undefined) return false;
    await showCachedLists(client, store, (name) => cachedListKey(token, name));
  } catch {
    // Unreadable lists are loaded from the server as usual.
  }
  return client.getQueryData(['profile', token]) !== undefined;
}

/** Records whether this device has pending changes of any account. */
export async function updatePendingFlag(): Promise<void> {
  const { entry, photo } = await countPendingChanges();
  setHasPendingChanges(entry + photo > 0);
}

// The session has ended, so its lists can't be shown again.
async function deleteOtherLists(): Promise<void> {
  if (!canStoreOffline()) return;
  const token = getToken();
  await deleteOtherCachedLists(token === null ? undefined : await hashOf(token)).catch(() => undefined);
}

async function storeIn(
  opening: Promise<Store | undefined>,
  change: NewPendingChange,
  changed: () => Promise<void>,
): Promise<StoreResult> {
  const store = await opening;
  if (store === undefined) return 'unavailable';
  try {
    await store.add(change);
  } catch (error) {
    const isFull =
      error instanceof StorageLimitReached ||
      (error instanceof DOMException && error.name === 'QuotaExceededError');
    return isFull ? 'full' : 'unavailable';
  }
  void changed();
  return 'queued';
}

type MonitorContext = Pick<SessionOptions, 'client' | 'token' | 'user'> &
  Readonly<{ store: Promise<Store | undefined>; show: () => Promise<void>; notifyTabs: () => void }>;

function monitorConnection({
  client,
  token,
  user,
  store,
  show,
  notifyTabs,
}: MonitorContext): ConnectionMonitor {
  const send: Send = async (waiting, trying, file) => {
    if (isHours(waiting)) {
      await sendOfflineHours(waiting, { token, userId: user.id, language: PAGE_LANGUAGE, trying });
    } else if (isOfflinePhoto(waiting)) await sendOfflinePhoto(waiting, file, { token, trying });
  };
  return startConnectionMonitor({
    probe: () => hasAnswer(token),
    isWaiting: () => currentPendingChanges().waiting.some(({ refusal }) => refusal === undefined),
    send: async () => {
      const opened = await store;
      if (opened === undefined) return false;
      const sent = await sendPendingChanges(opened, send, async (sendingId) => {
        setPendingChanges({ sendingId });
        await show();
      });
      if (sent.count + sent.rejected > 0) {
        notifyTabs();
        void refreshEntries(client);
        void client.invalidateQueries({ queryKey: ['photos'] });
        notifyResult(sent);
      }
      return (
        sent.outcome === 'later' ||
        (sent.outcome === 'elsewhere' && currentPendingChanges().waiting.length > 0)
      );
    },
    // Reloads queries that failed while offline or are outdated.
    onBack: () => void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] !== 'part' }),
  });
}

function notifyResult({ rejected }: { rejected: number }): void {
  const { waiting } = currentPendingChanges();
  if (rejected > 0) notify.failure(t('web:someRefused', { count: rejected }));
  else if (waiting.length === 0) notify.success(t('web:allSent'));
}

async function hasAnswer(token: string): Promise<boolean> {
  try {
    await call(getProfile, { token, signal: AbortSignal.timeout(PROBE_MS) });
    return true;
  } catch (error) {
    return error instanceof CallError && error.status !== 0;
  }
}
