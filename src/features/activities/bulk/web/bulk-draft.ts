import type { BodyOf } from '#shared/endpoint.ts';
import { readInTab, writeInTab } from '#web/api/tab-storage.ts';
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
  return readInTab(draftKey(schoolId), EMPTY);
}

export function saveDraft(schoolId: number, draft: Draft | undefined): void {
  writeInTab(draftKey(schoolId), draft);
}

/** Whether the bulk screen was open in this list before the page was reloaded. */
export function wasBulkScreenOpen(listed: Listed): boolean {
  return readInTab<{ listed?: Listed }>(OPEN_KEY, {}).listed === listed;
}

export function saveBulkScreenOpen(listed: Listed | undefined): void {
  writeInTab(OPEN_KEY, listed === undefined ? undefined : { listed });
}

/**
 * Makes a school's activity list open with the starter set the next time it is shown. Called by other screens, such as the
 * first-run checklist.
 */
export function offerStarterSet(schoolId: number): void {
  saveDraft(schoolId, { ...readDraft(schoolId), rows: undefined, starter: [] });
  saveBulkScreenOpen(schoolId);
}
