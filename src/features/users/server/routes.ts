import { type Deps, withConnectionPool } from '#server/deps.ts';
import type { Mount } from '#server/http/route-mount.ts';
import {
  changeUsersInBulk,
  countWaiting,
  createUser,
  deleteUser,
  exportUsers,
  inviteWalkIn as inviteWalkInCall,
  listUsers,
  resendInvite,
  updateUser,
} from '../admin-contract.ts';
import {
  approveMembership,
  createInvite,
  declineMembership,
  getProfile,
  listInvites,
  listPendingMemberships,
  register,
  revokeInvite,
  updateProfile,
  verifyEmail,
  verifyInvite,
} from '../contract.ts';
import {
  inviteByEmail,
  limitInvites,
  listInvitesFor,
  readInvite,
  resendInvitation,
  withdrawInvite,
} from '../invitations/server/actions.ts';
import { decideMembership, listPending, readPendingCounts } from '../memberships/server/actions.ts';
import { prepareRegistration, registerVolunteer } from '../registration/server/actions.ts';
import { changeAccount } from './account-change.ts';
import { listAccounts } from './account-list.ts';
import { addAccount, hashTypedPassword, inviteWalkIn, removeAccount } from './admin-users.ts';
import { changeAccountsInBulk } from './bulk-actions.ts';
import { confirmEmail } from './email-confirmation.ts';
import { readProfile, saveProfile } from './profile.ts';
import { usersFile } from './user-export.ts';

export function mountUsers(mount: Mount, deps: Deps): void {
  mountRegistration(mount, withConnectionPool(deps, 'signIn'));
  mountOwnAccount(mount, deps);
  mountAdministration(mount, deps);
}

function mountRegistration(mount: Mount, deps: Deps): void {
  mount(register, 'public', async ({ request, body, once, accepted }) => {
    const prepared = await prepareRegistration(deps, request, body);
    const answer = await once((trx) => registerVolunteer(trx, deps, request, { input: body, prepared }));
    if (!('token' in answer)) accepted();
    return answer;
  });

  mount(verifyEmail, 'public', ({ request, body }) => confirmEmail(deps, request, body));

  mount(verifyInvite, 'public', ({ request, params }) => readInvite(deps, request, params.code));
}

function mountOwnAccount(mount: Mount, deps: Deps): void {
  mount(getProfile, 'signedIn', ({ viewer }) => readProfile(deps, viewer));

  mount(updateProfile, 'signedIn', (call) => saveProfile(deps, call, call.body));
}

// Long because it has one entry per route.
function mountAdministration(mount: Mount, deps: Deps): void {
  // Searching for a rare name reads all accounts.
  const reports = withConnectionPool(deps, 'reports');
  mount(listUsers, 'see people', ({ viewer, query }) =>
    listAccounts(query.search === undefined ? deps : reports, viewer, query),
  );

  mount(exportUsers, 'see people', (call) => usersFile(deps, call, call.body));

  mount(createUser, 'manage people', async ({ viewer, request, body, once }) => {
    const passwordHash = await hashTypedPassword(deps, body.password);
    return once((trx) => addAccount(trx, deps, { viewer, request }, { input: body, passwordHash }));
  });

  mount(changeUsersInBulk, 'manage people', (call) => changeAccountsInBulk(deps, call, call.body));

  mount(updateUser, 'manage people', ({ viewer, request, params, body, ifMatch }) =>
    changeAccount(deps, { viewer, request }, { id: params.id, change: body, ifMatch }),
  );

  mount(inviteWalkInCall, 'manage people', ({ viewer, request, params, body }) =>
    inviteWalkIn(deps, { viewer, request }, { id: params.id, email: body.email }),
  );

  mount(deleteUser, 'manage people', (call) => removeAccount(deps, call, call.params.id));

  mount(createInvite, 'manage people', async ({ viewer, request, body, once }) => {
    await limitInvites(deps, { viewer, request }, body.email);
    return once((trx) => inviteByEmail(trx, deps, { viewer, request }, body));
  });

  mount(listInvites, 'see requests', (call) => listInvitesFor(deps, call, call.query));

  mount(revokeInvite, 'manage people', (call) => withdrawInvite(deps, call, call.params.id));

  mount(resendInvite, 'manage people', (call) => resendInvitation(deps, call, call.params.id));

  mount(countWaiting, 'see people', (call) => readPendingCounts(deps, call));

  mount(listPendingMemberships, 'see requests', ({ viewer, query }) => listPending(deps, viewer, query));

  mount(approveMembership, 'decide requests', ({ viewer, request, body }) =>
    decideMembership(deps, { viewer, request }, { ...body, isApproved: true }),
  );

  mount(declineMembership, 'decide requests', ({ viewer, request, body }) =>
    decideMembership(deps, { viewer, request }, { ...body, isApproved: false }),
  );
}
