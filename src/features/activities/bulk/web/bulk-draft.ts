import type { BodyOf } from '#shared/endpoint.ts';
import type { bulkActivities } from '../contract.ts';
import type { ListRow } from './pasted-activities.ts';

/** Color and kind of a missing category. */
export type Look = NonNullable<BodyOf<typeof bulkActivities>['categories']>[number];

/** A school's draft of a bulk add: the pasted text and, once previewed, its rows. */
export type Draft = Readonly<{
  pasted: string;
  category: string;
  rows: readonly ListRow[] | undefined;
  unused: readonly string[];
  looks: readonly Look[];
  /** The selected activities of the starter set; undefined while it is closed. */
  starter: readonly string[] | undefined;
}>;

export const EMPTY: Draft = {
  pasted: '',
  category: '',
  rows: undefined,
  unused: [],
  looks: [],
  starter: undefined,
};

/** The school of the list in which the bulk screen is open, or 'all' for the list of all schools. */
export type Listed = number | 'all';

const OPEN_KEY = 'several-open';
const draftKey = (schoolId: number) => `several-${schoolId}`;

/** Reads a school's draft from this tab. It survives a reload and ends with the session. */
export function readDraft(schoolId: number): Draft {
  try {
    return { ...EMPTY, ...JSON.parse(sessionStorage.getItem(draftKey(schoolId)) ?? '{}') };
  } catch {
    return EMPTY;
  }
}

export function saveDraft(schoolId: number, draft: Draft | undefined): void {
  store(draftKey(schoolId), draft === undefined ? null : JSON.stringify(draft));
}

/** Whether the bulk screen was open in this list before the page was reloaded. */
export function wasBulkScreenOpen(listed: Listed): boolean {
  try {
    return sessionStorage.getItem(OPEN_KEY) === String(listed);
  } catch {
    return false;
  }
}

export function saveBulkScreenOpen(listed: Listed | undefined): void {
  store(OPEN_KEY, listed === undefined ? null : String(listed));
}

/**
 * Makes a school's activity list open with the starter set the next time it is shown. Called by other screens, such as the
 * first-run checklist.
 */
export function offerStarterSet(schoolId: number): void {
  saveDraft(schoolId, { ...readDraft(schoolId), rows: undefined, starter: [] });
  saveBulkScreenOpen(schoolId);
}

function store(key: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  } catch {
    // Storage is off or full, so a reload loses the draft.
  }
}
