import { lockUser } from '#features/users/server/accounts.ts';
import { recordEvent } from '#server/audit-log.ts';
import { transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { countFailure, throwWhilePaused } from '#server/http/rate-limit.ts';
import { type Acting, actorOf } from '#server/http/viewer.ts';
import { unseal } from '#server/secrets.ts';
import { errors, HttpError } from '#shared/errors.ts';
import { messages } from '../../re-authentication/contract.ts';
import { recordReauthentication } from '../../re-authentication/server/actions.ts';
import { messages as providerMessages } from '../contract.ts';
import { providerFailureCounter, RETURN, titleOf } from './redirects.ts';
import { type Arrival, callbackKey } from './sign-in.ts';
import { claimPendingProviderSignIn, findLink } from './store.ts';

type Said = Arrival & Readonly<{ sessionId: number }>;

/**
 * Re-authenticates this session through a provider sign-in in a new window of the same browser. The provider account must
 * already be linked to the viewer's account. Neither links accounts nor starts a session.
 */
export async function reauthenticateByProvider(deps: Deps, { viewer, request }: Acting, code: string) {
  await throwWhilePaused(deps.database, providerFailureCounter(request), request.at);
  const key = callbackKey(request, 'fresh', code);
  const sealed = await transaction(deps.database, (trx) => claimPendingProviderSignIn(trx, key, request.at));
  try {
    if (sealed === undefined) throw errors.invalid(messages.expired);
    const said = JSON.parse(unseal(deps.secretKey, RETURN, sealed)) as Said;
    return await accept(deps, { viewer, request }, said);
  } catch (error) {
    if (error instanceof HttpError) await noteFailure(deps, { viewer, request });
    throw error;
  }
}

function accept(deps: Deps, { viewer, request }: Acting, { sessionId, provider, identity }: Said) {
  if (sessionId !== viewer.sessionId) throw errors.invalid(messages.expired);
  return transaction(deps.database, async (trx) => {
    const user = await lockUser(trx, viewer.userId);
    if (user?.is_active !== 1) throw errors.forbidden(providerMessages.inactive(deps.config.supportEmail));
    const link = await findLink(trx, identity);
    if (link?.user_id !== viewer.userId) throw errors.invalid(messages.otherAccount(titleOf(deps, provider)));
    return recordReauthentication(trx, deps, { viewer, request });
  });
}

async function noteFailure(deps: Deps, { viewer, request }: Acting): Promise<void> {
  await transaction(deps.database, async (trx) => {
    await countFailure(trx, providerFailureCounter(request), request.at);
    const deed = { action: 'session.fail', subject: 'user', subjectId: viewer.userId };
    await recordEvent(trx, actorOf(viewer, request), deed);
  });
}
