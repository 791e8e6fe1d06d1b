import type { Grant, GrantRole } from '#shared/permissions.ts';

/** An SQL expression for the roles of the row of `users`, as one text for `grantsIn`; null if there are none. */
export const GRANTS_TEXT = `(select string_agg(user_grants.role || ' ' || coalesce(user_grants.school_id, 0), ',')
  from user_grants where user_grants.user_id = users.id)`;

/** Parses the roles in a text from `GRANTS_TEXT`. */
export function grantsIn(text: string | null): Grant[] {
  if (text === null) return [];
  return text.split(',').map((one) => {
    const [role = '', schoolId] = one.split(' ');
    return { role: role as GrantRole, schoolId: Number(schoolId) === 0 ? null : Number(schoolId) };
  });
}
