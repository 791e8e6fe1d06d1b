import { record } from '#server/audit.ts';
import type { Trx } from '#server/db/connect.ts';
import type { SignInWay } from '#server/db/tables.ts';
import type { Deps } from '#server/deps.ts';
import { text } from '#server/http/errors.ts';
import type { Request } from '#server/http/viewer.ts';
import { messages, type User } from '../contract.ts';
import { ownUser } from './account-in-transaction.ts';
import { rememberPlace } from './guessing.ts';
import type { Source } from './session-store.ts';
import { startSession } from './sessions.ts';

/** What signing in and registering answer. */
export type SignedIn = { user: User; token: string; message: string };

/** Whose account it is, by what, how the sign-in stands in the record, and the account elsewhere that it came from. */
export type FirstProof = Readonly<{
  userId: number;
  by: SignInWay;
  deed: Readonly<{ action: 'session.start' | 'session.provider'; after?: object }>;
  source?: Source;
}>;

/**
 * Opens the session of somebody who has just proven who they are. Every way into an account that exists ends here, so
 * that whatever else is asked before a session is asked of all of them.
 */
export async function openSession(
  trx: Trx,
  deps: Deps,
  request: Request,
  { userId, by, deed, source }: FirstProof,
): Promise<SignedIn> {
  await rememberPlace(trx, deps, request, userId);
  const token = await startSession(trx, userId, request, { by, ...source });
  const { at, address, requestId } = request;
  await record(trx, { userId, at, address, requestId }, { ...deed, subject: 'user', subjectId: userId });
  return { user: await ownUser(trx, userId), token, message: text(deps, messages.loggedIn) };
}
