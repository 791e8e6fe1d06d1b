/** The roles at a school, widest first. An auditor's role may cover all schools. */
export const SCHOOL_ROLES = ['school-admin', 'coordinator', 'auditor'] as const;
export type GrantRole = (typeof SCHOOL_ROLES)[number];

/** The names in the audit log for the schools of each role. */
export const AUDITED_ROLE_NAMES = {
  'school-admin': 'schoolAdminOf',
  coordinator: 'coordinatorOf',
  auditor: 'auditorOf',
} as const satisfies Readonly<Record<GrantRole, string>>;

/**
 * The roles that have each capability (beyond section 3). Route permissions, read scopes, screens, the test matrix and
 * docs/permissions.md are all derived from this value; test/http/permissions/docs-page.ts describes what each capability
 * includes.
 */
export const CAPABILITIES = {
  'run the district': [],
  'see schools': ['school-admin', 'coordinator', 'auditor'],
  'edit school': ['school-admin'],
  'see people': ['school-admin', 'coordinator', 'auditor'],
  'manage people': ['school-admin'],
  'write to people': ['school-admin'],
  'see requests': ['school-admin', 'auditor'],
  'decide requests': ['school-admin'],
  'import people': ['school-admin'],
  'see categories and activities': ['school-admin', 'coordinator', 'auditor'],
  'edit categories': ['school-admin'],
  'edit activities': ['school-admin', 'coordinator'],
  'see suggestions': ['school-admin', 'coordinator', 'auditor'],
  'decide suggestions': ['school-admin', 'coordinator'],
  'see entries': ['school-admin', 'coordinator', 'auditor'],
  'log for others': ['school-admin', 'coordinator'],
  'import hours': ['school-admin'],
  'edit entries': ['school-admin', 'coordinator'],
  'verify hours': ['school-admin', 'coordinator'],
  'restore deleted': ['school-admin'],
  'export entries': ['school-admin', 'coordinator', 'auditor'],
  'export addresses': ['school-admin', 'auditor'],
  'issue letters': ['school-admin'],
  'withdraw letters': ['school-admin', 'coordinator'],
  'see figures': ['school-admin', 'coordinator', 'auditor'],
  'see history': ['school-admin', 'coordinator', 'auditor'],
  'see photos': ['school-admin', 'coordinator', 'auditor'],
  'manage photos': ['school-admin', 'coordinator'],
} as const satisfies Readonly<Record<string, readonly GrantRole[]>>;

/** A capability; a district administrator has all of them at every school. */
export type Capability = keyof typeof CAPABILITIES;

/** A role at one school, or at all of them (null). */
export type Grant = Readonly<{ role: GrantRole; schoolId: number | null }>;

/** A user as permissions see them: `admin` is a district administrator, and every user may have grants. */
export type PermissionHolder = Readonly<{ role: 'user' | 'admin'; grants: readonly Grant[] }>;

/** Whether an account is a district administrator. No other code compares the role. */
export function isDistrictAdministrator({ role }: { role: 'user' | 'admin' }): boolean {
  return role === 'admin';
}

/** The schools where a holder has a capability: all, the named ones, or (an empty list) none. */
export function schoolsWhereAllowed(
  holder: PermissionHolder,
  capability: Capability,
): 'all' | readonly number[] {
  if (isDistrictAdministrator(holder)) return 'all';
  if (holder.grants.length === 0) return NOWHERE;
  const roles = rolesFor(capability);
  const giving = holder.grants.filter(({ role }) => roles.includes(role));
  if (giving.some(({ schoolId }) => schoolId === null)) return 'all';
  return [...new Set(giving.flatMap(({ schoolId }) => (schoolId === null ? [] : [schoolId])))];
}

/** The roles at a school that have a capability. */
export function rolesFor(capability: Capability): readonly GrantRole[] {
  return CAPABILITIES[capability];
}

/** All capabilities that a user has at any school, in the order of `CAPABILITIES`. */
export function capabilitiesOf(holder: PermissionHolder): Capability[] {
  const names = Object.keys(CAPABILITIES) as Capability[];
  return names.filter((name) => schoolsWhereAllowed(holder, name).length > 0);
}

const NOWHERE: readonly number[] = [];

/** Whether two-factor authentication can be required of a user: district administrators, and administrators of a school. */
export function isAdministrator(holder: PermissionHolder): boolean {
  return isDistrictAdministrator(holder) || holder.grants.some(({ role }) => role === 'school-admin');
}
