import { useEffect } from 'react';

/**
 * Unsent form input, saved across a page reload and the end of a session. It belongs to the account that typed it and
 * to this tab.
 */
const STORED = 'drafts';

type Kept = Readonly<{ owner: number; values: Readonly<Record<string, unknown>> }>;

const open = new Map<string, unknown>();
let owner: number | undefined;
let kept: Kept | undefined;

/** Sets the account these screens belong to, before they render. Drops the drafts of another account. */
export function draftsBelongTo(userId: number): void {
  if (owner === userId) return;
  owner = userId;
  kept ??= read();
  if (kept?.owner !== userId) kept = undefined;
}

/** Saves the current input because the session has ended. Returns whether a user was signed in. */
export function keepDrafts(): boolean {
  if (owner === undefined) return false;
  if (open.size > 0) kept = { owner, values: { ...kept?.values, ...Object.fromEntries(open) } };
  owner = undefined;
  return true;
}

/** Saves the current input across the page load that follows. Returns the number of forms. */
export function storeDrafts(): number {
  if (owner === undefined || open.size === 0) return 0;
  const drafts: Kept = { owner, values: { ...kept?.values, ...Object.fromEntries(open) } };
  try {
    sessionStorage.setItem(STORED, JSON.stringify(drafts));
    return open.size;
  } catch {
    // Storage is off or full, so the browser asks before leaving the page.
    return 0;
  }
}

/** Drops all drafts after the user signs out. */
export function dropDrafts(): void {
  owner = undefined;
  kept = undefined;
  open.clear();
}

/** Returns the saved input of the form with this name. */
export function draftOf<Values extends object>(name: string): Values | undefined {
  return owner === undefined ? undefined : (kept?.values[name] as Values | undefined);
}

/** Tracks a form's unsent input. `values` is undefined if nothing would be lost. */
export function useDraft(name: string | undefined, values: object | undefined): void {
  useEffect(() => {
    if (name === undefined) return;
    if (kept !== undefined && name in kept.values) {
      const { [name]: _, ...others } = kept.values;
      kept = { ...kept, values: others };
    }
    if (values === undefined) return;
    open.set(name, values);
    return () => void open.delete(name);
  });
}

// Drafts are read once. Those that no form picks up are not saved again.
function read(): Kept | undefined {
  try {
    const stored = sessionStorage.getItem(STORED);
    sessionStorage.removeItem(STORED);
    return stored === null ? undefined : JSON.parse(stored);
  } catch {
    return undefined;
  }
}
