import type { Deps } from '#server/deps.ts';
import { type ListColumn, listFile } from '#server/export/list-file.ts';
import type { FileAnswer } from '#server/http/route-mount.ts';
import { type Acting, canAt, scopeFor, type Viewer } from '#server/http/viewer.ts';
import { dayIn } from '#shared/calendar-date.ts';
import type { BodyOf } from '#shared/endpoint.ts';
import { type GrantRole, isDistrictAdministrator } from '#shared/permissions.ts';
import type { AdminUser, exportUsers } from '../admin-contract.ts';
import { pageOfAccounts } from './account-list.ts';

const ROLE_TEXTS = {
  'school-admin': 'users:roleSchoolAdmin',
  coordinator: 'users:roleCoordinator',
  auditor: 'users:roleAuditor',
} as const satisfies Readonly<Record<GrantRole, string>>;

/** The accounts of a list as a file. */
export function usersFile(
  deps: Deps,
  acting: Acting,
  input: BodyOf<typeof exportUsers>,
): Promise<FileAnswer> {
  const { viewer } = acting;
  return listFile(deps, acting, {
    list: 'users',
    title: 'users:title',
    input,
    columns: columnsFor(deps, viewer),
    read: async (query) => {
      const { users: rows, nextCursor } = await pageOfAccounts(deps, viewer, query);
      return { rows, nextCursor };
    },
  });
}

function columnsFor(deps: Deps, viewer: Viewer): ListColumn<AdminUser>[] {
  const { t } = deps.translator;
  const zone = deps.config.timeZone;
  const hasAddresses = scopeFor(viewer, 'export addresses').length > 0;
  return [
    { title: 'users:firstName', kind: 'text', width: 16, value: (user) => user.firstName },
    { title: 'users:lastName', kind: 'text', width: 18, value: (user) => user.lastName },
    ...(hasAddresses ? [addressFor(viewer)] : []),
    {
      title: 'users:schools',
      kind: 'text',
      width: 28,
      value: ({ userSchools }) => userSchools.map(({ school }) => school.name).join('; '),
    },
    { title: 'users:role', kind: 'text', width: 28, value: (user) => rolesOf(user, t) },
    {
      title: 'users:status',
      kind: 'text',
      width: 10,
      value: ({ isActive }) => t(isActive ? 'users:active' : 'users:inactive'),
    },
    {
      title: 'users:lastLogin',
      kind: 'day',
      width: 12,
      value: ({ lastLogin }) => (lastLogin === null ? null : dayIn(zone, lastLogin)),
    },
    {
      title: 'time-entries:created',
      kind: 'day',
      width: 12,
      value: ({ createdAt }) => dayIn(zone, createdAt),
    },
    { title: 'time-entries:fileAccount', kind: 'number', width: 10, value: ({ id }) => id },
  ];
}

function addressFor(viewer: Viewer): ListColumn<AdminUser> {
  const value = (user: AdminUser) => (mayHaveAddress(viewer, user) ? user.email : null);
  return { title: 'users:email', kind: 'text', width: 28, value };
}

// Whether the user is a member of, or has a role at, a school where the viewer may export addresses.
function mayHaveAddress(viewer: Viewer, { schools, grants }: AdminUser): boolean {
  if (scopeFor(viewer, 'export addresses') === 'all') return true;
  const places = [...schools.map(({ id }) => id), ...grants.flatMap(({ school }) => school?.id ?? [])];
  return places.some((id) => canAt(viewer, 'export addresses', id));
}

function rolesOf(user: AdminUser, t: (key: string) => string): string {
  if (isDistrictAdministrator(user)) return t('users:roleAdmin');
  if (user.grants.length === 0) return t('users:roleUser');
  return user.grants
    .map(({ role, school }) => `${t(ROLE_TEXTS[role])} (${school?.name ?? t('users:everySchool')})`)
    .join('; ');
}
