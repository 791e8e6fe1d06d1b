import { createContext, useContext } from 'react';
import type { Id } from '#shared/id.ts';
import { type Capability, type GrantRole, schoolsWhereAllowed } from '#shared/permissions.ts';

/** An account's roles. A grant whose school is null covers every school. */
export type RoleHolder = Readonly<{
  role: 'user' | 'admin';
  grants: readonly Readonly<{ role: GrantRole; school: Readonly<{ id: Id }> | null }>[];
}>;

/** Checks a capability at a school, at every school ('all'), or, without a scope, at any school. */
export type PermissionCheck = (capability: Capability, at?: Id | 'all') => boolean;

/** Returns the permission check of an account. Uses the same table as the server's gates. */
export function permissionsOf({ role, grants }: RoleHolder): PermissionCheck {
  const holder = {
    role,
    grants: grants.map((grant) => ({ role: grant.role, schoolId: grant.school?.id ?? null })),
  };
  return (capability, at) => {
    const scope = schoolsWhereAllowed(holder, capability);
    if (scope === 'all') return true;
    return at === undefined ? scope.length > 0 : at !== 'all' && scope.includes(at);
  };
}

/** The permissions of the user in the Admin Panel; none outside it. */
export const PermissionsContext = createContext<PermissionCheck>(() => false);

/** Returns the user's permission check. Controls are shown only where they can be used. */
export function useCan(): PermissionCheck {
  return useContext(PermissionsContext);
}
