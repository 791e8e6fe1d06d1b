import { messages as schoolMessages } from '#features/schools/contract.ts';
import { messages as userMessages } from '#features/users/contract.ts';
import { recordEvent } from '#server/audit-log.ts';
import type { Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { isExportLimitReached } from '#server/export/running-exports.ts';
import { consumeAttempt, hourly } from '#server/http/rate-limit.ts';
import { type Acting, actorOf, isWithin, type SchoolScope, scopeFor } from '#server/http/viewer.ts';
import { withNameLanguage } from '#server/i18n/locale.ts';
import { isPrintable } from '#server/pdf/printable-text.ts';
import { hashToken, newCode, newToken } from '#server/secrets.ts';
import { assertDefined } from '#shared/assert-defined.ts';
import { dayIn, plusMilliseconds } from '#shared/calendar-date.ts';
import { errors } from '#shared/errors.ts';
import { fromHundredths } from '#shared/hours.ts';
import { fullName } from '#shared/person-name.ts';
import { spellCode } from '#shared/short-code.ts';
import {
  LETTERS,
  type Letter,
  type LetterFile,
  type LetterInput,
  type LettersInput,
  messages,
} from '../contract.ts';
import { insertFile, isMakingFile, type LetterFileRow } from './letter-file-store.ts';
import { toLetterFile } from './letter-files.ts';
import {
  computeLetterHours,
  hashLastName,
  isRenamed,
  type LetterHours,
  schoolIdsOf,
  singleSchoolId,
  toLetter,
} from './letter-status.ts';
import {
  findLetterSchools,
  findOverlappingLetters,
  findVisiblePeople,
  insertLetter,
  type LetterPerson,
  lockOwnName,
  type StoredLetter,
} from './store.ts';

/** Limits per account: single letters, and batch files. */
const LETTERS_BY = hourly(60, 300);
const FILES_BY = hourly(20, 300);
const RETRY_AFTER_SECONDS = 10;

type LetterOptions = Pick<LetterInput, 'schoolId' | 'startDate' | 'endDate' | 'withDates' | 'language'>;

/** The schools whose hours a letter counts, with their names. Null means all schools. */
type CountedSchools = Readonly<{ ids: readonly number[] | null; names: string | null }>;

/** Counts a request for a letter. Throws 429 beyond `LETTERS_BY`. */
export function throttleLetter({ database }: Deps, { viewer, request }: Acting): Promise<void> {
  return consumeAttempt(database, [{ key: `letters-by:${viewer.userId}`, policy: LETTERS_BY }], request.at);
}

/**
 * Counts a request for a batch. Throws 429 beyond `FILES_BY`, and while the viewer's batch or too many exports are
 * running.
 */
export async function throttleLetterFile(deps: Deps, { viewer, request }: Acting): Promise<void> {
  if (await isMakingFile(deps.database.db, viewer.userId, request.at)) {
    throw errors.tooManyTries(messages.running, RETRY_AFTER_SECONDS);
  }
  if (isExportLimitReached(deps)) throw errors.tooManyTries(messages.busy, RETRY_AFTER_SECONDS);
  await consumeAttempt(
    deps.database,
    [{ key: `letter-files-by:${viewer.userId}`, policy: FILES_BY }],
    request.at,
  );
}

/** Issues one letter and a single-use link to its PDF. */
export async function issueSingleLetter(
  trx: Trx,
  deps: Deps,
  { viewer, request }: Acting,
  input: LetterInput,
): Promise<{ letter: Letter; url: string }> {
  rejectFuture(deps, request, input);
  const userId = input.userId ?? viewer.userId;
  const scope = userId === viewer.userId ? undefined : scopeFor(viewer, 'see people');
  const person =
    scope === undefined ? await lockOwnName(trx, userId) : await requireVisiblePerson(trx, userId, scope);
  rejectUnprintable([person]);
  const schools = await findCountedSchools(trx, input, scope);
  if (scope === undefined) await rejectSecondName(trx, input, person.id, schools);
  const letterHours = await computeLetterHours(
    trx,
    { ...input, userId, schoolIds: schools.ids },
    input.withDates,
  );
  if (letterHours.hundredths === 0) throw errors.conflict(messages.noHours);
  const { file, url } = await createFile(trx, { viewer, request }, { form: 'pdf', total: 1 });
  const [letter] = await storeLetters(trx, deps, { viewer, request }, { input, schools, file }, [
    { person, letterHours },
  ]);
  return { letter: toLetter(assertDefined(letter), letterHours), url };
}

/** Issues a letter about each of these people who has hours, and a link to the file with all of them. */
export async function issueLetterBatch(
  trx: Trx,
  deps: Deps,
  { viewer, request }: Acting,
  input: LettersInput,
): Promise<{ file: LetterFile; url: string; without: number }> {
  rejectFuture(deps, request, input);
  const schools = await findCountedSchools(trx, input, viewer.schools);
  const requestedIds = [...new Set(input.userIds)];
  const people = await findVisiblePeople(trx, requestedIds, viewer.schools);
  if (people.length < requestedIds.length) throw errors.notFound(userMessages.userNotFound);
  const found: { person: LetterPerson; letterHours: LetterHours }[] = [];
  for (const person of people) {
    const of = { ...input, userId: person.id, schoolIds: schools.ids };
    const letterHours = await computeLetterHours(trx, of, input.withDates);
    if (letterHours.hundredths > 0) found.push({ person, letterHours });
  }
  if (found.length === 0) throw errors.conflict(messages.noHoursOfAnybody);
  rejectUnprintable(found.map(({ person }) => person));
  const { file, url } = await createFile(trx, { viewer, request }, { form: input.form, total: found.length });
  await storeLetters(trx, deps, { viewer, request }, { input, schools, file }, found);
  return { file: toLetterFile(file, request.at), url, without: people.length - found.length };
}

async function storeLetters(
  trx: Trx,
  deps: Deps,
  { viewer, request }: Acting,
  { input, schools, file }: { input: LetterOptions; schools: CountedSchools; file: LetterFileRow },
  found: readonly { person: LetterPerson; letterHours: LetterHours }[],
): Promise<StoredLetter[]> {
  const rows: StoredLetter[] = [];
  for (const { person, letterHours } of found) {
    const code = newCode();
    const letter = {
      code,
      name_mark: hashLastName(deps, code, person.last_name),
      user_id: person.id,
      school_ids: schools.ids === null ? null : JSON.stringify(schools.ids),
      school: schools.names,
      start_date: input.startDate,
      end_date: input.endDate,
      with_dates: input.withDates ? (1 as const) : (0 as const),
      language: input.language,
      hours_hundredths: letterHours.hundredths,
      is_verified_only: letterHours.isVerifiedOnly ? (1 as const) : (0 as const),
      record_mark: letterHours.mark,
      issued_by: viewer.userId,
      issued_at: request.at,
      issue_date: dayIn(deps.config.timeZone, request.at),
      file_id: file.id,
    };
    const row = await insertLetter(trx, letter, person);
    await recordIssue(trx, { viewer, request }, row);
    rows.push(row);
  }
  return rows;
}

function recordIssue(trx: Trx, { viewer, request }: Acting, row: StoredLetter): Promise<void> {
  return recordEvent(trx, actorOf(viewer, request), {
    action: 'letter.issue',
    subject: 'user',
    subjectId: row.user_id,
    schoolId: singleSchoolId(row),
    after: {
      letter: spellCode(row.code),
      startDate: row.start_date,
      endDate: row.end_date,
      hours: fromHundredths(row.hours_hundredths),
    },
  });
}

async function createFile(
  trx: Trx,
  { viewer, request }: Acting,
  { form, total }: Pick<LetterFileRow, 'form' | 'total'>,
): Promise<{ file: LetterFileRow; url: string }> {
  const token = newToken();
  const file = await insertFile(trx, {
    token_hash: hashToken(token),
    user_id: viewer.userId,
    form,
    total,
    created_at: request.at,
    expires_at: plusMilliseconds(request.at, LETTERS.linkMinutes * 60_000),
  });
  return { file, url: `/api/letters/files/${token}` };
}

// A volunteer's own letter counts every school. Other people's letters count only schools where the viewer sees people. School
// names are in the letter's language.
async function findCountedSchools(
  trx: Trx,
  { schoolId, language }: Pick<LetterOptions, 'schoolId' | 'language'>,
  scope: SchoolScope | undefined,
): Promise<CountedSchools> {
  if (schoolId === null && (scope === undefined || scope === 'all')) return { ids: null, names: null };
  if (schoolId !== null && scope !== undefined && !isWithin(scope, schoolId)) {
    throw errors.notFound(schoolMessages.notFound);
  }
  const ids = schoolId === null ? ([...(scope ?? [])] as number[]) : [schoolId];
  const schools = await withNameLanguage(language, () => findLetterSchools(trx, ids));
  if (schools.length === 0) throw errors.notFound(schoolMessages.notFound);
  return { ids: schools.map(({ id }) => id), names: schools.map(({ name }) => name).join(', ') };
}

async function requireVisiblePerson(trx: Trx, userId: number, scope: SchoolScope): Promise<LetterPerson> {
  const [person] = scope.length === 0 ? [] : await findVisiblePeople(trx, [userId], scope);
  if (person === undefined) throw errors.notFound(userMessages.userNotFound);
  return person;
}

// Rejects a letter while a valid one about the same days has another name. Otherwise a person could issue a letter, change
// their name and issue another one, which would attribute their hours to a second person. A person who really changed their
// name withdraws the first letter, or asks the school.
async function rejectSecondName(
  trx: Trx,
  period: LetterOptions,
  userId: number,
  { ids }: CountedSchools,
): Promise<void> {
  const others = (await findOverlappingLetters(trx, userId, period)).filter(isRenamed);
  const isSameSchool = (letter: StoredLetter) => {
    const there = schoolIdsOf(letter);
    return ids === null || there === null || there.some((id) => ids.includes(id));
  };
  if (others.some(isSameSchool)) throw errors.conflict(messages.otherName);
}

// A letter with a name that the font cannot render would prove nothing.
function rejectUnprintable(people: readonly LetterPerson[]): void {
  for (const { first_name: firstName, last_name: lastName } of people) {
    const name = fullName({ firstName, lastName });
    if (isPrintable(name)) continue;
    throw errors.conflict(messages.unprintable(name));
  }
}

function rejectFuture(deps: Deps, request: Acting['request'], { endDate }: LetterOptions): void {
  if (endDate <= dayIn(deps.config.timeZone, request.at)) return;
  throw errors.invalid(messages.future, { endDate: messages.future });
}
