import type { Id } from '#shared/id.ts';
import type { ProfileInput, User } from '../contract.ts';

/** The values of the profile form; `schoolIds` holds every wanted school, including those waiting for approval. */
export type ProfileValues = { firstName: string; lastName: string; email: string; schoolIds: Id[] };

export function profileValues(user: User): ProfileValues {
  const { firstName, lastName, email, schools, pendingSchools } = user;
  return { firstName, lastName, email, schoolIds: [...schools, ...pendingSchools].map(({ id }) => id) };
}

/** The fields that differ from `before`. Only these are sent, so that changes made elsewhere meanwhile are kept. */
export function profileChanges(before: ProfileValues, now: ProfileValues): ProfileInput {
  return {
    ...(now.firstName === before.firstName ? {} : { firstName: now.firstName }),
    ...(now.lastName === before.lastName ? {} : { lastName: now.lastName }),
    ...(now.email === before.email ? {} : { email: now.email }),
    ...(sameSchools(now.schoolIds, before.schoolIds) ? {} : { schoolIds: now.schoolIds }),
  };
}

export function isSame(before: ProfileValues, now: ProfileValues): boolean {
  return Object.keys(profileChanges(before, now)).length === 0;
}

function sameSchools(some: readonly Id[], others: readonly Id[]): boolean {
  return some.length === others.length && some.every((id) => others.includes(id));
}
