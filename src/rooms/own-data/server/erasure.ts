import type { Instant } from '#base/calendar-date.ts';
import { baseMessages } from '#base/messages.ts';
import { refuse } from '#base/refusal.ts';
import { forgetImportsOf } from '#rooms/user-imports/server/store.ts';
import { messages as adminMessages } from '#rooms/users/admin-contract.ts';
import { messages } from '#rooms/users/contract.ts';
import { holdAdministrators } from '#rooms/users/server/admin-users-store.ts';
import { inviteKind } from '#rooms/users/server/invites.ts';
import { erasedLetter, keptLetter } from '#rooms/users/server/letters.ts';
import { ownUser } from '#rooms/users/server/own-account.ts';
import { endSessionsOf } from '#rooms/users/server/sessions.ts';
import { addresseeOf, holdUser } from '#rooms/users/server/store.ts';
import { blankPerson, record } from '#server/audit.ts';
import { type Trx, transaction } from '#server/db/connect.ts';
import { cutPage, readPage } from '#server/db/page.ts';
import type { Row } from '#server/db/tables.ts';
import type { Deps } from '#server/deps.ts';
import { text } from '#server/http/errors.ts';
import { forgetRepeatsOf } from '#server/http/idempotency.ts';
import { forgive } from '#server/http/try-limits.ts';
import { actorOf, type Request, type Viewer } from '#server/http/viewer.ts';
import { dropWaiting, forgetMailOf, noticeExpiry, post } from '#server/mail/outbox.ts';
import { newToken } from '#server/secret.ts';
import {
  anonymise,
  countErasureRequests,
  insertErasureRequest,
  pageOfErasureRequests,
  recordedInvites,
} from './store.ts';

const LIST = 'erasure-requests';

/** Notes the viewer's wish to be deleted, once; an administrator fulfils it. */
export async function askForErasure(
  trx: Trx,
  deps: Deps,
  request: Request,
  viewer: Viewer,
  reason: string | null,
) {
  const wish = { userId: viewer.userId, reason, at: request.at };
  if (!(await insertErasureRequest(trx, wish))) throw refuse.conflict(messages.erasureAlreadyRequested);
  await record(trx, actorOf(request, viewer), {
    action: 'erasure.ask',
    subject: 'user',
    subjectId: viewer.userId,
    after: { reason },
  });
  return { user: await ownUser(trx, viewer.userId), message: text(deps, messages.erasureRequested) };
}

/** Takes the wish back. */
export function withdrawErasureWish(deps: Deps, request: Request, viewer: Viewer) {
  return transaction(deps.database, async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('erasure_requests')
      .where('user_id', '=', viewer.userId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw refuse.notFound(messages.erasureNotRequested);
    await record(trx, actorOf(request, viewer), {
      action: 'erasure.withdraw',
      subject: 'user',
      subjectId: viewer.userId,
    });
    return { user: await ownUser(trx, viewer.userId), message: text(deps, messages.erasureWithdrawn) };
  });
}

/** A page of those who wish to be deleted, the longest waiting first, with how many there are. */
export async function listErasureWishes(
  deps: Deps,
  query: { search?: string | undefined; limit?: number | undefined; cursor?: string | undefined },
) {
  const { db } = deps.database;
  const page = readPage(deps.secretKey, LIST, query);
  const search = query.search ?? '';
  const found = await pageOfErasureRequests(db, search, page);
  const { rows, nextCursor } = cutPage(deps.secretKey, LIST, found, page.limit, (row) => [
    row.requestedAt,
    row.user.id,
  ]);
  return { erasureRequests: [...rows], total: await countErasureRequests(db, search), nextCursor };
}

/** Leaves an account as it is although its owner wished it deleted; a second decision is 409. They are told by mail. */
export function declineErasureWish(
  deps: Deps,
  request: Request,
  viewer: Viewer,
  id: number,
  reason: string | null,
): Promise<{ message: string }> {
  return transaction(deps.database, async (trx) => {
    const user = await holdUser(trx, id);
    if (user === undefined) throw refuse.notFound(messages.userNotFound);
    const { numDeletedRows } = await trx
      .deleteFrom('erasure_requests')
      .where('user_id', '=', id)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw refuse.conflict(adminMessages.erasureGone);
    await post(trx, deps, {
      kind: 'erasure-declined',
      userId: id,
      letter: keptLetter(deps, addresseeOf(user), reason),
      at: request.at,
      expiresAt: noticeExpiry(request.at),
    });
    await record(trx, actorOf(request, viewer), {
      action: 'erasure.decline',
      subject: 'user',
      subjectId: id,
      after: { reason },
    });
    return { message: text(deps, adminMessages.erasureDeclined(user.first_name, user.last_name)) };
  });
}

/**
 * Removes a person and keeps the hours under 'Former volunteer' (decisions). What was logged stays with its notes,
 * which are part of the district's record; everything that names the person goes. Doing it twice changes nothing.
 */
export function erasePerson(deps: Deps, request: Request, viewer: Viewer, id: number) {
  if (id === viewer.userId) throw refuse.forbidden(messages.cannotEraseSelf);
  return transaction(deps.database, async (trx) => {
    await requireAnother(trx, viewer, id);
    const user = await holdUser(trx, id);
    if (user === undefined) {
      const gone = await trx.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst();
      if (gone === undefined) throw refuse.notFound(messages.userNotFound);
      return { message: text(deps, messages.erased) };
    }
    await removeTraces(trx, user, request.at);
    await anonymise(trx, id, {
      firstName: text(deps, messages.formerFirstName),
      lastName: text(deps, messages.formerLastName),
      // Nobody can have mail there (RFC 2606), and nobody can guess it.
      email: `former-${newToken()}@erased.invalid`,
      at: request.at,
    });
    await post(trx, deps, {
      kind: 'erased',
      userId: null,
      letter: erasedLetter(deps, addresseeOf(user)),
      at: request.at,
      expiresAt: noticeExpiry(request.at),
    });
    await record(trx, actorOf(request, viewer), { action: 'account.erase', subject: 'user', subjectId: id });
    return { message: text(deps, messages.erased) };
  });
}

// Two administrators who remove each other at the same moment wait for each other here, and the second one is none
// any more.
async function requireAnother(trx: Trx, viewer: Viewer, id: number): Promise<void> {
  const administrators = await holdAdministrators(trx);
  if (!administrators.includes(viewer.userId)) throw refuse.forbidden(baseMessages.adminRequired);
  if (administrators.every((administrator) => administrator === id)) {
    throw refuse.conflict(messages.lastAdministrator);
  }
}

async function removeTraces(trx: Trx, user: Row<'users'>, at: Instant): Promise<void> {
  const { id, email_key } = user;
  await endSessionsOf(trx, id);
  await trx.deleteFrom('user_schools').where('user_id', '=', id).execute();
  await trx.deleteFrom('password_links').where('user_id', '=', id).execute();
  await trx.deleteFrom('erasure_requests').where('user_id', '=', id).execute();
  await trx.deleteFrom('suggestion_mail').where('user_id', '=', id).execute();
  await trx.deleteFrom('drive_attempts').where('user_id', '=', id).execute();
  // Photos must not go on to the Drive of somebody who wanted to be forgotten.
  await trx
    .deleteFrom('drive_connection')
    .where((eb) => eb(eb.fn<string>('lower', ['account']), '=', email_key))
    .execute();
  await forgetImportsOf(trx, id);
  await trx
    .deleteFrom('email_confirmations')
    .where((eb) => eb.or([eb('user_id', '=', id), eb('email_key', '=', email_key)]))
    .execute();
  const invites = await trx
    .deleteFrom('invites')
    .where((eb) => eb.or([eb('used_by', '=', id), eb('email_key', '=', email_key)]))
    .returning('id')
    .execute();
  const inviteIds = [...invites.map((invite) => invite.id), ...(await recordedInvites(trx, id, user.email))];
  await dropWaiting(trx, null, inviteIds.map(inviteKind), at);
  await forgetMailOf(trx, id);
  await forgetRepeatsOf(trx, id);
  await forgive(
    trx,
    ['account', 'reset-letters', 'confirm-letters'].map((counter) => `${counter}:${email_key}`),
    [],
  );
  await blankPerson(trx, id, inviteIds);
}
