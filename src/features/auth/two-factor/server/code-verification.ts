import { randomInt } from 'node:crypto';
import type { Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { sign } from '#server/secrets.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { LIMITS } from '../contract.ts';
import { claimTotpStep, findTotp, redeemRecoveryCode, replaceRecoveryCodes } from './store.ts';
import { stepOf } from './totp.ts';

// Without those that look alike.
const LETTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const GROUPS = 3;
const GROUP_LETTERS = 4;

/** Makes somebody's recovery codes, in place of all earlier ones. They can be told only now. */
export async function generateRecoveryCodes(
  trx: Trx,
  deps: Deps,
  userId: number,
  at: Instant,
): Promise<string[]> {
  const codes = new Set<string>();
  while (codes.size < LIMITS.recoveryCodes) codes.add(newCode());
  const hashes = [...codes].map((code) => hashRecoveryCode(deps, userId, normalizeRecoveryCode(code)));
  await replaceRecoveryCodes(trx, userId, hashes, at);
  return [...codes];
}

/** A code without what people type between its signs. */
export function normalizeRecoveryCode(typed: string): string {
  return typed
    .normalize('NFKC')
    .replaceAll(/[\s\p{Pd}]/gu, '')
    .toUpperCase();
}

/** How a code is stored: keyed, since its 59 bits alone could be searched through. */
export function hashRecoveryCode(deps: Deps, userId: number, plain: string): string {
  return sign(deps.secretKey, 'recovery-code', `${userId} ${plain}`);
}

function newCode(): string {
  const group = () =>
    Array.from({ length: GROUP_LETTERS }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}

/** Asked after every first proof: whether the account has a second one, without which nobody is let in. */
export { hasTwoFactor } from './store.ts';

/** What a second proof was given with. */
export type SecondFactorMethod = 'authenticator' | 'recovery-code' | 'passkey';

const AUTHENTICATOR_CODE = new RegExp(`^[0-9]{${LIMITS.digits}}$`);

/**
 * Proves somebody by a code that they typed, from their authenticator or one of their recovery codes. Each works once: of
 * two requests with one code, on any server, the second gets undefined, as for a wrong code.
 */
export async function verifyTwoFactorCode(
  trx: Trx,
  deps: Deps,
  userId: number,
  { code, at }: { code: string; at: Instant },
): Promise<SecondFactorMethod | undefined> {
  const plain = normalizeRecoveryCode(code);
  if (AUTHENTICATOR_CODE.test(plain)) {
    const totp = await findTotp(trx, userId);
    const step = totp && stepOf(deps, { userId, sealed: totp.sealed }, plain, at);
    if (totp === undefined || step === undefined) return undefined;
    return (await claimTotpStep(trx, userId, { sealed: totp.sealed, step, at }))
      ? 'authenticator'
      : undefined;
  }
  return (await redeemRecoveryCode(trx, userId, hashRecoveryCode(deps, userId, plain)))
    ? 'recovery-code'
    : undefined;
}
