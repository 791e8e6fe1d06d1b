import { undoDecisions } from '#features/time-entries/server/verification-decisions.ts';
import { recordEvent } from '#server/audit-log.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import { pageByKey } from '#server/db/queries/pagination.ts';
import type { Deps } from '#server/deps.ts';
import { type Acting, actorOf } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { lockLegalHolds } from '#server/personal-data/legal-hold-store.ts';
import {
  deleteRowsOf,
  type Merge,
  moveRows,
  moveRowsBack,
  restoreSetAsideRows,
} from '#server/personal-data/merged-rows-store.ts';
import { assertDefined } from '#shared/assert-defined.ts';
import { type Instant, plusMilliseconds } from '#shared/calendar-date.ts';
import type { QueryOf } from '#shared/endpoint.ts';
import { errors, HttpError } from '#shared/errors.ts';
import type { Message } from '#shared/i18n/message.ts';
import { isDistrictAdministrator } from '#shared/permissions.ts';
import { fullName } from '#shared/person-name.ts';
import {
  auditedFields,
  emailStandingIn,
  endInvitesBeyond,
  type LockedAccount,
  lockAccount,
  lockAdministrators,
  passwordChooserOf,
  requireExistingAccount,
  requireOtherAdministrator,
  restoreMerged,
  storeFields,
  toVisibleAccount,
} from '../../server/accounts.ts';
import { type RemovedSignIns, signIns } from '../../server/sign-in-hooks.ts';
import { type listMerges, messages } from '../contract.ts';
import { emailAccountsUnmerged } from './emails.ts';
import { EMAILED_LINK_COLUMNS, MOVES } from './merged-columns.ts';
import { endRightsGainedSinceMerge, findRestoredRights } from './restored-roles.ts';
import {
  deleteOldUnmergeSnapshots,
  lockMerge,
  lockSchoolTotals,
  markMergeUndone,
  mergesSince,
  namesOf,
  pageOfMerges,
  schoolsOf,
} from './store.ts';
import { type Before, checkUndo, sealing, undoableSince } from './unmerge-snapshot.ts';

const LIST = 'merges';
const HOUR_MS = 3_600_000;

/**
 * Separates two merged accounts: the data of the merged account moves back to it, and data added since stays. Rights that were
 * revoked since are not restored, but named in the reply.
 */
export function unmergeAccounts(deps: Deps, acting: Acting, id: number) {
  const { viewer, request } = acting;
  return transaction(deps.database, async (trx) => {
    await lockLegalHolds(trx);
    const administrators = await lockAdministrators(trx);
    const { merge, before, into } = await requireMerge(trx, deps, acting, id);
    // Whether the surviving account took over the other's address, and now gets its own back.
    const isMoved = into.row.email_key === before.from.email_key;
    const own = ownFields(before, into, isMoved);
    const returning = await findRestoredRights(trx, deps, { merge, before, into });
    const isAdministratorAgain = isDistrictAdministrator(returning.user) && returning.user.is_active === 1;
    requireOtherAdministrator([
      ...administrators.filter((one) => one !== merge.into),
      ...(isDistrictAdministrator({ role: own.role }) && into.row.is_active === 1 ? [merge.into] : []),
      ...(isAdministratorAgain ? [merge.from] : []),
    ]);
    await lockSchoolTotals(trx, await schoolsOf(trx, [merge.into]));
    await storeFields(trx, actorOf(viewer, request), into, own, own.standing);
    await restoreMerged(trx, returning.user);
    await undoDecisions(trx, acting, before.reopened);
    for (const place of MOVES) await moveRowsBack(trx, merge, place);
    await restoreSetAsideRows(trx, sealing(deps), merge, returning.toPutBack);
    await markMergeUndone(trx, id, viewer.userId, request.at);
    await recordBoth(trx, acting, merge);
    const gone = isMoved ? await revokeAccessGainedSince(trx, deps, acting, { before, into }) : undefined;
    await endInvitesBeyond(trx, acting, merge.into);
    const [from, kept] = [
      assertDefined(await lockAccount(trx, merge.from)),
      assertDefined(await lockAccount(trx, merge.into)),
    ];
    await emailAccountsUnmerged(trx, deps, { from, kept, ended: gone?.ended, at: request.at });
    const said = undoneMessage(deps, { from, kept, leftOut: returning.leftOut, since: gone?.rights ?? [] });
    return { user: toVisibleAccount(viewer, from.account), merge: { id }, ...said };
  });
}

function undoneMessage(
  deps: Deps,
  told: { from: LockedAccount; kept: LockedAccount; leftOut: readonly Message[]; since: readonly Message[] },
): { leftOut: string[]; message: string } {
  const list = new Intl.ListFormat(deps.translator.language);
  const said = (some: readonly Message[]) => some.map((one) => translate(deps, one));
  const [leftOut, since] = [said(told.leftOut), said(told.since)];
  const [name, into] = [fullName(told.from.account), fullName(told.kept.account)];
  const sentences = [
    leftOut.length === 0 ? messages.parted(name) : messages.partedWithout(name, list.format(leftOut)),
    ...(since.length === 0 ? [] : [messages.endedSince(into, list.format(since))]),
  ];
  return { leftOut: [...leftOut, ...since], message: said(sentences).join('. ') };
}

// Revokes access that others may have gained through the address this account loses, as after any change of address.
async function revokeAccessGainedSince(
  trx: Trx,
  deps: Deps,
  acting: Acting,
  { before, into }: { before: Before; into: LockedAccount },
): Promise<{ rights: Message[]; ended: RemovedSignIns }> {
  const actor = actorOf(acting.viewer, acting.request);
  const { id } = into.row;
  for (const place of EMAILED_LINK_COLUMNS) await deleteRowsOf(trx, place, id);
  await signIns().setPassword(trx, id, before.into.password_hash, passwordChooserOf(before.into));
  const ended = await signIns().removeAttachedSignIns(trx, deps, actor, { userId: id });
  const rights = await endRightsGainedSinceMerge(trx, acting, { into: id, before });
  const now = await requireExistingAccount(trx, id);
  const wasAdministrator = isDistrictAdministrator(before.from) && before.from.is_active === 1;
  const isLost = isDistrictAdministrator(into.row) && !isDistrictAdministrator(now) && !wasAdministrator;
  await recordEvent(trx, actor, {
    action: 'account.change',
    subject: 'user',
    subjectId: id,
    before: auditedFields(into.account),
    // Roles at schools have their own audit events.
    after: auditedFields({ ...now, grants: into.account.grants }),
  });
  return { rights: [...(isLost ? [messages.leftOut.admin] : []), ...rights], ended };
}

/** A page of recent merges, including those that were undone. */
export async function listPastMerges(
  deps: Deps,
  { viewer, request }: Acting,
  query: QueryOf<typeof listMerges>,
) {
  const { db } = deps.database;
  const { rows, nextCursor } = await pageByKey(deps.secretKey, LIST, query, {
    read: (page) => pageOfMerges(db, viewer.schools, undoableSince(request.at), page),
    keyOf: ({ id }) => [id],
  });
  const people = rows.flatMap((row) => [
    row.from_user_id,
    row.into_user_id,
    row.merged_by ?? row.into_user_id,
  ]);
  const names = await namesOf(db, [...new Set(people)]);
  const answers = new Map<number, Awaited<ReturnType<typeof checkUndo>>>();
  for (const row of rows) answers.set(row.id, await checkUndo(db, deps, { viewer, at: request.at }, row));
  return {
    merges: rows.map((row) => ({
      id: row.id,
      name: names.get(row.from_user_id) ?? '',
      into: { id: row.into_user_id, name: names.get(row.into_user_id) ?? '' },
      mergedBy: row.merged_by === null ? null : (names.get(row.merged_by) ?? null),
      mergedAt: row.merged_at,
      undoneAt: row.undone_at,
      canUndo: !(answers.get(row.id) instanceof HttpError),
    })),
    nextCursor,
  };
}

/**
 * Moves rows, such as time entries, that were added for an account while it was being merged. Waits for their transactions,
 * because logging hours locks the account's row.
 */
export async function moveLateEntries(deps: Deps, id: number): Promise<void> {
  await transaction(deps.database, async (trx) => {
    const found = await lockMerge(trx, id);
    if (found === undefined || found.undone_at !== null || found.sealed === null) return;
    const merge: Merge = { id, from: found.from_user_id, into: found.into_user_id };
    await lockSchoolTotals(trx, await schoolsOf(trx, [merge.from, merge.into]));
    for (const place of MOVES) await moveRows(trx, merge, place);
  });
}

/**
 * Deletes the data of merges that are too old to be undone, and moves rows that were added late for accounts merged in the last
 * two hours.
 */
export async function cleanUpMerges(trx: Trx, now: Instant): Promise<void> {
  await deleteOldUnmergeSnapshots(trx, undoableSince(now));
  for (const merge of await mergesSince(trx, plusMilliseconds(now, -2 * HOUR_MS))) {
    for (const place of MOVES) await moveRows(trx, merge, place);
  }
}

async function requireMerge(trx: Trx, deps: Deps, { viewer, request }: Acting, id: number) {
  const found = await lockMerge(trx, id);
  if (found === undefined) throw errors.notFound(messages.mergeNotFound);
  const merge: Merge = { id, from: found.from_user_id, into: found.into_user_id };
  const into = await lockAccount(trx, merge.into);
  const answer = await checkUndo(trx, deps, { viewer, at: request.at }, found);
  if (answer instanceof HttpError) throw answer;
  if (into === undefined) throw errors.conflict(messages.keptApart);
  return { merge, before: answer.before, into };
}

// Restores the remaining account's own values, except those changed since. A district role that the account did not have before
// is taken back if it came from the other account, or if the address changes back.
function ownFields({ from, into }: Before, { row }: LockedAccount, isMoved: boolean) {
  const back = <Value>(now: Value, own: Value, theirs: Value) => (now === theirs ? own : now);
  const isGained = isMoved || (isDistrictAdministrator(from) && from.is_active === 1);
  return {
    firstName: back(row.first_name, into.first_name, from.first_name),
    lastName: back(row.last_name, into.last_name, from.last_name),
    email: isMoved ? into.email : row.email,
    role: isGained && !isDistrictAdministrator(into) ? into.role : row.role,
    standing: emailStandingIn(isMoved ? into : row),
  };
}

async function recordBoth(trx: Trx, { viewer, request }: Acting, merge: Merge): Promise<void> {
  const actor = actorOf(viewer, request);
  await recordEvent(trx, actor, {
    action: 'account.part-away',
    subject: 'user',
    subjectId: merge.from,
    before: { mergedInto: merge.into },
  });
  await recordEvent(trx, actor, {
    action: 'account.part',
    subject: 'user',
    subjectId: merge.into,
    before: { mergedFrom: merge.from },
  });
}
