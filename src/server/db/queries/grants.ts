import type { Grant, GrantRole } from '#shared/permissions.ts';

/** An SQL expression: the grants of the row of `users` in one text, as `grantsIn` reads it; null for none. */
export const GRANTS_TEXT = `(select string_agg(user_grants.role || ' ' || coalesce(user_grants.school_id, 0), ',')
  from user_grants where user_grants.user_id = users.id)`;

/** The grants in a text that `GRANTS_TEXT` made. */
export function grantsIn(text: string | null): Grant[] {
  if (text === null) return [];
  return text.split(',').map((one) => {
    const [role = '', schoolId] = one.split(' ');
    return { role: role as GrantRole, schoolId: Number(schoolId) === 0 ? null : Number(schoolId) };
  });
}
