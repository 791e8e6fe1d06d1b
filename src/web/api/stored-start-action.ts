/**
 * The screen that a shortcut of the installed app requested. Stored until a user is signed in, because a sign-in may
 * lead to another page and back.
 */
const STORAGE_KEY = 'open';

/** Stores the screen to open the page at; null removes it. */
export function storeStartAction(screen: string | null): void {
  try {
    if (screen === null) sessionStorage.removeItem(STORAGE_KEY);
    else sessionStorage.setItem(STORAGE_KEY, screen);
  } catch {
    // Storage is off, so the page opens at its first tab.
  }
}

/** Returns the stored screen to open the page at, if any. */
export function storedStartAction(): string | null {
  try {
    return sessionStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}
