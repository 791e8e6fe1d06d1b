import type { User } from '#features/users/contract.ts';
import { markSignedIn } from '#features/users/server/accounts.ts';
import { ownUser } from '#features/users/server/current-account.ts';
import { recordEvent } from '#server/audit-log.ts';
import type { Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import type { Request } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { messages, type SecondFactorRequest } from '../../contract.ts';
import { rejectEndedProviderSession } from '../../oidc/server/ended-provider-sessions.ts';
import { rememberDevice } from '../../server/login-throttling.ts';
import { emailNewDevice } from '../../server/new-device-email.ts';
import { hasTwoFactor, type SecondFactorMethod } from '../../two-factor/server/code-verification.ts';
import { challenge, type FirstProof } from '../../two-factor/server/pending-sign-in.ts';
import { startSession } from './actions.ts';

/** The reply to signing in and registering. */
export type SignedIn = { user: User; token: string; message: string };

/** The result of a first factor: a session, or the request for a second factor. */
export type Proven = SignedIn | SecondFactorRequest;

/**
 * Opens the session of a user who passed the first factor, or requests the account's second factor. Every sign-in to an
 * existing account calls this, except by a passkey, which is two factors.
 */
export async function openSession(
  trx: Trx,
  deps: Deps,
  request: Request,
  firstProof: FirstProof,
): Promise<Proven> {
  if (await hasTwoFactor(trx, firstProof.userId)) {
    return { next: 'second-factor', challenge: await challenge(trx, deps, request, firstProof) };
  }
  return beginSession(trx, deps, request, firstProof);
}

/** Begins the session once every factor has passed. */
export async function beginSession(
  trx: Trx,
  deps: Deps,
  request: Request,
  { userId, by, deed, source, secondProof }: FirstProof & { secondProof?: SecondFactorMethod },
): Promise<SignedIn> {
  const { at, address, requestId } = request;
  if (source !== undefined) await rejectEndedProviderSession(trx, request, source);
  await markSignedIn(trx, userId, at);
  await emailNewDevice(trx, deps, request, userId);
  await rememberDevice(trx, deps, request, userId);
  const token = await startSession(trx, userId, request, { by, ...source });
  const after = secondProof === undefined ? deed.after : { ...deed.after, secondProof };
  await recordEvent(
    trx,
    { userId, at, address, requestId },
    { ...deed, ...(after === undefined ? {} : { after }), subject: 'user', subjectId: userId },
  );
  return { user: await ownUser(trx, userId), token, message: translate(deps, messages.loggedIn) };
}
