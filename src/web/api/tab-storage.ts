/** Reads a value of this tab, which survives a reload and ends with the session. `empty` has the value of missing fields. */
export function readInTab<Value extends object>(key: string, empty: Value): Value {
  try {
    return { ...empty, ...JSON.parse(sessionStorage.getItem(key) ?? '{}') };
  } catch {
    return empty;
  }
}

/** Stores a value in this tab; undefined removes it. Returns whether it is stored: storage may be off or full. */
export function writeInTab(key: string, value: object | undefined): boolean {
  try {
    if (value === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
