/**
 * Reads a text stored in this browser; null if there is none. A text that could not be stored, because storage is off or full,
 * lasts as long as the page.
 */
export function readStored(key: string): string | null {
  if (unstored.has(key)) return unstored.get(key) ?? null;
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores a text in this browser; null removes it. */
export function writeStored(key: string, text: string | null): void {
  unstored.delete(key);
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    unstored.set(key, text);
  }
}

/** Removes all stored texts except those with these keys. */
export function clearStoredExcept(but: readonly string[]): void {
  unstored.clear();
  try {
    for (const key of Object.keys(localStorage)) if (!but.includes(key)) localStorage.removeItem(key);
  } catch {
    // Storage is off, so nothing is stored.
  }
}

/** Removes every text whose key starts with this prefix. */
export function removeStored(prefix: string): void {
  for (const key of unstored.keys()) if (key.startsWith(prefix)) unstored.delete(key);
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
  } catch {
    // Storage is off, so nothing is stored.
  }
}

const unstored = new Map<string, string | null>();
