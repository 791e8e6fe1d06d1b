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

/** The fields of a school as it is stored; its logo is sent by itself. */
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

/** What is stored of a school's input, as far as it is given: `letter` is three fields, translations are added to those before. */
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

/** A school's letter as it is on the wire; null until it is set. */
export function letterOf({ letterSigner, letterTitle, letterWording }: LetterFields): School['letter'] {
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
