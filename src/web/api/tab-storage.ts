// Without session storage, values last until the page closes.
const memory = new Map<string, string>();

/** Reads a value of this tab, which survives a reload and ends with the session. `empty` has the value of missing fields. */
export function readInTab<Value extends object>(key: string, empty: Value): Value {
  try {
    return { ...empty, ...JSON.parse(memory.get(key) ?? sessionStorage.getItem(key) ?? '{}') };
  } catch {
    return empty;
  }
}

/** Stores a value in this tab; undefined removes it. Returns whether a reload keeps it: storage may be off or full. */
export function writeInTab(key: string, value: object | undefined): boolean {
  memory.delete(key);
  try {
    if (value === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    if (value !== undefined) memory.set(key, JSON.stringify(value));
    return false;
  }
}

/** Removes this tab's values, such as the screens and drafts, so the next user on this computer starts at the first screen. */
export function clearTab(): void {
  memory.clear();
  try {
    sessionStorage.clear();
  } catch {
    // Storage is off, so nothing is stored.
  }
}
