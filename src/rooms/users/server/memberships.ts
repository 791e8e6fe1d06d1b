import { refuse } from '#base/refusal.ts';
import { record } from '#server/audit.ts';
import { transaction } from '#server/db/connect.ts';
import { cutPage, readPage } from '#server/db/page.ts';
import type { Deps } from '#server/deps.ts';
import { text } from '#server/http/errors.ts';
import { actorOf, type Request, type Viewer } from '#server/http/viewer.ts';
import { noticeExpiry, post } from '#server/mail/outbox.ts';
import { messages } from '../contract.ts';
import { decidedLetter } from './letters.ts';
import { countPending, decidePending, findMember, pageOfPending } from './membership-store.ts';
import { addresseeOf } from './store.ts';

const LIST = 'pending-memberships';

/** A page of pending requests to join a school, oldest first, with their total. */
export async function listPending(
  deps: Deps,
  query: { search?: string | undefined; limit?: number | undefined; cursor?: string | undefined },
) {
  const { db } = deps.database;
  const page = readPage(deps.secretKey, LIST, query);
  const search = query.search ?? '';
  const found = await pageOfPending(db, search, page);
  const { rows, nextCursor } = cutPage(
    deps.secretKey,
    { list: LIST, rows: found, limit: page.limit },
    (row) => [row.requestedAt, row.user.id, row.school.id],
  );
  return { memberships: [...rows], total: await countPending(db, search), nextCursor };
}

/** Approves or refuses a request to join a school; a second decision is 409. The volunteer is told by mail. */
export function decideMembership(
  deps: Deps,
  viewer: Viewer,
  request: Request,
  decision: { userId: number; schoolId: number; isApproved: boolean; unconfirmed?: boolean | undefined },
) {
  return transaction(deps.database, async (trx) => {
    const { userId, schoolId, isApproved } = decision;
    const member = await findMember(trx, userId, schoolId);
    if (member === undefined) throw refuse.notFound(messages.userNotFound);
    // Whoever is let in sees children's photos: by default the address is proven first.
    if (isApproved && member.email_verified_at === null && decision.unconfirmed !== true) {
      throw refuse.conflict(messages.addressUnconfirmed(member.email));
    }
    if (!(await decidePending(trx, decision))) throw refuse.conflict(messages.membershipDecided);
    await post(trx, deps, {
      kind: 'membership-decided',
      userId,
      letter: decidedLetter(deps, addresseeOf(member), member.school_name, isApproved),
      at: request.at,
      expiresAt: noticeExpiry(request.at),
    });
    await record(trx, actorOf(viewer, request), {
      action: isApproved ? 'membership.approve' : 'membership.decline',
      subject: 'user',
      subjectId: userId,
      schoolId,
    });
    const say = isApproved ? messages.membershipApproved : messages.membershipDeclined;
    return { message: text(deps, say(member.first_name, member.last_name, member.school_name)) };
  });
}
