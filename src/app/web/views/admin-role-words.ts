import type { GrantRole } from '#base/grant-roles.ts';
import { isDistrictAdministrator } from '#base/permissions.ts';
import type { User } from '#rooms/users/contract.ts';
import type { Text, TextKey } from '#web/lib/text.ts';

// Widest first.
const WORDS: Readonly<Record<GrantRole, TextKey>> = {
  'school-admin': 'web:asSchoolAdmin',
  coordinator: 'web:asCoordinator',
  auditor: 'web:asAuditor',
};

/** The roles that somebody holds, widest first: 'School administrator at Lincoln'; undefined without any, and for the district's. */
export function roleWords(user: Pick<User, 'role' | 'grants'>, t: Text['t']): string | undefined {
  if (isDistrictAdministrator(user)) return undefined;
  const words = Object.entries(WORDS).flatMap(([role, text]) => {
    const held = user.grants.filter((grant) => grant.role === role);
    if (held.length === 0) return [];
    if (held.some(({ school }) => school === null)) return [t('web:asAuditorOfAll')];
    return [t(text, { count: held.length, school: held[0]?.school?.name ?? '' })];
  });
  return words.length === 0 ? undefined : words.join(' · ');
}
