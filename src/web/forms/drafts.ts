import { useEffect } from 'react';

/**
 * What is typed in forms that are not sent yet, kept over a reload of the page and over the end of a session. It belongs
 * to the account that typed it, and it is gone with the tab.
 */
const STORED = 'drafts';

type Kept = Readonly<{ owner: number; values: Readonly<Record<string, unknown>> }>;

const open = new Map<string, unknown>();
let owner: number | undefined;
let kept: Kept | undefined;

/** Says whose screens these are, before they are drawn. Another account's drafts are dropped. */
export function draftsBelongTo(userId: number): void {
  if (owner === userId) return;
  owner = userId;
  kept ??= read();
  if (kept?.owner !== userId) kept = undefined;
}

/** Keeps what is typed now: the session has ended. Returns whether anybody was signed in. */
export function keepDrafts(): boolean {
  if (owner === undefined) return false;
  if (open.size > 0) kept = { owner, values: { ...kept?.values, ...Object.fromEntries(open) } };
  owner = undefined;
  return true;
}

/** Keeps what is typed now beyond this page, which is about to be loaded again. Returns how many forms that are. */
export function storeDrafts(): number {
  if (owner === undefined || open.size === 0) return 0;
  const drafts: Kept = { owner, values: { ...kept?.values, ...Object.fromEntries(open) } };
  try {
    sessionStorage.setItem(STORED, JSON.stringify(drafts));
    return open.size;
  } catch {
    // Storage is switched off or full: the browser asks before it leaves the page.
    return 0;
  }
}

/** Drops all drafts: their person has signed out. */
export function dropDrafts(): void {
  owner = undefined;
  kept = undefined;
  open.clear();
}

/** What was typed in the form of this name. */
export function draftOf<Values extends object>(name: string): Values | undefined {
  return owner === undefined ? undefined : (kept?.values[name] as Values | undefined);
}

/** Watches over a form: `values` are what is typed and not sent, undefined when nothing would be lost. */
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

// Read once: what is not asked for again is not kept for a later reload.
function read(): Kept | undefined {
  try {
    const stored = sessionStorage.getItem(STORED);
    sessionStorage.removeItem(STORED);
    return stored === null ? undefined : JSON.parse(stored);
  } catch {
    return undefined;
  }
}
