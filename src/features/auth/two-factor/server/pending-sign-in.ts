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

/** A first proof that waits for a second one: whose account it opens, and what is needed to open it then. */
export type Challenge<FirstProof> = Readonly<{ userId: number; firstProof: FirstProof }>;

/** Keeps a first proof until a second one follows. Returns the token that continues it, in this browser. */
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

/** What a token continues; undefined when it is unknown, over, used, or another browser's. */
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

/** Ends a challenge that was met; false when another request did so before. */
export function completePendingSignIn(trx: Trx, token: string): Promise<boolean> {
  return deletePendingSignIn(trx, hashToken(token));
}

/** Counts a wrong second proof; the last one that is allowed ends the challenge. */
export function countFailedSecondFactor(deps: Deps, token: string): Promise<boolean> {
  return transaction(deps.database, (trx) => countFailedCode(trx, hashToken(token), LIMITS.mistakes));
}

function isSameBrowser(deviceHash: string | null, { device }: Request): boolean {
  return deviceHash === null || (device !== undefined && hashToken(device) === deviceHash);
}
