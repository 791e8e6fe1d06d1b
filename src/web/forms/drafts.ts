import { useEffect } from 'react';

/**
 * Unsent form input, saved across a page reload and the end of a session. It belongs to the account that typed it and
 * to this tab.
 */
const STORAGE_KEY = 'drafts';

type StoredDrafts = Readonly<{ owner: number; values: Readonly<Record<string, unknown>> }>;

const open = new Map<string, unknown>();
let owner: number | undefined;
let savedDrafts: StoredDrafts | undefined;

/** Sets the account these screens belong to, before they render. Drops the drafts of another account. */
export function setDraftOwner(userId: number): void {
  if (owner === userId) return;
  owner = userId;
  savedDrafts ??= takeStored();
  if (savedDrafts?.owner !== userId) savedDrafts = undefined;
}

/** Saves the current input because the session has ended. Returns whether a user was signed in. */
export function saveDrafts(): boolean {
  if (owner === undefined) return false;
  if (open.size > 0) savedDrafts = { owner, values: { ...savedDrafts?.values, ...Object.fromEntries(open) } };
  owner = undefined;
  return true;
}

/** Saves the current input across the page load that follows. Returns the number of forms saved. */
export function storeDrafts(): number {
  if (owner === undefined || open.size === 0) return 0;
  const drafts: StoredDrafts = { owner, values: { ...savedDrafts?.values, ...Object.fromEntries(open) } };
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(drafts));
    return open.size;
  } catch {
    // Storage is off or full, so the browser asks before leaving the page.
    return 0;
  }
}

/** Drops all drafts after the user signs out. */
export function dropDrafts(): void {
  owner = undefined;
  savedDrafts = undefined;
  open.clear();
}

/** Returns the saved input of the form with this name. */
export function draftOf<Values extends object>(name: string): Values | undefined {
  return owner === undefined ? undefined : (savedDrafts?.values[name] as Values | undefined);
}

/** Tracks a form's unsent input. `values` is undefined if nothing would be lost. */
export function useDraft(name: string | undefined, values: object | undefined): void {
  useEffect(() => {
    if (name === undefined) return;
    if (savedDrafts !== undefined && name in savedDrafts.values) {
      const { [name]: _, ...others } = savedDrafts.values;
      savedDrafts = { ...savedDrafts, values: others };
    }
    if (values === undefined) return;
    open.set(name, values);
    return () => void open.delete(name);
  });
}

// Drafts are read once. Those that no form picks up are not saved again.
function takeStored(): StoredDrafts | undefined {
  try {
    const stored = sessionStorage.getItem(STORAGE_KEY);
    sessionStorage.removeItem(STORAGE_KEY);
    return stored === null ? undefined : JSON.parse(stored);
  } catch {
    return undefined;
  }
}
