import { schoolsExist } from '#features/schools/server/actions.ts';
import { recordEvent } from '#server/audit-log.ts';
import { type Db, type Trx, transaction } from '#server/db/database.ts';
import { pageByKey } from '#server/db/queries/pagination.ts';
import type { Deps } from '#server/deps.ts';
import { linkTo } from '#server/email/email.ts';
import { dropPendingEmails, queueEmail } from '#server/email/outbox.ts';
import {
  type Counter,
  consumeAttempt,
  consumeAttemptIn,
  EMAILS_PER_ACCOUNT,
  INVITES_BY_SENDER,
} from '#server/http/rate-limit.ts';
import { type Acting, ALL_SCHOOLS_SCOPE, actorOf, type Request, type Viewer } from '#server/http/viewer.ts';
import { inRecipientLanguage } from '#server/i18n/recipient-language.ts';
import { translate } from '#server/i18n/translator.ts';
import { hashToken, newToken } from '#server/secrets.ts';
import { assertDefined } from '#shared/assert-defined.ts';
import { type Instant, plusMilliseconds } from '#shared/calendar-date.ts';
import type { QueryOf } from '#shared/endpoint.ts';
import { errors } from '#shared/errors.ts';
import type { Message } from '#shared/i18n/message.ts';
import { messages as adminMessages } from '../../admin-contract.ts';
import { emailKey, type InviteInput, LINKS, type listInvites, messages } from '../../contract.ts';
import { schoolNames } from '../../memberships/server/school-names.ts';
import {
  giveGrants,
  grantsAfter,
  grantsForAudit,
  plain,
  rejectAdministratorRole,
  rejectOtherSchools,
  requireRecentAuthToGrant,
} from '../../roles/server/actions.ts';
import { rightsHolderOf } from '../../roles/server/store.ts';
import { mayGive } from '../../server/account-permissions.ts';
import { invitationEmail } from '../../server/emails.ts';
import { shareableLink } from '../../server/shareable-link.ts';
import { findCredentials } from '../../server/store.ts';
import {
  countInvites,
  deleteInvitesBefore,
  deleteUnusedInvite,
  findInvite,
  findInviteByToken,
  type InviteFilter,
  insertInvite,
  markInviteUsed,
  type OpenInvite,
  openInvitesBy,
  openInvitesTo,
  pageOfInvites,
  renewInvite,
} from './store.ts';

const LIST = 'invites';
const DAY_MS = 86_400_000;
const EXPIRED_DAYS = 30;

/** Counts an invitation before it is sent, so that no address is flooded. Throws 429 beyond the limits. */
export function limitInvites(deps: Deps, { viewer, request }: Acting, email: string): Promise<void> {
  return consumeAttempt(deps.database, counted(viewer, email), request.at);
}

/** Like `limitInvites`, within a transaction. */
export function limitInvitesWithin(trx: Trx, { viewer, request }: Acting, email: string): Promise<void> {
  return consumeAttemptIn(trx, counted(viewer, email), request.at);
}

function counted({ userId }: Viewer, email: string): Counter[] {
  return [
    { key: `invite-letters:${emailKey(email)}`, policy: EMAILS_PER_ACCOUNT },
    { key: `invites-by:${userId}`, policy: INVITES_BY_SENDER },
  ];
}

/** Stores an invitation to schools, with roles if given, and emails it. */
export async function inviteByEmail(trx: Trx, deps: Deps, { viewer, request }: Acting, input: InviteInput) {
  const schoolIds = [...new Set(input.schoolIds)];
  rejectAdministratorRole(viewer, input.role);
  rejectOtherSchools(viewer, schoolIds);
  const grants = await grantsAfter(trx, viewer, [], input.grants ?? []);
  if (!(await schoolsExist(trx, schoolIds))) {
    throw errors.invalid(messages.schoolRequired, { schoolIds: messages.schoolRequired });
  }
  const { email, role = 'user' } = input;
  requireRecentAuthToGrant({ viewer, request }, { role, grants });
  const code = newToken();
  const expiresAt = inviteExpiry(request.at);
  const id = await insertInvite(trx, {
    tokenHash: hashToken(code),
    email,
    role,
    schoolIds,
    grants,
    by: viewer.userId,
    at: request.at,
    expiresAt,
    isShown: isShown(deps),
  });
  await queueInvitation(trx, deps, request, { id, email, schoolIds, code, expiresAt });
  await recordEvent(trx, actorOf(viewer, request), {
    action: 'invite.create',
    subject: 'invite',
    subjectId: id,
    after: { email, role, schoolIds, ...grantsForAudit(grants) },
  });
  const invite = assertDefined(await findInvite(trx, viewer.schools, id));
  return {
    invite,
    ...describeInvitation(deps, { viewer, request }, { email, code, sent: messages.invited(email) }),
  };
}

async function queueInvitation(
  trx: Trx,
  deps: Deps,
  { at }: Request,
  invite: Readonly<{
    id: number;
    email: string;
    schoolIds: readonly number[];
    code: string;
    expiresAt: Instant;
  }>,
): Promise<void> {
  const { id, email, schoolIds, code, expiresAt } = invite;
  // The person may already have an account, with a chosen language, and be invited to another school.
  const known = await findCredentials(trx, email);
  const to = { email, id: known?.id ?? null, language: known?.language ?? null };
  const schools = await schoolNames(trx, inRecipientLanguage(deps, to), schoolIds);
  const letter = invitationEmail(deps, to, schools, code);
  await queueEmail(trx, deps, { kind: inviteKind(id), userId: null, letter, at, expiresAt });
}

// Whether the link is shown to the inviting administrator, to be passed on: without a mail server, nothing is sent.
function isShown({ config }: Deps): boolean {
  return config.smtpUrl === undefined;
}

function describeInvitation(
  deps: Deps,
  acting: Acting,
  { email, code, sent }: { email: string; code: string; sent: Message },
) {
  const link = shareableLink(deps, acting, () => linkTo(deps, 'invite', code));
  return { message: translate(deps, link === null ? sent : adminMessages.inviteWaits(email)), link };
}

/** A page of invitations, newest first, with their total. */
export async function listInvitesFor(
  deps: Deps,
  { viewer, request }: Acting,
  query: QueryOf<typeof listInvites>,
) {
  const { db } = deps.database;
  const filter: InviteFilter = {
    schools: viewer.schools,
    search: query.search ?? '',
    openAt: query.status === 'open' ? request.at : undefined,
  };
  const { rows, nextCursor } = await pageByKey(deps.secretKey, LIST, query, {
    read: (page) => pageOfInvites(db, filter, page),
    keyOf: ({ id }) => [id],
  });
  return { invites: rows, total: await countInvites(db, filter), nextCursor };
}

/** Emails an invitation again with a new link and a new expiry. Throws 409 if it was used. */
export async function resendInvitation(deps: Deps, { viewer, request }: Acting, id: number) {
  const known = await findInvite(deps.database.db, viewer.schools, id);
  if (known !== undefined) await limitInvites(deps, { viewer, request }, known.email);
  return transaction(deps.database, async (trx) => {
    const before = await findInvite(trx, viewer.schools, id);
    if (before === undefined) throw errors.notFound(messages.inviteNotFound);
    const code = newToken();
    const expiresAt = inviteExpiry(request.at);
    const renewed = { tokenHash: hashToken(code), expiresAt, isShown: isShown(deps) };
    if (!(await renewInvite(trx, id, renewed))) throw errors.conflict(messages.inviteUsed);
    await dropPendingEmails(trx, null, [inviteKind(id)], request.at);
    const { email } = before;
    const schoolIds = before.schools.map((school) => school.id);
    await queueInvitation(trx, deps, request, { id, email, schoolIds, code, expiresAt });
    await recordEvent(trx, actorOf(viewer, request), {
      action: 'invite.resend',
      subject: 'invite',
      subjectId: id,
      after: { email, expiresAt },
    });
    return {
      invite: { ...before, expiresAt },
      ...describeInvitation(
        deps,
        { viewer, request },
        { email, code, sent: adminMessages.inviteResent(email) },
      ),
    };
  });
}

/** Revokes an invitation; its link becomes invalid. Throws 409 if it was used. */
export function withdrawInvite(deps: Deps, { viewer, request }: Acting, id: number) {
  return transaction(deps.database, async (trx) => {
    const before = await findInvite(trx, viewer.schools, id);
    if (before === undefined) throw errors.notFound(messages.inviteNotFound);
    const { email, role, schools, grants } = before;
    const schoolIds = schools.map((school) => school.id);
    const invite = { id, email, role, schoolIds, grants: grants.map(plain) };
    if (!(await endInvite(trx, { viewer, request }, invite))) throw errors.conflict(messages.inviteUsed);
    return { message: translate(deps, messages.inviteRevoked) };
  });
}

/**
 * Revokes a sender's open invitations that offer more than the sender may still grant. Returns how many, for
 * `withEndedInvitations`.
 */
export async function endInvitesBeyond(trx: Trx, acting: Acting, senderId: number): Promise<number> {
  const sender = await rightsHolderOf(trx, senderId);
  const invites = await openInvitesBy(trx, senderId, acting.request.at);
  const ended = invites.filter((invite) => !mayGive(sender, invite));
  for (const invite of ended) await endInvite(trx, acting, invite);
  return ended.length;
}

/** Revokes all open invitations of an account that is about to be deleted. */
export async function endInvitesOf(trx: Trx, acting: Acting, senderId: number): Promise<void> {
  for (const invite of await openInvitesBy(trx, senderId, acting.request.at))
    await endInvite(trx, acting, invite);
}

/**
 * Returns a message that also states how many people were invited instead of added, how many invitations were revoked, and
 * whether the password was removed.
 */
export function withEndedInvitations(
  deps: Deps,
  message: Message,
  {
    ended = 0,
    invited = 0,
    isPasswordEnded = false,
  }: { ended?: number; invited?: number; isPasswordEnded?: boolean },
): string {
  const said = [
    message,
    ...(invited === 0 ? [] : [adminMessages.invitedToSchools(invited)]),
    ...(ended === 0 ? [] : [adminMessages.invitesEnded(ended)]),
    ...(isPasswordEnded ? [passwordEnded(deps)] : []),
  ];
  const [alone = '', ...more] = said.map((one) => translate(deps, one));
  // Some messages do not end in a period.
  return more.length === 0 ? alone : `${alone.replace(/\.$/, '')}. ${more.join(' ')}`;
}

function passwordEnded({ config }: Deps): Message {
  return config.smtpUrl === undefined ? adminMessages.passwordEndedHere : adminMessages.passwordEnded;
}

async function endInvite(
  trx: Trx,
  { viewer, request }: Acting,
  invite: Pick<OpenInvite, 'id' | 'email' | 'role' | 'schoolIds' | 'grants'>,
): Promise<boolean> {
  const { id, email, role, schoolIds, grants } = invite;
  if (!(await deleteUnusedInvite(trx, id))) return false;
  await dropPendingEmails(trx, null, [inviteKind(id)], request.at);
  await recordEvent(trx, actorOf(viewer, request), {
    action: 'invite.revoke',
    subject: 'invite',
    subjectId: id,
    before: { email, role, schoolIds, ...grantsForAudit(grants) },
  });
  return true;
}

/** Returns the invitation of a code, to prefill the registration form. Throws if the code is unknown, used or expired. */
export async function readInvite(deps: Deps, request: Request, code: string) {
  const { db } = deps.database;
  const open = await findOpenInvite(db, code, request.at);
  const invite = open === undefined ? undefined : await findInvite(db, ALL_SCHOOLS_SCOPE, open.id);
  if (invite === undefined) throw errors.invalid(messages.wrongInvite);
  return { invite: { email: invite.email, role: invite.role, schools: invite.schools } };
}

/** Returns the usable invitation with this code if its sender may still grant all of it; otherwise undefined. */
export async function findOpenInvite(db: Db, code: string, now: Instant): Promise<OpenInvite | undefined> {
  const invite = await findInviteByToken(db, hashToken(code), now);
  return invite !== undefined && (await isStillGiven(db, invite)) ? invite : undefined;
}

/** Whether the address has an open invitation whose sender may still grant all of it. */
export async function isInvited(db: Db, email: string, now: Instant): Promise<boolean> {
  for (const invite of await openInvitesTo(db, email, now)) {
    if (await isStillGiven(db, invite)) return true;
  }
  return false;
}

async function isStillGiven(db: Db, invite: OpenInvite): Promise<boolean> {
  return invite.invitedBy !== null && mayGive(await rightsHolderOf(db, invite.invitedBy), invite);
}

/** Marks an invitation as used and grants its roles. The second of two requests with the same code is rejected. */
export async function redeemInvitation(
  trx: Trx,
  invite: OpenInvite,
  userId: number,
  at: Instant,
): Promise<void> {
  if (!(await markInviteUsed(trx, invite.id, userId, at))) {
    throw errors.invalid(messages.wrongInvite, { inviteCode: messages.wrongInvite });
  }
  await giveGrants(trx, userId, invite.grants, at);
}

/** The `kind` of an invitation's email in the outbox. */
export function inviteKind(id: number): string {
  return `invite-${id}`;
}

/** Deletes unused invitations 30 days after they expired. */
export async function deleteOldInvitations(trx: Trx, now: Instant): Promise<void> {
  const dead = plusMilliseconds(now, -EXPIRED_DAYS * DAY_MS);
  await deleteInvitesBefore(trx, dead);
}

function inviteExpiry(at: Instant): Instant {
  return plusMilliseconds(at, LINKS.inviteDays * DAY_MS);
}
