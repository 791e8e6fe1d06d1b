import { schoolsExist } from '#features/schools/server/actions.ts';
import { recordEvent } from '#server/audit-log.ts';
import { type Db, type Trx, transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { dropPendingEmails } from '#server/email/outbox.ts';
import { consumeAttempt, consumeAttemptIn, EMAILS_PER_ACCOUNT } from '#server/http/rate-limit.ts';
import { describeCounts } from '#server/http/reference-check.ts';
import { type Acting, actorOf, canEverywhere, type Request, type Viewer } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { hashPassword } from '#server/passwords.ts';
import { rejectIfPersonUnderLegalHold } from '#server/personal-data/legal-hold-guards.ts';
import { lockLegalHolds } from '#server/personal-data/legal-hold-store.ts';
import { fieldsOf, newRecordValues } from '#shared/entity-fields.ts';
import { errors } from '#shared/errors.ts';
import { isDistrictAdministrator } from '#shared/permissions.ts';
import { fullName } from '#shared/person-name.ts';
import { type Account, type AdminUser, messages, type UserInput } from '../admin-contract.ts';
import { messages as accountMessages, emailKey } from '../contract.ts';
import { WELCOME, welcome } from '../guest-volunteers/server/actions.ts';
import { upgradeGuestVolunteer } from '../guest-volunteers/server/store.ts';
import { endInvitesOf } from '../invitations/server/actions.ts';
import {
  giveGrants,
  grantsAfter,
  grantsForAudit,
  plain,
  rejectAdministratorRole,
  rejectOtherSchools,
  requireRecentAuthToGrant,
  toVisibleAccount,
} from '../roles/server/actions.ts';
import { USER_FIELDS } from '../user-fields.ts';
import { isOf, requirePermission } from './account-permissions.ts';
import { countRecordsOf, deleteAccount, findAdminUser, lockAdministrators } from './admin-users-store.ts';
import { checkNewPassword } from './password-rules.ts';
import { insertMemberships, insertUser, lockUser } from './store.ts';
import { rejectTakenEmail, throwEmailTaken } from './unique-email.ts';

export type Answer = { user: AdminUser; message: string };

/** Hashes a password that an administrator entered; undefined for a blank one. Call it outside any transaction. */
export async function hashTypedPassword(
  deps: Deps,
  password: string | null | undefined,
): Promise<string | undefined> {
  if (isBlank(password)) return undefined;
  checkNewPassword(deps, password, 'password');
  return hashPassword(password);
}

/**
 * Creates an account. If it is active and has no password, its owner is emailed a link to choose one. Returns that link if no
 * mail server is configured, to be passed on.
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
  await rejectTakenEmail(trx, input.email);
  const id = await insertUser(trx, {
    ...newRecordValues(USER_FIELDS, { ...input, role, isActive: input.isActive ?? true }),
    passwordHash: passwordHash ?? null,
    at: request.at,
    vouchedBy: viewer.userId,
    isDeactivatedByDistrict: input.isActive === false && canEverywhere(viewer, 'run the district'),
  }).catch(throwEmailTaken);
  await insertMemberships(trx, id, schoolIds, { at: request.at, isApproved: true });
  await giveGrants(trx, id, grants, request.at);
  const user = await requireExistingAccount(trx, id);
  const isWelcomed = passwordHash === undefined && user.isActive;
  if (isWelcomed) await limitWelcomes(trx, request, user.email);
  const link = isWelcomed ? await welcome(trx, deps, { viewer, request }, user) : null;
  await recordEvent(trx, actorOf(viewer, request), {
    action: 'account.create',
    subject: 'user',
    subjectId: id,
    after: auditedFields(user),
  });
  return { user: toVisibleAccount(viewer, user), message: translate(deps, messages.created), link };
}

/**
 * Creates an account for a guest volunteer with the given or the stored address, and emails a link to choose a password. For an
 * account that was never used, and without `email`, sends a new link instead. Throws 409 for a taken address and for any other
 * account.
 */
export async function inviteWalkIn(
  deps: Deps,
  { viewer, request }: Acting,
  { id, email }: { id: number; email: string | null | undefined },
): Promise<Answer & { link: string | null }> {
  const isBare = email === undefined || email === null;
  const counter = { key: `account-links:${viewer.userId}:${id}`, policy: EMAILS_PER_ACCOUNT };
  if (isBare) await consumeAttempt(deps.database, [counter], request.at);
  return transaction(deps.database, async (trx) => {
    await lockUser(trx, id);
    const before = await requireAccount(trx, viewer, id);
    if (before.needsLink && isBare) {
      return createNewLink(trx, deps, { viewer, request }, before);
    }
    if (!before.isWalkIn) throw errors.conflict(messages.notAWalkIn);
    requirePermission(viewer, 'password', before);
    const address = email ?? before.email;
    if (address === '')
      throw errors.invalid(messages.walkInNeedsAddress, { email: messages.walkInNeedsAddress });
    await rejectTakenEmail(trx, address, id);
    const { firstName, lastName } = before;
    const actor = actorOf(viewer, request);
    await upgradeGuestVolunteer(trx, actor, id, { firstName, lastName, email: address }).catch(
      throwEmailTaken,
    );
    const user = await requireExistingAccount(trx, id);
    if (user.isActive) await limitWelcomes(trx, request, user.email);
    const link = user.isActive ? await welcome(trx, deps, { viewer, request }, user) : null;
    await recordEvent(trx, actor, {
      action: 'account.change',
      subject: 'user',
      subjectId: id,
      before: auditedFields(before),
      after: auditedFields(user),
    });
    const message = link === null && user.isActive ? messages.walkInInvited(address) : messages.updated;
    return { user: toVisibleAccount(viewer, user), message: translate(deps, message), link };
  });
}

// Rate-limited, because creating and deleting an account again and again would flood a stranger with email.
async function limitWelcomes(trx: Trx, { at }: Request, email: string): Promise<void> {
  await consumeAttemptIn(
    trx,
    [{ key: `account-letters:${emailKey(email)}`, policy: EMAILS_PER_ACCOUNT }],
    at,
  );
}

async function createNewLink(
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
  return { user: toVisibleAccount(viewer, user), message: translate(deps, told), link };
}

/**
 * Deletes an account that no record refers to; otherwise throws 409 and names the records (decisions: nothing that holds
 * records is deleted by surprise). Throws 403 for one's own account, 409 for the last active administrator.
 */
export function removeAccount(
  deps: Deps,
  { viewer, request }: Acting,
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
    const things = describeCounts(deps, [
      { count: timeEntries, say: messages.countedTimeEntries },
      { count: photos, say: messages.countedPhotos },
      { count: suggestions, say: messages.countedSuggestions },
      { count: decisions, say: messages.countedDecisions },
    ]);
    if (things !== '') throw errors.conflict(messages.inUse(fullName(user), things));
    await endInvitesOf(trx, { viewer, request }, id);
    const trash = await deleteAccount(trx, id);
    await recordEvent(trx, actorOf(viewer, request), {
      action: 'account.delete',
      subject: 'user',
      subjectId: id,
      before: { ...auditedFields(user), trash },
    });
    return { message: translate(deps, messages.deleted) };
  });
}

/** Throws when the viewer may not delete this account. Its records and legal holds are checked separately. */
export function rejectDeletion(viewer: Viewer, administrators: readonly number[], user: Account): void {
  if (user.id === viewer.userId) throw errors.forbidden(messages.cannotDeleteSelf);
  requirePermission(viewer, 'deletion', user);
  requireOtherAdministrator(administrators.filter((id) => id !== user.id));
}

/** Returns an account with all of its data. Throws 404 unless it belongs to the viewer's schools. */
export async function requireAccount(trx: Trx, viewer: Viewer, id: number): Promise<Account> {
  const user = await requireExistingAccount(trx, id);
  if (!isOf(viewer, user)) throw errors.notFound(accountMessages.userNotFound);
  return user;
}

/** Returns an account with all of its data. Throws 404 if it does not exist. */
export async function requireExistingAccount(db: Db, id: number): Promise<Account> {
  const user = await findAdminUser(db, id);
  if (user === undefined) throw errors.notFound(accountMessages.userNotFound);
  return user;
}

// A volunteer must belong to a school. A user with a role, or with another school, need not (decisions).
export async function checkSchools(
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

export function isBlank(password: string | null | undefined): password is '' | null | undefined {
  return password === null || password === undefined || password === '';
}

/** Throws 409 if no active district administrator would be left. */
export function requireOtherAdministrator(staying: readonly number[]): void {
  if (staying.length === 0) throw errors.conflict(accountMessages.lastAdministrator);
}

/** The fields of an account that the audit log records. */
export function auditedFields(user: Account) {
  return {
    ...fieldsOf(USER_FIELDS, user),
    schoolIds: user.schools.map((school) => school.id),
    ...grantsForAudit(user.grants.map(plain)),
  };
}
