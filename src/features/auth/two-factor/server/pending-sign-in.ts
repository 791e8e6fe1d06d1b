import { type Db, type Trx, transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import type { Request } from '#server/http/viewer.ts';
import { hashToken, newToken, seal, unseal } from '#server/secrets.ts';
import { plusMilliseconds } from '#shared/calendar-date.ts';
import { LIMITS } from '../contract.ts';
import {
  countFailedCode,
  deletePendingSignIn,
  findPendingSignIn,
  insertPendingSignIn,
} from './pending-sign-in-store.ts';

const PURPOSE = 'sign-in-challenge';

/** A first factor that is waiting for the second: the account, and the data to sign in with then. */
export type Challenge<FirstProof> = Readonly<{ userId: number; firstProof: FirstProof }>;

/** Stores a first factor until the second follows. Returns the token that continues the sign-in in this browser. */
export async function challenge<FirstProof>(
  trx: Trx,
  deps: Deps,
  request: Request,
  { userId, firstProof }: Challenge<FirstProof>,
): Promise<string> {
  const token = newToken();
  const kept = {
    token_hash: hashToken(token),
    user_id: userId,
    device_hash: request.device === undefined ? null : hashToken(request.device),
    sealed: seal(deps.secretKey, PURPOSE, JSON.stringify(firstProof)),
    expires_at: plusMilliseconds(request.at, LIMITS.challengeMinutes * 60_000),
  };
  await insertPendingSignIn(trx, kept, request.at);
  return token;
}

/** Returns the pending sign-in of a token; undefined if it is unknown, expired, used or another browser's. */
export async function openPendingSignIn<FirstProof>(
  db: Db,
  deps: Deps,
  request: Request,
  token: string,
): Promise<Challenge<FirstProof> | undefined> {
  const row = await findPendingSignIn(db, hashToken(token), request.at);
  if (row === undefined || !isSameBrowser(row.device_hash, request)) return undefined;
  return { userId: row.user_id, firstProof: JSON.parse(unseal(deps.secretKey, PURPOSE, row.sealed)) };
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
