/** What somebody has begun to write. */
export type Draft = Readonly<{ subject: string; text: string }>;

const KEY = 'letter-to-many';
const EMPTY: Draft = { subject: '', text: '' };

/** What was begun in this window of the browser; it survives a reload and ends with the session. */
export function keptDraft(): Draft {
  try {
    return { ...EMPTY, ...JSON.parse(sessionStorage.getItem(KEY) ?? '{}') };
  } catch {
    return EMPTY;
  }
}

/** Keeps it; undefined forgets it. */
export function keepDraft(draft: Draft | undefined): void {
  try {
    if (draft === undefined || (draft.subject === '' && draft.text === '')) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify(draft));
  } catch {
    // Storage is switched off or full: a reload begins anew.
  }
}
