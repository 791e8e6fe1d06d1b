import { lockUser } from '#features/users/server/accounts.ts';
import { recordEvent } from '#server/audit-log.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { networkOf } from '#server/http/client-address.ts';
import { type Counter, countFailure, PER_ADDRESS, throwWhilePaused } from '#server/http/rate-limit.ts';
import { type Acting, actorOf, type Request } from '#server/http/viewer.ts';
import { errors, HttpError } from '#shared/errors.ts';
import { recordReauthentication } from '../../re-authentication/server/actions.ts';
import { beginSession, type SignedIn } from '../../sessions/server/new-session.ts';
import { messages, type PasskeyAnswer } from '../passkey-contract.ts';
import { passkeyOptionsFor, verifyPasskey } from './passkeys.ts';

/**
 * Signs in with a passkey alone. An unknown passkey, one of a deactivated account and any invalid response get the same reply.
 * Failures are counted per IP address.
 */
export async function signInByPasskey(
  deps: Deps,
  request: Request,
  answer: PasskeyAnswer,
): Promise<SignedIn> {
  const question = { for: 'sign-in' } as const;
  const act = async (trx: Trx, userId: number) => {
    await requireActive(trx, userId);
    return beginSession(trx, deps, request, {
      userId,
      by: 'passkey',
      deed: { action: 'session.passkey' },
    });
  };
  return counted(deps, request, () => verifyPasskey(deps, request, { question, answer }, act));
}

/** The WebAuthn request to re-authenticate the viewer. */
export async function passkeyReauthenticationOptions(deps: Deps, { viewer, request }: Acting) {
  const question = { for: 'fresh', sessionId: viewer.sessionId } as const;
  const asked = await passkeyOptionsFor(deps.database.db, deps, question, { userId: viewer.userId, request });
  if (asked === undefined) throw errors.conflict(messages.gone);
  return { options: asked };
}

/** Re-authenticates this session with one of the viewer's passkeys. */
export function reauthenticateByPasskey(deps: Deps, { viewer, request }: Acting, answer: PasskeyAnswer) {
  const question = { for: 'fresh', sessionId: viewer.sessionId } as const;
  const act = async (trx: Trx, userId: number) => {
    if (userId !== viewer.userId) throw errors.invalid(messages.refused);
    await requireActive(trx, userId);
    return recordReauthentication(trx, deps, { viewer, request });
  };
  return counted(deps, request, () =>
    // A 401 would sign the page out.
    verifyPasskey(deps, request, { question, answer }, act).catch(asInvalid),
  );
}

/** Turns a rejected passkey into a field error, so that the session continues. */
function asInvalid(error: unknown): never {
  if (error instanceof HttpError && error.kind === 'unauthenticated') throw errors.invalid(error.text);
  throw error;
}

async function requireActive(trx: Trx, userId: number): Promise<void> {
  const user = await lockUser(trx, userId);
  if (user?.is_active !== 1) throw errors.unauthenticated(messages.refused);
}

async function counted<Result>(deps: Deps, request: Request, run: () => Promise<Result>): Promise<Result> {
  const tries: Counter = { key: `passkey:${networkOf(request.address)}`, policy: PER_ADDRESS };
  await throwWhilePaused(deps.database, tries, request.at);
  try {
    return await run();
  } catch (error) {
    if (error instanceof HttpError && (error.kind === 'unauthenticated' || error.kind === 'invalid')) {
      await transaction(deps.database, async (trx) => {
        await countFailure(trx, tries, request.at);
        const deed = { action: 'session.fail', subject: 'user', subjectId: null };
        await recordEvent(trx, actorOf(undefined, request), deed);
      });
    }
    throw error;
  }
}
