import { deviceNow, millisecondsOf } from '#shared/calendar-date.ts';
import { clearStoredExcept, readStored, writeStored } from './browser-storage.ts';

const SHARED = 'sharedComputer';
/** The session storage key of the time when the page was last left. */
const LEFT_KEY = 'sharedLeft';
/** The lock that every open tab of a session on a shared computer holds. */
const LOCK = 'shared-computer';
/** A reload takes less time than this. A browser that restores its tabs after a restart usually takes longer. */
const RELOAD_MS = 10_000;
/**
 * Keys without personal data: the shared-computer setting, the device key, the theme, whether changes are pending, and whether
 * shortcuts are on.
 */
const IMPERSONAL = [SHARED, 'deviceKey', 'theme', 'keptWaiting', 'keyboardShortcuts'];

/** Whether a user marked this as a shared computer at sign-in. The setting stays until it is changed there. */
export function isSharedComputer(): boolean {
  return readStored(SHARED) !== null;
}

export function setSharedComputer(isShared: boolean): void {
  writeStored(SHARED, isShared ? '1' : null);
}

/** On a shared computer, removes personal data when a session ends. */
export function clearPersonalData(): void {
  if (isSharedComputer()) clearStoredExcept(IMPERSONAL);
}

/**
 * Whether the last tab of a session on a shared computer was closed: this page is not a reload, and no other tab is
 * open. Browsers without locks can't detect other tabs.
 */
export async function isSessionAbandoned(): Promise<boolean> {
  if (!isSharedComputer() || wasJustLeft()) return false;
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return !held.some(({ name }) => name === LOCK);
}

/** While this page is open, signals to other tabs, and to this one after a reload, that the session is in use. */
export function keepSessionAlive(): void {
  if (!isSharedComputer()) return;
  const forever = new Promise<never>(() => undefined);
  void navigator.locks?.request(LOCK, { mode: 'shared' }, () => forever).catch(() => undefined);
  addEventListener('pagehide', () => {
    try {
      sessionStorage.setItem(LEFT_KEY, String(millisecondsOf(deviceNow())));
    } catch {
      // Storage is off, so a reload signs out.
    }
  });
}

function wasJustLeft(): boolean {
  try {
    const left = Number(sessionStorage.getItem(LEFT_KEY) ?? 0);
    sessionStorage.removeItem(LEFT_KEY);
    return millisecondsOf(deviceNow()) - left < RELOAD_MS;
  } catch {
    return false;
  }
}
