import type { Deps } from '#server/deps.ts';
import type { Viewer } from '#server/http/viewer.ts';
import { errors } from '#shared/errors.ts';
import type { ListedRole, SignInChoice, State } from '../admin-contract.ts';
import { messages } from '../contract.ts';
import { filterOf } from './account-list.ts';
import { findEmailability } from './admin-users-store.ts';

type Matching = Readonly<{
  schoolId?: number | null | undefined;
  role?: ListedRole | null | undefined;
  state?: State | null | undefined;
  lastSignIn?: SignInChoice | null | undefined;
  photos?: 'hidden' | null | undefined;
  search?: string | null | undefined;
}>;

/**
 * Returns the accounts that a bulk action targets: the selected IDs (404 if one is outside the viewer's schools) or all that
 * match the filters, up to a limit. Includes whether each can be emailed.
 */
export async function findSelectedUsers(
  deps: Deps,
  viewer: Viewer,
  asked: Readonly<{
    userIds: readonly number[] | null | undefined;
    matching: Matching | null | undefined;
    limit: number;
  }>,
) {
  const { db } = deps.database;
  const { schoolId, role, state, lastSignIn, photos, search } = asked.matching ?? {};
  const filter = await filterOf(deps, viewer, {
    schoolId: schoolId ?? undefined,
    role: role ?? undefined,
    state: state ?? undefined,
    lastSignIn: lastSignIn ?? undefined,
    photos: photos ?? undefined,
    search: search ?? undefined,
  });
  const ids = asked.userIds && [...new Set(asked.userIds)];
  const people = await findEmailability(db, filter, { ids: ids ?? undefined, limit: asked.limit });
  if (ids && people.length < ids.length) throw errors.notFound(messages.userNotFound);
  return people;
}
