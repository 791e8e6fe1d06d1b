import { refuseHeldPerson } from '#features/schools/district-settings/server/legal-hold-guards.ts';
import { messages as accountMessages } from '#features/users/contract.ts';
import { andSaid, endInvitesBeyond } from '#features/users/invitations/server/actions.ts';
import { ownUser } from '#features/users/server/current-account.ts';
import { holdAddressee, holdForErasure } from '#features/users/server/privacy.ts';
import { record } from '#server/audit-log.ts';
import { type Db, type Trx, transaction } from '#server/db/database.ts';
import { cutPage, readPage } from '#server/db/queries/pagination.ts';
import type { Deps } from '#server/deps.ts';
import { removeLetterFiles } from '#server/email/email-files.ts';
import { noticeExpiry, post } from '#server/email/outbox.ts';
import { text } from '#server/http/error-replies.ts';
import { type Acting, actorOf, type Request, type Viewer } from '#server/http/viewer.ts';
import type { Person } from '#server/personal-data/data-export.ts';
import { waitForHolds } from '#server/personal-data/legal-hold-store.ts';
import { refuse } from '#shared/errors.ts';
import { messages as adminMessages } from '../admin-contract.ts';
import { messages } from '../contract.ts';
import { erasedLetter, keptLetter } from './emails.ts';
import { forgetEverywhere, personNow } from './personal-data-deletion.ts';
import { listErasedBesideBackups } from './reapplied-deletions.ts';
import { KEEPERS } from './registry.ts';
import {
  countErasureRequests,
  deleteErasureRequest,
  insertErasureRequest,
  pageOfErasureRequests,
} from './store.ts';

const LIST = 'erasure-requests';

/** Stores the viewer's deletion request, once; an administrator carries it out. */
export async function askForErasure(
  trx: Trx,
  deps: Deps,
  { viewer, request }: Acting,
  reason: string | null,
) {
  const wish = { userId: viewer.userId, reason, at: request.at };
  if (!(await insertErasureRequest(trx, wish))) throw refuse.conflict(messages.erasureAlreadyRequested);
  await record(trx, actorOf(viewer, request), {
    action: 'erasure.ask',
    subject: 'user',
    subjectId: viewer.userId,
    after: { reason },
  });
  return { user: await ownUser(trx, viewer.userId), message: text(deps, messages.erasureRequested) };
}

/** Withdraws the request. */
export function withdrawErasureWish(deps: Deps, viewer: Viewer, request: Request) {
  return transaction(deps.database, async (trx) => {
    if (!(await deleteErasureRequest(trx, viewer.userId)))
      throw refuse.notFound(messages.erasureNotRequested);
    await record(trx, actorOf(viewer, request), {
      action: 'erasure.withdraw',
      subject: 'user',
      subjectId: viewer.userId,
    });
    return { user: await ownUser(trx, viewer.userId), message: text(deps, messages.erasureWithdrawn) };
  });
}

/** A page of deletion requests, oldest first, with their total. */
export async function listErasureWishes(
  deps: Deps,
  query: { search?: string | undefined; limit?: number | undefined; cursor?: string | undefined },
) {
  const { db } = deps.database;
  const page = readPage(deps.secretKey, LIST, query);
  const search = query.search ?? '';
  const found = await pageOfErasureRequests(db, search, page);
  const { rows, nextCursor } = cutPage(
    deps.secretKey,
    { list: LIST, rows: found, limit: page.limit },
    (row) => [row.requestedAt, row.user.id],
  );
  return { erasureRequests: [...rows], total: await countErasureRequests(db, search), nextCursor };
}

/** Declines a deletion request; a second decision is 409. The person is told by mail. */
export function declineErasureWish(
  deps: Deps,
  viewer: Viewer,
  request: Request,
  { id, reason }: { id: number; reason: string | null },
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
    await record(trx, actorOf(viewer, request), {
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
 * which are part of the district's record; everything that names the person is deleted. Doing it twice changes nothing.
 */
export async function erasePerson(deps: Deps, viewer: Viewer, request: Request, id: number) {
  if (id === viewer.userId) throw refuse.forbidden(messages.cannotEraseSelf);
  const { db } = deps.database;
  // Before the letters' files are removed; asked again in the transaction.
  await refuseHeldPerson(db, id);
  const person = await personNow(db, request, id);
  const kinds = await lettersAbout(db, person);
  // Files are outside the transaction. They are removed first, so that none is left if the process ends in
  // between, and again afterwards for letters written meanwhile.
  await removeLetterFiles(deps, person, kinds);
  const ended = await transaction(deps.database, (trx) => removeFromRooms(trx, deps, viewer, request, id));
  if (ended !== undefined) {
    await removeLetterFiles(deps, person, kinds);
    await deps.database.scrubErased();
    await listErasedBesideBackups(deps);
  }
  return { message: andSaid(deps, messages.erased, { ended: ended ?? 0 }) };
}

// How many invitations of theirs ended; undefined when the person was erased before.
async function removeFromRooms(
  trx: Trx,
  deps: Deps,
  viewer: Viewer,
  request: Request,
  id: number,
): Promise<number | undefined> {
  await waitForHolds(trx);
  await refuseHeldPerson(trx, id);
  const addressee = await holdForErasure(trx, viewer, id);
  if (addressee === undefined) return undefined;
  await forgetEverywhere(trx, deps, request, id);
  const ended = await endInvitesBeyond(trx, { viewer, request }, id);
  await post(trx, deps, {
    kind: 'erased',
    userId: null,
    letter: erasedLetter(deps, addressee),
    at: request.at,
    expiresAt: noticeExpiry(request.at),
  });
  await record(trx, actorOf(viewer, request), { action: 'account.erase', subject: 'user', subjectId: id });
  return ended;
}

async function lettersAbout(db: Db, person: Person): Promise<string[]> {
  const kinds = await Promise.all(KEEPERS.map((keeper) => keeper.lettersAbout?.(db, person) ?? []));
  return kinds.flat();
}
