import { useSyncExternalStore } from 'react';
import { onConnectivity } from '../api/connectivity.ts';

/** The delay before the connection is checked again or something is sent again. It doubles each time. */
const FIRST_WAIT_MS = 3_000;
const LONGEST_WAIT_MS = 60_000;

const listeners = new Set<() => void>();
let isGone = false;

/** Whether the connection is lost: a request and the probe after it got no response. */
export function isConnectionLost(): boolean {
  return isGone;
}

export function useIsConnectionLost(): boolean {
  return useSyncExternalStore(subscribe, isConnectionLost);
}

export type ConnectionMonitor = Readonly<{ lookNow: () => void; stop: () => void }>;

type Watched = Readonly<{
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
export function startConnectionMonitor({ probe, send, isWaiting, onBack }: Watched): ConnectionMonitor {
  let waitMs = FIRST_WAIT_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLooking = false;
  let isDoubted = false;
  let isStopped = false;

  async function look() {
    if (isLooking || isStopped) return;
    isLooking = true;
    clearTimeout(timer);
    let isLeft = true;
    try {
      const hasSignal = !(isDoubted || isGone) || (await probe());
      if (isStopped) return;
      isDoubted = false;
      const isBack = hasSignal && isGone;
      show(!hasSignal);
      if (hasSignal) isLeft = await send();
      if (isBack) onBack();
    } finally {
      isLooking = false;
      if (isLeft || isGone || isDoubted) later();
      else waitMs = FIRST_WAIT_MS;
    }
  }
  function later() {
    if (isStopped) return;
    clearTimeout(timer);
    timer = setTimeout(() => void look(), waitMs);
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
  }
  function lookNow() {
    waitMs = FIRST_WAIT_MS;
    void look();
  }
  function lookAgain() {
    if (document.visibilityState === 'visible' && (isGone || isWaiting())) lookNow();
  }
  function doubt() {
    isDoubted = true;
    lookNow();
  }
  onConnectivity((hasAnswered) => {
    if (isLooking) {
      // The result concerns the changes being sent; the next check probes first.
      isDoubted ||= !hasAnswered;
      return;
    }
    if (hasAnswered === isGone) {
      isDoubted = !hasAnswered;
      // Not inside the call that reports it.
      setTimeout(lookNow);
    }
  });
  addEventListener('offline', doubt);
  for (const [target, event] of WAKES) target.addEventListener(event, lookAgain);
  lookNow();
  return {
    lookNow,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
      onConnectivity(undefined);
      removeEventListener('offline', doubt);
      for (const [target, event] of WAKES) target.removeEventListener(event, lookAgain);
      show(false);
    },
  };
}

const WAKES = [
  [window, 'online'],
  [window, 'focus'],
  [document, 'visibilitychange'],
] as const;

function show(next: boolean): void {
  if (isGone === next) return;
  isGone = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
