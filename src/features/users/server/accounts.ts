import type { Actor } from '#server/audit-log.ts';
import { collect } from '#server/db/chunks.ts';
import type { Db, Trx } from '#server/db/database.ts';
import type { Row } from '#server/db/tables.ts';
import type { Acting, Viewer } from '#server/http/viewer.ts';
import { fromColumns } from '#shared/entity-fields.ts';
import { errors } from '#shared/errors.ts';
import { isAdministrator, isDistrictAdministrator } from '#shared/permissions.ts';
import type { Account } from '../admin-contract.ts';
import { emailKey, messages } from '../contract.ts';
import { updateGuestVolunteer } from '../guest-volunteers/server/store.ts';
import { plain, rejectOwnGrants, setGrants } from '../roles/server/actions.ts';
import { USER_FIELDS } from '../user-fields.ts';
import { requirePermission } from './account-permissions.ts';
import { findAdminUser, findAdminUsers, lockAdministrators } from './admin-users-store.ts';
import { signIns } from './sign-in-hooks.ts';
import { emailRecipientOf, findCredentials, lockUser, type Standing, updateUser } from './store.ts';

export { endInvitesBeyond } from '../invitations/server/actions.ts';
export { leaveSchools } from '../memberships/server/store.ts';
export {
  closeMergedAccount,
  currentAccountIds,
  mergedInto,
  restoreMerged,
} from '../merging/server/merged-account-store.ts';
export { toVisibleAccount } from '../roles/server/actions.ts';
export { grantsOf, rightsHolderOf } from '../roles/server/store.ts';
export { permissionProblem, requireConfirmed } from './account-permissions.ts';
export { auditedFields, requireExistingAccount, requireOtherAdministrator } from './admin-users.ts';
export { rememberAddress } from './email-change-store.ts';
export { describeRemovedSignIns } from './emails.ts';
export {
  CHOSEN_BY_OWNER,
  emailStandingIn,
  findUser,
  insertUser,
  markSignedIn,
  markVerified,
  passwordChooserOf,
  passwordChosenBy,
  promoteToAdministrator,
  storePasswordHash,
} from './store.ts';
export { emailRecipientOf, findAdminUser, findCredentials, lockAdministrators, lockUser };

/** An account with its locked row. */
export type LockedAccount = Readonly<{ row: Row<'users'>; account: Account }>;

/**
 * Locks the administrators, then both accounts, always in the same order. Throws 404 for an account outside the viewer's
 * schools, 403 for one with wider rights or tied to another school.
 */
export async function lockBothAccounts(trx: Trx, viewer: Viewer, one: number, other: number) {
  const administrators = await lockAdministrators(trx);
  const rows = new Map<number, Row<'users'> | undefined>();
  for (const id of [one, other].toSorted((a, b) => a - b)) rows.set(id, await lockUser(trx, id));
  const held = async (id: number): Promise<LockedAccount> => {
    const [row, account] = [rows.get(id), await findAdminUser(trx, id)];
    if (row === undefined || account === undefined) throw errors.notFound(messages.userNotFound);
    // Required for both: a merge closes one account, and the other one may get its names, address and roles.
    requirePermission(viewer, 'deletion', account);
    return { row, account };
  };
  return { administrators, one: await held(one), other: await held(other) };
}

/** Locks an account; undefined if it does not exist. */
export async function lockAccount(trx: Trx, id: number): Promise<LockedAccount | undefined> {
  const row = await lockUser(trx, id);
  const account = await findAdminUser(trx, id);
  return row === undefined || account === undefined ? undefined : { row, account };
}

/** Accounts that are not erased, by id. */
export async function accountsByIds(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, Account>> {
  const accounts = await collect(ids, (some) => findAdminUsers(db, some));
  return new Map(accounts.map((account) => [account.id, account]));
}

/** Stores changed fields of an account; `standing` is the confirmation status of its address. */
export async function storeFields(
  trx: Trx,
  actor: Actor,
  { row }: LockedAccount,
  change: Partial<Pick<Account, 'firstName' | 'lastName' | 'email' | 'role'>>,
  standing: Standing,
): Promise<void> {
  if (row.is_walk_in === 1) {
    const { firstName, lastName, isActive } = { ...fromColumns(USER_FIELDS, row), ...change };
    await updateGuestVolunteer(trx, actor, row.id, {
      firstName,
      lastName,
      isActive,
      email: row.contact_email ?? '',
    });
    return;
  }
  await updateUser(trx, actor, row.id, { ...fromColumns(USER_FIELDS, row), ...change, standing });
}

/**
 * Grants and records the roles that an account gets in a merge. A new administrator gets a grace period for setting up a second
 * factor.
 */
export async function joinGrants(
  trx: Trx,
  acting: Acting,
  into: LockedAccount,
  joined: { grants: Account['grants']; role: Account['role'] },
): Promise<void> {
  const [before, after] = [into.account.grants.map(plain), joined.grants.map(plain)];
  rejectOwnGrants(acting.viewer, into.row.id, after.length > before.length);
  await setGrants(trx, acting, into.row.id, { before, after });
  const isNew = isDistrictAdministrator(joined) && !isAdministrator({ ...into.account, grants: before });
  if (isNew) await signIns().startGracePeriod(trx, into.row.id, acting.request.at);
}

/** Whether an address is unused, or used only by these accounts. */
export async function isEmailFreeFor(db: Db, email: string, ids: readonly number[]): Promise<boolean> {
  const known = await findCredentials(db, emailKey(email));
  return known === undefined || ids.includes(known.id);
}
