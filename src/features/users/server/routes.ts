import { openSignInLink, requestSignInLink } from '#features/auth/magic-link/contract.ts';
import { requestMagicLink, signInByMagicLink } from '#features/auth/magic-link/server/actions.ts';
import {
  exchangeSignIn,
  linkProvider,
  listOwnProviders,
  listProviders,
  unlinkProvider,
} from '#features/auth/oidc/contract.ts';
import { linkByPassword, ownLinks, providers, unlink } from '#features/auth/oidc/server/linking.ts';
import { reauthenticateByProvider } from '#features/auth/oidc/server/re-authentication.ts';
import { exchange } from '#features/auth/oidc/server/sign-in.ts';
import { signOutWithProvider } from '#features/auth/oidc/server/sign-out.ts';
import { changeOwnPassword } from '#features/auth/passwords/server/password-change.ts';
import {
  requestPasswordReset,
  setPasswordByLink,
  verifyLink,
} from '#features/auth/passwords/server/password-reset.ts';
import { listReauthenticationMethods, reauthenticate } from '#features/auth/re-authentication/contract.ts';
import {
  reauthenticateByPassword,
  reauthenticationMethodsOf,
} from '#features/auth/re-authentication/server/actions.ts';
import { signIn, signOut } from '#features/auth/server/sign-in.ts';
import { listSessions, signOutOf, signOutOthers } from '#features/auth/sessions/contract.ts';
import { endOwnSession, ownSessions, signOutElsewhere } from '#features/auth/sessions/server/actions.ts';
import { getSecondFactorOf, resetSecondFactor } from '#features/auth/two-factor/admin-reset-contract.ts';
import { readTwoFactorOf, resetSecondFactorOf } from '#features/auth/two-factor/server/admin-reset.ts';
import {
  passkeyReauthenticationOptions,
  reauthenticateByPasskey,
  signInByPasskey,
} from '#features/auth/two-factor/server/passkey-sign-in.ts';
import { discoverablePasskeyOptions } from '#features/auth/two-factor/server/passkeys.ts';
import { secondFactorOptions, signInWithSecondFactor } from '#features/auth/two-factor/server/sign-in.ts';
import {
  offerPasskeyReauthentication,
  offerPasskeySignIn,
  offerSecondPasskey,
  secondFactor,
  signInWithPasskey,
} from '#features/auth/two-factor/sign-in-contract.ts';
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
  changePassword,
  createInvite,
  declineMembership,
  forgotPassword,
  getProfile,
  listInvites,
  listPendingMemberships,
  login,
  logout,
  logoutElsewhere,
  register,
  resetPassword,
  revokeInvite,
  updateProfile,
  verifyEmail,
  verifyInvite,
  verifyResetToken,
} from '../contract.ts';
import {
  inviteByMail,
  limitInvites,
  listInvitesFor,
  readInvite,
  resendInvitation,
  withdrawInvite,
} from '../invitations/server/actions.ts';
import { decideMembership, listPending, readPendingCounts } from '../memberships/server/actions.ts';
import { prepareRegistration, registerVolunteer } from '../registration/server/actions.ts';
import {
  addAccount,
  changeAccount,
  hashTypedPassword,
  inviteWalkIn,
  listAccounts,
  removeAccount,
} from './admin-users.ts';
import { changeAccountsInBulk } from './bulk-actions.ts';
import { confirmEmail } from './email-confirmation.ts';
import { readProfile, saveProfile } from './profile.ts';
import { usersFile } from './user-export.ts';

export function mountUsers(mount: Mount, deps: Deps): void {
  mountSigningIn(mount, withConnectionPool(deps, 'signIn'));
  mountOwnAccount(mount, deps);
  mountAdministration(mount, deps);
}

// Long because it has one entry per route.
function mountSigningIn(mount: Mount, deps: Deps): void {
  mount(login, 'public', ({ request, body }) => signIn(deps, request, body));

  mount(secondFactor, 'public', ({ request, body }) => signInWithSecondFactor(deps, request, body));

  mount(requestSignInLink, 'public', ({ request, body }) => requestMagicLink(deps, request, body));
  mount(openSignInLink, 'public', ({ request, body }) => signInByMagicLink(deps, request, body.token));
  mount(listProviders, 'public', async () => ({ providers: providers(deps) }));

  mount(exchangeSignIn, 'public', ({ request, body }) => exchange(deps, request, body.code));

  mount(linkProvider, 'public', ({ request, body }) => linkByPassword(deps, request, body));

  mount(register, 'public', async ({ request, body, once, accepted }) => {
    const prepared = await prepareRegistration(deps, request, body);
    const answer = await once((trx) => registerVolunteer(trx, deps, request, { input: body, prepared }));
    if (!('token' in answer)) accepted();
    return answer;
  });

  mount(verifyEmail, 'public', ({ request, body }) => confirmEmail(deps, request, body));

  mount(verifyInvite, 'public', ({ request, params }) => readInvite(deps, request, params.code));

  mount(forgotPassword, 'public', ({ request, body }) => requestPasswordReset(deps, request, body));

  mount(verifyResetToken, 'public', ({ request, params }) => verifyLink(deps, request, params.token));

  mount(resetPassword, 'public', ({ request, body }) => setPasswordByLink(deps, request, body));

  mount(listReauthenticationMethods, 'signedIn', ({ viewer }) => reauthenticationMethodsOf(deps, viewer));

  mount(reauthenticate, 'signedIn', ({ viewer, request, body }) => {
    const { passkey, provider, password } = body;
    if (passkey !== undefined) return reauthenticateByPasskey(deps, viewer, request, passkey);
    if (provider !== undefined) return reauthenticateByProvider(deps, viewer, request, provider);
    return reauthenticateByPassword(deps, viewer, request, password);
  });

  mount(offerPasskeyReauthentication, 'signedIn', ({ viewer, request }) =>
    passkeyReauthenticationOptions(deps, viewer, request),
  );

  mount(offerPasskeySignIn, 'public', async ({ request }) => ({
    options: await discoverablePasskeyOptions(deps, request),
  }));

  mount(signInWithPasskey, 'public', ({ request, body }) => signInByPasskey(deps, request, body.passkey));

  mount(offerSecondPasskey, 'public', ({ request, body }) =>
    secondFactorOptions(deps, request, body.challenge),
  );

  mount(logout, 'signedIn', ({ viewer, request }) => signOut(deps, viewer, request));
  mount(logoutElsewhere, 'signedIn', ({ viewer, request }) => signOutWithProvider(deps, viewer, request));
}

function mountOwnAccount(mount: Mount, deps: Deps): void {
  mount(getProfile, 'signedIn', ({ viewer }) => readProfile(deps, viewer));

  mount(updateProfile, 'signedIn', ({ viewer, request, body }) => saveProfile(deps, viewer, request, body));

  mount(changePassword, 'signedIn', ({ viewer, request, body }) =>
    changeOwnPassword(deps, viewer, request, body),
  );

  mount(listSessions, 'signedIn', async ({ viewer, request }) => ({
    sessions: await ownSessions(deps, viewer, request),
  }));

  mount(signOutOf, 'signedIn', ({ viewer, request, params }) =>
    endOwnSession(deps, viewer, request, params.id),
  );

  mount(listOwnProviders, 'signedIn', async ({ viewer }) => ({ providers: await ownLinks(deps, viewer) }));

  mount(unlinkProvider, 'signedIn', ({ viewer, request, params }) =>
    unlink(deps, viewer, request, params.id),
  );

  mount(signOutOthers, 'signedIn', ({ viewer, request }) => signOutElsewhere(deps, viewer, request));
}

// Long because it has one entry per route.
function mountAdministration(mount: Mount, deps: Deps): void {
  // A name that few or none have is looked for among all people.
  const reports = withConnectionPool(deps, 'reports');
  mount(listUsers, 'see people', ({ viewer, query }) =>
    listAccounts(query.search === undefined ? deps : reports, viewer, query),
  );

  mount(exportUsers, 'see people', ({ viewer, request, body }) => usersFile(deps, { viewer, request }, body));

  mount(createUser, 'manage people', async ({ viewer, request, body, once }) => {
    const passwordHash = await hashTypedPassword(deps, body.password);
    return once((trx) => addAccount(trx, deps, { viewer, request }, { input: body, passwordHash }));
  });

  mount(changeUsersInBulk, 'manage people', ({ viewer, request, body }) =>
    changeAccountsInBulk(deps, { viewer, request }, body),
  );

  mount(updateUser, 'manage people', ({ viewer, request, params, body, ifMatch }) =>
    changeAccount(deps, viewer, request, { id: params.id, change: body, ifMatch }),
  );

  mount(inviteWalkInCall, 'manage people', ({ viewer, request, params, body }) =>
    inviteWalkIn(deps, viewer, request, { id: params.id, email: body.email }),
  );

  mount(deleteUser, 'manage people', ({ viewer, request, params }) =>
    removeAccount(deps, viewer, request, params.id),
  );

  mount(getSecondFactorOf, 'manage people', ({ viewer, params }) => readTwoFactorOf(deps, viewer, params.id));

  mount(resetSecondFactor, 'manage people', ({ viewer, request, params }) =>
    resetSecondFactorOf(deps, viewer, request, params.id),
  );

  mount(createInvite, 'manage people', async ({ viewer, request, body, once }) => {
    await limitInvites(deps, { viewer, request }, body.email);
    return once((trx) => inviteByMail(trx, deps, { viewer, request }, body));
  });

  mount(listInvites, 'see requests', ({ viewer, request, query }) =>
    listInvitesFor(deps, viewer, request, query),
  );

  mount(revokeInvite, 'manage people', ({ viewer, request, params }) =>
    withdrawInvite(deps, viewer, request, params.id),
  );

  mount(resendInvite, 'manage people', ({ viewer, request, params }) =>
    resendInvitation(deps, viewer, request, params.id),
  );

  mount(countWaiting, 'see people', ({ viewer, request }) => readPendingCounts(deps, viewer, request));

  mount(listPendingMemberships, 'see requests', ({ viewer, query }) => listPending(deps, viewer, query));

  mount(approveMembership, 'decide requests', ({ viewer, request, body }) =>
    decideMembership(deps, viewer, request, { ...body, isApproved: true }),
  );

  mount(declineMembership, 'decide requests', ({ viewer, request, body }) =>
    decideMembership(deps, viewer, request, { ...body, isApproved: false }),
  );
}
