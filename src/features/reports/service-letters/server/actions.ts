import { messages as userMessages } from '#features/users/contract.ts';
import { recordEvent } from '#server/audit-log.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import { pageByKey } from '#server/db/queries/pagination.ts';
import type { Deps } from '#server/deps.ts';
import { networkOf } from '#server/http/client-address.ts';
import { runSequentially } from '#server/http/keyed-queue.ts';
import { clearCounters, consumeAttempt, type RateLimitPolicy } from '#server/http/rate-limit.ts';
import { type Acting, actorOf, type Request, scopeFor, type Viewer } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { isSameSecret, sign } from '#server/secrets.ts';
import { errors } from '#shared/errors.ts';
import { fromHundredths } from '#shared/hours.ts';
import { fullName } from '#shared/person-name.ts';
import { readCode, spellCode } from '#shared/short-code.ts';
import { type CheckedLetter, type Letter, messages } from '../contract.ts';
import {
  computeHoursOfIssuedLetters,
  computeIssuedLetterHours,
  hashLastName,
  isLetterInScope,
  isRenamed,
  type LetterHours,
  singleSchoolId,
  toLetter,
} from './letter-status.ts';
import {
  findByCode,
  findLetter,
  findVisiblePeople,
  type LetterWithNames,
  lockLetter,
  pageOfLetters,
  type StoredLetter,
  withdrawLetters,
} from './store.ts';

const LIST = 'letters';

/** Returns a page of the letters about the viewer, or about a person in the viewer's scope, limited to the viewer's schools. */
export async function listLettersAbout(
  deps: Deps,
  viewer: Viewer,
  query: { userId?: number | undefined; limit?: number | undefined; cursor?: string | undefined },
): Promise<{ letters: Letter[]; nextCursor: string | null }> {
  const { db } = deps.database;
  const userId = query.userId ?? viewer.userId;
  const isOwn = userId === viewer.userId;
  const scope = scopeFor(viewer, 'see people');
  if (!isOwn) {
    const visible = scope.length === 0 ? [] : await findVisiblePeople(db, [userId], scope);
    if (visible.length === 0) throw errors.notFound(userMessages.userNotFound);
  }
  const { rows, nextCursor } = await pageByKey(deps.secretKey, LIST, query, {
    read: (page) => pageOfLetters(db, userId, page),
    keyOf: ({ id }) => [id],
  });
  const inScope = rows.filter((row) => isOwn || isLetterInScope(scope, row));
  const now = await computeHoursOfIssuedLetters(db, userId, inScope);
  return {
    letters: inScope.map((row) => toLetter(row, now.get(row.id), { isRenamed: isRenamed(row) })),
    nextCursor,
  };
}

/**
 * Withdraws a letter about the viewer, or one of a school where the viewer may withdraw letters. Repeating it changes nothing.
 */
export function withdrawServiceLetter(
  deps: Deps,
  { viewer, request }: Acting,
  id: number,
): Promise<{ letter: Letter; message: string }> {
  return transaction(deps.database, async (trx) => {
    await lockLetter(trx, id);
    const letter = await requireWithdrawableLetter(trx, viewer, id);
    if (letter.withdrawn_at === null) {
      await withdrawLetters(trx, { id }, { at: request.at, by: viewer.userId });
      await recordEvent(trx, actorOf(viewer, request), {
        action: 'letter.withdraw',
        subject: 'user',
        subjectId: letter.user_id,
        schoolId: singleSchoolId(letter),
        after: { letter: spellCode(letter.code) },
      });
    }
    const after = { ...letter, withdrawn_at: letter.withdrawn_at ?? request.at };
    return { letter: toLetter(after, undefined), message: translate(deps, messages.withdrawn) };
  });
}

async function requireWithdrawableLetter(trx: Trx, viewer: Viewer, id: number): Promise<StoredLetter> {
  const letter = await findLetter(trx, id);
  if (letter?.user_id === viewer.userId) return letter;
  const visible = scopeFor(viewer, 'see people');
  if (letter === undefined || letter.user_id === null || !isLetterInScope(visible, letter)) {
    throw errors.notFound(messages.notFound);
  }
  if (!isLetterInScope(scopeFor(viewer, 'withdraw letters'), letter))
    throw errors.forbidden(messages.mayNotWithdraw);
  return letter;
}

/** The limit for guessing the name in one letter: 5 mistakes an hour, then pauses. */
export const TRIES_PER_CODE: RateLimitPolicy = {
  tries: 5,
  windowSeconds: 3600,
  pauseSeconds: 900,
  maxPauseSeconds: 3600,
};

/** The limit for guessing from one address: 100 mistakes an hour, then pauses. */
export const TRIES_PER_ADDRESS: RateLimitPolicy = {
  tries: 100,
  windowSeconds: 3600,
  pauseSeconds: 900,
  maxPauseSeconds: 3600,
};

/**
 * Returns the letter with this code and last name. A wrong code and a wrong name return the same 404 through the same code
 * path. An attempt is counted before the check and refunded if it was right, so that parallel guesses do not bypass the limit.
 */
export function checkLetterCode(
  deps: Deps,
  request: Request,
  { code, lastName }: { code: string; lastName: string },
): Promise<CheckedLetter> {
  const known = readCode(code);
  const normalized = known ?? code;
  const byCode = {
    key: `letter-code:${sign(deps.secretKey, 'letter-tries', normalized)}`,
    policy: TRIES_PER_CODE,
  };
  const byAddress = { key: `letter-checks:${networkOf(request.address)}`, policy: TRIES_PER_ADDRESS };
  // In sequence, so that parallel correct attempts do not count as guesses.
  return runSequentially(byAddress.key, () =>
    runSequentially(byCode.key, async () => {
      await consumeAttempt(deps.database, [byCode, byAddress], request.at);
      const letter = await findByCode(deps.database.db, known ?? '');
      const mark = hashLastName(deps, normalized, lastName);
      if (!isSameSecret(mark, letter?.name_mark ?? mark.toLowerCase()) || letter === undefined) {
        throw errors.notFound(messages.wrong);
      }
      await transaction(deps.database, (trx) => clearCounters(trx, [byCode.key], [byAddress.key]));
      return toCheckedLetter(deps, letter);
    }),
  );
}

async function toCheckedLetter(deps: Deps, letter: LetterWithNames): Promise<CheckedLetter> {
  const { first_name: firstName, last_name: lastName } = letter;
  const isWithdrawn = letter.withdrawn_at !== null || letter.user_id === null || firstName === null;
  const now = isWithdrawn ? undefined : await computeIssuedLetterHours(deps.database.db, letter);
  const hours = fromHundredths(letter.hours_hundredths);
  return {
    status: statusOf(letter, now),
    person: firstName === null || lastName === null ? null : fullName({ firstName, lastName }),
    school: letter.school,
    district: deps.config.districtName,
    startDate: letter.start_date,
    endDate: letter.end_date,
    hours,
    hoursNow: now === undefined ? null : fromHundredths(now.hundredths),
    isVerifiedOnly: letter.is_verified_only === 1,
    issuedOn: letter.issue_date,
  };
}

function statusOf(letter: LetterWithNames, now: LetterHours | undefined): CheckedLetter['status'] {
  if (now === undefined) return 'withdrawn';
  if (isRenamed(letter)) return 'renamed';
  return now.mark === letter.record_mark ? 'valid' : 'changed';
}
