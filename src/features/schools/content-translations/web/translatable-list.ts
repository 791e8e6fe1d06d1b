import type { OtherLanguage } from '#shared/content-translations.ts';
import type { Id } from '#shared/id.ts';
import type { NameListDone, NameListInput, NameListPreview } from '../contract.ts';

/** A list of records with translatable names. */
export type TranslatableList = Readonly<{
  kind: 'schools' | 'categories' | 'activities';
  /** Undefined means all schools. */
  schoolId: Id | undefined;
  /** The title of the name column. */
  nameHead: string;
  /** Fetches up to `limit` names that lack a translation in a language, and their total. */
  missing: (
    language: OtherLanguage,
    limit: number,
    signal: AbortSignal,
  ) => Promise<Readonly<{ names: readonly string[]; total: number }>>;
  send: (body: SentNames, signal?: AbortSignal) => Promise<NameListDone | NameListPreview>;
}>;

type SentNames = Pick<NameListInput, 'language' | 'names' | 'preview'>;
