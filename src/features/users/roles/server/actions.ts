import { isDeepStrictEqual } from 'node:util';
import { messages as schoolMessages } from '#features/schools/contract.ts';
import { schoolsExist } from '#features/schools/server/actions.ts';
import { recordEvent } from '#server/audit-log.ts';
import type { Db, Trx } from '#server/db/database.ts';
import {
  type Acting,
  actorOf,
  canEverywhere,
  isWithin,
  requireRecentAuth,
  type Viewer,
} from '#server/http/viewer.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { commonMessages } from '#shared/common-messages.ts';
import { errors, HttpError } from '#shared/errors.ts';
import { type Message, messageFactory } from '#shared/i18n/message.ts';
import {
  AUDITED_ROLE_NAMES,
  type Capability,
  type Grant,
  isAdministrator,
  isDistrictAdministrator,
  rolesFor,
  SCHOOL_ROLES,
} from '#shared/permissions.ts';
import type { Account, AdminUser } from '../../admin-contract.ts';
import type { Grant as NamedGrant } from '../../contract.ts';
import type text from '../../messages.server.en.json';
import { restrictedActionsFor } from '../../server/account-permissions.ts';
import { signIns } from '../../server/sign-in-hooks.ts';
import { deleteGrants, findHolders, insertGrants, type RightsHolder, rightsHolderOf } from './store.ts';

export { type RightsHolder, rightsHolderOf } from './store.ts';

const say = messageFactory<typeof text>('users');

const messages = { ownGrants: say('ownGrants'), districtGives: say('districtGives') } as const;

/** Returns a grant without names, for comparing and storing. */
export function plain({ role, school }: NamedGrant): Grant {
  return { role, schoolId: school?.id ?? null };
}

/**
 * Returns an account with only the schools and grants that the viewer may see, and with the parts that are locked for the
 * viewer.
 */
export function toVisibleAccount(viewer: Viewer, account: Account): AdminUser {
  const { schools } = viewer;
  const closed = restrictedActionsFor(viewer, account);
  const { ties: _, vouchedBy: __, isDeactivatedByDistrict: ___, ...user } = account;
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

/**
 * Returns a user's grants after an update. Grants outside the actor's schools do not change. Throws 403 for a grant the actor
 * may not give, 404 for a school outside their scope.
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
    new HttpError(kind, message, { fields: { [`grants.${named.indexOf(grant)}.schoolId`]: message } });
  for (const grant of given) {
    const { schoolId } = grant;
    if (schoolId === null && giver.schools !== 'all')
      throw atFault('forbidden', grant, messages.districtGives);
    const isKnown = schoolId === null || (await schoolsExist(trx, [schoolId]));
    if (isBeyond(giver, schoolId) || !isKnown) throw atFault('notFound', grant, schoolMessages.notFound);
  }
  return [...before.filter(({ schoolId }) => isBeyond(giver, schoolId)), ...given];
}

/** Throws 403 if a user other than a district administrator changes their own grants. */
export function rejectOwnGrants(viewer: Viewer, id: number, isChanged: boolean): void {
  if (id !== viewer.userId || !isChanged || canEverywhere(viewer, 'run the district')) return;
  throw errors.forbidden(messages.ownGrants);
}

/** Throws 404 for a school outside the viewer's scope. */
export function rejectOtherSchools({ schools }: Viewer, schoolIds: readonly number[]): void {
  if (schoolIds.every((id) => isWithin(schools, id))) return;
  throw errors.notFound(schoolMessages.notFound);
}

/** Throws 403 unless the viewer may appoint district administrators. */
export function rejectAdministratorRole(viewer: Viewer, role: AdminUser['role'] | undefined): void {
  if (role === undefined || !isDistrictAdministrator({ role })) return;
  if (!canEverywhere(viewer, 'run the district')) throw errors.forbidden(commonMessages.adminRequired);
}

/** Adds roles to those of a user. A new administrator gets a grace period for setting up a second factor. */
export async function giveGrants(
  trx: Trx,
  userId: number,
  grants: readonly Grant[],
  at: Instant,
): Promise<void> {
  const before = await rightsHolderOf(trx, userId);
  await insertGrants(trx, userId, grants, at);
  const wasOne = before !== undefined && isAdministrator(before);
  if (!wasOne && isAdministrator({ role: 'user', grants })) await signIns().startGracePeriod(trx, userId, at);
}

/** Returns the grants in a list that the user does not have yet. */
export function findNewGrants(held: readonly Grant[], after: readonly Grant[]): Grant[] {
  return after.filter((one) => !held.some((other) => keyOf(other) === keyOf(one)));
}

/** Whether two lists have the same roles. */
export function areSameGrants(some: readonly Grant[], others: readonly Grant[]): boolean {
  return isDeepStrictEqual(some.map(keyOf).toSorted(), others.map(keyOf).toSorted());
}

/**
 * Changes a user's grants to the wanted ones. Records one audit event for each changed role, at its school, which does not
 * mention the user's other schools.
 */
export async function setGrants(
  trx: Trx,
  { viewer, request }: Acting,
  userId: number,
  { before, after }: { before: readonly Grant[]; after: readonly Grant[] },
): Promise<void> {
  const [taken, given] = [findNewGrants(after, before), findNewGrants(before, after)];
  await deleteGrants(trx, userId, taken);
  await giveGrants(trx, userId, given, request.at);
  const changes = [
    ...taken.map((grant) => ({ grant, values: { before: grantsForAudit([grant]), after: {} } })),
    ...given.map((grant) => ({ grant, values: { before: {}, after: grantsForAudit([grant]) } })),
  ];
  for (const { grant, values } of changes) {
    await recordEvent(trx, actorOf(viewer, request), {
      action: 'account.change',
      subject: 'user',
      subjectId: userId,
      schoolId: grant.schoolId,
      ...values,
    });
  }
}

/** Returns the active accounts with a capability at any school: district administrators, and users with a role that has it. */
export function usersWithPermission(db: Db, capability: Capability): Promise<RightsHolder[]> {
  return findHolders(db, rolesFor(capability));
}

/** Formats grants for the audit log: the schools of each role; nothing for a user without any. */
export function grantsForAudit(grants: readonly Grant[]): Readonly<Record<string, number[] | true>> {
  const of = (role: Grant['role']) =>
    grants.flatMap((grant) => (grant.role === role && grant.schoolId !== null ? [grant.schoolId] : []));
  const lists = SCHOOL_ROLES.map((role) => [AUDITED_ROLE_NAMES[role], of(role)] as const);
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

/** Requires recent re-authentication to grant the district role or any role at a school. */
export function requireRecentAuthToGrant(
  { viewer, request }: Acting,
  given: { role: 'user' | 'admin'; grants: readonly unknown[] },
): void {
  if (isDistrictAdministrator(given) || given.grants.length > 0) requireRecentAuth(viewer, request);
}
