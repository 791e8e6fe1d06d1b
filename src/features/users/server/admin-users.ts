import { isDeepStrictEqual } from 'node:util';
import { findRequestedSchools, schoolsExist } from '#features/schools/server/actions.ts';
import { recordEvent } from '#server/audit-log.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import { databaseFailure } from '#server/db/database-errors.ts';
import { cutPage, readPage } from '#server/db/queries/pagination.ts';
import type { Row } from '#server/db/tables.ts';
import type { Deps } from '#server/deps.ts';
import { dropPendingEmails, noticeExpiry, queueEmail } from '#server/email/outbox.ts';
import { isUnchanged, throwIfStale } from '#server/http/change-checks.ts';
import {
  checkRateLimitIn,
  consumeAttempt,
  consumeAttemptIn,
  EMAILS_PER_ACCOUNT,
} from '#server/http/rate-limit.ts';
import { inWords, throwIfReferenced } from '#server/http/reference-check.ts';
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
import { hashPassword } from '#server/passwords.ts';
import { rejectIfPersonUnderLegalHold } from '#server/personal-data/legal-hold-guards.ts';
import { lockLegalHolds } from '#server/personal-data/legal-hold-store.ts';
import { type Instant, plusMilliseconds } from '#shared/calendar-date.ts';
import { changedFields, fieldsOf, newRecordValues, type ValuesOf } from '#shared/entity-fields.ts';
import { errors } from '#shared/errors.ts';
import { isAdministrator, isDistrictAdministrator } from '#shared/permissions.ts';
import { fullName } from '#shared/person-name.ts';
import {
  type Account,
  type AdminUser,
  type ListedRole,
  messages,
  SIGN_INS,
  type SignInChoice,
  type State,
  type UserChange,
  type UserInput,
  type UserOrder,
  type UserSort,
} from '../admin-contract.ts';
import { messages as accountMessages, emailKey } from '../contract.ts';
import { rejectForGuestVolunteer, WELCOME, welcome } from '../guest-volunteers/server/actions.ts';
import { updateGuestVolunteer, upgradeGuestVolunteer } from '../guest-volunteers/server/store.ts';
import { endInvitesBeyond, endInvitesOf, withEndedInvitations } from '../invitations/server/actions.ts';
import { addToSchools } from '../memberships/server/school-access.ts';
import { leaveSchools } from '../memberships/server/store.ts';
import {
  areSame,
  giveGrants,
  grantsAfter,
  grantsForAudit,
  newAmong,
  plain,
  rejectAdministratorRole,
  rejectOtherSchools,
  rejectOwnGrants,
  requireRecentAuthToGrant,
  seenBy,
  setGrants,
} from '../roles/server/actions.ts';
import { USER_FIELDS } from '../user-fields.ts';
import { isOf, requireConfirmed, requirePermission } from './account-permissions.ts';
import {
  countRecordsOf,
  countUsers,
  deleteAccount,
  findAdminUser,
  lockAdministrators,
  pageOfUsers,
  type UserFilter,
  unapprovedUsers,
} from './admin-users-store.ts';
import { deleteConfirmationsOf } from './email-confirmation-store.ts';
import { emailChangedEmail } from './emails.ts';
import { checkNewPassword } from './password-rules.ts';
import { NO_SIGN_INS_REMOVED, type RemovedSignIns, signIns } from './sign-in-hooks.ts';
import {
  emailRecipientOf,
  findCredentials,
  hasPassword,
  insertMemberships,
  insertUser,
  lockUser,
  markActive,
  passwordChosenBy,
  type Standing,
  updateUser,
  vouched,
} from './store.ts';

type Answer = { user: AdminUser; message: string };

/** A page of accounts by name, of one school or all of the viewer's, with their total. Their other schools are not named. */
export async function listAccounts(deps: Deps, viewer: Viewer, query: AccountsQuery) {
  const { filter, ...page } = await pageOfAccounts(deps, viewer, query);
  const total = await countUsers(deps.database.db, filter);
  return { ...page, total, photosSeenBy: deps.config.photosSeenBy };
}

type AccountsQuery = Readonly<{
  schoolId?: number | undefined;
  role?: ListedRole | undefined;
  state?: State | undefined;
  lastSignIn?: SignInChoice | undefined;
  photos?: 'hidden' | undefined;
  sortBy?: UserSort | undefined;
  sortOrder?: UserOrder | undefined;
  search?: string | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}>;

/** The same page, uncounted, and its filter. */
export async function pageOfAccounts(deps: Deps, viewer: Viewer, query: AccountsQuery) {
  const { db } = deps.database;
  const filter = await filterOf(deps, viewer, query);
  const sorting = { by: query.sortBy ?? 'name', order: query.sortOrder ?? 'asc' };
  const list = `users ${sorting.by} ${sorting.order}`;
  const page = readPage(deps.secretKey, list, query);
  const found = await pageOfUsers(db, filter, sorting, page);
  const { rows, nextCursor } = cutPage(
    deps.secretKey,
    { list, rows: found, limit: page.limit },
    ({ sortKey, user }) => [sortKey, user.id],
  );
  const accounts = rows.map(({ user }) => seenBy(viewer, user));
  return { users: await withHiddenPhotos(deps, viewer, accounts), nextCursor, filter };
}

/** The filter of such a list. */
export async function filterOf(deps: Deps, viewer: Viewer, query: AccountsQuery): Promise<UserFilter> {
  const schools = await findRequestedSchools(deps.database.db, viewer, query.schoolId);
  const { role, state, lastSignIn, search = '' } = query;
  const isUnapproved = query.photos === 'hidden';
  const since = notSignedInSince(deps, lastSignIn);
  return { schools, role, state, search, notSignedInSince: since, isUnapproved };
}

async function withHiddenPhotos(
  { config, database }: Deps,
  viewer: Viewer,
  users: readonly AdminUser[],
): Promise<AdminUser[]> {
  if (config.photosSeenBy === 'members') return [...users];
  const ids = users.map(({ id }) => id);
  const hidden = await unapprovedUsers(database.db, ids, viewer.schools);
  return users.map((user) => {
    const photosHiddenAt = hidden.get(user.id);
    return photosHiddenAt === undefined ? user : { ...user, photosHiddenAt };
  });
}

// Null means never.
function notSignedInSince(deps: Deps, choice: SignInChoice | undefined): Instant | null | undefined {
  const days = choice === undefined ? undefined : SIGN_INS[choice];
  return typeof days === 'number' ? plusMilliseconds(deps.clock.now(), -days * DAY_MS) : days;
}

const DAY_MS = 86_400_000;

/** The hash of a password that an administrator typed, or undefined for a blank one. Runs outside any transaction. */
export async function hashTypedPassword(
  deps: Deps,
  password: string | null | undefined,
): Promise<string | undefined> {
  if (isBlank(password)) return undefined;
  checkNewPassword(deps, password, 'password');
  return hashPassword(password);
}

/**
 * Creates an account. Without a password its owner is emailed a link to choose one; without a mail server the link is returned,
 * to be passed on.
 */
export async function addAccount(
  trx: Trx,
  deps: Deps,
  { viewer, request }: Acting,
  { input, passwordHash }: { input: UserInput; passwordHash: string | undefined },
): Promise<Answer & { link: string | null }> {
  const role = input.role ?? 'user';
  rejectAdministratorRole(viewer, role);
  const grants = await grantsAfter(trx, viewer, [], input.grants ?? []);
  requireRecentAuthToGrant({ viewer, request }, { role, grants });
  const hasPlace = isDistrictAdministrator({ role }) || grants.length > 0;
  const schoolIds = await checkSchools(trx, viewer, hasPlace, input.schoolIds);
  await refuseTakenAddress(trx, input.email, undefined);
  const id = await insertUser(trx, {
    ...newRecordValues(USER_FIELDS, { ...input, role, isActive: input.isActive ?? true }),
    passwordHash: passwordHash ?? null,
    at: request.at,
    vouchedBy: viewer.userId,
    isDeactivatedByDistrict: input.isActive === false && canEverywhere(viewer, 'run the district'),
  }).catch(refuseTaken);
  await insertMemberships(trx, id, schoolIds, { at: request.at, isApproved: true });
  await giveGrants(trx, id, grants, request.at);
  const user = await requireWhole(trx, id);
  const isWelcomed = passwordHash === undefined && user.isActive;
  if (isWelcomed) await limitWelcomes(trx, request, user.email);
  const link = isWelcomed ? await welcome(trx, deps, { viewer, request }, user) : null;
  await recordEvent(trx, actorOf(viewer, request), {
    action: 'account.create',
    subject: 'user',
    subjectId: id,
    after: kept(user),
  });
  return { user: seenBy(viewer, user), message: translate(deps, messages.created), link };
}

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
  refuseOwnPassword(viewer, id, change.password);
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
    const isOnlyRoles = staysAsItIs(viewer, before, after, change);
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
      await refuseTakenAddress(trx, after.email, id);
      const changed = {
        ...after,
        isActive: before.isActive,
        ...(standing === undefined ? {} : { standing }),
      };
      await updateUser(trx, actor, id, changed).catch(refuseTaken);
    }
    if (passwordHash !== undefined) {
      await signIns().setPassword(trx, id, passwordHash, passwordChosenBy(viewer.userId, request.at));
      await signIns().resetThrottling(trx, { id, email_key: emailKey(after.email) });
      await signIns().deletePasswordLinks(trx, id);
      if (await mayTell(trx, row, request))
        await signIns().queuePasswordChangedEmail(trx, deps, row, request.at);
    }
    if (isNewAddress) {
      await signIns().deletePasswordLinks(trx, id);
      await deleteConfirmationsOf(trx, id);
      const ended = await endUnderOldAddress(trx, deps, { viewer, request }, id);
      const letter = emailChangedEmail(deps, emailRecipientOf(row), after.email, ended);
      const expiresAt = noticeExpiry(request.at);
      if (await mayTell(trx, row, request)) {
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
    const user = await requireWhole(trx, id);
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

/**
 * Gives a walk-in an account with an address, the given or the known one, and emails a link to choose a password. Throws 409
 * for a taken address, and for a person with an account, unless they never had a password: they get a new link.
 */
export async function inviteWalkIn(
  deps: Deps,
  viewer: Viewer,
  request: Request,
  { id, email }: { id: number; email: string | null | undefined },
): Promise<Answer & { link: string | null }> {
  const isBare = email === undefined || email === null;
  const counter = { key: `account-links:${viewer.userId}:${id}`, policy: EMAILS_PER_ACCOUNT };
  if (isBare) await consumeAttempt(deps.database, [counter], request.at);
  return transaction(deps.database, async (trx) => {
    await lockUser(trx, id);
    const before = await requireAccount(trx, viewer, id);
    if (before.needsLink && isBare) {
      return makeNewLink(trx, deps, { viewer, request }, before);
    }
    if (!before.isWalkIn) throw errors.conflict(messages.notAWalkIn);
    requirePermission(viewer, 'password', before);
    const address = email ?? before.email;
    if (address === '')
      throw errors.invalid(messages.walkInNeedsAddress, { email: messages.walkInNeedsAddress });
    await refuseTakenAddress(trx, address, id);
    const { firstName, lastName } = before;
    const actor = actorOf(viewer, request);
    await upgradeGuestVolunteer(trx, actor, id, { firstName, lastName, email: address }).catch(refuseTaken);
    const user = await requireWhole(trx, id);
    if (user.isActive) await limitWelcomes(trx, request, user.email);
    const link = user.isActive ? await welcome(trx, deps, { viewer, request }, user) : null;
    await recordEvent(trx, actor, {
      action: 'account.change',
      subject: 'user',
      subjectId: id,
      before: kept(before),
      after: kept(user),
    });
    const message = link === null && user.isActive ? messages.walkInInvited(address) : messages.updated;
    return { user: seenBy(viewer, user), message: translate(deps, message), link };
  });
}

// An account can be deleted and created again, with an email to the same stranger each time.
async function limitWelcomes(trx: Trx, { at }: Request, email: string): Promise<void> {
  await consumeAttemptIn(
    trx,
    [{ key: `account-letters:${emailKey(email)}`, policy: EMAILS_PER_ACCOUNT }],
    at,
  );
}

async function makeNewLink(
  trx: Trx,
  deps: Deps,
  { viewer, request }: Acting,
  user: Account,
): Promise<Answer & { link: string | null }> {
  requirePermission(viewer, 'password', user);
  requireRecentAuthToGrant({ viewer, request }, user);
  if (!user.isActive) throw errors.conflict(messages.notAWalkIn);
  await dropPendingEmails(trx, user.id, [WELCOME], request.at);
  const link = await welcome(trx, deps, { viewer, request }, user);
  await recordEvent(trx, actorOf(viewer, request), {
    action: 'account.link',
    subject: 'user',
    subjectId: user.id,
  });
  const told = link === null ? messages.newLinkSent(user.email) : messages.newLinkMade;
  return { user: seenBy(viewer, user), message: translate(deps, told), link };
}

/**
 * Deletes an account that nothing refers to; otherwise throws 409 with what does (decisions: nothing that holds records is
 * deleted by surprise). Throws 403 for one's own account, 409 for the last active administrator.
 */
export function removeAccount(
  deps: Deps,
  viewer: Viewer,
  request: Request,
  id: number,
): Promise<{ message: string }> {
  return transaction(deps.database, async (trx) => {
    await lockLegalHolds(trx);
    const administrators = await lockAdministrators(trx);
    await lockUser(trx, id);
    const user = await requireAccount(trx, viewer, id);
    rejectDeletion(viewer, administrators, user);
    await rejectIfPersonUnderLegalHold(trx, id);
    const { timeEntries, photos, suggestions, decisions } = await countRecordsOf(trx, id);
    const things = inWords(deps, [
      { count: timeEntries, say: messages.countedTimeEntries },
      { count: photos, say: messages.countedPhotos },
      { count: suggestions, say: messages.countedSuggestions },
      { count: decisions, say: messages.countedDecisions },
    ]);
    if (things !== '') throw errors.conflict(messages.inUse(fullName(user), things));
    await endInvitesOf(trx, { viewer, request }, id);
    const trash = await deleteAccount(trx, id).catch(throwIfReferenced);
    await recordEvent(trx, actorOf(viewer, request), {
      action: 'account.delete',
      subject: 'user',
      subjectId: id,
      before: { ...kept(user), trash },
    });
    return { message: translate(deps, messages.deleted) };
  });
}

/** Throws when the viewer may not delete this account. Its records and legal holds are checked separately. */
export function rejectDeletion(viewer: Viewer, administrators: readonly number[], user: Account): void {
  if (user.id === viewer.userId) throw errors.forbidden(messages.cannotDeleteSelf);
  requirePermission(viewer, 'deletion', user);
  rejectLastAdministrator(administrators, user.id, false);
}

/** An account of the viewer's schools, with everything about it; throws 404 otherwise. */
export async function requireAccount(trx: Trx, viewer: Viewer, id: number): Promise<Account> {
  const user = await requireWhole(trx, id);
  if (!isOf(viewer, user)) throw errors.notFound(accountMessages.userNotFound);
  return user;
}

// An unconfirmed address may be a stranger's, who must not be flooded with notices.
async function mayTell(trx: Trx, row: Row<'users'>, { at }: Request): Promise<boolean> {
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
function endUnderOldAddress(
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

async function requireWhole(trx: Trx, id: number): Promise<Account> {
  const user = await findAdminUser(trx, id);
  if (user === undefined) throw errors.notFound(accountMessages.userNotFound);
  return user;
}

// Naming schools also decides pending requests, so an account with pending requests does change.
function staysAsItIs(
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

// A volunteer belongs to a school; a user with a role (or another school) may belong to none (decisions).
async function checkSchools(
  trx: Trx,
  viewer: Viewer,
  hasPlace: boolean,
  given: readonly number[],
): Promise<readonly number[]> {
  const schoolIds = [...new Set(given)];
  rejectOtherSchools(viewer, schoolIds);
  const isMissing = !hasPlace && schoolIds.length === 0;
  if (isMissing || !(await schoolsExist(trx, schoolIds))) {
    throw errors.invalid(messages.schoolRequired, { schoolIds: messages.schoolRequired });
  }
  return schoolIds;
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

// An unlocked browser must not be enough to take over an account: Account Settings asks for the current password.
function refuseOwnPassword(viewer: Viewer, id: number, password: UserChange['password']): void {
  if (id !== viewer.userId || isBlank(password)) return;
  throw errors.forbidden(messages.ownPassword);
}

function isBlank(password: string | null | undefined): password is '' | null | undefined {
  return password === null || password === undefined || password === '';
}

// An administrator vouches for an address that they typed, except their own.
function standingOf(viewer: Viewer, id: number, { at }: Request): Standing {
  return { email_verified_at: null, ...vouched(id === viewer.userId ? null : viewer.userId, at) };
}

/** Throws 409 if no active district administrator would be left. */
export function rejectLastAdministrator(
  administrators: readonly number[],
  id: number,
  staysOne: boolean,
): void {
  if (staysOne || administrators.some((administrator) => administrator !== id)) return;
  throw errors.conflict(accountMessages.lastAdministrator);
}

// Checked first, since a failed write aborts the transaction on PostgreSQL; the unique index catches the rest.
async function refuseTakenAddress(trx: Trx, email: string, own: number | undefined): Promise<void> {
  const known = await findCredentials(trx, email);
  if (known !== undefined && known.id !== own) {
    throw errors.conflict(accountMessages.emailTaken);
  }
}

function refuseTaken(error: unknown): never {
  if (databaseFailure(error) === 'unique') throw errors.conflict(accountMessages.emailTaken);
  throw error;
}

/** The fields of an account that the audit log records. */
export function kept(user: Account) {
  return {
    ...fieldsOf(USER_FIELDS, user),
    schoolIds: user.schools.map((school) => school.id),
    ...grantsForAudit(user.grants.map(plain)),
  };
}
