import type * as z from 'zod/mini';
import type { CalendarDate } from '#shared/calendar-date.ts';
import { changedTranslations, storedTranslations, type Translations } from '#shared/content-translations.ts';
import { type ChangeOf, type Field, plainField, type ValuesOf } from '#shared/entity-fields.ts';
import {
  type School,
  type SchoolChange,
  type SchoolInput,
  TRANSLATED,
  type Verification,
} from './admin-contract.ts';

/** The stored fields of a school, without the logo, which has its own endpoint. */
export const SCHOOL_FIELDS = {
  name: { column: 'name', ...plainField<string>(), log: { text: 'audit:fieldName' } },
  letterSigner: {
    column: 'letter_signer',
    ...plainField<string | null>(),
    log: { text: 'audit:fieldLetterSigner' },
  },
  letterTitle: {
    column: 'letter_title',
    ...plainField<string | null>(),
    log: { text: 'audit:fieldLetterTitle' },
  },
  letterWording: {
    column: 'letter_wording',
    ...plainField<string | null>(),
    log: { text: 'audit:fieldLetterWording' },
  },
  verification: {
    column: 'verification',
    ...plainField<Verification>(),
    log: { text: 'audit:fieldVerification' },
  },
  closedBefore: {
    column: 'closed_before',
    ...plainField<CalendarDate | null>(),
    log: { text: 'audit:fieldClosedBefore' },
  },
  lateAfterDays: {
    column: 'late_after_days',
    ...plainField<number | null>(),
    log: { text: 'audit:fieldLateAfterDays' },
  },
  translations: {
    column: 'translations',
    ...storedTranslations(TRANSLATED),
    log: { text: 'audit:fieldTranslations' },
  },
} as const satisfies Readonly<Record<string, Field>> &
  Readonly<Record<Exclude<keyof z.output<typeof SchoolInput>, 'letter'>, Field>>;

type Stored = ValuesOf<typeof SCHOOL_FIELDS>;
type LetterFields = Pick<Stored, 'letterSigner' | 'letterTitle' | 'letterWording'>;

/** Converts the given input to columns: `letter` becomes three, and translations are merged into the stored ones. */
export function toStoredSchool(
  { letter, translations, ...given }: z.output<typeof SchoolChange>,
  before: Translations<'name'>,
): ChangeOf<typeof SCHOOL_FIELDS> {
  const plain = { ...given, translations: changedTranslations(TRANSLATED, before, translations) };
  return letter === undefined ? plain : { ...plain, ...letterFields(letter) };
}

/** The fields of a school as administrators see it. */
export function fieldsOfSchool(
  school: Pick<
    School,
    'name' | 'letter' | 'verification' | 'closedBefore' | 'lateAfterDays' | 'translations'
  >,
): Stored {
  const { name, letter, verification, closedBefore, lateAfterDays, translations } = school;
  return { name, verification, closedBefore, lateAfterDays, translations, ...letterFields(letter) };
}

/** Returns a school's service letter template for the wire; null until it is set. */
export function toLetterTemplate({
  letterSigner,
  letterTitle,
  letterWording,
}: LetterFields): School['letter'] {
  if (letterSigner === null || letterTitle === null) return null;
  return { signerName: letterSigner, signerTitle: letterTitle, wording: letterWording };
}

function letterFields(letter: School['letter']): LetterFields {
  return {
    letterSigner: letter?.signerName ?? null,
    letterTitle: letter?.signerTitle ?? null,
    letterWording: letter?.wording ?? null,
  };
}
