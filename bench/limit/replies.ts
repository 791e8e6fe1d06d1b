/** What the limit answers: columns in a fixed order, read as arrays, and the plain objects made from them. */
import { capabilitiesOf, type Holder } from '#base/permissions.ts';
import type { Activity } from '#rooms/activities/contract.ts';
import type { TimeEntry } from '#rooms/time-entries/contract.ts';

/** A row as its values, in the order of the columns. */
// biome-ignore lint/suspicious/noExplicitAny: rows of every shape
export type Row = readonly any[];

/** Who asks. */
export type Viewer = Readonly<{ id: number; role: string }>;

/** The columns of an entry, and the tables they come from. What else is read with them stands after. */
export const ENTRY = `e.id, e.entry_date, e.user_id, e.school_id, e.hours_hundredths, e.notes, e.created_at, e.version,
  s.name, u.first_name, u.last_name, a.id, a.name, a.is_active, a.active_from, a.requires_description,
  a.description_prompt, c.id, c.name, c.color, c.kind`;
export const NAMES = `join activities a on a.id = e.activity_id join categories c on c.id = a.category_id
  join schools s on s.id = e.school_id join users u on u.id = e.user_id`;
/** Where what is read beside an entry begins. */
export const AFTER_ENTRY = 21;

/** The columns of an activity in a list. */
export const ACTIVITY = `a.id, a.name, a.is_active, a.active_from, a.requires_description, a.description_prompt,
  a.description, a.category_id, a.school_id, a.active_until, a.created_at, a.version, c.name, c.color, c.kind,
  coalesce(n.entries, 0)`;

/** The columns of an account, whose table is `v`. */
export const ACCOUNT =
  'v.id, v.role, v.email, v.first_name, v.last_name, v.is_active, v.created_at, v.last_login_at';

/** The columns of an activity's sums. */
export const SUMS = 'a.id, a.name, a.school_id, c.name, c.color, n.entries, n.hours_hundredths, n.people';

/** An entry, of which somebody may change their own and a district administrator all. */
export function entryOf(viewer: Viewer, row: Row): TimeEntry {
  const mayChange = viewer.role === 'admin' || viewer.id === row[2];
  return {
    entryDate: row[1],
    schoolId: row[3],
    hours: row[4] / 100,
    notes: row[5],
    id: row[0],
    activityId: row[11],
    activity: {
      id: row[11],
      name: row[12],
      category: { id: row[17], name: row[18], color: row[19], kind: row[20] },
      isActive: row[13] === 1,
      activeFrom: row[14],
      requiresDescription: row[15] === 1,
      descriptionPrompt: row[16],
    },
    createdAt: row[6],
    school: { id: row[3], name: row[8] },
    user: { id: row[2], firstName: row[9], lastName: row[10] },
    version: row[7],
    canEdit: mayChange,
    canDelete: mayChange,
    // No school of the district has its hours verified.
    verification: null,
    flags: null,
  } as TimeEntry;
}

/** A page of entries out of one row more than it has, which says whether there is a next one. */
export function pageOf(viewer: Viewer, rows: Row[], limit: number) {
  const kept = rows.length > limit ? rows.slice(0, limit) : rows;
  const last = kept.at(-1);
  const nextCursor =
    last === undefined || rows.length <= limit
      ? null
      : Buffer.from(JSON.stringify([last[1], last[0]])).toString('base64url');
  return { timeEntries: kept.map((row) => entryOf(viewer, row)), nextCursor };
}

/** An activity of a list. */
export function activityOf(row: Row): Activity {
  return {
    id: row[0],
    name: row[1],
    category: { id: row[7], name: row[12], color: row[13], kind: row[14] },
    isActive: row[2] === 1,
    activeFrom: row[3],
    requiresDescription: row[4] === 1,
    descriptionPrompt: row[5],
    description: row[6],
    categoryId: row[7],
    schoolId: row[8],
    activeUntil: row[9],
    verifiedBy: 'school',
    outsideVerifier: null,
    createdAt: row[10],
    version: row[11],
    counts: { timeEntries: row[15] },
    photoCount: 0,
  } as Activity;
}

/** An account. `schools` and `grants` are as they are on the wire. */
export function accountOf(row: Row, schools: readonly object[], grants: readonly GrantShown[]) {
  return {
    id: row[0],
    email: row[2],
    firstName: row[3],
    lastName: row[4],
    role: row[1],
    isActive: row[5] === 1,
    createdAt: row[6],
    lastLogin: row[7],
    schools,
    pendingSchools: [],
    grants,
    erasureRequestedAt: null,
    language: null,
  };
}

/** A role at a school. */
export type GrantShown = Readonly<{ role: string; school: { id: number; name: string } | null }>;

/** The profile: an account with what it may do. */
export function profileOf(account: ReturnType<typeof accountOf>) {
  const { role, grants } = account;
  if (role !== 'admin' && grants.length === 0) return { user: { ...account, may: [] } };
  const held = grants.map(({ role, school }) => ({ role, schoolId: school?.id ?? null }));
  return { user: { ...account, may: capabilitiesOf({ role, grants: held } as Holder) } };
}

/** The sums of a school. */
export function summaryOf(entries: number, hundredths: number, people: number) {
  return {
    summary: {
      totalEntries: entries,
      totalHours: hundredths / 100,
      verifiedHours: null,
      uniqueUsers: people,
      averageHoursPerEntry: entries === 0 ? 0 : Math.round(hundredths / entries) / 100,
    },
  };
}

/** The sums of an activity. */
export function sumsOf(row: Row) {
  return {
    id: row[0],
    name: row[1],
    category: { name: row[3], color: row[4] },
    schoolId: row[2],
    totalHours: row[6] / 100,
    verifiedHours: null,
    totalEntries: row[5],
    uniqueUsers: row[7],
  };
}
