import { type GrantRole, isDistrictAdministrator } from '#shared/permissions.ts';
import type { MessageKey, Text } from '#web/i18n/translate.ts';
import type { User } from '../../contract.ts';

// Widest first.
const WORDS: Readonly<Record<GrantRole, MessageKey>> = {
  'school-admin': 'web:asSchoolAdmin',
  coordinator: 'web:asCoordinator',
  auditor: 'web:asAuditor',
};

/** The roles that somebody holds, widest first: 'School administrator at Lincoln'; undefined without any, and for the district's. */
export function roleNames(user: Pick<User, 'role' | 'grants'>, t: Text['t']): string | undefined {
  if (isDistrictAdministrator(user)) return undefined;
  const words = Object.entries(WORDS).flatMap(([role, text]) => {
    const held = user.grants.filter((grant) => grant.role === role);
    if (held.length === 0) return [];
    if (held.some(({ school }) => school === null)) return [t('web:asAuditorOfAll')];
    return [t(text, { count: held.length, school: held[0]?.school?.name ?? '' })];
  });
  return words.length === 0 ? undefined : words.join(' · ');
}
