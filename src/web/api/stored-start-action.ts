/** What a shortcut of the installed product asked for, until somebody is signed in: a sign-in may lead to another page and back. */
const KEPT = 'open';

/** Keeps what the page is to open at; null forgets it. */
export function storeStartAction(place: string | null): void {
  try {
    if (place === null) sessionStorage.removeItem(KEPT);
    else sessionStorage.setItem(KEPT, place);
  } catch {
    // Storage is switched off: the page opens at its first tab.
  }
}

/** What the page is to open at, if anything was asked for. */
export function storedStartAction(): string | null {
  try {
    return sessionStorage.getItem(KEPT);
  } catch {
    return null;
  }
}
