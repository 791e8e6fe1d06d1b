/**
 * The roles that a person may hold at a school, widest first; an auditor's may be for all schools. What they allow stands
 * in permissions.ts, which volunteers' pages do not load.
 */
export const SCHOOL_ROLES = ['school-admin', 'coordinator', 'auditor'] as const;
export type GrantRole = (typeof SCHOOL_ROLES)[number];

/** What the record calls the schools at which a role is held. */
export const AUDITED_ROLE_NAMES = {
  'school-admin': 'schoolAdminOf',
  coordinator: 'coordinatorOf',
  auditor: 'auditorOf',
} as const satisfies Readonly<Record<GrantRole, string>>;
