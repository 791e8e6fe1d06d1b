import * as z from 'zod/mini';
import { messages as adminMessages } from '#features/users/admin-contract.ts';
import {
  messages as accountMessages,
  emailKey,
  emailOr,
  LIMITS,
  type Role,
} from '#features/users/contract.ts';
import { rightsHolderOf } from '#features/users/roles/server/actions.ts';
import { isEmailConfirmedFor, isInUse, mustAccept } from '#features/users/server/account-permissions.ts';
import type { Db } from '#server/db/database.ts';
import { schoolConnections } from '#server/db/queries/school-connections.ts';
import type { Viewer } from '#server/http/viewer.ts';
import { mapYielding } from '#server/process/event-loop.ts';
import { assertDefined } from '#shared/assert-defined.ts';
import { commonMessages } from '#shared/common-messages.ts';
import { idsByAnyName } from '#shared/content-translations.ts';
import { type Message, readMessage } from '#shared/i18n/message.ts';
import {
  type GrantRole,
  isDistrictAdministrator,
  type PermissionHolder,
  SCHOOL_ROLES,
} from '#shared/permissions.ts';
import { fullName } from '#shared/person-name.ts';
import { foldForSearch, requiredLine, withCodes } from '#shared/text-normalization.ts';
import { type ImportColumn, messages } from '../contract.ts';
import type { CsvFile, CsvRow } from './people-csv.ts';
import { findAccountsByEmail, findMembershipsAmong, type KnownAccount, type SchoolName } from './store.ts';

/** A new person; `grant` is their role at each of their schools. */
export type NewPerson = Readonly<{
  email: string;
  firstName: string;
  lastName: string;
  role: Role;
  grant?: GrantRole;
  schoolIds: readonly number[];
}>;

/** A membership for an existing person. `wasPending` means that they had asked to join. */
export type NewMembership = Readonly<{ schoolId: number; wasPending: boolean }>;

export type Problem = Readonly<{ column: ImportColumn | null; text: Message }>;

/** The result of a row. A person with several rows is handled in the first of them. */
export type PlannedRow = Readonly<{
  row: number;
  name: string;
  email: string;
  notes: readonly Message[];
}> &
  (
    | Readonly<{ outcome: 'created'; person: NewPerson }>
    | Readonly<{ outcome: 'extended'; userId: number; joined: readonly NewMembership[] }>
    | Readonly<{ outcome: 'invited'; schoolIds: readonly number[] }>
    | Readonly<{ outcome: 'waiting' }>
    | Readonly<{ outcome: 'unchanged'; isGone?: true }>
    | Readonly<{ outcome: 'faulty'; problems: readonly Problem[] }>
  );

/** The existing schools, the schools for rows that name none, and whether to add people with unproven addresses. */
type ImportOptions = Readonly<{
  schools: readonly SchoolName[];
  schoolIds: readonly number[];
  unconfirmed: boolean;
}>;

/** Plans an import of these rows, in file order, and writes nothing. Yields to other requests in between. */
export async function planImport(
  db: Db,
  viewer: Viewer,
  { rows, isRoster }: Pick<CsvFile, 'rows' | 'isRoster'>,
  { schools, schoolIds, unconfirmed }: ImportOptions,
): Promise<PlannedRow[]> {
  const byName = idsByAnyName(schools);
  const read = await mapYielding(rows, (row) => parseRow(row, byName, schoolIds, isRoster));
  const people = groupByPerson(read);
  const existingAccounts = await findAccountsByEmail(db, [...people.keys()]);
  const ids = [...existingAccounts.values()].map((account) => account.id);
  const memberships = await findMembershipsAmong(db, ids);
  const ties = viewer.schools === 'all' ? new Map<number, number[]>() : await schoolConnections(db, ids);
  const vouchers = await findVouchers(db, [...existingAccounts.values()]);
  return read.map((row): PlannedRow => {
    const base = { row: row.row, name: row.name, email: row.email };
    if (row.gone !== undefined)
      return { ...base, outcome: 'unchanged', isGone: true, notes: [messages.isGone(row.gone)] };
    if (row.person === undefined) return { ...base, outcome: 'faulty', notes: [], problems: row.problems };
    const key = emailKey(row.person.email);
    const first = assertDefined(people.get(key));
    if (first.row !== row.row) {
      if (!isSamePerson(first.person, row.person))
        return { ...base, ...faulty('email', messages.twice(first.row)) };
      return { ...base, outcome: 'unchanged', notes: [messages.sameAs(first.row)] };
    }
    const account = existingAccounts.get(key);
    const whole = { ...row.person, schoolIds: first.schoolIds };
    if (account !== undefined) {
      const state = {
        memberships: memberships.get(account.id) ?? new Map<number, 'active' | 'pending'>(),
        ties: ties.get(account.id) ?? [],
        voucher: vouchers.get(account.vouchedBy),
        unconfirmed,
      };
      return { ...base, ...planMemberships(viewer, whole, account, state) };
    }
    // A volunteer belongs to a school; an administrator may belong to none (decisions).
    if (!isDistrictAdministrator(whole) && whole.schoolIds.length === 0) {
      return { ...base, ...faulty('schools', adminMessages.schoolRequired) };
    }
    const notes = isDistrictAdministrator(whole)
      ? [messages.becomesAdmin]
      : whole.grant === undefined
        ? []
        : [messages.becomes[whole.grant]];
    return { ...base, outcome: 'created', person: whole, notes };
  });
}

/**
 * Combines the rows of each person. A row that contradicts the person's first row is an error; the schools of the other rows
 * are added to the first.
 */
function groupByPerson(read: readonly ParsedRow[]) {
  const people = new Map<string, { row: number; person: NewPerson; schoolIds: readonly number[] }>();
  for (const { row, person } of read) {
    if (person === undefined) continue;
    const key = emailKey(person.email);
    const first = people.get(key);
    if (first === undefined) people.set(key, { row, person, schoolIds: person.schoolIds });
    else if (isSamePerson(first.person, person)) {
      first.schoolIds = [...new Set([...first.schoolIds, ...person.schoolIds])];
    }
  }
  return people;
}

type ParsedRow = Readonly<{
  row: number;
  name: string;
  email: string;
  person: NewPerson | undefined;
  /** The status in the file of a person who has left. */
  gone?: string;
  problems: readonly Problem[];
}>;

const Person = z.object({
  firstName: requiredLine(LIMITS.name, accountMessages.namesRequired),
  lastName: requiredLine(LIMITS.name, accountMessages.namesRequired),
  email: emailOr(adminMessages.emailRequired),
});

function parseRow(
  { row, cells, hasTooManyCells, gone }: CsvRow,
  schools: ReadonlyMap<string, number>,
  schoolIds: readonly number[],
  isRoster: boolean,
): ParsedRow {
  const base = { row, name: fullName(cells).trim(), email: cells.email };
  if (gone !== undefined) return { ...base, person: undefined, gone: withCodes(gone), problems: [] };
  const problems: Problem[] = hasTooManyCells ? [{ column: null, text: messages.tooManyCells }] : [];
  const person = z.safeParse(Person, cells);
  for (const { path, message } of person.error?.issues ?? []) {
    const column = path[0] as ImportColumn;
    if (!problems.some((problem) => problem.column === column))
      problems.push({ column, text: messageOf(message) });
  }
  const role = isRoster && isRosterRole(cells.role) ? VOLUNTEER : findRole(cells.role);
  if (role === undefined)
    problems.push({ column: 'role', text: messages.unknownRole(withCodes(cells.role)) });
  const named = findSchoolsByName(cells.schools, schools);
  for (const name of named.unknown) problems.push({ column: 'schools', text: messages.unknownSchool(name) });
  if (!person.success || role === undefined || problems.length > 0) {
    return { ...base, person: undefined, problems };
  }
  const joined = named.ids.length === 0 ? schoolIds : named.ids;
  return { ...base, person: { ...person.data, ...role, schoolIds: joined }, problems };
}

type NamedRole = Pick<NewPerson, 'role' | 'grant'>;

const VOLUNTEER: NamedRole = { role: 'user' };
/**
 * The roles of OneRoster 1.1 and 1.2. All become volunteers here, because a OneRoster administrator runs a school and not this
 * app.
 */
const ROSTER_ROLES =
  /^(?:(?:district|site|system)?administrator|aide|counselor|guardian|parent|principal|proctor|relative|student|teacher)$/;

function isRosterRole(name: string): boolean {
  return ROSTER_ROLES.test(foldForSearch(name).replaceAll(/[^a-z]/g, ''));
}

const ROLES: Readonly<Record<string, NamedRole>> = {
  '': { role: 'user' },
  user: { role: 'user' },
  volunteer: { role: 'user' },
  ...Object.fromEntries(
    SCHOOL_ROLES.map((grant) => [foldForSearch(grant), { role: 'user', grant } as const]),
  ),
  admin: { role: 'admin' },
  administrator: { role: 'admin' },
  // Names in Spanish lists.
  usuario: { role: 'user' },
  usuaria: { role: 'user' },
  voluntario: { role: 'user' },
  voluntaria: { role: 'user' },
  coordinador: { role: 'user', grant: 'coordinator' },
  coordinadora: { role: 'user', grant: 'coordinator' },
  auditora: { role: 'user', grant: 'auditor' },
  'administrador de escuela': { role: 'user', grant: 'school-admin' },
  'administradora de escuela': { role: 'user', grant: 'school-admin' },
  'administrador de la escuela': { role: 'user', grant: 'school-admin' },
  'administradora de la escuela': { role: 'user', grant: 'school-admin' },
  administrador: { role: 'admin' },
  administradora: { role: 'admin' },
  'administrador del distrito': { role: 'admin' },
  'administradora del distrito': { role: 'admin' },
};

function findRole(name: string): NamedRole | undefined {
  const key = foldForSearch(name);
  return Object.hasOwn(ROLES, key) ? ROLES[key] : undefined;
}

function findSchoolsByName(cell: string, schools: ReadonlyMap<string, number>) {
  const whole = schools.get(foldForSearch(cell));
  if (whole !== undefined) return { ids: [whole], unknown: [] };
  const ids = new Set<number>();
  const unknown: string[] = [];
  for (const name of cell.split(/[;|]/)) {
    const id = schools.get(foldForSearch(name));
    if (id !== undefined) ids.add(id);
    else if (name.trim() !== '') unknown.push(name.trim());
  }
  return { ids: [...ids], unknown };
}

async function findVouchers(db: Db, accounts: readonly KnownAccount[]) {
  const vouchers = new Map<number | null, PermissionHolder | undefined>();
  for (const id of new Set(accounts.map(({ vouchedBy }) => vouchedBy))) {
    if (id !== null) vouchers.set(id, await rightsHolderOf(db, id));
  }
  return vouchers;
}

type AccountState = Readonly<{
  memberships: ReadonlyMap<number, 'active' | 'pending'>;
  ties: readonly number[];
  voucher: PermissionHolder | undefined;
  unconfirmed: boolean;
}>;

// Existing data is never overwritten; differences become notes.
function planMemberships(
  viewer: Viewer,
  person: NewPerson,
  account: KnownAccount,
  { memberships, ties, voucher, unconfirmed }: AccountState,
) {
  const joined = person.schoolIds
    .filter((id) => memberships.get(id) !== 'active')
    .map((schoolId) => ({ schoolId, wasPending: memberships.get(schoolId) === 'pending' }));
  const notes: Message[] = [];
  if (!hasSameName(account, person)) notes.push(messages.keepsName(fullName(account)));
  if (account.role !== person.role || person.grant !== undefined) {
    notes.push(isDistrictAdministrator(account) ? messages.keepsRoleAdmin : messages.keepsRoleUser);
  }
  if (!account.isActive) notes.push(messages.staysInactive);
  if (joined.length === 0) return { outcome: 'unchanged', notes } as const;
  const pending = joined.flatMap(({ schoolId, wasPending }) => (wasPending ? [schoolId] : []));
  const schoolIds = joined.map(({ schoolId }) => schoolId);
  const joining = { role: account.role, ties, asked: pending, isInUse: isInUse(account) };
  const accepted = schoolIds.filter((id) => mustAccept(viewer, joining, id));
  if (accepted.length > 0) {
    return { outcome: 'invited', notes: [...notes, messages.mustAccept], schoolIds: accepted } as const;
  }
  if (!isEmailConfirmedFor(account, voucher, { schoolIds, unconfirmed })) {
    return { outcome: 'waiting', notes: [...notes, messages.waitsForProof(account.email)] } as const;
  }
  return { outcome: 'extended', notes, userId: account.id, joined } as const;
}

type PersonName = Readonly<{ firstName: string; lastName: string }>;

function hasSameName(one: PersonName, other: PersonName): boolean {
  return (
    foldForSearch(one.firstName) === foldForSearch(other.firstName) &&
    foldForSearch(one.lastName) === foldForSearch(other.lastName)
  );
}

function isSamePerson(one: NewPerson, other: NewPerson): boolean {
  return one.role === other.role && one.grant === other.grant && hasSameName(one, other);
}

function faulty(column: ImportColumn, text: Message) {
  return { outcome: 'faulty', notes: [], problems: [{ column, text }] } as const;
}

// The schemas above use messages as their errors.
function messageOf(message: string): Message {
  return readMessage(message) === undefined ? commonMessages.invalidRequest : (message as Message);
}
