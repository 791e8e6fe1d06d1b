import { baseMessages } from '#base/messages.ts';
import { refuse } from '#base/refusal.ts';
import { sure } from '#base/sure.ts';
import type { Trx } from '#server/db/connect.ts';
import type { Row } from '#server/db/tables.ts';
import type { Viewer } from '#server/http/viewer.ts';
import type { User } from '../contract.ts';
import { isSession } from './session-store.ts';
import { findUser, holdUser } from './store.ts';

/** An account within the transaction that made or changed it. */
export async function ownUser(trx: Trx, id: number): Promise<User> {
  return sure(await findUser(trx, id));
}

/**
 * The viewer's account, locked until the transaction ends. 401 when their session ended since the request was let in, as a
 * reset of their second proof ends it.
 */
export async function holdOwnAccount(trx: Trx, { userId, sessionId }: Viewer): Promise<Row<'users'>> {
  const user = await holdUser(trx, userId);
  if (user?.is_active === 1 && (await isSession(trx, sessionId))) return user;
  throw refuse.unauthenticated(baseMessages.authenticationRequired);
}
