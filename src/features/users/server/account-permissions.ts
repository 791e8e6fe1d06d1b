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
import type text from '../messages.server.en.json';
import { rightsHolderOf } from '../roles/server/store.ts';

const say = messageFactory<typeof text>('users');

const messages = { widerRights: say('widerRights'), alsoElsewhere: say('alsoElsewhere') } as const;

/**
 * An action of a viewer on another user's account. Memberships and roles are those at the viewer's schools. Everything else
 * concerns the account itself, whatever schools its owner belongs to.
 */
export type Effect = Exclude<RestrictedAction, 'everything'> | 'membership' | 'roles';

const WITHIN_A_SCHOOL: readonly Effect[] = ['membership', 'roles'];

/**
 * Returns why the viewer may not do this to an account, or undefined. Every path to an effect calls this: form, bulk actions,
 * imports, invitations, approvals, merges, and the undo of each.
 */
export function permissionProblem(viewer: Viewer, effect: Effect, user: Account): HttpError | undefined {
  if (!isOf(viewer, user)) return errors.notFound(accountMessages.userNotFound);
  if (isAboveAll(viewer, user)) return errors.forbidden(messages.widerRights);
  if (WITHIN_A_SCHOOL.includes(effect)) return undefined;
  if (isWider(viewer, user)) return errors.forbidden(messages.widerRights);
  if (belongsElsewhere(viewer, user)) return errors.forbidden(messages.alsoElsewhere);
  return effect === 'name' ? undefined : whyNotOfDistrict(viewer, user);
}

// A school cannot reactivate a user whom the district deactivated, not even through another account with the same address.
function whyNotOfDistrict(viewer: Viewer, user: Account): HttpError | undefined {
  if (!user.isDeactivatedByDistrict || canEverywhere(viewer, 'run the district')) return undefined;
  return errors.forbidden(adminMessages.deactivatedByDistrict(fullName(user)));
}

/** Throws the error from `permissionProblem`, if any. */
export function requirePermission(viewer: Viewer, effect: Effect, user: Account): void {
  const refusal = permissionProblem(viewer, effect, user);
  if (refusal !== undefined) throw refusal;
}

/** Returns the parts of an account that are locked for a viewer, given the schools where the viewer may manage people. */
export function restrictedActionsFor(viewer: Viewer, user: Account): RestrictedAction[] {
  const manager = { ...viewer, schools: scopeFor(viewer, 'manage people') };
  if (permissionProblem(manager, 'membership', user) !== undefined) return ['everything'];
  return RESTRICTED_ACTIONS.filter(
    (name) => name !== 'everything' && permissionProblem(manager, name, user) !== undefined,
  );
}

/** Whether a user belongs to the viewer's schools: by a membership, a request or a role. */
export function isOf({ schools }: Viewer, user: Account): boolean {
  if (schools === 'all') return true;
  const granted = user.grants.flatMap(({ school }) => school ?? []);
  return [...user.schools, ...user.pendingSchools, ...granted].some(({ id }) => isWithin(schools, id));
}

/**
 * Whether a user must accept before becoming a member of a school: they did not ask to join it, and are tied to a school
 * outside the viewer's, are a district administrator, or use an account that belongs to none of the viewer's schools.
 */
export function mustAccept(
  viewer: Viewer,
  { role, ties, asked, isInUse }: Joining,
  schoolId: number,
): boolean {
  if (asked.includes(schoolId)) return false;
  if (isAboveAll(viewer, { role }) || belongsElsewhere(viewer, { ties })) return true;
  const isHere = ties.some((id) => isWithin(viewer.schools, id));
  return viewer.schools !== 'all' && !isHere && isInUse;
}

/** A user who joins a school; `asked` are the schools that they asked to join. */
type Joining = Readonly<{
  role: Role;
  ties: readonly number[];
  asked: readonly number[];
  isInUse: boolean;
}>;

/** Whether an account is in use: its owner confirmed the address, signed in, or has a role. */
export function isInUse(
  user: Pick<AdminUser, 'isEmailConfirmed' | 'lastLogin'> &
    Readonly<{ grants: Readonly<{ length: number }> }>,
): boolean {
  return user.isEmailConfirmed || user.lastLogin !== null || user.grants.length > 0;
}

/** Rights that an account may get: memberships of schools, roles at schools, and the district role. */
export type GrantedRights = Readonly<{
  role?: Role | undefined;
  schoolIds?: readonly number[] | undefined;
  grants?: readonly Grant[] | undefined;
}>;

/** Whether these rights are empty. */
export function grantsNothing({ role = 'user', schoolIds = [], grants = [] }: GrantedRights): boolean {
  return role === 'user' && schoolIds.length === 0 && grants.length === 0;
}

/** Whether a user with these rights may grant all of this; false without rights. */
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

/** An account's address, whether its owner confirmed it, and who vouched for it. */
export type Addressed = Readonly<{
  email: string;
  isEmailConfirmed: boolean;
  isWalkIn: boolean;
  vouchedBy: number | null;
}>;

/**
 * Whether an account may get all of this: its owner confirmed the address, the person who vouched for it may grant that much,
 * or the giver sets `unconfirmed`. A guest volunteer cannot sign in, so the address does not matter.
 */
export function isEmailConfirmedFor(
  user: Addressed,
  voucher: PermissionHolder | undefined,
  { unconfirmed, ...gift }: GrantedRights & Unconfirmed,
): boolean {
  return user.isEmailConfirmed || user.isWalkIn || unconfirmed === true || mayGive(voucher, gift);
}

/** Whether the giver accepts that the address is unconfirmed. */
export type Unconfirmed = Readonly<{ unconfirmed?: boolean | null | undefined }>;

/** Throws 409 unless an account may get all of this. */
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

/** Whether only another district administrator may change this account. */
function isAboveAll(viewer: Viewer, user: { role: AdminUser['role'] }): boolean {
  return isDistrictAdministrator(user) && !canEverywhere(viewer, 'run the district');
}

// Whether a person has rights that the viewer may not grant.
function isWider({ schools }: Viewer, user: Account): boolean {
  return user.grants.some(
    ({ school }) => schools !== 'all' && (school === null || !isWithin(schools, school.id)),
  );
}

// Whether a user is connected to a school outside the viewer's scope: by a membership, a request, a role, hours or photos.
function belongsElsewhere(
  { schools }: Pick<Viewer, 'schools'>,
  { ties }: { ties: readonly number[] },
): boolean {
  return ties.some((id) => !isWithin(schools, id));
}
