import { useEffect } from 'react';
import { usePublicSchools } from '#features/schools/web/api.ts';
import type { User } from '#features/users/contract.ts';
import type { Id } from '#shared/id.ts';
import { storeSelectedSchool, useSelectedSchoolId } from '#web/api/session.ts';

/** Returns the current school: the last selected one, or the first if that one is not in the list. */
export function currentSchool<School extends { id: Id }>(
  schools: readonly School[],
  selectedId: Id | undefined,
): School | undefined {
  return schools.find((school) => school.id === selectedId) ?? schools[0];
}

/** Returns the user's schools, or all schools for an administrator without any, and the current one. */
export function useSchools(user: User) {
  const isEverywhere = user.role === 'admin' && user.schools.length === 0;
  const every = usePublicSchools(isEverywhere);
  const all = isEverywhere ? every.data : user.schools;
  const current = currentSchool(all ?? [], useSelectedSchoolId());
  const id = current?.id;
  // Local storage holds the current school even if the user never selected one (specification section 2).
  useEffect(() => {
    if (id !== undefined) storeSelectedSchool(id);
  }, [id]);
  return {
    /** Undefined while the schools are loading. */
    all,
    current,
    /** Loads the schools again after a failure. */
    retry: every.isError ? () => void every.refetch() : undefined,
  };
}

export type Schools = ReturnType<typeof useSchools>;
