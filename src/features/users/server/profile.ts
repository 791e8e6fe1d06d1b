import { schoolsExist } from '#features/schools/server/actions.ts';
import { recordEvent } from '#server/audit-log.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import type { Row } from '#server/db/tables.ts';
import type { Deps } from '#server/deps.ts';
import { isUnchanged } from '#server/http/change-checks.ts';
import { networkOf } from '#server/http/client-address.ts';
import { ADDRESS_CHANGES, ADDRESS_CHANGES_PER_NETWORK, consumeAttempt } from '#server/http/rate-limit.ts';
import { type Acting, actorOf, type Request, requireRecentAuth, type Viewer } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { commonMessages } from '#shared/common-messages.ts';
import { changedFields, fieldsOf, fromColumns, type ValuesOf } from '#shared/entity-fields.ts';
import { errors, type HttpError } from '#shared/errors.ts';
import { capabilitiesOf, isDistrictAdministrator } from '#shared/permissions.ts';
import { emailKey, messages, type ProfileInput, type User } from '../contract.ts';
import { findOpenInvite, redeemInvitation } from '../invitations/server/actions.ts';
import type { OpenInvite } from '../invitations/server/store.ts';
import { rejectWithoutInvitation, schoolNames } from '../memberships/server/school-names.ts';
import { approveMember, leaveSchools, listMemberships } from '../memberships/server/store.ts';
import { PROFILE_FIELDS, USER_FIELDS } from '../user-fields.ts';
import { ownUser } from './current-account.ts';
import { queueConfirmationEmail, requestEmailChange, wasJustSent } from './email-confirmation.ts';
import { deleteConfirmationsOf } from './email-confirmation-store.ts';
import { canEmail } from './email-limits.ts';
import { queueEmailChangedEmail } from './emails.ts';
import { NO_SIGN_INS_REMOVED, signIns } from './sign-in-hooks.ts';
import { findUser, insertJoins, type Joins, lockUser, UNPROVEN_EMAIL, updateUser } from './store.ts';
import { rejectTakenEmail, throwEmailTaken } from './unique-email.ts';

/** Returns the viewer's own account, and their capabilities at any school. */
export async function readProfile(deps: Deps, viewer: Viewer): Promise<{ user: User & { may: string[] } }> {
  const user = await findUser(deps.database.db, viewer.userId);
  if (user === undefined) throw errors.unauthenticated(commonMessages.authenticationRequired);
  return { user: { ...user, may: capabilitiesOf(viewer) } };
}

/**
 * Changes the viewer's own account; absent fields do not change, and rights grow only by an invitation. The registration mode
 * decides which schools are joined immediately (decisions). Hours stay at a school after the user leaves it.
 */
export async function saveProfile(
  deps: Deps,
  { viewer, request }: Acting,
  input: ProfileInput,
): Promise<{ user: User; message: string }> {
  const limited = await limitEmails(deps, { viewer, request }, input);
  const outcome = await transaction(deps.database, (trx) => change(trx, deps, limited, viewer, input));
  if (outcome instanceof Error) throw outcome;
  return outcome;
}

/**
 * A request with the result of the rate limits: whether the new address may be emailed, and whether an unconfirmed old address
 * may be notified.
 */
type LimitedRequest = Request & Readonly<{ mayAsk: boolean; mayNotify: boolean }>;

// Counted before the transaction. The reply can reveal that an address is taken, so attempts are limited per hour.
async function limitEmails(
  deps: Deps,
  { viewer, request }: Acting,
  input: ProfileInput,
): Promise<LimitedRequest> {
  const { user } = await readProfile(deps, viewer);
  const wanted = input.email ?? user.email;
  const isNewAddress = emailKey(wanted) !== emailKey(user.email);
  if (isNewAddress) {
    requireRecentAuth(viewer, request);
    const counters = [
      { key: `address-changes:${user.id}`, policy: ADDRESS_CHANGES },
      { key: `address-changes-from:${networkOf(request.address)}`, policy: ADDRESS_CHANGES_PER_NETWORK },
    ];
    await consumeAttempt(deps.database, counters, request.at);
  }
  const isAsked = isNewAddress || input.schoolIds !== undefined;
  const isMoved = isNewAddress && deps.config.registration !== 'verify-email';
  return {
    ...request,
    mayAsk: isAsked && (await canEmail(deps, request, wanted, user.id)),
    mayNotify: isMoved && (await canEmail(deps, request, user.email, user.id)),
  };
}

/** The account before and after the change, and the schools joined and left. */
type Change = Readonly<{
  before: Row<'users'>;
  after: ValuesOf<typeof USER_FIELDS> & ValuesOf<typeof PROFILE_FIELDS>;
  isNewAddress: boolean;
  /** An address that takes effect only through the link emailed to it (mode `verify-email`). */
  askedFor: string | undefined;
  isVerified: boolean;
  joined: readonly number[];
  left: readonly number[];
}>;

// Returns an error instead of throwing it if an email queued before it must still be sent.
async function change(
  trx: Trx,
  deps: Deps,
  request: LimitedRequest,
  viewer: Viewer,
  input: ProfileInput,
): Promise<{ user: User; message: string } | HttpError> {
  const wanted = await planChange(trx, deps, viewer, input);
  // The account's address may have changed since the check before the transaction.
  if (wanted.isNewAddress || wanted.askedFor !== undefined) requireRecentAuth(viewer, request);
  if (wanted.isNewAddress || wanted.askedFor !== undefined)
    await rejectLastSignInMethod(trx, deps, wanted.before);
  if (wanted.isNewAddress) await rejectTakenEmail(trx, wanted.after.email, viewer.userId);
  const invite = await invitedBy(trx, request, wanted, input);
  const joins = await planJoins(trx, deps, request, wanted, invite);
  if (joins instanceof Error) return joins;
  const before = await ownUser(trx, viewer.userId);
  const message = await requestEmailChangeIfNeeded(trx, deps, request, wanted);
  const isSame = wanted.joined.length + wanted.left.length === 0 && joins.spent === undefined;
  if (isSame && isUnchanged<Change['after']>(before, wanted.after)) {
    return { user: before, message };
  }
  await updateUser(trx, actorOf(viewer, request), viewer.userId, {
    ...wanted.after,
    ...(wanted.isNewAddress ? { standing: UNPROVEN_EMAIL } : {}),
  }).catch(throwEmailTaken);
  await leaveSchools(trx, viewer.userId, wanted.left);
  await insertJoins(trx, viewer.userId, joins, request.at);
  if (joins.spent !== undefined) await accept(trx, deps, { viewer, request }, joins.spent);
  if (wanted.isNewAddress) await emailNewAddress(trx, deps, { ...request, viewer }, wanted);
  const user = await ownUser(trx, viewer.userId);
  await recordEvent(trx, actorOf(viewer, request), {
    action: 'account.edit',
    subject: 'user',
    subjectId: viewer.userId,
    before: auditedFields(before),
    after: auditedFields(user),
  });
  return { user, message };
}

async function requestEmailChangeIfNeeded(
  trx: Trx,
  deps: Deps,
  request: LimitedRequest,
  { askedFor, before }: Change,
): Promise<string> {
  if (askedFor === undefined) return translate(deps, messages.profileUpdated);
  if (request.mayAsk) await requestEmailChange(trx, deps, request, { userId: before.id, email: askedFor });
  return translate(deps, messages.addressAsked(askedFor));
}

async function planChange(trx: Trx, { config }: Deps, viewer: Viewer, input: ProfileInput): Promise<Change> {
  const before = await lockUser(trx, viewer.userId);
  if (before === undefined) throw errors.unauthenticated(commonMessages.authenticationRequired);
  const present = (await listMemberships(trx, viewer.userId)).map(({ schoolId }) => schoolId);
  const schoolIds = [...new Set(input.schoolIds ?? present)];
  // Users with rights may have no school, but no user may leave their last one (specification section 5).
  const mayBeWithout = isDistrictAdministrator(before) || viewer.grants.length > 0;
  const isStillWithout = mayBeWithout && present.length === 0;
  if (input.schoolIds !== undefined && schoolIds.length === 0 && !isStillWithout) rejectSchools();
  const joined = schoolIds.filter((id) => !present.includes(id));
  if (!(await schoolsExist(trx, joined))) rejectSchools();
  const fields = { ...fromColumns(USER_FIELDS, before), ...fromColumns(PROFILE_FIELDS, before) };
  const wanted = { ...fields, ...changedFields(PROFILE_FIELDS, fields, input) };
  const isAnother = emailKey(wanted.email) !== before.email_key;
  const isAsked = isAnother && config.registration === 'verify-email';
  const isNewAddress = isAnother && !isAsked;
  return {
    before,
    after: isAsked ? { ...wanted, email: before.email } : wanted,
    isNewAddress,
    askedFor: isAsked ? wanted.email : undefined,
    isVerified: before.email_verified_at !== null && !isNewAddress,
    joined,
    left: present.filter((id) => !schoolIds.includes(id)),
  };
}

// A user who signs in only with a provider would lose that sign-in with another address.
async function rejectLastSignInMethod(trx: Trx, deps: Deps, before: Row<'users'>): Promise<void> {
  if (before.password_hash !== null) return;
  const provider = await signIns().findOnlyProvider(trx, deps, before.id);
  if (provider !== undefined) throw errors.conflict(messages.passwordFirst(provider));
}

function rejectSchools(): never {
  throw errors.invalid(messages.schoolRequired, { schoolIds: messages.schoolRequired });
}

/** `spent` is the invitation that this change uses up to join a school. If it stayed open, it would admit another user too. */
type PlannedJoins = Joins & Readonly<{ spent: OpenInvite | undefined }>;

async function planJoins(
  trx: Trx,
  deps: Deps,
  request: LimitedRequest,
  wanted: Change,
  invite: OpenInvite | undefined,
): Promise<PlannedJoins | HttpError> {
  const { joined, before } = wanted;
  const opened = invite?.schoolIds ?? [];
  const invited = joined.filter((id) => opened.includes(id));
  const others = joined.filter((id) => !opened.includes(id));
  const isUsed = invited.length > 0 || (invite !== undefined && (await isMember(trx, before.id, invite)));
  const spent = isUsed ? invite : undefined;
  const { registration } = deps.config;
  // Administrators join schools without approval.
  if (isDistrictAdministrator(before) || registration === 'open' || others.length === 0) {
    return { invited, atOnce: others, later: [], spent };
  }
  if (
    registration === 'approval' &&
    !(wanted.isVerified && (await signIns().isApprovedByProvider(trx, deps, before)))
  ) {
    if (!wanted.isVerified && !wanted.isNewAddress) await emailConfirmation(trx, deps, request, before);
    return { invited, atOnce: [], later: others, spent };
  }
  if (registration === 'invite') await rejectWithoutInvitation(trx, deps, others);
  if (wanted.isVerified) return { invited, atOnce: others, later: [], spent };
  return requestConfirmation(trx, deps, request, before, others);
}

// An invitation is identified only by its code, because having the address in an account proves nothing.
async function invitedBy(
  trx: Trx,
  request: Request,
  { before }: Change,
  { schoolIds, inviteCode: code }: ProfileInput,
): Promise<OpenInvite | undefined> {
  // A code is ignored without a list of schools.
  if (code === undefined || schoolIds === undefined) return undefined;
  const invite = await findOpenInvite(trx, code, request.at);
  if (invite === undefined) throw errors.invalid(messages.wrongInvite, { inviteCode: messages.wrongInvite });
  // Compares the address before this change, because the new one is not confirmed yet.
  if (invite.emailKey !== before.email_key) {
    throw errors.invalid(messages.inviteForAnother, { inviteCode: messages.inviteForAnother });
  }
  return invite;
}

// Whether the user is already a member of all of an invitation's schools, and so uses it only for its roles.
async function isMember(trx: Trx, userId: number, { schoolIds }: OpenInvite): Promise<boolean> {
  const places = await listMemberships(trx, userId);
  return schoolIds.every((id) => places.some(({ schoolId, isActive }) => isActive && schoolId === id));
}

// The code was emailed to the address and so confirms it, unless an administrator saw it too.
async function accept(trx: Trx, deps: Deps, { viewer, request }: Acting, invite: OpenInvite): Promise<void> {
  const { at } = request;
  await redeemInvitation(trx, invite, viewer.userId, at);
  for (const schoolId of invite.schoolIds) await approveMember(trx, viewer.userId, schoolId);
  const kept = { userId: viewer.userId, keep: viewer.sessionId };
  await signIns().endAssignedPasswords(trx, deps, { viewer, request }, [{ ...kept, gift: invite }]);
  const user = await lockUser(trx, viewer.userId);
  if (user === undefined || invite.isShown || user.email_key !== invite.emailKey) return;
  const ended = await signIns().markEmailProven(trx, deps, { user, at, keep: viewer.sessionId });
  await signIns().queueRemovedSignInsEmail(trx, deps, { user, ended, at });
}

async function requestConfirmation(
  trx: Trx,
  deps: Deps,
  request: LimitedRequest,
  before: Row<'users'>,
  schoolIds: readonly number[],
): Promise<HttpError> {
  await emailConfirmation(trx, deps, request, before);
  const schools = await schoolNames(trx, deps, schoolIds);
  return errors.forbidden(messages.joinNeedsConfirmedEmail(schools, before.email));
}

async function emailConfirmation(
  trx: Trx,
  deps: Deps,
  request: LimitedRequest,
  { id, email }: { id: number; email: string },
): Promise<void> {
  if (!request.mayAsk || (await wasJustSent(trx, email, request.at))) return;
  await queueConfirmationEmail(trx, deps, request, { email, userId: id });
}

// Notifies the old address, deletes the links emailed to it and its provider links, and requests a confirmation of the new
// address if needed.
async function emailNewAddress(
  trx: Trx,
  deps: Deps,
  request: LimitedRequest & { viewer: Viewer },
  { before, after }: Change,
): Promise<void> {
  const { at } = request;
  const providers = await signIns().removeProviderLinks(
    trx,
    deps,
    actorOf(request.viewer, request),
    before.id,
  );
  await signIns().deletePasswordLinks(trx, before.id);
  await signIns().deleteMagicLinks(trx, before.id);
  await deleteConfirmationsOf(trx, before.id);
  if (before.email_verified_at !== null || request.mayNotify) {
    const ended = { ...NO_SIGN_INS_REMOVED, providers };
    await queueEmailChangedEmail(trx, deps, { user: before, newEmail: after.email, ended, at });
  }
  const { registration } = deps.config;
  if (registration === 'approval' && request.mayAsk) {
    await queueConfirmationEmail(trx, deps, request, { email: after.email, userId: before.id });
  }
}

// The fields of an account that the audit log records.
function auditedFields(user: User) {
  return {
    ...fieldsOf(PROFILE_FIELDS, user),
    schoolIds: user.schools.map((school) => school.id),
    pendingSchoolIds: user.pendingSchools.map((school) => school.id),
  };
}
