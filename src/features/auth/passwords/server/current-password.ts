import { findOwnCredentials } from '#features/users/server/store.ts';
import { record } from '#server/audit-log.ts';
import { transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { networkOf } from '#server/http/client-address.ts';
import { actorOf, type Request, type Viewer } from '#server/http/viewer.ts';
import type { Refusal } from '#shared/errors.ts';
import { countWrongPassword, isClosed, type Place, refundAttempt } from '../../server/login-throttling.ts';
import { passwordMatches } from './passwords.ts';

/**
 * The viewer's account as it was when its password was checked, within the limits of `place`. A wrong password counts,
 * is recorded, and throws `wrong`.
 */
export async function requireOwnPassword(
  deps: Deps,
  viewer: Viewer,
  request: Request,
  { place, password, wrong }: { place: Place; password: string; wrong: () => Refusal },
): Promise<Awaited<ReturnType<typeof findOwnCredentials>>> {
  const user = await findOwnCredentials(deps.database.db, viewer.userId);
  const stored = (await isClosed(deps, place, user)) ? null : user.password_hash;
  const matches = await passwordMatches(stored, password, networkOf(request.address)).catch((error) =>
    refundAttempt(deps, place, error),
  );
  if (matches) return user;
  await transaction(deps.database, async (trx) => {
    await countWrongPassword(trx, request, place, viewer.userId);
    const deed = { action: 'password.fail', subject: 'user', subjectId: viewer.userId };
    await record(trx, actorOf(viewer, request), deed);
  });
  throw wrong();
}
