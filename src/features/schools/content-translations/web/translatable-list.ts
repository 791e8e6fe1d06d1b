import type { OtherLanguage } from '#shared/content-translations.ts';
import type { Id } from '#shared/id.ts';
import type { NameListDone, NameListInput, NameListPreview } from '../contract.ts';

/** A list of records whose names may be there in other languages. */
export type TranslatableList = Readonly<{
  kind: 'schools' | 'categories' | 'activities';
  /** Undefined for all schools. */
  schoolId: Id | undefined;
  /** What the column of the names is called. */
  nameHead: string;
  /** The first names without one in a language, as many as asked for, and how many there are in all. */
  missing: (
    language: OtherLanguage,
    limit: number,
    signal: AbortSignal,
  ) => Promise<Readonly<{ names: readonly string[]; total: number }>>;
  send: (body: SentNames, signal?: AbortSignal) => Promise<NameListDone | NameListPreview>;
}>;

type SentNames = Pick<NameListInput, 'language' | 'names' | 'preview'>;
