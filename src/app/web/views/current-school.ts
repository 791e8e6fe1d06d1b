import type { Id } from '#base/id.ts';

/** The school that shows: the one chosen last, or the first when that one is no longer among them. */
export function currentSchool<School extends { id: Id }>(
  schools: readonly School[],
  selectedId: Id | undefined,
): School | undefined {
  return schools.find((school) => school.id === selectedId) ?? schools[0];
}
