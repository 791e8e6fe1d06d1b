import type { BodyOf } from '#shared/endpoint.ts';
import type { bulkActivities } from '../contract.ts';
import type { ListRow } from './pasted-activities.ts';

/** What a category that is missing will look like. */
export type Look = NonNullable<BodyOf<typeof bulkActivities>['categories']>[number];

/** What somebody has begun to add at a school: the pasted text, and the rows once they are being checked. */
export type Draft = Readonly<{
  pasted: string;
  category: string;
  rows: readonly ListRow[] | undefined;
  unused: readonly string[];
  looks: readonly Look[];
  /** The set of usual activities is open, and which are ticked. */
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

/** The list in which the screen is open: a school, or all of them. */
export type Listed = number | 'all';

const OPEN = 'several-open';
const draftOf = (schoolId: number) => `several-${schoolId}`;

/** What was begun at a school, in this window of the browser; it survives a reload and ends with the session. */
export function keptDraft(schoolId: number): Draft {
  try {
    return { ...EMPTY, ...JSON.parse(sessionStorage.getItem(draftOf(schoolId)) ?? '{}') };
  } catch {
    return EMPTY;
  }
}

export function keepDraft(schoolId: number, draft: Draft | undefined): void {
  keep(draftOf(schoolId), draft === undefined ? null : JSON.stringify(draft));
}

/** Whether the screen was open in a list before the page was reloaded. */
export function wasBulkScreenOpen(listed: Listed): boolean {
  try {
    return sessionStorage.getItem(OPEN) === String(listed);
  } catch {
    return false;
  }
}

export function saveBulkScreenOpen(listed: Listed | undefined): void {
  keep(OPEN, listed === undefined ? null : String(listed));
}

/**
 * For other screens, such as a list of first steps: the list of activities of a school opens with the set of usual
 * activities when it is shown next.
 */
export function offerStarterSet(schoolId: number): void {
  keepDraft(schoolId, { ...keptDraft(schoolId), rows: undefined, starter: [] });
  saveBulkScreenOpen(schoolId);
}

function keep(key: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  } catch {
    // Storage is switched off or full: a reload begins anew.
  }
}
