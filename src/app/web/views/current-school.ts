import { useEffect } from 'react';
import type { Id } from '#base/id.ts';
import { usePublicSchools } from '#rooms/schools/web/api.ts';
import type { User } from '#rooms/users/contract.ts';
import { keepSelectedSchool, useSelectedSchoolId } from '#web/lib/session.ts';

/** The school that shows: the one chosen last, or the first when that one is no longer among them. */
export function currentSchool<School extends { id: Id }>(
  schools: readonly School[],
  selectedId: Id | undefined,
): School | undefined {
  return schools.find((school) => school.id === selectedId) ?? schools[0];
}

/** The schools of a person, or all schools for an administrator who belongs to none; and the one that shows. */
export function useSchools(user: User) {
  const isEverywhere = user.role === 'admin' && user.schools.length === 0;
  const every = usePublicSchools(isEverywhere);
  const all = isEverywhere ? every.data : user.schools;
  const current = currentSchool(all ?? [], useSelectedSchoolId());
  const id = current?.id;
  // Local storage names the school that shows, also when it was not chosen by hand (specification section 2).
  useEffect(() => {
    if (id !== undefined) keepSelectedSchool(id);
  }, [id]);
  return {
    /** Nothing while they are loading. */
    all,
    current,
    /** Loads them again, when they could not be loaded. */
    retry: every.isError ? () => void every.refetch() : undefined,
  };
}

export type Schools = ReturnType<typeof useSchools>;
