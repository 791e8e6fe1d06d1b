import { messages as accountMessages } from '#features/users/contract.ts';
import { endInvitesBeyond, withEndedInvitations } from '#features/users/invitations/server/actions.ts';
import { ownUser } from '#features/users/server/current-account.ts';
import { lockEmailRecipient, lockForDeletion } from '#features/users/server/privacy.ts';
import { recordEvent } from '#server/audit-log.ts';
import { type Db, type Trx, transaction } from '#server/db/database.ts';
import { pageByKey } from '#server/db/queries/pagination.ts';
import type { Deps } from '#server/deps.ts';
import { removeEmailFiles } from '#server/email/email-files.ts';
import { queueEmail } from '#server/email/outbox.ts';
import { type Acting, actorOf } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import type { Person } from '#server/personal-data/data-export.ts';
import { rejectIfPersonUnderLegalHold } from '#server/personal-data/legal-hold-guards.ts';
import { lockLegalHolds } from '#server/personal-data/legal-hold-store.ts';
import type { QueryOf } from '#shared/endpoint.ts';
import { errors } from '#shared/errors.ts';
import { messages as adminMessages, type listDeletionRequests } from '../admin-contract.ts';
import { messages } from '../contract.ts';
import { accountDeletedEmail, deletionDeclinedEmail } from './emails.ts';
import { storeDeletedAccountList } from './reapplied-deletions.ts';
import { currentPerson, deletePersonalDataEverywhere, PERSONAL_DATA_FEATURES } from './registry.ts';
import {
  countDeletionRequests,
  insertDeletionRequest,
  pageOfDeletionRequests,
  removeDeletionRequest,
} from './store.ts';

const LIST = 'erasure-requests';

/** Stores the viewer's deletion request, once. An administrator carries it out. */
export async function createDeletionRequest(
  trx: Trx,
  deps: Deps,
  { viewer, request }: Acting,
  reason: string | null,
) {
  const deletionRequest = { userId: viewer.userId, reason, at: request.at };
  if (!(await insertDeletionRequest(trx, deletionRequest)))
    throw errors.conflict(messages.erasureAlreadyRequested);
  await recordEvent(trx, actorOf(viewer, request), {
    action: 'erasure.ask',
    subject: 'user',
    subjectId: viewer.userId,
    after: { reason },
  });
  return { user: await ownUser(trx, viewer.userId), message: translate(deps, messages.erasureRequested) };
}

/** Withdraws the viewer's deletion request. Throws 404 if there is none. */
export function cancelOwnDeletionRequest(deps: Deps, { viewer, request }: Acting) {
  return transaction(deps.database, async (trx) => {
    if (!(await removeDeletionRequest(trx, viewer.userId)))
      throw errors.notFound(messages.erasureNotRequested);
    await recordEvent(trx, actorOf(viewer, request), {
      action: 'erasure.withdraw',
      subject: 'user',
      subjectId: viewer.userId,
    });
    return { user: await ownUser(trx, viewer.userId), message: translate(deps, messages.erasureWithdrawn) };
  });
}

/** A page of deletion requests, oldest first, with their total. */
export async function pageOfOpenDeletionRequests(deps: Deps, query: QueryOf<typeof listDeletionRequests>) {
  const { db } = deps.database;
  const search = query.search ?? '';
  const { rows, nextCursor } = await pageByKey(deps.secretKey, LIST, query, {
    read: (page) => pageOfDeletionRequests(db, search, page),
    keyOf: ({ requestedAt, user }) => [requestedAt, user.id],
  });
  return { erasureRequests: rows, total: await countDeletionRequests(db, search), nextCursor };
}

/** Declines a deletion request and emails the person. Throws 409 if it was already declined or withdrawn. */
export function rejectDeletionRequest(
  deps: Deps,
  { viewer, request }: Acting,
  { id, reason }: { id: number; reason: string | null },
): Promise<{ message: string }> {
  return transaction(deps.database, async (trx) => {
    const person = await lockEmailRecipient(trx, id);
    if (person === undefined) throw errors.notFound(accountMessages.userNotFound);
    if (!(await removeDeletionRequest(trx, id))) throw errors.conflict(adminMessages.erasureGone);
    await queueEmail(trx, deps, {
      kind: 'erasure-declined',
      userId: id,
      letter: deletionDeclinedEmail(deps, person, reason),
      at: request.at,
    });
    await recordEvent(trx, actorOf(viewer, request), {
      action: 'erasure.decline',
      subject: 'user',
      subjectId: id,
      after: { reason },
    });
    return { message: translate(deps, adminMessages.erasureDeclined(person.firstName, person.lastName)) };
  });
}

/**
 * Deletes a person's account; the hours stay under 'Former volunteer' (decisions). Entries retain their notes, which belong to
 * the district's records; everything else that names the person is deleted. Repeating it changes nothing.
 */
export async function deletePersonAccount(deps: Deps, { viewer, request }: Acting, id: number) {
  if (id === viewer.userId) throw errors.forbidden(messages.cannotEraseSelf);
  const { db } = deps.database;
  // Checked before email files are removed, and again in the transaction.
  await rejectIfPersonUnderLegalHold(db, id);
  const person = await currentPerson(db, request, id);
  const kinds = await findEmailKindsAbout(db, person);
  // Files are outside the transaction. They are removed before it, so that none is left if the process ends in between, and
  // after it, for emails written meanwhile.
  await removeEmailFiles(deps, person, kinds);
  const ended = await transaction(deps.database, (trx) =>
    deleteAccountData(trx, deps, { viewer, request }, id),
  );
  if (ended !== undefined) {
    await removeEmailFiles(deps, person, kinds);
    await deps.database.scrubAfterDeletion();
    await storeDeletedAccountList(deps);
  }
  return { message: withEndedInvitations(deps, messages.erased, { ended: ended ?? 0 }) };
}

// Returns how many invitations by the person were revoked, or undefined if the account was already deleted.
async function deleteAccountData(
  trx: Trx,
  deps: Deps,
  { viewer, request }: Acting,
  id: number,
): Promise<number | undefined> {
  await lockLegalHolds(trx);
  await rejectIfPersonUnderLegalHold(trx, id);
  const addressee = await lockForDeletion(trx, viewer, id);
  if (addressee === undefined) return undefined;
  await deletePersonalDataEverywhere(trx, deps, request, id);
  const ended = await endInvitesBeyond(trx, { viewer, request }, id);
  await queueEmail(trx, deps, {
    kind: 'erased',
    userId: null,
    letter: accountDeletedEmail(deps, addressee),
    at: request.at,
  });
  await recordEvent(trx, actorOf(viewer, request), {
    action: 'account.erase',
    subject: 'user',
    subjectId: id,
  });
  return ended;
}

async function findEmailKindsAbout(db: Db, person: Person): Promise<string[]> {
  const kinds = await Promise.all(
    PERSONAL_DATA_FEATURES.map((feature) => feature.emailsAbout?.(db, person) ?? []),
  );
  return kinds.flat();
}
