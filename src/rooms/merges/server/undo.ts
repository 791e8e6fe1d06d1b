import { type Instant, plusMilliseconds } from '#base/calendar-date.ts';
import type { QueryOf } from '#base/endpoint.ts';
import { isDistrictAdministrator } from '#base/permissions.ts';
import { fullName } from '#base/person-name.ts';
import { refuse } from '#base/refusal.ts';
import { refuseHeldPerson } from '#rooms/district/server/held.ts';
import {
  accountNow,
  districtAdministrators,
  type Held,
  holdAccount,
  isFreeFor,
  refuseLastAdministrator,
  revive,
  seenBy,
  storeFields,
} from '#rooms/users/server/merging.ts';
import { record } from '#server/audit.ts';
import { type Trx, transaction } from '#server/db/connect.ts';
import { cutPage, readPage } from '#server/db/page.ts';
import type { Row } from '#server/db/tables.ts';
import type { Deps } from '#server/deps.ts';
import { text } from '#server/http/errors.ts';
import { type Acting, actorOf, isWithin, type Request, type Viewer } from '#server/http/viewer.ts';
import { waitForHolds } from '#server/legal-hold-store.ts';
import { asideRows, type Merge, moveRows, moveRowsBack, putRowsBack } from '#server/merged-rows-store.ts';
import { unseal } from '#server/secret.ts';
import { type listMerges, messages, UNDO_DAYS } from '../contract.ts';
import { tellParted } from './letters.ts';
import { MOVES } from './places.ts';
import { PURPOSE, sealing } from './sealing.ts';
import {
  closeMerge,
  forgetOldMerges,
  hasLaterMerge,
  holdMerge,
  holdSums,
  mergesSince,
  namesOf,
  pageOfMerges,
  schoolsOf,
} from './store.ts';

const LIST = 'merges';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type Before = Readonly<{ from: Row<'users'>; into: Row<'users'> }>;

/** Parts two accounts again: what was the other's is theirs again, what came since stays. */
export function undoMergeOf(deps: Deps, viewer: Viewer, request: Request, id: number) {
  return transaction(deps.database, async (trx) => {
    const acting = { viewer, request };
    await waitForHolds(trx);
    const administrators = await districtAdministrators(trx);
    const { merge, before, into } = await requireMerge(trx, deps, acting, id);
    await refuseTakenAddresses(trx, merge, before);
    const own = ownFields(before, into);
    const isAdministratorAgain = isDistrictAdministrator(before.from) && before.from.is_active === 1;
    refuseLastAdministrator([
      ...administrators.filter((one) => one !== merge.into),
      ...(isDistrictAdministrator({ role: own.role }) && into.row.is_active === 1 ? [merge.into] : []),
      ...(isAdministratorAgain ? [merge.from] : []),
    ]);
    await holdSums(trx, await schoolsOf(trx, [merge.into]));
    await storeFields(trx, into, own, own.verifiedAt);
    await revive(trx, before.from);
    for (const place of MOVES) await moveRowsBack(trx, merge, place);
    await putRowsBack(trx, sealing(deps), merge);
    await closeMerge(trx, id, viewer.userId, request.at);
    await recordBoth(trx, acting, merge);
    const from = await holdAccount(trx, merge.from);
    if (from === undefined) throw new Error(`user ${merge.from} did not come back`);
    await tellParted(trx, deps, from, request.at);
    const user = await accountNow(trx, merge.from);
    return {
      user: seenBy(viewer, user),
      merge: { id },
      message: text(deps, messages.parted(fullName(user))),
    };
  });
}

/** A page of the merges that can be undone still, or were. */
export async function listPastMerges(
  deps: Deps,
  { schools }: Viewer,
  request: Request,
  query: QueryOf<typeof listMerges>,
) {
  const page = readPage(deps.secretKey, LIST, query);
  const since = plusMilliseconds(request.at, -UNDO_DAYS * DAY_MS);
  const { db } = deps.database;
  const found = { list: LIST, rows: await pageOfMerges(db, schools, since, page), limit: page.limit };
  const { rows, nextCursor } = cutPage(deps.secretKey, found, ({ id }) => [id]);
  const people = rows.flatMap((row) => [
    row.from_user_id,
    row.into_user_id,
    row.merged_by ?? row.into_user_id,
  ]);
  const names = await namesOf(db, [...new Set(people)]);
  return {
    merges: rows.map((row) => ({
      id: row.id,
      name: names.get(row.from_user_id) ?? '',
      into: { id: row.into_user_id, name: names.get(row.into_user_id) ?? '' },
      mergedBy: row.merged_by === null ? null : (names.get(row.merged_by) ?? null),
      mergedAt: row.merged_at,
      undoneAt: row.undone_at,
      canUndo: row.undone_at === null && row.sealed !== null && isRecent(row.merged_at, request.at),
    })),
    nextCursor,
  };
}

/**
 * Moves what reached an account while it was merged: hours whose transaction was on its way. Waits for it, since writing
 * hours holds the row of their account.
 */
export async function gatherLate(deps: Deps, id: number): Promise<void> {
  await transaction(deps.database, async (trx) => {
    const found = await holdMerge(trx, id);
    if (found !== undefined && found.undone_at === null && found.sealed !== null) await gather(trx, found);
  });
}

/** Forgets what is kept of merges that are too old to be undone, and gathers what came late to younger ones. */
export async function sweepMerges(trx: Trx, now: Instant): Promise<void> {
  await forgetOldMerges(trx, plusMilliseconds(now, -UNDO_DAYS * DAY_MS));
  for (const merge of await mergesSince(trx, plusMilliseconds(now, -2 * HOUR_MS))) {
    for (const place of MOVES) await moveRows(trx, merge, place);
  }
}

async function gather(trx: Trx, { id, from_user_id, into_user_id }: Row<'account_merges'>): Promise<void> {
  await holdSums(trx, await schoolsOf(trx, [from_user_id, into_user_id]));
  for (const place of MOVES) await moveRows(trx, { id, from: from_user_id, into: into_user_id }, place);
}

function isRecent(mergedAt: Instant, now: Instant): boolean {
  return plusMilliseconds(mergedAt, UNDO_DAYS * DAY_MS) > now;
}

async function requireMerge(trx: Trx, deps: Deps, { viewer, request }: Acting, id: number) {
  const found = await holdMerge(trx, id);
  if (found === undefined) throw refuse.notFound(messages.mergeNotFound);
  const merge: Merge = { id, from: found.from_user_id, into: found.into_user_id };
  const into = await holdAccount(trx, merge.into);
  const schools = viewer.schools === 'all' ? [] : await schoolsOf(trx, [merge.into]);
  if (!schools.every((school) => isWithin(viewer.schools, school)))
    throw refuse.notFound(messages.mergeNotFound);
  if (found.undone_at !== null) throw refuse.conflict(messages.undoneAlready);
  if (found.sealed === null || !isRecent(found.merged_at, request.at)) throw refuse.conflict(messages.tooOld);
  if (into === undefined) throw refuse.conflict(messages.keptApart);
  if (await hasLaterMerge(trx, merge)) throw refuse.conflict(messages.laterFirst);
  await refuseHeldPerson(trx, merge.into);
  await refuseWiderBefore(trx, deps, viewer, merge);
  const before = JSON.parse(unseal(deps.secretKey, PURPOSE, found.sealed)) as Before;
  if (isDistrictAdministrator(before.from) && viewer.schools !== 'all')
    throw refuse.notFound(messages.mergeNotFound);
  return { merge, before, into };
}

// Roles come back with the account; whoever undoes gives none at other schools than their own.
async function refuseWiderBefore(trx: Trx, deps: Deps, { schools }: Viewer, merge: Merge): Promise<void> {
  if (schools === 'all') return;
  const rows = await asideRows(trx, sealing(deps), { merge, column: 'user_grants.user_id' });
  const isOwn = rows.every((row) => isWithin(schools, Number(row['school_id'] ?? 0)));
  if (!isOwn) throw refuse.notFound(messages.mergeNotFound);
}

async function refuseTakenAddresses(trx: Trx, merge: Merge, { from, into }: Before): Promise<void> {
  for (const { email, is_walk_in } of [from, into]) {
    if (is_walk_in === 0 && !(await isFreeFor(trx, email, [merge.from, merge.into])))
      throw refuse.conflict(messages.addressTaken);
  }
}

// The kept account gets its own values back, but for those that somebody changed since.
function ownFields({ from, into }: Before, { row }: Held) {
  const back = <Value>(now: Value, own: Value, theirs: Value) => (now === theirs ? own : now);
  const isTheirs = row.email_key === from.email_key;
  const hadRole = !isDistrictAdministrator(into) && isDistrictAdministrator(from);
  return {
    firstName: back(row.first_name, into.first_name, from.first_name),
    lastName: back(row.last_name, into.last_name, from.last_name),
    email: isTheirs ? into.email : row.email,
    role: hadRole && from.is_active === 1 ? into.role : row.role,
    verifiedAt: isTheirs ? into.email_verified_at : row.email_verified_at,
  };
}

async function recordBoth(trx: Trx, { viewer, request }: Acting, merge: Merge): Promise<void> {
  const actor = actorOf(viewer, request);
  await record(trx, actor, {
    action: 'account.part-away',
    subject: 'user',
    subjectId: merge.from,
    before: { mergedInto: merge.into },
  });
  await record(trx, actor, {
    action: 'account.part',
    subject: 'user',
    subjectId: merge.into,
    before: { mergedFrom: merge.from },
  });
}
