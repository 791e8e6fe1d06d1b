import { onConnectivity } from '../api/connectivity.ts';
import { createExternalStore } from '../api/external-store.ts';

/** The first delay before the connection is checked or changes are sent again. It doubles each time. */
const FIRST_WAIT_MS = 3_000;
const LONGEST_WAIT_MS = 60_000;

const lost = createExternalStore(false);

/** Whether the connection is lost: a request and the probe after it got no response. */
export const isConnectionLost = lost.get;

export const useIsConnectionLost = lost.useValue;

export type ConnectionMonitor = Readonly<{ lookNow: () => void; stop: () => void }>;

type MonitorOptions = Readonly<{
  /** Sends a small request to the server. Resolves to whether there was a response. */
  probe: () => Promise<boolean>;
  /** Sends pending changes. Resolves to whether any are left for later. */
  send: () => Promise<boolean>;
  /** Whether there are pending changes. */
  isWaiting: () => boolean;
  onBack: () => void;
}>;

// Long because all states of the monitor are here.
/**
 * Monitors the connection and sends pending changes when there is one: at the start, when the browser or a request
 * reports a connection, when the user returns to the page, and repeatedly while changes are pending. The browser's own
 * status is only a hint; a request decides.
 */
export function startConnectionMonitor({
  probe,
  send,
  isWaiting,
  onBack,
}: MonitorOptions): ConnectionMonitor {
  let waitMs = FIRST_WAIT_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isChecking = false;
  let isDoubted = false;
  let isStopped = false;

  async function check() {
    if (isChecking || isStopped) return;
    isChecking = true;
    clearTimeout(timer);
    let isLeft = true;
    try {
      const hasSignal = !(isDoubted || lost.get()) || (await probe());
      if (isStopped) return;
      isDoubted = false;
      const isBack = hasSignal && lost.get();
      lost.set(!hasSignal);
      if (hasSignal) isLeft = await send();
      if (isBack) onBack();
    } finally {
      isChecking = false;
      if (isLeft || lost.get() || isDoubted) later();
      else waitMs = FIRST_WAIT_MS;
    }
  }
  function later() {
    if (isStopped) return;
    clearTimeout(timer);
    timer = setTimeout(() => void check(), waitMs);
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
  }
  function lookNow() {
    waitMs = FIRST_WAIT_MS;
    void check();
  }
  function checkIfNeeded() {
    if (document.visibilityState === 'visible' && (lost.get() || isWaiting())) lookNow();
  }
  function probeSoon() {
    isDoubted = true;
    lookNow();
  }
  onConnectivity((hasAnswered) => {
    if (isChecking) {
      // The result concerns the changes being sent; the next check probes first.
      isDoubted ||= !hasAnswered;
      return;
    }
    if (hasAnswered === lost.get()) {
      isDoubted = !hasAnswered;
      // Deferred, so the check does not run inside the request that reported the change.
      setTimeout(lookNow);
    }
  });
  addEventListener('offline', probeSoon);
  for (const [target, event] of WAKES) target.addEventListener(event, checkIfNeeded);
  lookNow();
  return {
    lookNow,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
      onConnectivity(undefined);
      removeEventListener('offline', probeSoon);
      for (const [target, event] of WAKES) target.removeEventListener(event, checkIfNeeded);
      lost.set(false);
    },
  };
}

const WAKES = [
  [window, 'online'],
  [window, 'focus'],
  [document, 'visibilitychange'],
] as const;
