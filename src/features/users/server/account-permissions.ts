import type { Db } from '#server/db/database.ts';
import { canEverywhere, isWithin, scopeFor, type Viewer } from '#server/http/viewer.ts';
import { errors, HttpError } from '#shared/errors.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import {
  type Grant,
  isDistrictAdministrator,
  type PermissionHolder,
  schoolsWhereAllowed,
} from '#shared/permissions.ts';
import { fullName } from '#shared/person-name.ts';
import {
  type Account,
  type AdminUser,
  messages as adminMessages,
  RESTRICTED_ACTIONS,
  type RestrictedAction,
} from '../admin-contract.ts';
import { messages as accountMessages, type Role } from '../contract.ts';
import type text from '../messages.emails.en.json';
import { rightsHolderOf } from '../roles/server/store.ts';

const say = messageFactory<typeof text>('users');

const messages = { widerRights: say('widerRights'), alsoElsewhere: say('alsoElsewhere') } as const;

/**
 * What somebody does to another person's account. Memberships and roles are those at the viewer's schools; everything
 * else is the account itself, wherever its owner belongs.
 */
export type Effect = Exclude<RestrictedAction, 'everything'> | 'membership' | 'roles';

const WITHIN_A_SCHOOL: readonly Effect[] = ['membership', 'roles'];

/**
 * Why somebody may not do this to an account; undefined when they may. Every path to an effect asks here: the form, many
 * at once, imports, invitations, approvals, merges, and the undo of each.
 */
export function permissionProblem(viewer: Viewer, effect: Effect, user: Account): HttpError | undefined {
  if (!isOf(viewer, user)) return errors.notFound(accountMessages.userNotFound);
  if (isAboveAll(viewer, user)) return errors.forbidden(messages.widerRights);
  if (WITHIN_A_SCHOOL.includes(effect)) return undefined;
  if (isWider(viewer, user)) return errors.forbidden(messages.widerRights);
  if (isTiedElsewhere(viewer, user)) return errors.forbidden(messages.alsoElsewhere);
  return effect === 'name' ? undefined : whyNotOfDistrict(viewer, user);
}

// Whom the district deactivated, a school does not let in again: not by another account at the same address either.
function whyNotOfDistrict(viewer: Viewer, user: Account): HttpError | undefined {
  if (!user.isDeactivatedByDistrict || canEverywhere(viewer, 'run the district')) return undefined;
  return errors.forbidden(adminMessages.deactivatedByDistrict(fullName(user)));
}

/** Throws what `permissionProblem` says. */
export function requirePermission(viewer: Viewer, effect: Effect, user: Account): void {
  const refusal = permissionProblem(viewer, effect, user);
  if (refusal !== undefined) throw refusal;
}

/** What of an account is closed to somebody who sees it, which need not be where they manage people. */
export function restrictedActionsFor(viewer: Viewer, user: Account): RestrictedAction[] {
  const manager = { ...viewer, schools: scopeFor(viewer, 'manage people') };
  if (permissionProblem(manager, 'membership', user) !== undefined) return ['everything'];
  return RESTRICTED_ACTIONS.filter(
    (name) => name !== 'everything' && permissionProblem(manager, name, user) !== undefined,
  );
}

/** Whether a person belongs to the schools of a scope: by a membership, a request or a grant. */
export function isOf({ schools }: Viewer, user: Account): boolean {
  if (schools === 'all') return true;
  const granted = user.grants.flatMap(({ school }) => school ?? []);
  return [...user.schools, ...user.pendingSchools, ...granted].some(({ id }) => isWithin(schools, id));
}

/**
 * Whether a person must accept before they belong to a school: they did not ask to join this one, and have to do with a
 * school that is not the viewer's, run the district, or have an account in use that belongs to none of the viewer's schools.
 */
export function mustAccept(
  viewer: Viewer,
  { role, ties, asked, isInUse }: Joining,
  schoolId: number,
): boolean {
  if (asked.includes(schoolId)) return false;
  if (isAboveAll(viewer, { role }) || isTiedElsewhere(viewer, { ties })) return true;
  const isHere = ties.some((id) => isWithin(viewer.schools, id));
  return viewer.schools !== 'all' && !isHere && isInUse;
}

/** Somebody as far as joining a school is concerned; `asked` are the schools that they asked to join. */
type Joining = Readonly<{
  role: Role;
  ties: readonly number[];
  asked: readonly number[];
  isInUse: boolean;
}>;

/** Whether an account is somebody's: they proved the address, signed in, or hold a role. */
export function isInUse(
  user: Pick<AdminUser, 'isEmailConfirmed' | 'lastLogin'> &
    Readonly<{ grants: Readonly<{ length: number }> }>,
): boolean {
  return user.isEmailConfirmed || user.lastLogin !== null || user.grants.length > 0;
}

/** What is given to an account: schools, roles there, or the district. */
export type GrantedRights = Readonly<{
  role?: Role | undefined;
  schoolIds?: readonly number[] | undefined;
  grants?: readonly Grant[] | undefined;
}>;

/** Whether nothing is given. */
export function grantsNothing({ role = 'user', schoolIds = [], grants = [] }: GrantedRights): boolean {
  return role === 'user' && schoolIds.length === 0 && grants.length === 0;
}

/** Whether somebody with these rights may give all of this; nobody with none. */
export function mayGive(
  giver: PermissionHolder | undefined,
  { role = 'user', schoolIds = [], grants = [] }: GrantedRights,
): boolean {
  if (giver === undefined) return false;
  const places = schoolsWhereAllowed(giver, 'manage people');
  const isHere = (id: number | null) => places === 'all' || (id !== null && places.includes(id));
  const isRoleGiven = !isDistrictAdministrator({ role }) || isDistrictAdministrator(giver);
  return isRoleGiven && schoolIds.every(isHere) && grants.every(({ schoolId }) => isHere(schoolId));
}

/** An account, or what is known of one, as far as its address is concerned. */
export type Addressed = Readonly<{
  email: string;
  isEmailConfirmed: boolean;
  isWalkIn: boolean;
  vouchedBy: number | null;
}>;

/**
 * Whether an account may have all of this: its owner has proven the address, or the person who vouched for it may give that much,
 * or the giver says `unconfirmed`. A walk-in cannot sign in, so it does not matter who they are.
 */
export function isEmailConfirmedFor(
  user: Addressed,
  voucher: PermissionHolder | undefined,
  { unconfirmed, ...gift }: GrantedRights & Unconfirmed,
): boolean {
  return user.isEmailConfirmed || user.isWalkIn || unconfirmed === true || mayGive(voucher, gift);
}

/** What a giver says who knows that nobody has proven the address. */
export type Unconfirmed = Readonly<{ unconfirmed?: boolean | null | undefined }>;

/** Throws 409 unless an account may have all of this. */
export async function requireConfirmed(
  db: Db,
  user: Addressed,
  given: GrantedRights & Unconfirmed,
): Promise<void> {
  if (grantsNothing(given)) return;
  const voucher = user.vouchedBy === null ? undefined : await rightsHolderOf(db, user.vouchedBy);
  if (isEmailConfirmedFor(user, voucher, given)) return;
  const message = accountMessages.addressUnconfirmed(user.email);
  throw new HttpError('conflict', message, { fields: { unconfirmed: message } });
}

/** Whether only another district administrator changes this account. */
function isAboveAll(viewer: Viewer, user: { role: AdminUser['role'] }): boolean {
  return isDistrictAdministrator(user) && !canEverywhere(viewer, 'run the district');
}

// Whether a person holds rights that the viewer may not give.
function isWider({ schools }: Viewer, user: Account): boolean {
  return user.grants.some(
    ({ school }) => schools !== 'all' && (school === null || !isWithin(schools, school.id)),
  );
}

// Whether a person has to do with a school that is not the viewer's: by a membership, a request, a role, hours or photos.
function isTiedElsewhere(
  { schools }: Pick<Viewer, 'schools'>,
  { ties }: { ties: readonly number[] },
): boolean {
  return ties.some((id) => !isWithin(schools, id));
}
