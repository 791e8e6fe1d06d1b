import type { Deps } from '#server/deps.ts';
import type { Request } from '#server/http/viewer.ts';
import { countInvites } from './invite-store.ts';
import { countErasureWishes, countPending } from './membership-store.ts';

/** How many requests wait for an administrator, and how many invitations can still be used. */
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
