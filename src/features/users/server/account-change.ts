import { isDeepStrictEqual } from 'node:util';
import { recordEvent } from '#server/audit-log.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import type { Row } from '#server/db/tables.ts';
import type { Deps } from '#server/deps.ts';
import { noticeExpiry, queueEmail } from '#server/email/outbox.ts';
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
  areSame,
  grantsAfter,
  newAmong,
  plain,
  rejectAdministratorRole,
  rejectOwnGrants,
  seenBy,
  setGrants,
} from '../roles/server/actions.ts';
import { USER_FIELDS } from '../user-fields.ts';
import { requireConfirmed, requirePermission } from './account-permissions.ts';
import {
  type Answer,
  checkSchools,
  hashTypedPassword,
  isBlank,
  kept,
  rejectLastAdministrator,
  requireAccount,
  requireExistingAccount,
} from './admin-users.ts';
import { lockAdministrators } from './admin-users-store.ts';
import { deleteConfirmationsOf } from './email-confirmation-store.ts';
import { emailChangedEmail } from './emails.ts';
import { NO_SIGN_INS_REMOVED, type RemovedSignIns, signIns } from './sign-in-hooks.ts';
import {
  emailRecipientOf,
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
export async function changeAccount(
  deps: Deps,
  viewer: Viewer,
  request: Request,
  call: { id: number; change: UserChange; ifMatch: number | undefined },
): Promise<Answer> {
  const { id, change } = call;
  rejectOwnPassword(viewer, id, change.password);
  const passwordHash = await hashTypedPassword(deps, change.password);
  return transaction(deps.database, async (trx) => {
    const administrators = await lockAdministrators(trx);
    const row = await lockUser(trx, id);
    const before = await requireAccount(trx, viewer, id);
    if (row === undefined) throw errors.notFound(accountMessages.userNotFound);
    throwIfStale(call.ifMatch, before);
    const after = changedFields(USER_FIELDS, before, change);
    rejectForGuestVolunteer(before, change);
    requireMayChange(viewer, before, { ...after, password: passwordHash });
    const held = before.grants.map(plain);
    const grants = change.grants === undefined ? held : await grantsAfter(trx, viewer, held, change.grants);
    rejectOwnGrants(viewer, id, !areSame(held, grants));
    if (!isDistrictAdministrator(after)) rejectLastAdministrator(administrators, id, false);
    const isOnlyRoles = changesNothing(viewer, before, after, change);
    if (areSame(held, grants) && isOnlyRoles) {
      return { user: seenBy(viewer, before), message: translate(deps, messages.updated) };
    }
    const isNewAddress = !before.isWalkIn && emailKey(after.email) !== emailKey(before.email);
    const opens = isNewAddress || passwordHash !== undefined || after.role !== before.role;
    if (opens || !areSame(held, grants)) requireRecentAuth(viewer, request);
    const standing = isNewAddress ? standingOf(viewer, id, request) : undefined;
    const addressed =
      standing === undefined
        ? before
        : { ...before, email: after.email, isEmailConfirmed: false, vouchedBy: standing.vouched_by };
    const gift = {
      role: after.role === before.role ? undefined : after.role,
      grants: newAmong(held, grants),
    };
    await requireConfirmed(trx, addressed, { ...gift, unconfirmed: change.unconfirmed });
    const actor = actorOf(viewer, request);
    if (before.isWalkIn) await updateGuestVolunteer(trx, actor, id, { ...after, isActive: before.isActive });
    else {
      await rejectTakenEmail(trx, after.email, id);
      const changed = {
        ...after,
        isActive: before.isActive,
        ...(standing === undefined ? {} : { standing }),
      };
      await updateUser(trx, actor, id, changed).catch(throwEmailTaken);
    }
    if (passwordHash !== undefined) {
      await signIns().setPassword(trx, id, passwordHash, passwordChosenBy(viewer.userId, request.at));
      await signIns().resetThrottling(trx, { id, email_key: emailKey(after.email) });
      await signIns().deletePasswordLinks(trx, id);
      if (await mayNotify(trx, row, request))
        await signIns().queuePasswordChangedEmail(trx, deps, row, request.at);
    }
    if (isNewAddress) {
      await signIns().deletePasswordLinks(trx, id);
      await deleteConfirmationsOf(trx, id);
      const ended = await removeOldSignIns(trx, deps, { viewer, request }, id);
      const letter = emailChangedEmail(deps, emailRecipientOf(row), after.email, ended);
      const expiresAt = noticeExpiry(request.at);
      if (await mayNotify(trx, row, request)) {
        await queueEmail(trx, deps, {
          kind: 'address-changed',
          userId: id,
          letter,
          at: request.at,
          expiresAt,
        });
      }
    }
    await setActive(trx, { viewer, request }, before, { isActive: after.isActive, administrators });
    await setGrants(trx, { viewer, request }, id, { before: held, after: grants });
    await signIns().endAssignedPasswords(trx, deps, { viewer, request }, [{ userId: id, gift }]);
    if (isDistrictAdministrator(after) && !isAdministrator({ ...before, grants: held })) {
      await signIns().startGracePeriod(trx, id, request.at);
    }
    let invited = 0;
    if (change.schoolIds !== undefined || after.role !== before.role || grants.length < held.length) {
      const hasPlace = isDistrictAdministrator(after) || grants.length > 0;
      const { schoolIds: given } = change;
      // A district administrator gains nothing by joining a school.
      const unconfirmed = isDistrictAdministrator(before) || change.unconfirmed;
      const wanted = { before: addressed, hasPlace, given, unconfirmed };
      invited = await setSchools(trx, deps, { viewer, request }, wanted);
    }
    if (passwordHash !== undefined) await signIns().endSessions(trx, id);
    if (passwordHash !== undefined || isNewAddress) await signIns().deleteMagicLinks(trx, id);
    const ended = await endInvitesBeyond(trx, { viewer, request }, id);
    const user = await requireExistingAccount(trx, id);
    if (!isOnlyRoles) {
      await recordEvent(trx, actor, {
        action: 'account.change',
        subject: 'user',
        subjectId: id,
        before: kept(before),
        // Roles at schools have their own audit events.
        after: {
          ...kept({ ...user, grants: before.grants }),
          ...(passwordHash === undefined ? {} : { password: 'changed' }),
        },
      });
    }
    const isPasswordEnded = row.password_hash !== null && !(await hasPassword(trx, id));
    const said = { ended, invited, isPasswordEnded };
    return { user: seenBy(viewer, user), message: withEndedInvitations(deps, messages.updated, said) };
  });
}

/**
 * Activates or deactivates a user, which ends their sessions and links. False if nothing changes. Throws 403 for oneself, 409
 * for the last district administrator.
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
  rejectLastAdministrator(administrators, before.id, isActive);
  await markActive(trx, before.id, { isActive, byDistrict: canEverywhere(viewer, 'run the district') });
  if (!isActive) {
    await signIns().endSessions(trx, before.id);
    await signIns().deleteMagicLinks(trx, before.id);
  }
  return true;
}

// The address may be a stranger's while nobody has proven it, so emails to it are limited.
async function mayNotify(trx: Trx, row: Row<'users'>, { at }: Request): Promise<boolean> {
  if (row.email_verified_at !== null) return true;
  return checkRateLimitIn(trx, [{ key: `confirm-letters:${row.email_key}`, policy: EMAILS_PER_ACCOUNT }], at);
}

// Checks each part that changes; roles at schools and memberships have checks of their own.
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

// Anyone who had the account under its old address gets no further; one's own address is one's own change.
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

// Listing schools also decides pending requests, so an account with pending requests does change.
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

// Sets the given schools among the viewer's, or checks the present ones if only rights changed. Pending requests for them are
// approved; memberships elsewhere stay. Returns whether the person was invited to some instead of added.
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

// Administrators vouch for an address that they type, except for their own.
function standingOf(viewer: Viewer, id: number, { at }: Request): Standing {
  return { email_verified_at: null, ...vouched(id === viewer.userId ? null : viewer.userId, at) };
}
