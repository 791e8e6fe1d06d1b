import { refuse } from '#base/refusal.ts';
import { forgetPerson as forgetImports } from '#rooms/user-imports/server/own-data.ts';
import { messages as accountMessages, emailKey } from '#rooms/users/contract.ts';
import { ownUser } from '#rooms/users/server/own-account.ts';
import {
  forgetPerson as forgetAccount,
  holdAddressee,
  holdForErasure,
} from '#rooms/users/server/own-data.ts';
import { blankPerson, record } from '#server/audit.ts';
import { type Trx, transaction } from '#server/db/connect.ts';
import { cutPage, readPage } from '#server/db/page.ts';
import type { Deps } from '#server/deps.ts';
import { text } from '#server/http/errors.ts';
import { forgetRepeatsOf } from '#server/http/idempotency.ts';
import { forgive } from '#server/http/try-limits.ts';
import { actorOf, type Request, type Viewer } from '#server/http/viewer.ts';
import { forgetMailOf, noticeExpiry, post } from '#server/mail/outbox.ts';
import type { Person } from '#server/person.ts';
import { messages as adminMessages } from '../admin-contract.ts';
import { messages } from '../contract.ts';
import { erasedLetter, keptLetter } from './letters.ts';
import {
  countErasureRequests,
  deleteErasureRequest,
  deleteTracesOf,
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
    if (!(await deleteErasureRequest(trx, viewer.userId)))
      throw refuse.notFound(messages.erasureNotRequested);
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
    const person = await holdAddressee(trx, id);
    if (person === undefined) throw refuse.notFound(accountMessages.userNotFound);
    if (!(await deleteErasureRequest(trx, id))) throw refuse.conflict(adminMessages.erasureGone);
    await post(trx, deps, {
      kind: 'erasure-declined',
      userId: id,
      letter: keptLetter(deps, person, reason),
      at: request.at,
      expiresAt: noticeExpiry(request.at),
    });
    await record(trx, actorOf(request, viewer), {
      action: 'erasure.decline',
      subject: 'user',
      subjectId: id,
      after: { reason },
    });
    return { message: text(deps, adminMessages.erasureDeclined(person.firstName, person.lastName)) };
  });
}

/**
 * Removes a person and keeps the hours under 'Former volunteer' (decisions). What was logged stays with its notes,
 * which are part of the district's record; everything that names the person goes. Doing it twice changes nothing.
 */
export function erasePerson(deps: Deps, request: Request, viewer: Viewer, id: number) {
  if (id === viewer.userId) throw refuse.forbidden(messages.cannotEraseSelf);
  return transaction(deps.database, async (trx) => {
    const addressee = await holdForErasure(trx, viewer, id);
    if (addressee === undefined) return { message: text(deps, messages.erased) };
    const person = { id, addresses: [emailKey(addressee.email)], at: request.at };
    await removeTraces(trx, deps, person);
    await post(trx, deps, {
      kind: 'erased',
      userId: null,
      letter: erasedLetter(deps, addressee),
      at: request.at,
      expiresAt: noticeExpiry(request.at),
    });
    await record(trx, actorOf(request, viewer), { action: 'account.erase', subject: 'user', subjectId: id });
    return { message: text(deps, messages.erased) };
  });
}

async function removeTraces(trx: Trx, deps: Deps, person: Person): Promise<void> {
  const { id } = person;
  const [address = ''] = person.addresses;
  const known = await recordedInvites(trx, id, address);
  await deleteTracesOf(trx, person);
  await forgetImports(trx, deps, person);
  const inviteIds = await forgetAccount(trx, deps, person);
  await forgetMailOf(trx, id);
  await forgetRepeatsOf(trx, id);
  await forgive(
    trx,
    ['account', 'reset-letters', 'confirm-letters'].map((counter) => `${counter}:${address}`),
    [],
  );
  await blankPerson(trx, id, [...known, ...inviteIds]);
}
