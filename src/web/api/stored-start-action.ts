/**
 * The screen that a shortcut of the installed app requested. Stored until a user is signed in, because a sign-in may
 * lead to another page and back.
 */
const KEPT = 'open';

/** Stores the screen to open the page at; null removes it. */
export function storeStartAction(place: string | null): void {
  try {
    if (place === null) sessionStorage.removeItem(KEPT);
    else sessionStorage.setItem(KEPT, place);
  } catch {
    // Storage is off, so the page opens at its first tab.
  }
}

/** Returns the stored screen to open the page at, if any. */
export function storedStartAction(): string | null {
  try {
    return sessionStorage.getItem(KEPT);
  } catch {
    return null;
  }
}
