import { recordEvent } from '#server/audit-log.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import { pageByKey } from '#server/db/queries/pagination.ts';
import type { Deps } from '#server/deps.ts';
import { queueEmail } from '#server/email/outbox.ts';
import {
  type Acting,
  actorOf,
  canAt,
  canEverywhere,
  isWithin,
  requireRecentAuth,
  scopeFor,
  type Viewer,
} from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { commonMessages } from '#shared/common-messages.ts';
import type { BodyOf, QueryOf } from '#shared/endpoint.ts';
import { errors } from '#shared/errors.ts';
import { type approveMembership, type listPendingMemberships, messages } from '../../contract.ts';
import { countInvites } from '../../invitations/server/store.ts';
import { grantsAfter, plain, rejectOwnGrants, setGrants } from '../../roles/server/actions.ts';
import { grantsOf } from '../../roles/server/store.ts';
import { requireConfirmed } from '../../server/account-permissions.ts';
import { membershipDecidedEmail } from '../../server/emails.ts';
import { signIns } from '../../server/sign-in-hooks.ts';
import { countVersion, emailRecipientOf } from '../../server/store.ts';
import { schoolNameFor } from './school-names.ts';
import { countPending, countRequestedDeletions, decidePending, findMember, pageOfPending } from './store.ts';

const LIST = 'pending-memberships';

/** A page of pending requests to join a school, oldest first, with their total. */
export async function listPending(
  deps: Deps,
  { schools }: Viewer,
  query: QueryOf<typeof listPendingMemberships>,
) {
  const { db } = deps.database;
  const filter = { schools, search: query.search ?? '' };
  const { rows, nextCursor } = await pageByKey(deps.secretKey, LIST, query, {
    read: (page) => pageOfPending(db, filter, page),
    keyOf: ({ requestedAt, user, school }) => [requestedAt, user.id, school.id],
  });
  return { memberships: rows, total: await countPending(db, filter), nextCursor };
}

type Decision = BodyOf<typeof approveMembership> & Readonly<{ isApproved: boolean }>;

/** Approves or declines a request to join a school. A second decision gets a 409. The volunteer gets an email. */
export function decideMembership(deps: Deps, { viewer, request }: Acting, decision: Decision) {
  return transaction(deps.database, async (trx) => {
    const { userId, schoolId, isApproved } = decision;
    const member = await findMember(trx, userId, schoolId);
    if (member === undefined || !isWithin(viewer.schools, schoolId))
      throw errors.notFound(messages.userNotFound);
    // Approved members see children's photos, so by default the address must be confirmed first.
    const { unconfirmed, grants } = decision;
    if (isApproved)
      await requireConfirmed(trx, addressed(member), { schoolIds: [schoolId], grants, unconfirmed });
    if (!(await decidePending(trx, decision))) throw errors.conflict(messages.membershipDecided);
    if (isApproved) await giveGrants(trx, { viewer, request }, decision);
    if (isApproved) {
      const gift = { schoolIds: [schoolId], grants };
      await signIns().endAssignedPasswords(trx, deps, { viewer, request }, [{ userId, gift }]);
    }
    await queueEmail(trx, deps, {
      kind: 'membership-decided',
      userId,
      letter: membershipDecidedEmail(
        deps,
        emailRecipientOf(member),
        await schoolNameFor(trx, deps, member, schoolId),
        isApproved,
      ),
      at: request.at,
    });
    await recordEvent(trx, actorOf(viewer, request), {
      action: isApproved ? 'membership.approve' : 'membership.decline',
      subject: 'user',
      subjectId: userId,
      schoolId,
    });
    const say = isApproved ? messages.membershipApproved : messages.membershipDeclined;
    return { message: translate(deps, say(member.first_name, member.last_name, member.school_name)) };
  });
}

function addressed(member: NonNullable<Awaited<ReturnType<typeof findMember>>>) {
  const { email, email_verified_at, vouched_by } = member;
  return { email, isEmailConfirmed: email_verified_at !== null, isWalkIn: false, vouchedBy: vouched_by };
}

// Adds to the user's roles. Throws 403 unless the viewer may manage people at the school.
async function giveGrants(
  trx: Trx,
  { viewer, request }: Acting,
  { userId, schoolId, grants = [] }: Decision,
): Promise<void> {
  if (grants.length === 0) return;
  if (!canAt(viewer, 'manage people', schoolId)) throw errors.forbidden(commonMessages.adminRequired);
  requireRecentAuth(viewer, request);
  const before = (await grantsOf(trx, [userId])).map(plain);
  const giver = { ...viewer, schools: scopeFor(viewer, 'manage people') };
  const after = await grantsAfter(trx, giver, before, [...before, ...grants]);
  rejectOwnGrants(viewer, userId, true);
  await setGrants(trx, { viewer, request }, userId, { before, after });
  // Rejects a form that was opened before, which would revoke the role again.
  await countVersion(trx, userId);
}

/**
 * Counts the pending requests at the viewer's schools, the usable invitations to them and, for district administrators, the
 * deletion requests.
 */
export async function readPendingCounts(deps: Deps, { viewer, request }: Acting) {
  const { db } = deps.database;
  const schools = scopeFor(viewer, 'see requests');
  return {
    waiting: {
      memberships: await countPending(db, { schools, search: '' }),
      erasureRequests: canEverywhere(viewer, 'run the district') ? await countRequestedDeletions(db) : 0,
      openInvites: await countInvites(db, { schools, search: '', openAt: request.at }),
    },
    lettersInFolder: deps.config.smtpUrl === undefined,
  };
}
