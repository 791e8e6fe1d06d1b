import type { Trx } from '#server/db/database.ts';
import type { Row } from '#server/db/tables.ts';
import type { Deps } from '#server/deps.ts';
import type { Acting } from '#server/http/viewer.ts';
import type { Column } from '#server/personal-data/data-export.ts';
import {
  listSetAsideRows,
  type Merge,
  rowsOf,
  type WholeRow,
} from '#server/personal-data/merged-rows-store.ts';
import type { Message } from '#shared/i18n/message.ts';
import { type GrantRole, isDistrictAdministrator } from '#shared/permissions.ts';
import { namesOfSchools } from '../../memberships/server/school-names.ts';
import { findNewGrants, plain, setGrants } from '../../roles/server/actions.ts';
import { type LockedAccount, leaveSchools, requireExistingAccount } from '../../server/accounts.ts';
import { messages } from '../contract.ts';
import { type Before, sealing } from './unmerge-snapshot.ts';

const MEMBERSHIPS = 'user_schools.user_id';
const GRANTS = 'user_grants.user_id';

/** The account that an undo restores, the rows to move back, and a description of what is not restored. */
export type RestoredAccount = Readonly<{
  user: Row<'users'>;
  toPutBack: (column: Column, row: WholeRow) => WholeRow | undefined;
  leftOut: readonly Message[];
}>;

/**
 * Determines what the undo of a merge restores. A role, grant, membership or active status that the surviving account has lost
 * since was taken from the person, so neither account gets it back. Call it before anything is moved back.
 */
export async function findRestoredRights(
  trx: Trx,
  deps: Deps,
  { merge, before: { from }, into }: { merge: Merge; before: Before; into: LockedAccount },
): Promise<RestoredAccount> {
  const memberships = await rowsOf(trx, MEMBERSHIPS, merge.into);
  const grants = await rowsOf(trx, GRANTS, merge.into);
  // A deactivated account contributed no rights, so none of its rights can have been removed since.
  const gaveRights = from.is_active === 1;
  const losesRole = gaveRights && isDistrictAdministrator(from) && !isDistrictAdministrator(into.row);
  const losesActive = gaveRights && into.row.is_active === 0;
  // If the district deactivated the surviving account, a school must not be able to reactivate the other one.
  const isShut = into.account.isDeactivatedByDistrict && (losesActive || from.is_active === 0);
  const kept = { memberships, grants: gaveRights ? grants : undefined };
  const toPutBack: RestoredAccount['toPutBack'] = (column, row) => restoredRow(kept, column, row);
  const setAsideGrants = await listRowsSetAsideFrom(trx, deps, merge, GRANTS);
  const lostGrants = setAsideGrants.filter((row) => toPutBack(GRANTS, row) === undefined);
  const setAsideMemberships = await listRowsSetAsideFrom(trx, deps, merge, MEMBERSHIPS);
  const lostMemberships = setAsideMemberships.filter(
    (row) => isActive(row) && !isActive(toPutBack(MEMBERSHIPS, row)),
  );
  const user: Row<'users'> = {
    ...from,
    role: losesRole ? 'user' : from.role,
    is_active: losesActive ? 0 : from.is_active,
    deactivated_by_district: isShut ? 1 : from.deactivated_by_district,
  };
  return {
    user,
    toPutBack,
    leftOut: [
      ...(losesActive ? [messages.leftOut.active] : []),
      ...(losesRole ? [messages.leftOut.admin] : []),
      ...(await describeLostRights(trx, lostGrants, (row) => messages.leftOut[row['role'] as GrantRole])),
      ...(await describeLostRights(trx, lostMemberships, () => messages.leftOut.member)),
    ],
  };
}

// `grants` is undefined if none can have been removed.
function restoredRow(
  kept: Readonly<{ memberships: readonly WholeRow[]; grants: readonly WholeRow[] | undefined }>,
  column: Column,
  row: WholeRow,
): WholeRow | undefined {
  if (column === MEMBERSHIPS) return membershipNow(row, kept.memberships);
  if (column !== GRANTS || kept.grants === undefined) return row;
  return kept.grants.some((grant) => isSameGrant(grant, row)) ? row : undefined;
}

const isActive = (row: WholeRow | undefined) => row?.['status'] === 'active';

async function listRowsSetAsideFrom(trx: Trx, deps: Deps, merge: Merge, column: Column): Promise<WholeRow[]> {
  const rows = await listSetAsideRows(trx, sealing(deps), { merge, column });
  return rows.filter((row) => row['user_id'] === merge.from);
}

/**
 * Removes the schools and roles that the surviving account got after the merge, because they were meant for the owner of the
 * address that it now loses. Returns a description of each.
 */
export async function endRightsGainedSinceMerge(
  trx: Trx,
  acting: Acting,
  { into, before }: { into: number; before: Before },
): Promise<Message[]> {
  if (before.rights === undefined) return [];
  const { schoolIds, grants } = before.rights;
  const now = await requireExistingAccount(trx, into);
  const isNew = (school: { id: number }) => !schoolIds.includes(school.id);
  const newGrants = now.grants.filter((one) => findNewGrants(grants, [plain(one)]).length > 0);
  const newSchools = now.schools.filter(isNew);
  const held = now.grants.map(plain);
  await setGrants(trx, acting, into, { before: held, after: findNewGrants(newGrants.map(plain), held) });
  const left = [...newSchools, ...now.pendingSchools.filter(isNew)];
  await leaveSchools(
    trx,
    into,
    left.map(({ id }) => id),
  );
  return [
    ...newGrants.map(({ role, school }) =>
      school === null ? messages.leftOut.auditorOfAll : messages.leftOut[role](school.name),
    ),
    ...newSchools.map(({ name }) => messages.leftOut.member(name)),
  ];
}

// Restores a membership only as far as the surviving account still has it.
function membershipNow(row: WholeRow, held: readonly WholeRow[]): WholeRow | undefined {
  const now = held.find((one) => one['school_id'] === row['school_id']);
  if (now === undefined) return undefined;
  const status = now['status'] === 'active' ? row['status'] : 'pending';
  return { ...row, status, is_approved: now['is_approved'] === 1 ? row['is_approved'] : 0 };
}

function isSameGrant(one: WholeRow, other: WholeRow): boolean {
  return one['role'] === other['role'] && one['school_id'] === other['school_id'];
}

// Leaves out schools that no longer exist.
async function describeLostRights(
  trx: Trx,
  rows: readonly WholeRow[],
  say: (row: WholeRow) => (school: string) => Message,
): Promise<Message[]> {
  const said: Message[] = [];
  for (const row of rows) {
    if (row['school_id'] === null) said.push(messages.leftOut.auditorOfAll);
    for (const school of await namesOfSchools(trx, [Number(row['school_id'] ?? 0)]))
      said.push(say(row)(school));
  }
  return said;
}
