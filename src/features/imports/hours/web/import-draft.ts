import { useState } from 'react';
import type { BodyOf } from '#shared/endpoint.ts';
import type { Id } from '#shared/id.ts';
import { readInTab, writeInTab } from '#web/api/tab-storage.ts';
import type { previewHoursImport } from '../contract.ts';

type File = BodyOf<typeof previewHoursImport>;

/** An import in preparation: the file, and the answers so far. */
export type Draft = Readonly<{
  schoolId: Id | undefined;
  fileName: string | undefined;
  csv: string;
  columns: File['columns'];
  dayOrder: File['dayOrder'];
  people: NonNullable<File['people']>;
  activities: NonNullable<File['activities']>;
  duplicates: File['duplicates'];
  /** The names of people found by search, by id. */
  names: Readonly<Record<string, string>>;
}>;

export const NO_DRAFT: Draft = {
  schoolId: undefined,
  fileName: undefined,
  csv: '',
  columns: undefined,
  dayOrder: undefined,
  people: [],
  activities: [],
  duplicates: undefined,
  names: {},
};

const STORED = 'hours-import';

let isStored = true;

/** The draft of this tab. It survives leaving the screen, and a reload if it fits into the browser's storage. */
export function useDraft() {
  const [draft, setDraft] = useState(() => readInTab(STORED, NO_DRAFT));
  return {
    draft,
    change(part: Partial<Draft>): Draft {
      const next = { ...draft, ...part };
      setDraft(next);
      saveDraft(next);
      return next;
    },
    clear(): void {
      setDraft(NO_DRAFT);
      saveDraft(undefined);
    },
  } as const;
}

/** The request body for previewing a draft. */
export function toRequestBody(draft: Draft, schoolId: Id): File {
  const { csv, columns, dayOrder, people, activities, duplicates } = draft;
  return { csv, schoolId, columns, dayOrder, people, activities, duplicates };
}

/** Whether a reload would lose the draft. */
export function isLostByReload({ csv }: Draft): boolean {
  return csv !== '' && !isStored;
}

function saveDraft(draft: Draft | undefined): void {
  isStored = writeInTab(STORED, draft);
}
