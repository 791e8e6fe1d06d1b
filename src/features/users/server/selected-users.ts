import type { Deps } from '#server/deps.ts';
import { givenFilters } from '#server/export/list-file.ts';
import type { Viewer } from '#server/http/viewer.ts';
import type { BodyOf } from '#shared/endpoint.ts';
import { errors } from '#shared/errors.ts';
import type { exportUsers } from '../admin-contract.ts';
import { messages } from '../contract.ts';
import { filterOf } from './account-list.ts';
import { findEmailability } from './admin-users-store.ts';

type Matching = Partial<BodyOf<typeof exportUsers>>;

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
  const filter = await filterOf(deps, viewer, givenFilters(asked.matching ?? {}));
  const ids = asked.userIds && [...new Set(asked.userIds)];
  const people = await findEmailability(db, filter, { ids: ids ?? undefined, limit: asked.limit });
  if (ids && people.length < ids.length) throw errors.notFound(messages.userNotFound);
  return people;
}
