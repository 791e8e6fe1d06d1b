import { type Instant, plusMilliseconds } from '#base/calendar-date.ts';
import type { Message } from '#base/message.ts';
import { refuse } from '#base/refusal.ts';
import { schoolsExist } from '#rooms/schools/server/actions.ts';
import { record } from '#server/audit.ts';
import { type Db, type Trx, transaction } from '#server/db/connect.ts';
import { cutPage, readPage } from '#server/db/page.ts';
import type { Deps } from '#server/deps.ts';
import { forReader } from '#server/for-reader.ts';
import { text } from '#server/http/errors.ts';
import { type Acting, actorOf, EVERYWHERE, type Request, type Viewer } from '#server/http/viewer.ts';
import { linkTo } from '#server/mail/letter.ts';
import { dropWaiting, post } from '#server/mail/outbox.ts';
import { hashToken, newToken } from '#server/secret.ts';
import { messages as adminMessages } from '../admin-contract.ts';
import { type InviteInput, LINKS, messages } from '../contract.ts';
import { insertGrants } from './grant-store.ts';
import {
  grantsAfter,
  grantsForRecord,
  plain,
  refuseOutside,
  refuseRole,
  requireProofToGive,
  stillGiven,
} from './grants.ts';
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
  pageOfInvites,
  renewInvite,
} from './invite-store.ts';
import { inviteLetter } from './letters.ts';
import { linkToPassOn } from './link-to-pass-on.ts';
import { schoolNames } from './school-names.ts';
import { findCredentials } from './store.ts';

const LIST = 'invites';
const DAY_MS = 86_400_000;
const KEPT_DAYS = 30;

/** Invites somebody by mail to schools, in the role given. */
export async function inviteByMail(trx: Trx, deps: Deps, { viewer, request }: Acting, input: InviteInput) {
  const schoolIds = [...new Set(input.schoolIds)];
  refuseRole(viewer, input.role);
  refuseOutside(viewer, schoolIds);
  const grants = await grantsAfter(trx, viewer, [], input.grants ?? []);
  if (!(await schoolsExist(trx, schoolIds))) {
    throw refuse.invalid(messages.schoolRequired, { schoolIds: messages.schoolRequired });
  }
  const { email, role = 'user' } = input;
  requireProofToGive({ viewer, request }, { role, grants });
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
  });
  await postInvite(trx, deps, request, { id, email, schoolIds, code, expiresAt });
  await record(trx, actorOf(viewer, request), {
    action: 'invite.create',
    subject: 'invite',
    subjectId: id,
    after: { email, role, schoolIds, ...grantsForRecord(grants) },
  });
  const invite = await findInvite(trx, viewer.schools, id);
  if (invite === undefined) throw new Error(`invite ${id} vanished within its own transaction`);
  return { invite, ...told(deps, { viewer, request }, { email, code, sent: messages.invited(email) }) };
}

async function postInvite(
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
  // Somebody who is invited to another school has an account, and may have chosen a language.
  const known = await findCredentials(trx, email);
  const to = { email, id: known?.id ?? null, language: known?.language ?? null };
  const schools = await schoolNames(trx, forReader(deps, to), schoolIds);
  const letter = inviteLetter(deps, to, schools, code);
  await post(trx, deps, { kind: inviteKind(id), userId: null, letter, at, expiresAt });
}

// Without a mail server nothing is sent, so the inviting administrator passes the link on.
function told(
  deps: Deps,
  acting: Acting,
  { email, code, sent }: { email: string; code: string; sent: Message },
) {
  const link = linkToPassOn(deps, acting, () => linkTo(deps, 'invite', code));
  return { message: text(deps, link === null ? sent : adminMessages.inviteWaits(email)), link };
}

/** A page of invitations, the latest first, with how many there are in all. */
export async function listInvitesFor(
  deps: Deps,
  viewer: Viewer,
  request: Request,
  query: Readonly<{
    status?: 'open' | 'all' | undefined;
    search?: string | undefined;
    limit?: number | undefined;
    cursor?: string | undefined;
  }>,
) {
  const { db } = deps.database;
  const page = readPage(deps.secretKey, LIST, query);
  const filter: InviteFilter = {
    schools: viewer.schools,
    search: query.search ?? '',
    openAt: query.status === 'open' ? request.at : undefined,
  };
  const found = await pageOfInvites(db, filter, page);
  const { rows, nextCursor } = cutPage(
    deps.secretKey,
    { list: LIST, rows: found, limit: page.limit },
    (invite) => [invite.id],
  );
  return { invites: [...rows], total: await countInvites(db, filter), nextCursor };
}

/**
 * Mails an invitation again, with a new link that is valid as long as a new invitation's. 409 when it was used
 * already.
 */
export function remindInvited(deps: Deps, viewer: Viewer, request: Request, id: number) {
  return transaction(deps.database, async (trx) => {
    const before = await findInvite(trx, viewer.schools, id);
    if (before === undefined) throw refuse.notFound(messages.inviteNotFound);
    const code = newToken();
    const expiresAt = inviteExpiry(request.at);
    if (!(await renewInvite(trx, id, hashToken(code), expiresAt))) throw refuse.conflict(messages.inviteUsed);
    await dropWaiting(trx, null, [inviteKind(id)], request.at);
    const { email } = before;
    const schoolIds = before.schools.map((school) => school.id);
    await postInvite(trx, deps, request, { id, email, schoolIds, code, expiresAt });
    await record(trx, actorOf(viewer, request), {
      action: 'invite.resend',
      subject: 'invite',
      subjectId: id,
      after: { email, expiresAt },
    });
    return {
      invite: { ...before, expiresAt },
      ...told(deps, { viewer, request }, { email, code, sent: adminMessages.inviteResent(email) }),
    };
  });
}

/** Withdraws an invitation; its link stops working. 409 when it was used already. */
export function withdrawInvite(deps: Deps, viewer: Viewer, request: Request, id: number) {
  return transaction(deps.database, async (trx) => {
    const before = await findInvite(trx, viewer.schools, id);
    if (before === undefined) throw refuse.notFound(messages.inviteNotFound);
    if (!(await deleteUnusedInvite(trx, id))) throw refuse.conflict(messages.inviteUsed);
    await dropWaiting(trx, null, [inviteKind(id)], request.at);
    const { email, role, schools, grants } = before;
    await record(trx, actorOf(viewer, request), {
      action: 'invite.revoke',
      subject: 'invite',
      subjectId: id,
      before: {
        email,
        role,
        schoolIds: schools.map((school) => school.id),
        ...grantsForRecord(grants.map(plain)),
      },
    });
    return { message: text(deps, messages.inviteRevoked) };
  });
}

/** Who a code invites, to prefill the register form. Refused when the code is unknown, used or expired. */
export async function readInvite(deps: Deps, request: Request, code: string) {
  const { db } = deps.database;
  const open = await findOpenInvite(db, code, request.at);
  const invite = open === undefined ? undefined : await findInvite(db, EVERYWHERE, open.id);
  if (invite === undefined) throw refuse.invalid(messages.wrongInvite);
  return { invite: { email: invite.email, role: invite.role, schools: invite.schools } };
}

/** The usable invitation with this code, or undefined. */
export function findOpenInvite(db: Db, code: string, now: Instant): Promise<OpenInvite | undefined> {
  return findInviteByToken(db, hashToken(code), now);
}

/**
 * Uses an invitation, once: of two requests with the same code, one is refused. Gives those of its grants that its
 * sender may still give.
 */
export async function spendInvite(trx: Trx, invite: OpenInvite, userId: number, at: Instant): Promise<void> {
  if (!(await markInviteUsed(trx, invite.id, userId, at))) {
    throw refuse.invalid(messages.wrongInvite, { inviteCode: messages.wrongInvite });
  }
  await insertGrants(trx, userId, await stillGiven(trx, invite.invitedBy, invite.grants), at);
}

/** The kind under which an invitation's mail is kept in the outbox. */
export function inviteKind(id: number): string {
  return `invite-${id}`;
}

/** Removes invitations that expired a month ago without being used. */
export async function sweepInvites(trx: Trx, now: Instant): Promise<void> {
  const dead = plusMilliseconds(now, -KEPT_DAYS * DAY_MS);
  await deleteInvitesBefore(trx, dead);
}

function inviteExpiry(at: Instant): Instant {
  return plusMilliseconds(at, LINKS.inviteDays * DAY_MS);
}
