import type { GrantRole } from './grant-roles.ts';

/**
 * Who may do what, and where (beyond section 3). The gates of the routes, the scope of every read, the screens, the
 * tests' matrix and docs/permissions.md are made from this one value.
 */
export const CAPABILITIES = {
  'run the district': {
    for: [],
    says: 'Schools (add, delete), registration, mail, Drive, imports from everywhere, erasure, district roles, settings, the record of the whole district, the server',
  },
  'see schools': {
    for: ['school-admin', 'coordinator', 'auditor'],
    says: 'The list of schools with their figures',
  },
  'edit school': { for: ['school-admin'], says: "A school's name, settings and logo" },
  'see people': { for: ['school-admin', 'coordinator', 'auditor'], says: 'The people of a school' },
  'manage people': {
    for: ['school-admin'],
    says: 'Add, edit, invite, deactivate and delete people, and give roles within the school',
  },
  'see requests': {
    for: ['school-admin', 'auditor'],
    says: 'Requests to join, and invitations',
  },
  'decide requests': { for: ['school-admin'], says: 'Approve and decline requests to join' },
  'import people': { for: ['school-admin'], says: 'Import people from a list' },
  'see categories and activities': {
    for: ['school-admin', 'coordinator', 'auditor'],
    says: 'Categories and activities, as administrators see them',
  },
  'edit categories': { for: ['school-admin'], says: 'Add, edit and delete categories' },
  'edit activities': {
    for: ['school-admin', 'coordinator'],
    says: 'Add, edit and delete activities',
  },
  'see suggestions': {
    for: ['school-admin', 'coordinator', 'auditor'],
    says: "Everybody's activity suggestions",
  },
  'decide suggestions': {
    for: ['school-admin', 'coordinator'],
    says: 'Approve, reject and delete suggestions',
  },
  'see entries': {
    for: ['school-admin', 'coordinator', 'auditor'],
    says: "Everybody's hours, and their totals",
  },
  'log for others': {
    for: ['school-admin', 'coordinator'],
    says: 'Log hours for others, one by one or by roster',
  },
  'edit entries': { for: ['school-admin', 'coordinator'], says: "Edit and delete anybody's hours" },
  'restore deleted': {
    for: ['school-admin'],
    says: 'See the trash, and bring back hours and photos that anybody deleted',
  },
  'export entries': {
    for: ['school-admin', 'coordinator', 'auditor'],
    says: 'Export hours to a file, which has names and no addresses',
  },
  'issue letters': {
    for: ['school-admin'],
    says: 'Make the service letters of many people at once',
  },
  'withdraw letters': {
    for: ['school-admin', 'coordinator'],
    says: "Withdraw anybody's service letters",
  },
  'see figures': {
    for: ['school-admin', 'coordinator', 'auditor'],
    says: 'Analytics, the summary and the in-kind match',
  },
  'see history': {
    for: ['school-admin', 'coordinator', 'auditor'],
    says: 'The record of what was done at a school',
  },
  'see photos': {
    for: ['school-admin', 'coordinator', 'auditor'],
    says: 'Every photo, who uploaded it, and those that wait for a decision',
  },
  'manage photos': {
    for: ['school-admin', 'coordinator'],
    says: "Upload, approve, hide and delete photos, and edit anybody's captions",
  },
} as const satisfies Readonly<Record<string, { for: readonly GrantRole[]; says: string }>>;

/** Something that a person may do; a district administrator may do all of it at every school. */
export type Capability = keyof typeof CAPABILITIES;

/** A role at one school, or at all of them (null). */
export type Grant = Readonly<{ role: GrantRole; schoolId: number | null }>;

/** Somebody with rights: `admin` is a district administrator, and everybody may hold grants. */
export type Holder = Readonly<{ role: 'user' | 'admin'; grants: readonly Grant[] }>;

/** Whether an account is a district administrator's: the only place that compares the role. */
export function isDistrictAdministrator({ role }: { role: 'user' | 'admin' }): boolean {
  return role === 'admin';
}

/** Where somebody may do something: at all schools, at the named ones, or (an empty list) nowhere. */
export function placesFor(holder: Holder, capability: Capability): 'all' | readonly number[] {
  if (isDistrictAdministrator(holder)) return 'all';
  if (holder.grants.length === 0) return NOWHERE;
  const roles = rolesFor(capability);
  const giving = holder.grants.filter(({ role }) => roles.includes(role));
  if (giving.some(({ schoolId }) => schoolId === null)) return 'all';
  return [...new Set(giving.flatMap(({ schoolId }) => (schoolId === null ? [] : [schoolId])))];
}

/** The roles at a school that allow something. */
export function rolesFor(capability: Capability): readonly GrantRole[] {
  return CAPABILITIES[capability].for;
}

/** Everything that somebody may do somewhere, in the order above. */
export function capabilitiesOf(holder: Holder): Capability[] {
  const names = Object.keys(CAPABILITIES) as Capability[];
  return names.filter((name) => placesFor(holder, name).length > 0);
}

const NOWHERE: readonly number[] = [];
