import type { Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import type { Acting } from '#server/http/viewer.ts';
import type { Instant } from '#shared/calendar-date.ts';
import type { Account } from '../../admin-contract.ts';
import { inviteByEmail, limitInvitesWithin } from '../../invitations/server/actions.ts';
import { openInvitesTo } from '../../invitations/server/store.ts';
import { rejectOtherSchools } from '../../roles/server/actions.ts';
import {
  isInUse,
  mustAccept,
  requireConfirmed,
  requirePermission,
} from '../../server/account-permissions.ts';
import { signIns } from '../../server/sign-in-hooks.ts';
import { insertMemberships } from '../../server/store.ts';
import { leaveSchools } from './store.ts';

/** The schools that a user was added to, and those whose invitation they must accept. */
export type Added = Readonly<{ joined: readonly number[]; invited: readonly number[] }>;

/**
 * Adds a user to the viewer's schools, or approves their requests. A user tied to another school is invited instead, and joins
 * by accepting. 409 if the address is unconfirmed (`whyUnconfirmed`). Every path by which one user makes another a member calls
 * this.
 */
export async function addToSchools(
  trx: Trx,
  deps: Deps,
  acting: Acting,
  user: Account,
  { schoolIds, unconfirmed }: { schoolIds: readonly number[]; unconfirmed?: boolean | null | undefined },
): Promise<Added> {
  const { viewer, request } = acting;
  if (schoolIds.length === 0) return { joined: [], invited: [] };
  rejectOtherSchools(viewer, schoolIds);
  requirePermission(viewer, 'membership', user);
  const asked = user.pendingSchools.map(({ id }) => id);
  const joining = { ...user, asked, isInUse: isInUse(user) };
  const invited = schoolIds.filter((id) => mustAccept(viewer, joining, id));
  const joined = schoolIds.filter((id) => !invited.includes(id));
  await requireConfirmed(trx, user, { schoolIds: joined, unconfirmed });
  await admit(trx, user, joined, request.at);
  await signIns().endAssignedPasswords(trx, deps, acting, [{ userId: user.id, gift: { schoolIds: joined } }]);
  await inviteIfNotInvited(trx, deps, acting, { email: user.email, schoolIds: invited });
  return { joined, invited };
}

/** Invites a user to those of these schools that no open invitation offers yet. */
export async function inviteIfNotInvited(
  trx: Trx,
  deps: Deps,
  acting: Acting,
  { email, schoolIds }: { email: string; schoolIds: readonly number[] },
): Promise<void> {
  const open = await openInvitesTo(trx, email, acting.request.at);
  const missing = schoolIds.filter((id) => !open.some((invite) => invite.schoolIds.includes(id)));
  if (missing.length === 0) return;
  await limitInvitesWithin(trx, acting, email);
  await inviteByEmail(trx, deps, acting, { email, schoolIds: [...missing] });
}

async function admit(trx: Trx, user: Account, schoolIds: readonly number[], at: Instant): Promise<void> {
  const isAsked = (id: number) => user.pendingSchools.some((school) => school.id === id);
  // The new membership replaces the request, and starts now.
  await leaveSchools(trx, user.id, schoolIds.filter(isAsked));
  await insertMemberships(trx, user.id, schoolIds, { at, isApproved: true });
}
