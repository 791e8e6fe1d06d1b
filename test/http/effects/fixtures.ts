import type { GrantRole } from '#shared/permissions.ts';
import {
  aGrant,
  anActivity,
  anAdministrator,
  anEntry,
  aPerson,
  aPersonWithRole,
  aPhoto,
  aSchool,
} from '../../builders.ts';
import type { TestApp } from '../../harness.ts';

type School = Readonly<{ id: number; name: string }>;
type Person = Awaited<ReturnType<typeof aPerson>>;

/** `home` and `annex` are the school administrator's, `away` is not; `here` and `there` are activities of annex and away. */
export type Places = Readonly<{
  home: School;
  annex: School;
  away: School;
  here: { id: number; schoolId: number; name: string };
  there: { id: number; schoolId: number };
}>;

/** A user who changes other people's accounts. */
export type Persona = Readonly<{
  name: string;
  id: number;
  token: string;
  runs: 'district' | 'schools' | 'nothing';
}>;

/** A kind of affected user, which determines the expected result. */
export type Kind = Readonly<{
  name: string;
  schools: readonly (keyof Pick<Places, 'home' | 'annex' | 'away'>)[];
  /** Schools with a pending request to join. */
  asks?: readonly (keyof Pick<Places, 'home' | 'annex' | 'away'>)[];
  role?: 'admin';
  grant?: readonly [GrantRole, 'away' | null];
  has?: 'hours' | 'photo';
  isProven?: boolean;
  /** Whether the caller confirms that the address is unproven. */
  isSaid?: boolean;
}>;

/** All kinds of affected users. */
export const KINDS: readonly Kind[] = [
  { name: 'a member of the own school', schools: ['home'] },
  { name: 'somebody who waits at the own school', schools: [], asks: ['home'] },
  { name: 'a member of another school', schools: ['away'] },
  { name: 'a member of both', schools: ['home', 'away'] },
  { name: 'a member who waits at another school', schools: ['home'], asks: ['away'] },
  { name: 'a member with a role at another school', schools: ['home'], grant: ['coordinator', 'away'] },
  { name: 'a member with a role at all schools', schools: ['home'], grant: ['auditor', null] },
  { name: 'a member with hours at another school', schools: ['home'], has: 'hours' },
  { name: 'a member with a photo at another school', schools: ['home'], has: 'photo' },
  { name: 'a district administrator', schools: ['home'], role: 'admin' },
  { name: 'a member whom nobody proved', schools: ['home'], isProven: false },
  { name: 'a member whom nobody proved, said to be known', schools: ['home'], isProven: false, isSaid: true },
];

export async function thePlaces(app: TestApp): Promise<Places> {
  const [home, annex, away] = [await aSchool(app), await aSchool(app), await aSchool(app)];
  const [here, there] = [
    await anActivity(app, { school: annex, name: 'Library' }),
    await anActivity(app, { school: away }),
  ];
  return { home, annex, away, here: { ...here, name: 'Library' }, there };
}

/** The names of all acting users. */
export const PERSONAS = [
  'a district administrator',
  'a school administrator',
  'a coordinator',
  'an auditor',
  'a volunteer',
] as const;

export async function thePersonas(
  app: TestApp,
  { home, annex }: Places,
): Promise<ReadonlyMap<string, Persona>> {
  const runner = await aPersonWithRole(app, 'school-admin', home);
  await aGrant(app, runner, 'school-admin', annex);
  const coordinator = await aPersonWithRole(app, 'coordinator', home);
  await aGrant(app, coordinator, 'coordinator', annex);
  const people: Readonly<Record<(typeof PERSONAS)[number], [Person, Persona['runs']]>> = {
    'a district administrator': [await anAdministrator(app), 'district'],
    'a school administrator': [runner, 'schools'],
    'a coordinator': [coordinator, 'nothing'],
    'an auditor': [await aPersonWithRole(app, 'auditor', null), 'nothing'],
    'a volunteer': [await aPerson(app, { schools: [home] }), 'nothing'],
  };
  const persona = (name: (typeof PERSONAS)[number]): Persona => {
    const [{ id, token }, runs] = people[name];
    return { name, id, token, runs };
  };
  return new Map(PERSONAS.map((name) => [name, persona(name)]));
}

/** Makes a user of a kind. */
export async function aTarget(app: TestApp, places: Places, kind: Kind): Promise<Person> {
  const { db } = app.deps.database;
  const { schools, asks = [], role, grant, has, isProven = true } = kind;
  const person = await aPerson(app, {
    schools: [...schools, ...asks].map((place) => places[place]),
    isProven,
    ...(role === undefined ? {} : { role }),
  });
  for (const place of asks) {
    const asked = db.updateTable('user_schools').set({ status: 'pending', is_approved: 0 });
    await asked.where('user_id', '=', person.id).where('school_id', '=', places[place].id).execute();
  }
  if (grant !== undefined) await aGrant(app, person, grant[0], grant[1] && places[grant[1]]);
  if (has === 'hours') await anEntry(app, { by: person, activity: places.there });
  if (has === 'photo') await aPhoto(app, { by: person, activity: places.there });
  return person;
}
