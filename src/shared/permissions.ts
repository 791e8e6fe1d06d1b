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

/**
 * Who may do what, and where (beyond section 3). The gates of the routes, the scope of every read, the screens, the
 * tests' matrix and docs/permissions.md are made from this one value; what each capability comprises is said in
 * test/http/permissions/capabilities.ts.
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

/** Something that a person may do; a district administrator may do all of it at every school. */
export type Capability = keyof typeof CAPABILITIES;

/** A role at one school, or at all of them (null). */
export type Grant = Readonly<{ role: GrantRole; schoolId: number | null }>;

/** Somebody with rights: `admin` is a district administrator, and everybody may hold grants. */
export type PermissionHolder = Readonly<{ role: 'user' | 'admin'; grants: readonly Grant[] }>;

/** Whether an account is a district administrator's: the only place that compares the role. */
export function isDistrictAdministrator({ role }: { role: 'user' | 'admin' }): boolean {
  return role === 'admin';
}

/** Where somebody may do something: at all schools, at the named ones, or (an empty list) nowhere. */
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

/** The roles at a school that allow something. */
export function rolesFor(capability: Capability): readonly GrantRole[] {
  return CAPABILITIES[capability];
}

/** Everything that somebody may do somewhere, in the order above. */
export function capabilitiesOf(holder: PermissionHolder): Capability[] {
  const names = Object.keys(CAPABILITIES) as Capability[];
  return names.filter((name) => schoolsWhereAllowed(holder, name).length > 0);
}

const NOWHERE: readonly number[] = [];
