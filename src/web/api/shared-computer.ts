import { deviceNow, millisecondsOf } from '#shared/calendar-date.ts';
import { clearStoredExcept, readStored, writeStored } from './browser-storage.ts';

const SHARED = 'sharedComputer';
/** In the storage of a tab: when it was left last. */
const LEFT = 'sharedLeft';
/** What every open tab of a session on a shared computer holds. */
const LOCK = 'shared-computer';
/** A reload takes less; a browser that brings back its tabs after a restart mostly takes longer. */
const RELOAD_MS = 10_000;
/** What says nothing of a person: this very choice, the browser's own key, how the page looks, and that something waits. */
const IMPERSONAL = [SHARED, 'deviceKey', 'theme', 'keptWaiting', 'keyboardShortcuts'];

/** Whether people were told at sign-in that others use this computer too; it holds until somebody says otherwise. */
export function isSharedComputer(): boolean {
  return readStored(SHARED) !== null;
}

export function setSharedComputer(isShared: boolean): void {
  writeStored(SHARED, isShared ? '1' : null);
}

/** On a shared computer nothing personal stays when a session ends. */
export function clearPersonalData(): void {
  if (isSharedComputer()) clearStoredExcept(IMPERSONAL);
}

/**
 * Whether the session that is stored on a shared computer has lost its last tab: this page is neither a reload of one, nor
 * is another one open. Browsers without locks know of no other tab.
 */
export async function isSessionAbandoned(): Promise<boolean> {
  if (!isSharedComputer() || wasJustLeft()) return false;
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return !held.some(({ name }) => name === LOCK);
}

/** Tells other tabs, and this one after a reload, that the session is still in use, as long as this page is open. */
export function keepSessionAlive(): void {
  if (!isSharedComputer()) return;
  const forever = new Promise<never>(() => undefined);
  void navigator.locks?.request(LOCK, { mode: 'shared' }, () => forever).catch(() => undefined);
  addEventListener('pagehide', () => {
    try {
      sessionStorage.setItem(LEFT, String(millisecondsOf(deviceNow())));
    } catch {
      // Storage is switched off: a reload signs out.
    }
  });
}

function wasJustLeft(): boolean {
  try {
    const left = Number(sessionStorage.getItem(LEFT) ?? 0);
    sessionStorage.removeItem(LEFT);
    return millisecondsOf(deviceNow()) - left < RELOAD_MS;
  } catch {
    return false;
  }
}
