import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BodyOf, QueryOf } from '#shared/endpoint.ts';
import type { Id } from '#shared/id.ts';
import { fullName } from '#shared/person-name.ts';
import { call } from '#web/api/call.ts';
import { listPages, readPages, totalOf } from '#web/api/infinite-pages.ts';
import { useAdminChange } from '#web/api/list-cache.ts';
import {
  type AdminUser,
  changeUsersInBulk,
  countWaiting,
  createUser,
  deleteUser,
  inviteWalkIn,
  listUsers,
  updateUser,
} from '../admin-contract.ts';
import type { GuestVolunteerChange } from '../guest-volunteers/contract.ts';

const LOOK_EVERY_MS = 60_000;

/** An account with its full name, as lists show it. */
export type NamedUser = AdminUser & Readonly<{ name: string }>;

type Narrowing = Omit<QueryOf<typeof listUsers>, 'search' | 'limit' | 'cursor'>;

const accountsFound = (search: string, narrowing: Narrowing) =>
  listPages(['admin', 'users', narrowing, search], listUsers, { search, ...narrowing }, (pages) => ({
    users: pages.flatMap((page) => page.users).map(named),
    total: totalOf(pages),
    hidesPhotos: pages.some(({ photosSeenBy }) => photosSeenBy === 'approved'),
  }));

/** The accounts that match a search and filters, by last and first name unless sorted otherwise. */
export function useUserList(search: string, narrowing: Narrowing = {}) {
  return useInfiniteQuery({ ...accountsFound(search, narrowing), placeholderData: keepPreviousData });
}

/** Finds accounts without a typing delay; empty if the request fails. */
export function useFindUsers() {
  const client = useQueryClient();
  return async (search: string, schoolId: Id | undefined): Promise<readonly NamedUser[]> => {
    const found = await client.fetchInfiniteQuery(accountsFound(search, { schoolId })).catch(() => undefined);
    return found?.pages.flatMap((page) => page.users).map(named) ?? [];
  };
}

/** The maximum number of pages of members to read. */
const MEMBER_PAGES = 20;

/** The active members of a school, by last and first name: all of them, up to ten thousand. */
export async function membersOf(schoolId: Id): Promise<readonly NamedUser[]> {
  const query = { schoolId, state: 'active', limit: 500 } as const;
  const pages = await readPages(listUsers, query, { most: MEMBER_PAGES });
  return pages
    .flatMap(({ users }) => users)
    .filter(({ schools }) => schools.some(({ id }) => id === schoolId))
    .map(named);
}

function named(user: AdminUser): NamedUser {
  return { ...user, name: fullName(user) };
}

/** The number of requests that await an administrator, refetched every minute while the screen is open. */
export function useWaiting(isAsked = true) {
  return useQuery({
    queryKey: ['admin', 'waiting'],
    queryFn: () =>
      call(countWaiting).then(({ waiting, lettersInFolder }) => ({ ...waiting, lettersInFolder })),
    enabled: isAsked,
    staleTime: 0,
    refetchInterval: LOOK_EVERY_MS,
  });
}

/** Creates an account, or changes the given one. The change is rejected if the account has changed since it was displayed. */
export function useSaveUser() {
  return useAdminChange(({ user, body }: { user: AdminUser | undefined; body: BodyOf<typeof createUser> }) =>
    user === undefined
      ? call(createUser, { body })
      : call(updateUser, { params: { id: user.id }, body, version: user.version }).then((reply) => ({
          ...reply,
          link: null,
        })),
  );
}

/** Changes a guest volunteer; with `isInvited`, also creates an account for them. */
export function useSaveGuestVolunteer() {
  type Given = { user: AdminUser; body: Omit<GuestVolunteerChange, 'isInvited'>; isInvited: boolean };
  return useAdminChange(async ({ user, body: { email, ...body }, isInvited }: Given) => {
    const { id, version } = user;
    const saved = await call(updateUser, {
      params: { id },
      body: { ...body, ...(email === '' ? {} : { email }) },
      version,
    });
    return isInvited ? call(inviteWalkIn, { params: { id }, body: { email } }) : { ...saved, link: null };
  });
}

/** Creates a new link to choose a password for a user without one. */
export function useNewPasswordLink() {
  return useAdminChange((id: Id) => call(inviteWalkIn, { params: { id }, body: {} }));
}

/** Changes accounts in bulk. */
export function useChangeManyUsers() {
  return useAdminChange((body: BodyOf<typeof changeUsersInBulk>) => call(changeUsersInBulk, { body }));
}

/** Deletes an account that has no records, such as time entries or photos. */
export function useDeleteUser() {
  return useAdminChange((user: AdminUser) => call(deleteUser, { params: { id: user.id } }));
}
