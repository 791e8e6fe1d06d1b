import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { hashToken, sign } from '#server/secrets.ts';
import { type Instant, instantOf, millisecondsOf } from '#shared/calendar-date.ts';
import { insertAnsweredChallenge } from './passkey-store.ts';

/** What a device is asked for, and of whom: an answer to one question is none to another. */
export type Question =
  | Readonly<{ for: 'sign-in' }>
  | Readonly<{ for: 'add' | 'fresh'; sessionId: number }>
  | Readonly<{ for: 'second'; challenge: string }>;

/**
 * A challenge for a device. The server keeps nothing of it, so that a visit to the sign-in page writes nothing: its end and
 * what it is for are signed.
 */
export function ask(deps: Pick<Deps, 'secretKey'>, question: Question, until: Instant): Buffer {
  const begun = `${randomBytes(24).toString('base64url')}.${millisecondsOf(until).toString(36)}`;
  return Buffer.from(`${begun}.${signed(deps, question, begun)}`);
}

/** When a challenge ends, if this server asked it for this question; undefined otherwise. */
export function endOf(
  deps: Pick<Deps, 'secretKey'>,
  question: Question,
  challenge: string,
): Instant | undefined {
  const [nonce = '', until = '', mark = ''] = Buffer.from(challenge, 'base64url').toString().split('.');
  const expected = Buffer.from(signed(deps, question, `${nonce}.${until}`));
  const given = Buffer.from(mark);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  return instantOf(Number.parseInt(until, 36));
}

/** Notes that a challenge was answered; false when it was before, by whatever replica. */
export function markChallengeAnswered(trx: Trx, challenge: string, until: Instant): Promise<boolean> {
  return insertAnsweredChallenge(trx, hashToken(challenge), until);
}

function signed(deps: Pick<Deps, 'secretKey'>, question: Question, begun: string): string {
  const [, whose] = Object.values(question);
  return sign(deps.secretKey, 'passkey-challenge', `${question.for} ${whose ?? ''} ${begun}`);
}
