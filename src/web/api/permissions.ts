import { createContext, useContext } from 'react';
import type { Id } from '#shared/id.ts';
import { type Capability, type GrantRole, schoolsWhereAllowed } from '#shared/permissions.ts';

/** What an account says of its holder's roles. */
export type RoleHolder = Readonly<{
  role: 'user' | 'admin';
  grants: readonly Readonly<{ role: GrantRole; school: Readonly<{ id: Id }> | null }>[];
}>;

/**
 * Whether somebody may do something: at a school, at every school there is ('all'), or, without a place, at some
 * school.
 */
export type May = (capability: Capability, at?: Id | 'all') => boolean;

/** What an account may do, by the same table as the server's gates. */
export function permissionsOf({ role, grants }: RoleHolder): May {
  const holder = {
    role,
    grants: grants.map((held) => ({ role: held.role, schoolId: held.school?.id ?? null })),
  };
  return (capability, at) => {
    const places = schoolsWhereAllowed(holder, capability);
    if (places === 'all') return true;
    return at === undefined ? places.length > 0 : at !== 'all' && places.includes(at);
  };
}

/** What the person at the administrators' screens may do; nothing outside of them. */
export const PermissionsContext = createContext<May>(() => false);

/** What the person at these screens may do: a control is shown only where it may be used. */
export function useCan(): May {
  return useContext(PermissionsContext);
}
