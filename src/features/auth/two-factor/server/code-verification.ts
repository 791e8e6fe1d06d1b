import type { Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { LIMITS } from '../contract.ts';
import { takeCode } from './recovery-code-store.ts';
import { codeHash, plainCode } from './recovery-codes.ts';
import { stepOf } from './totp.ts';
import { findTotp, takeStep } from './totp-store.ts';

/** Asked after every first proof: whether the account has a second one, without which nobody is let in. */
export { hasSecondProof } from './store.ts';

/** What a second proof was given with. */
export type ProvenBy = 'authenticator' | 'recovery-code' | 'passkey';

const AUTHENTICATOR_CODE = new RegExp(`^[0-9]{${LIMITS.digits}}$`);

/**
 * Proves somebody by a code that they typed, from their authenticator or one of their recovery codes. Each works once: of
 * two requests with one code, on whatever replica, the second is told undefined, like for a wrong one.
 */
export async function proveByCode(
  trx: Trx,
  deps: Deps,
  userId: number,
  { code, at }: { code: string; at: Instant },
): Promise<ProvenBy | undefined> {
  const plain = plainCode(code);
  if (AUTHENTICATOR_CODE.test(plain)) {
    const totp = await findTotp(trx, userId);
    const step = totp && stepOf(deps, { userId, sealed: totp.sealed }, plain, at);
    if (totp === undefined || step === undefined) return undefined;
    return (await takeStep(trx, userId, { sealed: totp.sealed, step, at })) ? 'authenticator' : undefined;
  }
  return (await takeCode(trx, userId, codeHash(deps, userId, plain))) ? 'recovery-code' : undefined;
}
