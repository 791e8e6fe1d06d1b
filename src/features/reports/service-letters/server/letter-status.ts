import { hash } from 'node:crypto';
import type { Db } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { isWithin, type SchoolScope } from '#server/http/viewer.ts';
import { withNameLanguage } from '#server/i18n/locale.ts';
import { sign } from '#server/secrets.ts';
import type { CalendarDate } from '#shared/calendar-date.ts';
import { fromHundredths } from '#shared/hours.ts';
import { spellCode } from '#shared/short-code.ts';
import { foldForSearch } from '#shared/text-normalization.ts';
import type { Letter } from '../contract.ts';
import {
  type CountedHoursQuery,
  type HoursLine,
  type LetterWithNames,
  listCountedHours,
  type StoredLetter,
} from './store.ts';

/** Returns a last name for comparison: without case, accents, spaces, punctuation and symbols. */
export function foldLastName(name: string): string {
  return foldForSearch(name.normalize('NFKC')).replace(/[\p{P}\p{S}\p{Z}\p{C}]/gu, '');
}

/** The hours on record for a letter: lines, their sum, and a hash of what the letter states. */
export type LetterHours = Readonly<{
  lines: readonly HoursLine[];
  hundredths: number;
  isVerifiedOnly: boolean;
  mark: string;
}>;

/** Returns the content that a new letter would have now. */
export async function computeLetterHours(
  db: Db,
  of: CountedHoursQuery,
  withDates: boolean,
): Promise<LetterHours> {
  return sumLetterHours(await listCountedHours(db, of), withDates);
}

function sumLetterHours(lines: readonly HoursLine[], withDates: boolean): LetterHours {
  const isVerifiedOnly = lines.length > 0 && lines.every(({ verification }) => verification === 'on');
  const hundredths = lines.reduce((sum, line) => sum + line.hundredths, 0);
  return { lines, hundredths, isVerifiedOnly, mark: contentHash(lines, withDates) };
}

/** Returns the current content of an issued letter, with names in its language. It is empty if the account is gone. */
export async function computeIssuedLetterHours(db: Db, letter: StoredLetter): Promise<LetterHours> {
  const of = {
    userId: letter.user_id ?? 0,
    schoolIds: schoolIdsOf(letter),
    startDate: letter.start_date,
    endDate: letter.end_date,
  };
  return withNameLanguage(letter.language, () => computeLetterHours(db, of, letter.with_dates === 1));
}

/** Returns the current content of each valid letter of a user by its id, with a single query. */
export async function computeHoursOfIssuedLetters(
  db: Db,
  userId: number,
  letters: readonly StoredLetter[],
): Promise<ReadonlyMap<number, LetterHours>> {
  const valid = letters.filter((letter) => letter.withdrawn_at === null);
  const [startDate] = valid.map((letter) => letter.start_date).toSorted();
  const endDate = valid
    .map((letter) => letter.end_date)
    .toSorted()
    .at(-1);
  if (startDate === undefined || endDate === undefined) return new Map();
  const lines = await listCountedHours(db, { userId, schoolIds: null, startDate, endDate });
  return new Map(
    valid.map((letter) => {
      const ids = schoolIdsOf(letter);
      const own = lines.filter(
        ({ date, school_id }) =>
          date >= letter.start_date && date <= letter.end_date && (ids === null || ids.includes(school_id)),
      );
      return [letter.id, sumLetterHours(own, letter.with_dates === 1)];
    }),
  );
}

/** Returns the schools whose hours a letter counts. Null means all schools. */
export function schoolIdsOf({ school_ids }: Pick<StoredLetter, 'school_ids'>): readonly number[] | null {
  return school_ids === null ? null : JSON.parse(school_ids);
}

/** Sums the lines by activity, in the order of their first lines. */
export function sumByActivity(lines: readonly HoursLine[]): HoursLine[] {
  return [...Map.groupBy(lines, (line) => `${line.activity_id} ${line.school_id}`).values()].flatMap(
    (same) => {
      const [first] = same;
      if (first === undefined) return [];
      return [{ ...first, hundredths: same.reduce((sum, line) => sum + line.hundredths, 0) }];
    },
  );
}

/** Returns a keyed hash of the last name in the letter with this code. */
export function hashLastName({ secretKey }: Pick<Deps, 'secretKey'>, code: string, lastName: string): string {
  return sign(secretKey, 'letter-name', `${code} ${foldLastName(lastName)}`);
}

/** Whether the account's name differs from the letter's; case, accents and hyphens do not matter. */
export function isRenamed(letter: LetterWithNames): boolean {
  if (letter.first_name === null || letter.present_first_name === null) return false;
  const inLetter = `${letter.first_name} ${letter.last_name}`;
  return foldLastName(inLetter) !== foldLastName(`${letter.present_first_name} ${letter.present_last_name}`);
}

/** Maps a row to a letter. `now` is its current content, undefined once it was withdrawn. */
export function toLetter(
  row: StoredLetter,
  now: LetterHours | undefined,
  { isRenamed: hasOtherName } = { isRenamed: false },
): Letter {
  return {
    id: row.id,
    code: spellCode(row.code),
    school: row.school,
    startDate: row.start_date as CalendarDate,
    endDate: row.end_date as CalendarDate,
    withDates: row.with_dates === 1,
    language: row.language,
    hours: fromHundredths(row.hours_hundredths),
    isVerifiedOnly: row.is_verified_only === 1,
    issuedOn: row.issue_date,
    withdrawnAt: row.withdrawn_at,
    hoursNow: now === undefined ? null : fromHundredths(now.hundredths),
    hasChanged: now !== undefined && now.mark !== row.record_mark,
    isRenamed: now !== undefined && hasOtherName,
  };
}

/** Returns the only school of a letter, for the audit log. Null means that it counts several or all. */
export function singleSchoolId(letter: Pick<StoredLetter, 'school_ids'>): number | null {
  const ids = schoolIdsOf(letter);
  return ids?.length === 1 ? (ids[0] ?? null) : null;
}

/** Whether all schools of a letter are in scope. */
export function isLetterInScope(scope: SchoolScope, letter: Pick<StoredLetter, 'school_ids'>): boolean {
  const ids = schoolIdsOf(letter);
  return ids === null ? scope === 'all' : ids.every((id) => isWithin(scope, id));
}

// Hashes ids instead of names, so that renaming an activity or a school does not invalidate letters.
function contentHash(lines: readonly HoursLine[], withDates: boolean): string {
  const parts = withDates
    ? lines.map((line) => [line.date, line.activity_id, line.school_id, line.hundredths])
    : sumByActivity(lines).map((line) => ['', line.activity_id, line.school_id, line.hundredths]);
  return hash('sha256', JSON.stringify(parts.map((line) => line.join(' ')).toSorted()), 'hex');
}
