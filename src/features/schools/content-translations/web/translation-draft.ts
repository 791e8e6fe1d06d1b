import type { OtherLanguage } from '#shared/content-translations.ts';
import { readInTab, writeInTab } from '#web/api/tab-storage.ts';

/** Identifies a draft of pasted names: the list and the language. */
export type TranslationDraftKey = Readonly<{
  kind: string;
  schoolId: number | undefined;
  language: OtherLanguage;
}>;

type Draft = Readonly<{ text: string; isOpen: boolean }>;

const EMPTY: Draft = { text: '', isOpen: false };
const keyOf = ({ kind, schoolId, language }: TranslationDraftKey) =>
  `names-${kind}-${schoolId ?? 'all'}-${language}`;

/** Returns the draft of this browser tab. It survives a reload and ends with the session. */
export function readTranslationDraft(of: TranslationDraftKey): Draft {
  return readInTab(keyOf(of), EMPTY);
}

export function saveTranslationDraft(of: TranslationDraftKey, changes: Partial<Draft>): void {
  const next = { ...readTranslationDraft(of), ...changes };
  writeInTab(keyOf(of), next.text === '' && !next.isOpen ? undefined : next);
}
