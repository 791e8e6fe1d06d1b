/** A text kept in this browser. Where storage is switched off or full, it lasts as long as the page. */
export function readStored(key: string): string | null {
  if (unkept.has(key)) return unkept.get(key) ?? null;
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Keeps a text in this browser; null removes it. */
export function writeStored(key: string, text: string | null): void {
  unkept.delete(key);
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    unkept.set(key, text);
  }
}

const unkept = new Map<string, string | null>();
