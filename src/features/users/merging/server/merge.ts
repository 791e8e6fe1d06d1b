import { reopenSelfVerifiedEntries } from '#features/time-entries/server/verification-decisions.ts';
import { recordEvent } from '#server/audit-log.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { throwIfStale } from '#server/http/change-checks.ts';
import { type Acting, actorOf, type Viewer } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { rejectIfPersonUnderLegalHold } from '#server/personal-data/legal-hold-guards.ts';
import { lockLegalHolds } from '#server/personal-data/legal-hold-store.ts';
import {
  addMergedRow,
  deleteRowsOf,
  type Merge,
  moveRows,
  rowsOf,
  setAsideRows,
  type WholeRow,
} from '#server/personal-data/merged-rows-store.ts';
import { newToken } from '#server/secrets.ts';
import type { BodyOf } from '#shared/endpoint.ts';
import { errors, HttpError } from '#shared/errors.ts';
import { fromHundredths } from '#shared/hours.ts';
import { isDistrictAdministrator } from '#shared/permissions.ts';
import { fullName } from '#shared/person-name.ts';
import { findNewGrants, plain } from '../../roles/server/actions.ts';
import {
  closeMergedAccount,
  emailStandingIn,
  endInvitesBeyond,
  joinGrants,
  type LockedAccount,
  lockBothAccounts,
  passwordChooserOf,
  rememberAddress,
  requireConfirmed,
  requireExistingAccount,
  requireOtherAdministrator,
  storeFields,
  toVisibleAccount,
} from '../../server/accounts.ts';
import { reopenOwnDecisions } from '../../server/own-emails.ts';
import { signIns } from '../../server/sign-in-hooks.ts';
import { CHOSEN, type Holding, type Keep, type mergeUsers, messages } from '../contract.ts';
import { emailAccountsMerged } from './emails.ts';
import { EMAILED_LINK_COLUMNS, ENDS, JOINED_COLUMNS, MOVES, SET_ASIDE_COLUMNS } from './merged-columns.ts';
import {
  countMovableRows,
  insertMerge,
  lockSchoolTotals,
  saveUnmergeSnapshot,
  schoolsOf,
  signsIn,
} from './store.ts';
import { encryptUnmergeSnapshot, sealing, snapshotRights } from './unmerge-snapshot.ts';

type Asked = BodyOf<typeof mergeUsers> & Readonly<{ id: number; ifMatch?: number | undefined }>;

/**
 * Merges one account into another in one transaction; see decisions for each kind of data. Long because the order of the steps
 * matters.
 */
export async function mergeAccounts(trx: Trx, deps: Deps, acting: Acting, asked: Asked) {
  const { viewer, request } = acting;
  const { from, into } = await checked(trx, viewer, asked);
  await requireConfirmedGains(trx, { from, into }, asked);
  const [gone, stays] = [from.row, into.row];
  const actor = actorOf(viewer, request);
  const before = { from: gone, into: stays, rights: snapshotRights(into), reopened: [] };
  const id = await insertMerge(trx, {
    from: gone.id,
    into: stays.id,
    by: viewer.userId,
    at: request.at,
    sealed: encryptUnmergeSnapshot(deps, before),
  });
  const merge: Merge = { id, from: gone.id, into: stays.id };
  const counts = await countMovableRows(trx, gone.id);
  await lockSchoolTotals(trx, await schoolsOf(trx, [gone.id, stays.id]));
  const unvouched = [
    ...(await reopenSelfVerifiedEntries(trx, acting, { of: gone.id, other: stays.id })),
    ...(await reopenSelfVerifiedEntries(trx, acting, { of: stays.id, other: gone.id })),
  ];
  for (const place of MOVES) await moveRows(trx, merge, place);
  const { role, grants } = combineRights(from, into);
  await rememberAddress(trx, gone.id);
  await joinRows(trx, deps, merge, from.row.is_active === 1);
  await joinGrants(trx, acting, into, { role, grants });
  for (const place of ENDS) await deleteRowsOf(trx, place, gone.id);
  await closeMergedAccount(trx, gone, { at: request.at, email: `merged-${newToken()}@erased.invalid` });
  const reopened = [...unvouched, ...(await reopenOwnDecisions(trx, actor, stays.id))];
  await saveUnmergeSnapshot(trx, id, encryptUnmergeSnapshot(deps, { ...before, reopened }));
  const chosen = chosenFields(from, asked.keep ?? {});
  await storeFields(
    trx,
    actor,
    into,
    { ...chosen, role },
    emailStandingIn(chosen.email === undefined ? stays : gone),
  );
  if (chosen.email !== undefined) {
    for (const place of EMAILED_LINK_COLUMNS) await deleteRowsOf(trx, place, stays.id);
    // The owner of the address signs in with their own password, and not with an assigned one.
    await signIns().setPassword(trx, stays.id, gone.password_hash, passwordChooserOf(gone));
    await signIns().removeAttachedSignIns(trx, deps, actor, { userId: stays.id });
  }
  const { schools, ...rights } = await requireExistingAccount(trx, stays.id);
  const gift = {
    role: rights.role,
    schoolIds: schools.map((school) => school.id),
    grants: rights.grants.map(plain),
  };
  await signIns().endAssignedPasswords(trx, deps, acting, [{ userId: stays.id, gift }]);
  await emailAccountsMerged(trx, deps, { from, into, keptEmail: chosen.email, at: request.at });
  await recordBoth(trx, acting, { merge, from, into, counts });
  await endInvitesBeyond(trx, acting, stays.id);
  const user = await requireExistingAccount(trx, stays.id);
  return {
    user: toVisibleAccount(viewer, user),
    merge: { id },
    message: translate(deps, messages.merged(fullName(user))),
  };
}

/** Returns the data of both accounts, and the reason why they cannot be merged, or null. */
export function previewOf(deps: Deps, viewer: Viewer, asked: Asked) {
  return transaction(deps.database, async (trx) => {
    const { one, other } = await lockBothAccounts(trx, viewer, asked.id, asked.into);
    const problem = await checked(trx, viewer, asked).then(
      () => null,
      (error: unknown) => {
        if (error instanceof HttpError) return translate(deps, error.text);
        throw error;
      },
    );
    const from = await holdingOf(trx, viewer, one);
    return { from, into: await holdingOf(trx, viewer, other), problem };
  });
}

async function checked(trx: Trx, viewer: Viewer, { id, into, ifMatch }: Asked) {
  if (id === into) throw errors.invalid(messages.samePerson, { into: messages.samePerson });
  if (id === viewer.userId) throw errors.forbidden(messages.ownAway);
  await lockLegalHolds(trx);
  const held = await lockBothAccounts(trx, viewer, id, into);
  const both = { from: held.one, into: held.other };
  throwIfStale(ifMatch, both.from.account);
  for (const one of [id, into]) await rejectIfPersonUnderLegalHold(trx, one);
  const asks = [both.from, both.into].some(({ account }) => account.erasureRequestedAt !== null);
  if (asks) throw errors.conflict(messages.asksErasure);
  if (both.into.row.is_walk_in === 1 && both.from.row.is_walk_in === 0)
    throw errors.conflict(messages.walkInStays);
  const { role } = combineRights(both.from, both.into);
  const isOne = isDistrictAdministrator({ role }) && both.into.row.is_active === 1;
  if (held.administrators.length > 0) {
    requireOtherAdministrator([
      ...held.administrators.filter((one) => one !== id && one !== into),
      ...(isOne ? [into] : []),
    ]);
  }
  return both;
}

// The surviving account gains the other's schools and roles, so its resulting address must be confirmed.
async function requireConfirmedGains(
  trx: Trx,
  { from, into }: Both,
  { keep = {}, unconfirmed }: Asked,
): Promise<void> {
  const { role, grants } = combineRights(from, into);
  const [theirs, own] = [await membershipsOf(trx, from), await membershipsOf(trx, into)];
  const isGain = ({ school_id, is_approved }: WholeRow) => {
    const same = own.find((row) => row['school_id'] === school_id);
    return same === undefined || (is_approved === 1 && same['is_approved'] !== 1);
  };
  const address = keep.email === 'from' && !from.account.isWalkIn ? from.account : into.account;
  await requireConfirmed(
    trx,
    { ...address, isWalkIn: into.account.isWalkIn },
    {
      role: role === into.row.role ? undefined : role,
      schoolIds: theirs.filter(isGain).map((row) => Number(row['school_id'])),
      grants: findNewGrants(into.account.grants.map(plain), grants.map(plain)),
      unconfirmed,
    },
  );
}

async function membershipsOf(trx: Trx, { row }: LockedAccount): Promise<WholeRow[]> {
  const rows = await rowsOf(trx, 'user_schools.user_id', row.id);
  return rows.filter(({ status }) => status === 'active');
}

type Both = Readonly<{ from: LockedAccount; into: LockedAccount }>;

// A deactivated account contributes no rights, because the merge would reactivate them.
function combineRights(from: LockedAccount, into: LockedAccount) {
  if (from.row.is_active === 0) return { role: into.row.role, grants: into.account.grants };
  const role = isDistrictAdministrator(from.row) ? from.row.role : into.row.role;
  const held = into.account.grants.map(plain);
  const gained = from.account.grants.filter((grant) => findNewGrants(held, [plain(grant)]).length > 0);
  return { role, grants: [...into.account.grants, ...gained] };
}

async function joinRows(trx: Trx, deps: Deps, merge: Merge, hasRights: boolean): Promise<void> {
  const seals = sealing(deps);
  for (const column of JOINED_COLUMNS) {
    const rows = await setAsideRows(trx, seals, { merge, column, of: merge.from });
    if (column === 'user_schools.user_id') await raiseMemberships(trx, deps, merge, rows);
    const given = column === 'user_grants.user_id' && !hasRights ? [] : rows;
    for (const row of given)
      await addMergedRow(trx, seals, { merge, column, row: { ...row, user_id: merge.into } });
  }
  for (const column of SET_ASIDE_COLUMNS) await setAsideRows(trx, seals, { merge, column, of: merge.from });
}

// The surviving account is a member of a school, or approved there, if either account was.
async function raiseMemberships(
  trx: Trx,
  deps: Deps,
  merge: Merge,
  theirs: readonly WholeRow[],
): Promise<void> {
  const column = 'user_schools.user_id';
  const raised = (row: WholeRow): WholeRow => {
    const same = theirs.find((one) => one['school_id'] === row['school_id'] && one['status'] === 'active');
    if (same === undefined) return row;
    const isIn = row['status'] === 'active';
    const is_approved = isIn && row['is_approved'] === 1 ? 1 : same['is_approved'];
    return { ...row, status: 'active', is_approved };
  };
  const own = await rowsOf(trx, column, merge.into);
  const isSame = (row: WholeRow) => {
    const { status, is_approved } = raised(row);
    return status === row['status'] && is_approved === row['is_approved'];
  };
  if (own.every(isSame)) return;
  const seals = sealing(deps);
  const setAside = await setAsideRows(trx, seals, { merge, column, of: merge.into });
  for (const row of setAside) await addMergedRow(trx, seals, { merge, column, row: raised(row) });
}

// A guest volunteer has no address to contribute.
function chosenFields(from: LockedAccount, keep: Keep) {
  const names = CHOSEN.filter((name) => keep[name] === 'from');
  const given = names.filter((name) => name !== 'email' || from.row.is_walk_in === 0);
  return Object.fromEntries(given.map((name) => [name, from.account[name]])) as Partial<
    Pick<LockedAccount['account'], (typeof CHOSEN)[number]>
  >;
}

async function holdingOf(trx: Trx, viewer: Viewer, { account }: LockedAccount): Promise<Holding> {
  const { hundredths, ...counts } = await countMovableRows(trx, account.id);
  return {
    user: toVisibleAccount(viewer, account),
    signsIn: await signsIn(trx, account.id),
    ...counts,
    hours: fromHundredths(hundredths),
  };
}

async function recordBoth(
  trx: Trx,
  { viewer, request }: Acting,
  done: {
    merge: Merge;
    from: LockedAccount;
    into: LockedAccount;
    counts: Awaited<ReturnType<typeof countMovableRows>>;
  },
): Promise<void> {
  const actor = actorOf(viewer, request);
  const { email, firstName, lastName } = done.from.account;
  const { hundredths, ...counts } = done.counts;
  await recordEvent(trx, actor, {
    action: 'account.merge-away',
    subject: 'user',
    subjectId: done.merge.from,
    before: { email, firstName, lastName },
    after: { mergedInto: done.merge.into },
  });
  await recordEvent(trx, actor, {
    action: 'account.merge',
    subject: 'user',
    subjectId: done.merge.into,
    after: { mergedFrom: done.merge.from, ...counts, hours: fromHundredths(hundredths) },
  });
}
