import type { Deps } from '#server/deps.ts';
import type { Request } from '#server/http/viewer.ts';
import { countInvites } from './invite-store.ts';
import { countErasureWishes, countPending } from './membership-store.ts';

/** The number of requests waiting for an administrator, and of usable invitations. */
export async function readWaiting(deps: Deps, request: Request) {
  const { db } = deps.database;
  return {
    waiting: {
      memberships: await countPending(db, ''),
      erasureRequests: await countErasureWishes(db),
      openInvites: await countInvites(db, { search: '', openAt: request.at }),
    },
    lettersInFolder: deps.config.smtpUrl === undefined,
  };
}
