import { emailKey } from '#features/users/contract.ts';
import { LIMITS } from '#features/users/households/contract.ts';
import type { Database } from '#server/db/database.ts';
import { addDays, type CalendarDate, plusMilliseconds } from '#shared/calendar-date.ts';
import type { GrantRole } from '#shared/permissions.ts';
import { foldForSearch } from '#shared/text-normalization.ts';
import { daysAgo, daytime, type Plan } from './district-size.ts';
import { insertNumbered, insertRows, type NewRow } from './insert-rows.ts';
import { addressOf, FIRST_NAMES, LAST_NAMES, MAIL_DOMAIN } from './names.ts';
import { at, type Random, weighted, zipf } from './random.ts';
import type { DemoSchool } from './school-data.ts';

/** The accounts to sign in with; all have the same password. */
export const SIGN_INS = {
  volunteer: `volunteer@${MAIL_DOMAIN}`,
  administrator: `admin@${MAIL_DOMAIN}`,
  schoolAdministrator: `school@${MAIL_DOMAIN}`,
  coordinator: `coordinator@${MAIL_DOMAIN}`,
  auditor: `auditor@${MAIL_DOMAIN}`,
  password: 'cedar-creek-26-otters',
} as const;

/** What making entries needs of a volunteer. */
export type DemoVolunteer = Readonly<{
  id: number;
  schools: readonly DemoSchool[];
  /** The first day on which they log hours, and the last. */
  joined: CalendarDate;
  left: CalendarDate;
}>;

/** All people, the most active volunteers first. */
export type DemoPeople = Readonly<{
  volunteers: readonly DemoVolunteer[];
  /** The volunteer whose sign-in is printed. */
  visitor: DemoVolunteer;
  /** The visitor, then the other members of their household. */
  family: readonly DemoVolunteer[];
  administratorIds: readonly number[];
}>;

type Draft = {
  firstName: string;
  lastName: string;
  email: string;
  role: 'user' | 'admin';
  schools: readonly DemoSchool[];
  joined: CalendarDate;
  left: CalendarDate;
};

// Busy, but not the busiest: a page and a half of entries.
const VISITOR_RANK = 20;
const FAMILY_RANKS: Readonly<Record<number, string>> = { 70: 'Mateo', 150: 'Lucía' };
const IN_MORE_SCHOOLS = 0.2;
const NEW_THIS_YEAR = 0.3;
const DEACTIVATED = 0.02;

/** Fills accounts and memberships; all have the same password. */
export async function fillPeople(
  database: Database,
  plan: Plan,
  schools: readonly DemoSchool[],
  passwordHash: string,
): Promise<DemoPeople> {
  const volunteers = draftVolunteers(plan, schools);
  const administrators = draftAdministrators(plan, schools);
  const staff = draftStaff(plan, schools);
  const drafts = [...volunteers, ...administrators, ...staff];
  const random = plan.random.fork('accounts');
  const accounts = drafts.map((draft) => accountRow(plan, random, draft, passwordHash));
  const ids = await insertNumbered(database, 'users', accounts);
  const numbered = new Map(drafts.map((draft, index) => [draft, at(ids, index)]));
  const idOf = (draft: Draft) => numbered.get(draft) ?? Number.NaN;
  await insertRows(
    database,
    'user_schools',
    drafts.flatMap((draft) =>
      draft.schools.map((school) => ({
        user_id: idOf(draft),
        school_id: school.id,
        status: 'active' as const,
        created_at: daytime(plan, draft.joined, random),
      })),
    ),
  );
  await insertRows(
    database,
    'user_grants',
    staff.flatMap((draft) =>
      draft.grantSchools.map((school) => ({
        user_id: idOf(draft),
        role: draft.grantRole,
        school_id: school?.id ?? null,
        created_at: daytime(plan, draft.joined, random),
      })),
    ),
  );
  const made = volunteers.map((draft) => ({ ...draft, id: idOf(draft) }));
  const visitor = at(made, Math.min(VISITOR_RANK, made.length - 1));
  return {
    volunteers: made,
    visitor,
    family: [visitor, ...made.filter((_, rank) => rank in FAMILY_RANKS)],
    administratorIds: administrators.map(idOf),
  };
}

function draftVolunteers(plan: Plan, schools: readonly DemoSchool[]): Draft[] {
  const { volunteers, days } = plan.sizes;
  const random = plan.random.fork('volunteers');
  const nextName = uniqueNames(random);
  const drawSchool = weighted(zipf(schools.length, { exponent: 0.45 }));
  const visitorRank = Math.min(VISITOR_RANK, volunteers - 1);
  const draftRelative = (firstName: string, email: string, schools: readonly DemoSchool[]): Draft => ({
    ...{ firstName, lastName: 'Núñez', email, role: 'user', schools },
    ...{ joined: daysAgo(plan, days + 40), left: plan.today },
  });
  return Array.from({ length: volunteers }, (_, rank) => {
    if (rank === visitorRank) return draftRelative('Marisol', SIGN_INS.volunteer, schools.slice(0, 2));
    const relative = FAMILY_RANKS[rank];
    if (relative !== undefined) {
      return draftRelative(relative, addressOf(relative, 'Núñez', rank), schools.slice(0, 1));
    }
    const memberOf = random.chance(IN_MORE_SCHOOLS) ? random.between(2, 3) : 1;
    const chosen = new Set(Array.from({ length: memberOf }, () => at(schools, drawSchool(random))));
    const name = nextName();
    const ago = random.chance(NEW_THIS_YEAR) ? random.between(20, days) : days + random.between(1, 500);
    const left = random.chance(DEACTIVATED) ? daysAgo(plan, random.between(5, 19)) : plan.today;
    return { ...name, role: 'user', schools: [...chosen], joined: daysAgo(plan, ago), left };
  });
}

// The first one is the district's and belongs to no school.
function draftAdministrators(plan: Plan, schools: readonly DemoSchool[]): Draft[] {
  const random = plan.random.fork('administrators');
  const names = [
    ['Denise', 'Whitfield'],
    ['Rafael', 'Ocampo-Lindqvist'],
    ['Thu', 'Đặng'],
    ['Gwendolyn', 'Achebe'],
  ] as const;
  const numberOf = (index: number) => (index < names.length ? undefined : index);
  return Array.from({ length: plan.sizes.administrators }, (_, index) => {
    const [firstName, lastName] = at(names, index % names.length);
    return {
      firstName,
      lastName,
      email: index === 0 ? SIGN_INS.administrator : addressOf(firstName, lastName, numberOf(index)),
      role: 'admin',
      schools: index === 0 ? [] : [random.pick(schools)],
      joined: daysAgo(plan, plan.sizes.days + random.between(300, 900)),
      left: plan.today,
    };
  });
}

type StaffDraft = Draft & { grantRole: GrantRole; grantSchools: readonly (DemoSchool | null)[] };

// One for each role at schools. They log no hours and belong to no school.
function draftStaff(plan: Plan, schools: readonly DemoSchool[]): StaffDraft[] {
  const [first = null, second = null] = schools;
  const staff = [
    ['Priya', 'Raman', SIGN_INS.schoolAdministrator, 'school-admin', [first]],
    ['Owen', 'Castellano', SIGN_INS.coordinator, 'coordinator', [first, second]],
    ['Judith', 'Abara', SIGN_INS.auditor, 'auditor', [null]],
  ] as const;
  const joined = daysAgo(plan, plan.sizes.days);
  return staff.map(([firstName, lastName, email, grantRole, grantSchools]) => ({
    ...{ firstName, lastName, email, grantRole, grantSchools },
    role: 'user',
    schools: [],
    joined,
    left: plan.today,
  }));
}

function uniqueNames(random: Random): () => Pick<Draft, 'firstName' | 'lastName' | 'email'> {
  const taken = new Map<string, number>();
  return () => {
    const firstName = random.pick(FIRST_NAMES);
    const isDouble = random.chance(0.05);
    const lastName = random.pick(LAST_NAMES) + (isDouble ? `-${random.pick(LAST_NAMES)}` : '');
    const address = addressOf(firstName, lastName);
    const number = (taken.get(address) ?? 0) + 1;
    taken.set(address, number);
    return { firstName, lastName, email: number === 1 ? address : addressOf(firstName, lastName, number) };
  };
}

function accountRow(plan: Plan, random: Random, draft: Draft, passwordHash: string): NewRow<'users'> {
  const hasLeft = draft.left < plan.today;
  const lastSeen = hasLeft ? draft.left : daysAgo(plan, random.between(0, 18));
  const joined = daytime(plan, draft.joined, random);
  return {
    email: draft.email,
    email_key: emailKey(draft.email),
    password_hash: passwordHash,
    first_name: draft.firstName,
    last_name: draft.lastName,
    sort_key: foldForSearch(`${draft.lastName} ${draft.firstName}`),
    search_key: foldForSearch(`${draft.firstName} ${draft.lastName} ${draft.email}`),
    role: draft.role,
    is_active: hasLeft ? 0 : 1,
    created_at: joined,
    email_verified_at: joined,
    last_login_at: random.chance(0.9) ? daytime(plan, lastSeen, random) : null,
  };
}

const DAY_MS = 86_400_000;
// Fixed, like the passwords that the demo prints.
const OPEN_CODE = 'K7QM4XRD';
const USED_CODES = ['T3WZ8HNC', 'P6FV2JYK'];

/** Fills the visitor's household, whose members see each other's hours; the visitor has a code for one more. */
export async function fillHousehold(database: Database, plan: Plan, { family }: DemoPeople): Promise<void> {
  const random = plan.random.fork('household');
  const began = addDays(plan.today, -30);
  await insertRows(
    database,
    'household_members',
    family.map(({ id }, index) => ({
      user_id: id,
      household: 'nunez',
      joined_at: daytime(plan, addDays(began, index), random),
      joined_with: USED_CODES[index - 1] ?? null,
      code: index === 0 ? OPEN_CODE : null,
      code_until: index === 0 ? plusMilliseconds(plan.now, LIMITS.codeDays * DAY_MS) : null,
    })),
  );
}
