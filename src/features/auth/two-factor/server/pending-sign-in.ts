import { type Db, type Trx, transaction } from '#server/db/database.ts';
import type { SignInWay } from '#server/db/tables.ts';
import type { Deps } from '#server/deps.ts';
import type { Request } from '#server/http/viewer.ts';
import { hashToken, newToken, seal, unseal } from '#server/secrets.ts';
import { plusMilliseconds } from '#shared/calendar-date.ts';
import type { Source } from '../../sessions/server/store.ts';
import { LIMITS } from '../contract.ts';
import {
  countFailedCode,
  deletePendingSignIn,
  findPendingSignIn,
  insertPendingSignIn,
} from './pending-sign-in-store.ts';

const PURPOSE = 'sign-in-challenge';

/**
 * The account, how it signed in, what the audit log records, and the provider account, if any. The password that was entered is
 * identified by its hash, because it may change while a second factor is pending.
 */
export type FirstProof = Readonly<{
  userId: number;
  by: SignInWay;
  deed: Readonly<{
    action: 'session.start' | 'session.provider' | 'session.mailed-link' | 'session.passkey';
    after?: object;
  }>;
  source?: Source;
  passwordHash?: string;
}>;

/** Stores a first factor until the second follows. Returns the token that continues the sign-in in this browser. */
export async function challenge(
  trx: Trx,
  deps: Deps,
  request: Request,
  firstProof: FirstProof,
): Promise<string> {
  const token = newToken();
  const kept = {
    token_hash: hashToken(token),
    user_id: firstProof.userId,
    device_hash: request.device === undefined ? null : hashToken(request.device),
    sealed: seal(deps.secretKey, PURPOSE, JSON.stringify(firstProof)),
    expires_at: plusMilliseconds(request.at, LIMITS.challengeMinutes * 60_000),
  };
  await insertPendingSignIn(trx, kept, request.at);
  return token;
}

/** Returns the first factor of a pending sign-in; undefined if its token is unknown, expired, used or another browser's. */
export async function openPendingSignIn(
  db: Db,
  deps: Deps,
  request: Request,
  token: string,
): Promise<FirstProof | undefined> {
  const row = await findPendingSignIn(db, hashToken(token), request.at);
  if (row === undefined || !isSameBrowser(row.device_hash, request)) return undefined;
  return JSON.parse(unseal(deps.secretKey, PURPOSE, row.sealed));
}

/** Ends a challenge after a correct second factor. Returns false if another request already did. */
export function completePendingSignIn(trx: Trx, token: string): Promise<boolean> {
  return deletePendingSignIn(trx, hashToken(token));
}

/** Counts a wrong second factor. The last attempt ends the challenge. */
export function countFailedSecondFactor(deps: Deps, token: string): Promise<boolean> {
  return transaction(deps.database, (trx) => countFailedCode(trx, hashToken(token), LIMITS.mistakes));
}

function isSameBrowser(deviceHash: string | null, { device }: Request): boolean {
  return deviceHash === null || (device !== undefined && hashToken(device) === deviceHash);
}
