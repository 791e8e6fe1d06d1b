import type { GrantRole } from '#shared/permissions.ts';
import { aGrant, anAdministrator, aPerson, aPersonWithRole, aSchool, PASSWORD } from '../../builders.ts';
import type { TestApp } from '../../harness.ts';
import type { Role } from './permission-table.ts';

/** Two schools: `home` is the volunteer's, `away` the other volunteer's. */
export type Schools = Readonly<{ home: { id: number }; away: { id: number } }>;

/** A user who sends requests. `schools` are their memberships. */
export type Persona = Readonly<{
  name: string;
  role: Role;
  id: number;
  email: string;
  token: string | undefined;
  schools: readonly { id: number }[];
  /** The role that a holder has, at `home` or at all schools. */
  grant?: { role: GrantRole; school: { id: number } | null };
  /** Whether all path variants are tried with this user. With others, only those that pass the gate. */
  isExample: boolean;
}>;

export async function theSchools(app: TestApp): Promise<Schools> {
  return { home: await aSchool(app), away: await aSchool(app) };
}

/** Every kind of user: without a valid session, in all ways; and with every role, at every kind of school. */
export async function everyPersona(app: TestApp, { home, away }: Schools): Promise<Persona[]> {
  const administrator = await anAdministrator(app);
  const signedIn = async (name: string, schools: readonly { id: number }[]) => {
    const { id, email, token } = await aPerson(app, { schools });
    return { name, role: 'volunteer', id, email, token, schools, isExample: schools.includes(home) } as const;
  };
  return [
    ...(await nobodies(app, home, administrator)),
    await signedIn('a volunteer', [home]),
    await signedIn('a volunteer of another school', [away]),
    await signedIn('a volunteer without a school', []),
    await waitingMember(app, home),
    await formerAdministrator(app, home, administrator),
    ...(await holders(app, home)),
    {
      name: 'an administrator',
      role: 'administrator',
      id: administrator.id,
      email: administrator.email,
      token: administrator.token,
      schools: [],
      isExample: true,
    },
  ];
}

/** Another user of the same kind, whose session and account a call may end. */
export async function another(app: TestApp, persona: Persona): Promise<Persona> {
  if (persona.role === 'nobody') return persona;
  const role = persona.role === 'administrator' ? 'admin' : 'user';
  const { id, email, token } = await aPerson(app, { role, schools: persona.schools });
  if (persona.grant !== undefined) await aGrant(app, { id }, persona.grant.role, persona.grant.school);
  return { ...persona, id, email, token };
}

async function holders(app: TestApp, home: { id: number }): Promise<Persona[]> {
  const holder = async (name: string, role: GrantRole, school: { id: number } | null): Promise<Persona> => {
    const { id, email, token } = await aPersonWithRole(app, role, school);
    return { name, role: 'holder', id, email, token, schools: [], grant: { role, school }, isExample: false };
  };
  return [
    await holder('a school administrator', 'school-admin', home),
    await holder('a coordinator', 'coordinator', home),
    await holder('an auditor of a school', 'auditor', home),
    await holder('an auditor of all schools', 'auditor', null),
  ];
}

async function nobodies(app: TestApp, home: { id: number }, administrator: { token: string }) {
  const { token } = administrator;
  const person = () => aPerson(app, { schools: [home] });
  const [deactivated, erased, signedOut, changed] = [
    await person(),
    await person(),
    await person(),
    await person(),
  ];
  const expired = await anAdministrator(app);
  const long = await aPerson(app, { schools: [home] });
  const { db } = app.deps.database;
  // Without ending the session, so that the account's state is tested.
  await db.updateTable('users').set({ is_active: 0 }).where('id', '=', deactivated.id).execute();
  const at = '2026-03-04T16:59:59.999Z' as never;
  await db.updateTable('sessions').set({ last_used_at: at }).where('user_id', '=', expired.id).execute();
  const begun = '2026-02-02T17:59:59.999Z' as never;
  await db.updateTable('sessions').set({ created_at: begun }).where('user_id', '=', long.id).execute();
  await done(app, `POST /api/admin/users/${erased.id}/erase`, token);
  await done(app, 'POST /api/auth/logout', signedOut.token);
  const { body } = await app.call('POST /api/auth/login', {
    body: { email: changed.email, password: PASSWORD },
  });
  const passwords = { currentPassword: PASSWORD, newPassword: 'sunny-meadow-18' };
  await done(app, 'PUT /api/auth/change-password', body.token, passwords);
  return [
    { name: 'nobody', token: undefined },
    { name: 'somebody with a made-up token', token: 'f'.repeat(43) },
    { name: 'somebody deactivated', token: deactivated.token },
    { name: 'somebody erased', token: erased.token },
    { name: 'somebody signed out', token: signedOut.token },
    { name: 'somebody who changed the password elsewhere', token: changed.token },
    { name: 'an administrator who was idle too long', token: expired.token },
    { name: 'a volunteer signed in too long', token: long.token },
  ].map((one, index) => ({
    ...one,
    role: 'nobody' as const,
    id: 0,
    email: '',
    schools: [],
    isExample: index % 6 === 0,
  }));
}

async function waitingMember(app: TestApp, home: { id: number }): Promise<Persona> {
  const { id, email, token } = await aPerson(app, { schools: [home] });
  const { db } = app.deps.database;
  await db.updateTable('user_schools').set({ status: 'pending' }).where('user_id', '=', id).execute();
  return {
    name: 'a volunteer who waits for approval',
    role: 'volunteer',
    id,
    email,
    token,
    schools: [],
    isExample: false,
  };
}

async function formerAdministrator(
  app: TestApp,
  home: { id: number },
  administrator: { token: string },
): Promise<Persona> {
  const { id, token, email } = await anAdministrator(app);
  await done(app, `PUT /api/admin/users/${id}`, administrator.token, { role: 'user', schoolIds: [home.id] });
  const still = await app.call('GET /api/profile', { token });
  const signedIn = await app.call('POST /api/auth/login', { body: { email, password: PASSWORD } });
  return {
    name: 'a former administrator',
    role: 'volunteer',
    id,
    email,
    token: still.status === 200 ? token : signedIn.body.token,
    schools: [home],
    isExample: true,
  };
}

async function done(app: TestApp, call: string, token: string, body?: object): Promise<void> {
  const { status, text } = await app.call(call, { token, ...(body === undefined ? {} : { body }) });
  if (status >= 300) throw new Error(`${call}: ${status} ${text}`);
}
