import type { Trx } from '#server/db/database.ts';
import type { Row } from '#server/db/tables.ts';
import type { Viewer } from '#server/http/viewer.ts';
import { assertDefined } from '#shared/assert-defined.ts';
import { commonMessages } from '#shared/common-messages.ts';
import { errors } from '#shared/errors.ts';
import type { User } from '../contract.ts';
import { findUser, isSessionOpen, lockUser } from './store.ts';

/** Returns an account within the transaction that created or changed it. */
export async function ownUser(trx: Trx, id: number): Promise<User> {
  return assertDefined(await findUser(trx, id));
}

/**
 * Returns the viewer's account, locked until the transaction ends. Throws 401 if their session has ended since the request was
 * authenticated, for example because their second factor was reset.
 */
export async function lockOwnAccount(trx: Trx, { userId, sessionId }: Viewer): Promise<Row<'users'>> {
  const user = await lockUser(trx, userId);
  if (user?.is_active === 1 && (await isSessionOpen(trx, sessionId))) return user;
  throw errors.unauthenticated(commonMessages.authenticationRequired);
}
