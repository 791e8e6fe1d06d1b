import { findRequestedSchools } from '#features/schools/server/actions.ts';
import { pageByKey } from '#server/db/queries/pagination.ts';
import type { Deps } from '#server/deps.ts';
import type { Viewer } from '#server/http/viewer.ts';
import { type Instant, plusMilliseconds } from '#shared/calendar-date.ts';
import type { QueryOf } from '#shared/endpoint.ts';
import { type AdminUser, type listUsers, SIGN_INS, type SignInChoice } from '../admin-contract.ts';
import { toVisibleAccount } from '../roles/server/actions.ts';
import { countUsers, pageOfUsers, type UserFilter, unapprovedUsers } from './admin-users-store.ts';

/**
 * A page of accounts of one school or all of the viewer's, in the requested order, with their total. Does not show a user's
 * schools outside the viewer's scope.
 */
export async function listAccounts(deps: Deps, viewer: Viewer, query: AccountsQuery) {
  const { filter, ...page } = await pageOfAccounts(deps, viewer, query);
  const total = await countUsers(deps.database.db, filter);
  return { ...page, total, photosSeenBy: deps.config.photosSeenBy };
}

type AccountsQuery = QueryOf<typeof listUsers>;

/** Like `listAccounts`, with the filter instead of the total. */
export async function pageOfAccounts(deps: Deps, viewer: Viewer, query: AccountsQuery) {
  const { db } = deps.database;
  const filter = await filterOf(deps, viewer, query);
  const sorting = { by: query.sortBy ?? 'name', order: query.sortOrder ?? 'asc' };
  const list = `users ${sorting.by} ${sorting.order}`;
  const { rows, nextCursor } = await pageByKey(deps.secretKey, list, query, {
    read: (page) => pageOfUsers(db, filter, sorting, page),
    keyOf: ({ sortKey, user }) => [sortKey, user.id],
  });
  const accounts = rows.map(({ user }) => toVisibleAccount(viewer, user));
  return { users: await withHiddenPhotos(deps, viewer, accounts), nextCursor, filter };
}

/** Returns the store's filter for a query of the list. */
export async function filterOf(deps: Deps, viewer: Viewer, query: AccountsQuery): Promise<UserFilter> {
  const schools = await findRequestedSchools(deps.database.db, viewer, query.schoolId);
  const { role, state, lastSignIn, search = '' } = query;
  const isUnapproved = query.photos === 'hidden';
  const since = notSignedInSince(deps, lastSignIn);
  return { schools, role, state, search, notSignedInSince: since, isUnapproved };
}

async function withHiddenPhotos(
  { config, database }: Deps,
  viewer: Viewer,
  users: readonly AdminUser[],
): Promise<AdminUser[]> {
  if (config.photosSeenBy === 'members') return [...users];
  const ids = users.map(({ id }) => id);
  const hidden = await unapprovedUsers(database.db, ids, viewer.schools);
  return users.map((user) => {
    const photosHiddenAt = hidden.get(user.id);
    return photosHiddenAt === undefined ? user : { ...user, photosHiddenAt };
  });
}

// Null means never.
function notSignedInSince(deps: Deps, choice: SignInChoice | undefined): Instant | null | undefined {
  const days = choice === undefined ? undefined : SIGN_INS[choice];
  return typeof days === 'number' ? plusMilliseconds(deps.clock.now(), -days * DAY_MS) : days;
}

const DAY_MS = 86_400_000;
