/** Reads a text stored in this browser. Where storage is switched off or full, the text lasts as long as the page. */
export function readStored(key: string): string | null {
  if (unkept.has(key)) return unkept.get(key) ?? null;
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores a text in this browser; null removes it. */
export function writeStored(key: string, text: string | null): void {
  unkept.delete(key);
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    unkept.set(key, text);
  }
}

/** Removes all stored texts but those of some names. */
export function clearStoredExcept(but: readonly string[]): void {
  unkept.clear();
  try {
    for (const key of Object.keys(localStorage)) if (!but.includes(key)) localStorage.removeItem(key);
  } catch {
    // Nothing is kept where storage is switched off.
  }
}

/** Removes every text whose key begins with this. */
export function removeStored(prefix: string): void {
  for (const key of unkept.keys()) if (key.startsWith(prefix)) unkept.delete(key);
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
  } catch {
    // Where storage is switched off, nothing is stored.
  }
}

const unkept = new Map<string, string | null>();
