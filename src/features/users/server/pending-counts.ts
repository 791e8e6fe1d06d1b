import type { Deps } from '#server/deps.ts';
import { canEverywhere, type Request, scopeFor, type Viewer } from '#server/http/viewer.ts';
import { countInvites } from '../invitations/server/store.ts';
import { countPending, countRequestedDeletions } from '../memberships/server/store.ts';

/** The number of requests that wait at the viewer's schools, and of usable invitations to them. */
export async function readPendingCounts(deps: Deps, viewer: Viewer, request: Request) {
  const { db } = deps.database;
  const schools = scopeFor(viewer, 'see requests');
  return {
    waiting: {
      memberships: await countPending(db, { schools, search: '' }),
      erasureRequests: canEverywhere(viewer, 'run the district') ? await countRequestedDeletions(db) : 0,
      openInvites: await countInvites(db, { schools, search: '', openAt: request.at }),
    },
    lettersInFolder: deps.config.smtpUrl === undefined,
  };
}
