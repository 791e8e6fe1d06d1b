import { randomInt } from 'node:crypto';
import type { Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { sign } from '#server/secrets.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { LIMITS } from '../contract.ts';
import { claimTotpStep, findTotp, redeemRecoveryCode, replaceRecoveryCodes } from './store.ts';
import { stepOf } from './totp.ts';

// Without look-alike characters.
const LETTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const GROUPS = 3;
const GROUP_LETTERS = 4;

/** Creates a user's recovery codes and replaces all earlier ones. They can be shown only now. */
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

/** A code without the separators that people type. */
export function normalizeRecoveryCode(typed: string): string {
  return typed
    .normalize('NFKC')
    .replaceAll(/[\s\p{Pd}]/gu, '')
    .toUpperCase();
}

/** Returns a code as stored: with a keyed hash, because its 59 bits alone could be brute-forced. */
export function hashRecoveryCode(deps: Deps, userId: number, plain: string): string {
  return sign(deps.secretKey, 'recovery-code', `${userId} ${plain}`);
}

function newCode(): string {
  const group = () =>
    Array.from({ length: GROUP_LETTERS }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}

/** Sign-in checks this after the first factor, because an account with a second factor must pass that too. */
export { hasTwoFactor } from './store.ts';

/** The kind of second factor that was used. */
export type SecondFactorMethod = 'authenticator' | 'recovery-code' | 'passkey';

const AUTHENTICATOR_CODE = new RegExp(`^[0-9]{${LIMITS.digits}}$`);

/**
 * Checks an entered code, from the authenticator or one of the recovery codes. Each works once: the second of two requests with
 * one code, on any server, gets undefined, as for a wrong code.
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
