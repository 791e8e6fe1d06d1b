import type { Db, Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import type { Column, Person, Section } from '#server/personal-data/data-export.ts';
import { expiringRows } from '#server/personal-data/expired-rows-store.ts';
import { fromHundredths } from '#shared/hours.ts';
import { spellCode } from '#shared/short-code.ts';
import { clearLetterNames, deleteFileLinksOf, listLettersOf, withdrawLetters } from './store.ts';

/** The service letters in a person's data export. */
export function exportPersonalData(db: Db, { id }: Person): readonly Section[] {
  const read = async () =>
    (await listLettersOf(db, id)).map(({ code, hours_hundredths, ...letter }) => ({
      code: spellCode(code),
      ...letter,
      hours: fromHundredths(hours_hundredths),
    }));
  return [{ name: 'serviceLetters', read }];
}

/** Withdraws the letters about a person and deletes their names. Checking one then shows only that it was withdrawn. */
export async function deletePersonalData(trx: Trx, _deps: Deps, person: Person): Promise<void> {
  await withdrawLetters(trx, { userId: person.id }, { at: person.at, by: null });
  await clearLetterNames(trx, person.id);
  await deleteFileLinksOf(trx, person.id);
}

export const DELETED_COLUMNS = [
  'service_letter_names.user_id',
  'service_letter_names.first_name',
  'service_letter_names.last_name',
  'service_letter_files.user_id',
  'service_letter_files.token_hash',
  'service_letter_files.form',
  'service_letter_files.outcome',
  'service_letter_files.made_by',
] as const satisfies readonly Column[];

const LETTER = "the record of a withdrawn letter, under 'Former volunteer' (decisions)";

export const RETAINED_COLUMNS = {
  'service_letters.user_id': LETTER,
  'service_letters.code': LETTER,
  'service_letters.name_mark':
    'a keyed hash, so that a check of the letter still shows that it was withdrawn',
  'service_letters.school_ids': LETTER,
  'service_letters.school': LETTER,
  'service_letters.language': LETTER,
  'service_letters.record_mark': 'a hash of days, activities and hours, which stay',
  'service_letters.issued_by': 'who issued a letter is part of the record of it',
  'service_letters.withdrawn_by': 'who withdrew a letter is part of the record of it',
} as const satisfies Partial<Record<Column, string>>;

/** Selects links to letter files by creation date. The letters stay. */
export const letterFileRetention = expiringRows({
  table: 'service_letter_files',
  at: 'created_at',
  about: { people: ['service_letter_files.user_id'] },
});
