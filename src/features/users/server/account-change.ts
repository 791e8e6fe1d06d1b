import { isDeepStrictEqual } from 'node:util';
import { recordEvent } from '#server/audit-log.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import type { Row } from '#server/db/tables.ts';
import type { Deps } from '#server/deps.ts';
import { isUnchanged, throwIfStale } from '#server/http/change-checks.ts';
import { checkRateLimitIn, EMAILS_PER_ACCOUNT } from '#server/http/rate-limit.ts';
import {
  type Acting,
  actorOf,
  canEverywhere,
  isWithin,
  type Request,
  requireRecentAuth,
  type Viewer,
} from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { changedFields, type ValuesOf } from '#shared/entity-fields.ts';
import { errors } from '#shared/errors.ts';
import { isAdministrator, isDistrictAdministrator } from '#shared/permissions.ts';
import { type Account, messages, type UserChange } from '../admin-contract.ts';
import { messages as accountMessages, emailKey } from '../contract.ts';
import { rejectForGuestVolunteer } from '../guest-volunteers/server/actions.ts';
import { updateGuestVolunteer } from '../guest-volunteers/server/store.ts';
import { endInvitesBeyond, withEndedInvitations } from '../invitations/server/actions.ts';
import { addToSchools } from '../memberships/server/school-access.ts';
import { leaveSchools } from '../memberships/server/store.ts';
import {
  areSameGrants,
  findNewGrants,
  grantsAfter,
  plain,
  rejectAdministratorRole,
  rejectOwnGrants,
  setGrants,
  toVisibleAccount,
} from '../roles/server/actions.ts';
import { USER_FIELDS } from '../user-fields.ts';
import { requireConfirmed, requirePermission } from './account-permissions.ts';
import {
  type Answer,
  auditedFields,
  checkSchools,
  hashTypedPassword,
  isBlank,
  requireAccount,
  requireExistingAccount,
  requireOtherAdministrator,
} from './admin-users.ts';
import { lockAdministrators } from './admin-users-store.ts';
import { deleteConfirmationsOf } from './email-confirmation-store.ts';
import { queueEmailChangedEmail } from './emails.ts';
import { NO_SIGN_INS_REMOVED, type RemovedSignIns, signIns } from './sign-in-hooks.ts';
import {
  hasPassword,
  lockUser,
  markActive,
  passwordChosenBy,
  type Standing,
  updateUser,
  vouched,
} from './store.ts';
import { rejectTakenEmail, throwEmailTaken } from './unique-email.ts';

/**
 * Changes an account; absent fields and a blank password change nothing. Deactivation and a new password end its sessions.
 * Throws 403 for one's own role, status and password, 409 for the last active administrator (decisions: who may do what).
 */
export async function changeAccount(deps: Deps, acting: Acting, call: AccountCall): Promise<Answer> {
  const { viewer } = acting;
  const { id } = call;
  rejectOwnPassword(viewer, id, call.change.password);
  const passwordHash = await hashTypedPassword(deps, call.change.password);
  return transaction(deps.database, async (trx) => {
    const planned = await planAccountChange(trx, acting, { ...call, passwordHash });
    const { before, row, isNewAddress } = planned;
    if (!planned.changesGrants && planned.changesOnlyGrants) {
      return { user: toVisibleAccount(viewer, before), message: translate(deps, messages.updated) };
    }
    await storeAccountFields(trx, acting, planned);
    if (passwordHash !== undefined) await storeTypedPassword(trx, deps, acting, planned, passwordHash);
    if (isNewAddress) await leaveOldAddress(trx, deps, acting, planned);
    const invited = await storeRights(trx, deps, acting, planned);
    if (passwordHash !== undefined) await signIns().endSessions(trx, id);
    if (passwordHash !== undefined || isNewAddress) await signIns().deleteMagicLinks(trx, id);
    const ended = await endInvitesBeyond(trx, acting, id);
    const user = await requireExistingAccount(trx, id);
    if (!planned.changesOnlyGrants) await recordAccountChange(trx, acting, { before, user, passwordHash });
    const isPasswordEnded = row.password_hash !== null && !(await hasPassword(trx, id));
    const said = { ended, invited, isPasswordEnded };
    return {
      user: toVisibleAccount(viewer, user),
      message: withEndedInvitations(deps, messages.updated, said),
    };
  });
}

function recordAccountChange(
  trx: Trx,
  { viewer, request }: Acting,
  { before, user, passwordHash }: { before: Account; user: Account; passwordHash: string | undefined },
): Promise<void> {
  return recordEvent(trx, actorOf(viewer, request), {
    action: 'account.change',
    subject: 'user',
    subjectId: user.id,
    before: auditedFields(before),
    // Roles at schools have their own audit events.
    after: {
      ...auditedFields({ ...user, grants: before.grants }),
      ...(passwordHash === undefined ? {} : { password: 'changed' }),
    },
  });
}

type AccountCall = Readonly<{ id: number; change: UserChange; ifMatch: number | undefined }>;

type PlannedChange = Awaited<ReturnType<typeof planAccountChange>>;

// Locks the account and checks the whole change before anything is written.
async function planAccountChange(
  trx: Trx,
  { viewer, request }: Acting,
  { id, change, ifMatch, passwordHash }: AccountCall & { passwordHash: string | undefined },
) {
  const administrators = await lockAdministrators(trx);
  const row = await lockUser(trx, id);
  const before = await requireAccount(trx, viewer, id);
  if (row === undefined) throw errors.notFound(accountMessages.userNotFound);
  throwIfStale(ifMatch, before);
  const after = changedFields(USER_FIELDS, before, change);
  rejectForGuestVolunteer(before, change);
  requireMayChange(viewer, before, { ...after, password: passwordHash });
  const held = before.grants.map(plain);
  const grants = change.grants === undefined ? held : await grantsAfter(trx, viewer, held, change.grants);
  const changesGrants = !areSameGrants(held, grants);
  rejectOwnGrants(viewer, id, changesGrants);
  if (!isDistrictAdministrator(after)) requireOtherAdministrator(administrators.filter((one) => one !== id));
  const changesOnlyGrants = changesNothing(viewer, before, after, change);
  const isNewAddress = !before.isWalkIn && emailKey(after.email) !== emailKey(before.email);
  const standing = isNewAddress ? typedAddressStanding(viewer, id, request) : undefined;
  const addressed =
    standing === undefined
      ? before
      : { ...before, email: after.email, isEmailConfirmed: false, vouchedBy: standing.vouched_by };
  const isNewRole = after.role !== before.role;
  const gift = { role: isNewRole ? after.role : undefined, grants: findNewGrants(held, grants) };
  if (changesGrants || !changesOnlyGrants) {
    if (isNewAddress || passwordHash !== undefined || isNewRole || changesGrants) {
      requireRecentAuth(viewer, request);
    }
    await requireConfirmed(trx, addressed, { ...gift, unconfirmed: change.unconfirmed });
  }
  const checked = { administrators, row, before, after, change, held, grants, gift };
  return { ...checked, addressed, standing, isNewAddress, changesGrants, changesOnlyGrants };
}

async function storeAccountFields(
  trx: Trx,
  { viewer, request }: Acting,
  { before, after, standing }: PlannedChange,
): Promise<void> {
  const { id, isActive } = before;
  const actor = actorOf(viewer, request);
  if (before.isWalkIn) {
    await updateGuestVolunteer(trx, actor, id, { ...after, isActive });
    return;
  }
  await rejectTakenEmail(trx, after.email, id);
  const changed = { ...after, isActive, ...(standing === undefined ? {} : { standing }) };
  await updateUser(trx, actor, id, changed).catch(throwEmailTaken);
}

async function storeTypedPassword(
  trx: Trx,
  deps: Deps,
  { viewer, request }: Acting,
  { row, after }: PlannedChange,
  passwordHash: string,
): Promise<void> {
  const { id } = row;
  await signIns().setPassword(trx, id, passwordHash, passwordChosenBy(viewer.userId, request.at));
  await signIns().resetThrottling(trx, { id, email_key: emailKey(after.email) });
  await signIns().deletePasswordLinks(trx, id);
  if (await mayNotify(trx, row, request)) {
    await signIns().queuePasswordChangedEmail(trx, deps, row, request.at);
  }
}

// Revokes access through the old address, and notifies that address.
async function leaveOldAddress(
  trx: Trx,
  deps: Deps,
  acting: Acting,
  { row, after }: PlannedChange,
): Promise<void> {
  const { at } = acting.request;
  await signIns().deletePasswordLinks(trx, row.id);
  await deleteConfirmationsOf(trx, row.id);
  const ended = await removeOldSignIns(trx, deps, acting, row.id);
  if (!(await mayNotify(trx, row, acting.request))) return;
  await queueEmailChangedEmail(trx, deps, { user: row, newEmail: after.email, ended, at });
}

// Returns 1 if the user was invited to schools instead of added, otherwise 0.
async function storeRights(
  trx: Trx,
  deps: Deps,
  acting: Acting,
  { administrators, before, after, change, held, grants, gift, addressed }: PlannedChange,
): Promise<0 | 1> {
  const { id } = before;
  await setActive(trx, acting, before, { isActive: after.isActive, administrators });
  await setGrants(trx, acting, id, { before: held, after: grants });
  await signIns().endAssignedPasswords(trx, deps, acting, [{ userId: id, gift }]);
  if (isDistrictAdministrator(after) && !isAdministrator({ ...before, grants: held })) {
    await signIns().startGracePeriod(trx, id, acting.request.at);
  }
  const mayNeedSchool = after.role !== before.role || grants.length < held.length;
  if (change.schoolIds === undefined && !mayNeedSchool) return 0;
  const hasPlace = isDistrictAdministrator(after) || grants.length > 0;
  // A district administrator gains no rights by joining a school.
  const unconfirmed = isDistrictAdministrator(before) || change.unconfirmed;
  return setSchools(trx, deps, acting, { before: addressed, hasPlace, given: change.schoolIds, unconfirmed });
}

/**
 * Activates or deactivates a user; deactivation ends their sessions and magic links. Returns false if nothing changes. Throws
 * 403 for one's own account, 409 for the last district administrator.
 */
export async function setActive(
  trx: Trx,
  { viewer, request }: Acting,
  before: Account,
  { isActive, administrators }: { isActive: boolean; administrators: readonly number[] },
): Promise<boolean> {
  if (before.isActive === isActive) return false;
  if (before.id === viewer.userId) throw errors.forbidden(messages.ownActivity);
  requirePermission(viewer, 'isActive', before);
  if (isDistrictAdministrator(before)) requireRecentAuth(viewer, request);
  if (!isActive) requireOtherAdministrator(administrators.filter((id) => id !== before.id));
  await markActive(trx, before.id, { isActive, byDistrict: canEverywhere(viewer, 'run the district') });
  if (!isActive) {
    await signIns().endSessions(trx, before.id);
    await signIns().deleteMagicLinks(trx, before.id);
  }
  return true;
}

// Rate-limited, because an unconfirmed address may be a stranger's.
async function mayNotify(trx: Trx, row: Row<'users'>, { at }: Request): Promise<boolean> {
  if (row.email_verified_at !== null) return true;
  return checkRateLimitIn(trx, [{ key: `confirm-letters:${row.email_key}`, policy: EMAILS_PER_ACCOUNT }], at);
}

// Checks each part that changes. Roles at schools and memberships have checks of their own.
function requireMayChange(
  viewer: Viewer,
  before: Account,
  after: ValuesOf<typeof USER_FIELDS> & { password: string | undefined },
): void {
  requirePermission(viewer, 'membership', before);
  if (after.role !== before.role && before.id === viewer.userId) throw errors.forbidden(messages.ownRole);
  rejectAdministratorRole(viewer, after.role);
  const isRenamed = after.firstName !== before.firstName || after.lastName !== before.lastName;
  if (isRenamed) requirePermission(viewer, 'name', before);
  if (after.email !== before.email) requirePermission(viewer, 'email', before);
  if (after.password !== undefined) requirePermission(viewer, 'password', before);
  if (after.isActive !== before.isActive && before.id === viewer.userId) {
    throw errors.forbidden(messages.ownActivity);
  }
}

// Removes sign-in methods attached under the old address. If users change their own address, removes only the provider links.
function removeOldSignIns(
  trx: Trx,
  deps: Deps,
  { viewer, request }: Acting,
  id: number,
): Promise<RemovedSignIns> {
  const actor = actorOf(viewer, request);
  return id === viewer.userId
    ? signIns()
        .removeProviderLinks(trx, deps, actor, id)
        .then((providers) => ({ ...NO_SIGN_INS_REMOVED, providers }))
    : signIns().removeAttachedSignIns(trx, deps, actor, { userId: id });
}

// Listed schools also decide pending requests, so an account with pending requests does change.
function changesNothing(
  { schools }: Viewer,
  before: Account,
  after: ValuesOf<typeof USER_FIELDS>,
  { schoolIds, password }: UserChange,
): boolean {
  const isHere = ({ id }: { id: number }) => isWithin(schools, id);
  const present = before.schools
    .filter(isHere)
    .map((school) => school.id)
    .toSorted();
  const isSamePlaces =
    !before.pendingSchools.some(isHere) && isDeepStrictEqual(present, [...new Set(schoolIds)].toSorted());
  return isBlank(password) && (schoolIds === undefined || isSamePlaces) && isUnchanged(before, after);
}

// Sets which of the viewer's schools the account belongs to, or checks the current ones if only rights changed. Approves
// pending requests for them; memberships elsewhere do not change. Returns 1 if the user was invited to some instead of added,
// otherwise 0.
async function setSchools(
  trx: Trx,
  deps: Deps,
  { viewer, request }: Acting,
  {
    before,
    hasPlace,
    given,
    unconfirmed,
  }: {
    before: Account;
    hasPlace: boolean;
    given: readonly number[] | undefined;
    unconfirmed: UserChange['unconfirmed'];
  },
): Promise<0 | 1> {
  const here = before.schools.filter(({ id }) => isWithin(viewer.schools, id));
  const present = here.map((school) => school.id);
  const isElsewhere = here.length < before.schools.length;
  const wanted = await checkSchools(trx, viewer, hasPlace || isElsewhere, given ?? present);
  if (given === undefined) return 0;
  const gone = [...here, ...before.pendingSchools.filter(({ id }) => isWithin(viewer.schools, id))];
  await leaveSchools(
    trx,
    before.id,
    gone.flatMap(({ id }) => (wanted.includes(id) ? [] : [id])),
  );
  const added = wanted.filter((id) => !present.includes(id));
  const { invited } = await addToSchools(trx, deps, { viewer, request }, before, {
    schoolIds: added,
    unconfirmed,
  });
  return invited.length > 0 ? 1 : 0;
}

// An unlocked browser must not be enough to take over an account: Account Settings requires the current password.
function rejectOwnPassword(viewer: Viewer, id: number, password: UserChange['password']): void {
  if (id !== viewer.userId || isBlank(password)) return;
  throw errors.forbidden(messages.ownPassword);
}

// Administrators vouch for an address that they enter, except for their own.
function typedAddressStanding(viewer: Viewer, id: number, { at }: Request): Standing {
  return { email_verified_at: null, ...vouched(id === viewer.userId ? null : viewer.userId, at) };
}
