import { timingSafeEqual } from 'node:crypto';
import { transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { networkOf } from '#server/http/client-address.ts';
import { oneByOne } from '#server/http/keyed-queue.ts';
import { consumeAttempt, forgive, type RateLimitPolicy } from '#server/http/rate-limit.ts';
import type { Request } from '#server/http/viewer.ts';
import { sign } from '#server/secrets.ts';
import { refuse } from '#shared/errors.ts';
import { fromHundredths } from '#shared/hours.ts';
import { fullName } from '#shared/person-name.ts';
import { readCode } from '#shared/short-code.ts';
import { type CheckedLetter, messages } from '../contract.ts';
import { contentOfIssuedLetter, hashLastName, isRenamed, type Standing } from './letter-status.ts';
import { findByCode, type LetterWithNames } from './store.ts';

/** Guessing the name in one letter: 5 mistakes an hour, then pauses. */
export const PER_CODE: RateLimitPolicy = {
  tries: 5,
  windowSeconds: 3600,
  pauseSeconds: 900,
  maxPauseSeconds: 3600,
};

/** Guessing from one address: 100 mistakes an hour, then pauses. */
export const PER_ADDRESS: RateLimitPolicy = {
  tries: 100,
  windowSeconds: 3600,
  pauseSeconds: 900,
  maxPauseSeconds: 3600,
};

/**
 * What a code says to whoever knows the last name in its letter. A wrong code and a wrong name are the same answer by
 * the same way. A try is counted before it is looked at, and given back when it was right: many at once do not slip past.
 */
export function checkLetterCode(
  deps: Deps,
  request: Request,
  { code, lastName }: { code: string; lastName: string },
): Promise<CheckedLetter> {
  const known = readCode(code);
  const asked = known ?? code;
  const byCode = { key: `letter-code:${sign(deps.secretKey, 'letter-tries', asked)}`, policy: PER_CODE };
  const byAddress = { key: `letter-checks:${networkOf(request.address)}`, policy: PER_ADDRESS };
  // In turn, so that right ones that come at once are not taken for guesses.
  return oneByOne(byAddress.key, () =>
    oneByOne(byCode.key, async () => {
      await consumeAttempt(deps.database, [byCode, byAddress], request.at);
      const letter = await findByCode(deps.database.db, known ?? '');
      const mark = hashLastName(deps, asked, lastName);
      if (!isSame(mark, letter?.name_mark ?? mark.toLowerCase()) || letter === undefined) {
        throw refuse.notFound(messages.wrong);
      }
      await transaction(deps.database, (trx) => forgive(trx, [byCode.key], [byAddress.key]));
      return said(deps, letter);
    }),
  );
}

async function said(deps: Deps, letter: LetterWithNames): Promise<CheckedLetter> {
  const { first_name: firstName, last_name: lastName } = letter;
  const isWithdrawn = letter.withdrawn_at !== null || letter.user_id === null || firstName === null;
  const now = isWithdrawn ? undefined : await contentOfIssuedLetter(deps.database.db, letter);
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

function statusOf(letter: LetterWithNames, now: Standing | undefined): CheckedLetter['status'] {
  if (now === undefined) return 'withdrawn';
  if (isRenamed(letter)) return 'renamed';
  return now.mark === letter.record_mark ? 'valid' : 'changed';
}

function isSame(some: string, other: string): boolean {
  const [a, b] = [Buffer.from(some), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
