import type { Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { LIMITS } from '../contract.ts';
import { redeemRecoveryCode } from './recovery-code-store.ts';
import { hashRecoveryCode, normalizeRecoveryCode } from './recovery-codes.ts';
import { stepOf } from './totp.ts';
import { claimTotpStep, findTotp } from './totp-store.ts';

/** Asked after every first proof: whether the account has a second one, without which nobody is let in. */
export { hasTwoFactor } from './store.ts';

/** What a second proof was given with. */
export type SecondFactorMethod = 'authenticator' | 'recovery-code' | 'passkey';

const AUTHENTICATOR_CODE = new RegExp(`^[0-9]{${LIMITS.digits}}$`);

/**
 * Proves somebody by a code that they typed, from their authenticator or one of their recovery codes. Each works once: of
 * two requests with one code, on whatever replica, the second is told undefined, like for a wrong one.
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
