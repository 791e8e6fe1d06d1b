import { type GrantRole, isDistrictAdministrator } from '#shared/permissions.ts';
import type { MessageKey, Text } from '#web/i18n/translate.ts';
import type { User } from '../../contract.ts';

// Widest first.
const WORDS: Readonly<Record<GrantRole, MessageKey>> = {
  'school-admin': 'web:asSchoolAdmin',
  coordinator: 'web:asCoordinator',
  auditor: 'web:asAuditor',
};

/**
 * A user's roles, widest first: 'School administrator at Lincoln'. Undefined for users without roles and for district
 * administrators.
 */
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
