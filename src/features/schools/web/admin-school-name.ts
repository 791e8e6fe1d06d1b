import type { Id } from '#shared/id.ts';

/** The name under which a browser keeps the school that an account chose last in the administrators' lists. */
// By account: on a shared computer, nobody starts where a colleague stopped.
export const adminSchoolName = (userId: Id) => `adminSchool.${userId}`;
