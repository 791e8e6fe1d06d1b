import { isDeepStrictEqual } from 'node:util';
import { GRANT_ROLES, RECORDED_AS } from '#base/grant-roles.ts';
import { type Message, sayFrom } from '#base/message.ts';
import { baseMessages } from '#base/messages.ts';
import {
  type Capability,
  type Grant,
  isDistrictAdministrator,
  placesFor,
  rolesFor,
} from '#base/permissions.ts';
import { Refusal, refuse } from '#base/refusal.ts';
import { messages as schoolMessages } from '#rooms/schools/contract.ts';
import { schoolsExist } from '#rooms/schools/server/actions.ts';
import { record } from '#server/audit.ts';
import type { Db, Trx } from '#server/db/connect.ts';
import {
  type Acting,
  actorOf,
  isWithin,
  mayEverywhere,
  requireFreshProof,
  scopeFor,
  type Viewer,
} from '#server/http/viewer.ts';
import { type Account, type AdminUser, CLOSABLE, type Closable } from '../admin-contract.ts';
import type { Grant as NamedGrant } from '../contract.ts';
import type text from '../mail-text.en.json';
import { deleteGrants, findHolders, holderOf, insertGrants, type RightsHolder } from './grant-store.ts';

export { holderOf, insertGrants as giveGrants, type RightsHolder } from './grant-store.ts';

const say = sayFrom<typeof text>('users');

const messages = {
  widerRights: say('widerRights'),
  ownGrants: say('ownGrants'),
  districtGives: say('districtGives'),
  alsoElsewhere: say('alsoElsewhere'),
} as const;

/** A grant as it is compared and stored. */
export function plain({ role, school }: NamedGrant): Grant {
  return { role, schoolId: school?.id ?? null };
}

/** Whether a person belongs to the schools of a scope: by a membership, a request or a grant. */
export function isOf({ schools }: Viewer, user: Account): boolean {
  if (schools === 'all') return true;
  const granted = user.grants.flatMap(({ school }) => school ?? []);
  return [...user.schools, ...user.pendingSchools, ...granted].some(({ id }) => isWithin(schools, id));
}

/** An account with only those of its schools and grants that the viewer may see, and what of it is closed to them. */
export function seenBy(viewer: Viewer, user: Account): AdminUser {
  const { schools } = viewer;
  const closed = closedTo(viewer, user);
  if (schools === 'all') return { ...user, closed };
  const isSeen = ({ id }: { id: number }) => isWithin(schools, id);
  return {
    ...user,
    closed,
    schools: user.schools.filter(isSeen),
    pendingSchools: user.pendingSchools.filter(isSeen),
    userSchools: user.userSchools.filter(({ school }) => isSeen(school)),
    grants: user.grants.filter(({ school }) => school === null || isSeen(school)),
  };
}

// Whoever sees a person need not manage them: what is closed is told from where the viewer manages people.
function closedTo(viewer: Viewer, user: Account): Closable[] {
  const manager = { ...viewer, schools: scopeFor(viewer, 'manage people') };
  if (isAboveAll(manager, user) || !isOf(manager, user)) return ['everything'];
  const isHigher = isWider(manager, user);
  const isFarther = isHigher || reachesFarther(manager, user);
  const isClosed: Readonly<Record<Closable, boolean>> = {
    everything: false,
    email: isFarther,
    password: isFarther,
    isActive: isHigher,
    deletion: isHigher || isElsewhere(manager, user),
  };
  return CLOSABLE.filter((name) => isClosed[name]);
}

// Only a district administrator changes another one.
function isAboveAll(viewer: Viewer, user: { role: AdminUser['role'] }): boolean {
  return isDistrictAdministrator(user) && !mayEverywhere(viewer, 'run the district');
}

// Whether a person holds rights that the viewer may not give.
function isWider(viewer: Viewer, user: Account): boolean {
  return isAboveAll(viewer, user) || user.grants.some(({ school }) => isBeyond(viewer, school?.id ?? null));
}

// Whether an account opens a school that is not the viewer's: with its password one would be in there.
function reachesFarther({ schools }: Viewer, user: Account): boolean {
  return user.schools.some(({ id }) => !isWithin(schools, id));
}

// Whether a person also belongs to schools outside the viewer's, whose record would lose them.
function isElsewhere({ schools }: Viewer, user: Account): boolean {
  return [...user.schools, ...user.pendingSchools].some(({ id }) => !isWithin(schools, id));
}

/** Throws 403 for a district administrator, whom only another one may change. */
export function refuseAboveAll(viewer: Viewer, user: { role: AdminUser['role'] }): void {
  if (isAboveAll(viewer, user)) throw refuse.forbidden(messages.widerRights);
}

/** Throws 403 when a person holds rights that the viewer may not give. */
export function refuseWider(viewer: Viewer, user: Account): void {
  if (isWider(viewer, user)) throw refuse.forbidden(messages.widerRights);
}

/** Throws 403 when a person's account opens a school that is not the viewer's. */
export function refuseFartherReach(viewer: Viewer, user: Account): void {
  if (reachesFarther(viewer, user)) throw refuse.forbidden(messages.widerRights);
}

/** Throws 403 when a person also belongs to schools outside the viewer's. */
export function refuseElsewhere(viewer: Viewer, user: Account): void {
  if (isElsewhere(viewer, user)) throw refuse.forbidden(messages.alsoElsewhere);
}

/**
 * What a person holds after somebody named their grants: those at other schools than the giver's stay as they were. 403
 * for what the giver may not give, 404 for a school that is not the giver's, or that there is none of.
 */
export async function grantsAfter(
  trx: Trx,
  giver: Viewer,
  before: readonly Grant[],
  named: readonly Grant[],
): Promise<Grant[]> {
  const unique = [...new Map(named.map((grant) => [keyOf(grant), grant])).values()];
  const held = new Set(before.map(keyOf));
  const given = unique.filter((grant) => !(isBeyond(giver, grant.schoolId) && held.has(keyOf(grant))));
  const atFault = (kind: 'forbidden' | 'notFound', grant: Grant, message: Message) =>
    new Refusal(kind, message, { fields: { [`grants.${named.indexOf(grant)}.schoolId`]: message } });
  for (const grant of given) {
    const { schoolId } = grant;
    if (schoolId === null && giver.schools !== 'all')
      throw atFault('forbidden', grant, messages.districtGives);
    const isKnown = schoolId === null || (await schoolsExist(trx, [schoolId]));
    if (isBeyond(giver, schoolId) || !isKnown) throw atFault('notFound', grant, schoolMessages.notFound);
  }
  return [...before.filter(({ schoolId }) => isBeyond(giver, schoolId)), ...given];
}

/** Throws 403 when somebody below a district administrator changes what they hold themselves. */
export function refuseOwnGrants(viewer: Viewer, id: number, isChanged: boolean): void {
  if (id !== viewer.userId || !isChanged || mayEverywhere(viewer, 'run the district')) return;
  throw refuse.forbidden(messages.ownGrants);
}

/** Throws 404 for a school that is not the viewer's. */
export function refuseOutside({ schools }: Viewer, schoolIds: readonly number[]): void {
  if (schoolIds.every((id) => isWithin(schools, id))) return;
  throw refuse.notFound(schoolMessages.notFound);
}

/** Throws 403 unless the viewer may make somebody a district administrator. */
export function refuseRole(viewer: Viewer, role: AdminUser['role'] | undefined): void {
  if (role === undefined || !isDistrictAdministrator({ role })) return;
  if (!mayEverywhere(viewer, 'run the district')) throw refuse.forbidden(baseMessages.adminRequired);
}

/** Whether two lists hold the same grants. */
export function areSame(some: readonly Grant[], others: readonly Grant[]): boolean {
  return isDeepStrictEqual(some.map(keyOf).toSorted(), others.map(keyOf).toSorted());
}

/**
 * Gives and takes what differs between what a person holds and is to hold. Each role has a row in the record of its
 * school, which names no other school of theirs.
 */
export async function setGrants(
  trx: Trx,
  { viewer, request }: Acting,
  userId: number,
  { before, after }: { before: readonly Grant[]; after: readonly Grant[] },
): Promise<void> {
  const without = (some: readonly Grant[], others: readonly Grant[]) =>
    some.filter((one) => !others.some((other) => keyOf(other) === keyOf(one)));
  const [taken, given] = [without(before, after), without(after, before)];
  await deleteGrants(trx, userId, taken);
  await insertGrants(trx, userId, given, request.at);
  const changes = [
    ...taken.map((grant) => ({ grant, values: { before: grantsForRecord([grant]), after: {} } })),
    ...given.map((grant) => ({ grant, values: { before: {}, after: grantsForRecord([grant]) } })),
  ];
  for (const { grant, values } of changes) {
    await record(trx, actorOf(viewer, request), {
      action: 'account.change',
      subject: 'user',
      subjectId: userId,
      schoolId: grant.schoolId,
      ...values,
    });
  }
}

/** The active accounts that may do something somewhere: the district's administrators, and those with a role for it. */
export function holdersWho(db: Db, capability: Capability): Promise<RightsHolder[]> {
  return findHolders(db, rolesFor(capability));
}

/** Of the grants of an invitation, those that its sender may still give. */
export async function stillGiven(
  trx: Trx,
  giverId: number | null,
  grants: readonly Grant[],
): Promise<Grant[]> {
  const giver = giverId === null || grants.length === 0 ? undefined : await holderOf(trx, giverId);
  if (giver === undefined) return [];
  const places = placesFor(giver, 'manage people');
  return grants.filter(
    ({ schoolId }) => places === 'all' || (schoolId !== null && places.includes(schoolId)),
  );
}

/** The grants as the record keeps them: the schools of each role; nothing for somebody without. */
export function grantsForRecord(grants: readonly Grant[]): Readonly<Record<string, number[] | true>> {
  const of = (role: Grant['role']) =>
    grants.flatMap((grant) => (grant.role === role && grant.schoolId !== null ? [grant.schoolId] : []));
  const lists = GRANT_ROLES.map((role) => [RECORDED_AS[role], of(role)] as const);
  const held = lists.filter(([, ids]) => ids.length > 0);
  const isAuditorOfAll = grants.some(({ schoolId }) => schoolId === null);
  return { ...Object.fromEntries(held), ...(isAuditorOfAll ? { auditorOfAll: true } : {}) };
}

function isBeyond({ schools }: Viewer, schoolId: number | null): boolean {
  return schools !== 'all' && (schoolId === null || !isWithin(schools, schoolId));
}

function keyOf({ role, schoolId }: Grant): string {
  return `${role} ${schoolId ?? 0}`;
}

/** Asks for a fresh proof of whoever gives somebody new these rights. */
export function requireProofToGive(
  { viewer, request }: Acting,
  given: { role: 'user' | 'admin'; grants: readonly unknown[] },
): void {
  if (isDistrictAdministrator(given) || given.grants.length > 0) requireFreshProof(viewer, request);
}
