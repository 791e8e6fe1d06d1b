import type { PublicSchool } from '#features/schools/contract.ts';
import { usePublicSchools } from '#features/schools/web/api.ts';
import type { Id } from '#shared/id.ts';
import type { GrantRole } from '#shared/permissions.ts';
import { useCan } from '#web/api/permissions.ts';
import { type MessageKey, useTranslation } from '#web/i18n/translate.ts';
import type { Grant } from '../../contract.ts';

/** The names of the roles that are held at schools. */
export const ROLE_TEXTS: Readonly<Record<GrantRole, MessageKey>> = {
  'school-admin': 'users:roleSchoolAdmin',
  coordinator: 'users:roleCoordinator',
  auditor: 'users:roleAuditor',
};

/** The schools where the viewer can grant roles because they manage people there. A null school ID means all schools. */
export function useAssignableRoles() {
  const { t } = useTranslation();
  const may = useCan();
  const all: readonly PublicSchool[] = usePublicSchools().data ?? [];
  const mayGive = (schoolId: Id | null): boolean => may('manage people', schoolId ?? 'all');
  return {
    mayGive,
    schools: all.filter(({ id }) => mayGive(id)),
    nameOf: (schoolId: Id | null): string =>
      schoolId === null ? t('users:everySchool') : (all.find(({ id }) => id === schoolId)?.name ?? ''),
  };
}

/** Groups grants by role, with the names of their schools; a role for all schools has no names. */
export function byRole(grants: readonly Grant[]): { role: GrantRole; schools: string[] }[] {
  const roles = [...new Set(grants.map(({ role }) => role))];
  return roles.map((role) => ({
    role,
    schools: grants.flatMap(({ role: other, school }) =>
      other === role && school !== null ? [school.name] : [],
    ),
  }));
}
