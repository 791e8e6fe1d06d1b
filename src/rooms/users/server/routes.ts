import { baseMessages } from '#base/messages.ts';
import { refuse } from '#base/refusal.ts';
import type { Deps } from '#server/deps.ts';
import type { Mount } from '#server/http/serve.ts';
import {
  approveMembership,
  changePassword,
  createInvite,
  declineMembership,
  downloadOwnData,
  eraseUser,
  forgotPassword,
  getProfile,
  listErasureRequests,
  listInvites,
  listPendingMemberships,
  listSessions,
  login,
  logout,
  register,
  requestErasure,
  resetPassword,
  revokeInvite,
  signOutOthers,
  updateProfile,
  verifyEmail,
  verifyInvite,
  verifyResetToken,
  withdrawErasure,
} from '../contract.ts';
import { setPasswordByLink, verifyLink } from './password-reset.ts';
import { prepareRegistration, registerVolunteer, signIn, signOut } from './sign-in.ts';
import { findUser } from './store.ts';

export function mountUsers(mount: Mount, deps: Deps): void {
  mount(login, 'public', ({ request, body }) => signIn(deps, request, body));

  mount(register, 'public', async ({ request, body, once }) => {
    const passwordHash = await prepareRegistration(deps, request, body);
    return once((trx) => registerVolunteer(trx, deps, request, body, passwordHash));
  });

  mount(logout, 'signedIn', ({ request, viewer }) => signOut(deps, request, viewer));

  mount(getProfile, 'signedIn', async ({ viewer }) => {
    const user = await findUser(deps.database.db, viewer.userId);
    if (user === undefined) throw refuse.unauthenticated(baseMessages.authenticationRequired);
    return { user };
  });

  mount(verifyResetToken, 'public', ({ request, params }) => verifyLink(deps, request, params.token));

  mount(resetPassword, 'public', ({ request, body }) => setPasswordByLink(deps, request, body));

  // Agreed on with the screens, and built one after the other.
  const notYet = async (): Promise<never> => {
    throw refuse.unavailable(baseMessages.unavailable, 3600);
  };
  mount(forgotPassword, 'public', notYet);
  mount(verifyEmail, 'public', notYet);
  mount(verifyInvite, 'public', notYet);
  mount(changePassword, 'signedIn', notYet);
  mount(signOutOthers, 'signedIn', notYet);
  mount(updateProfile, 'signedIn', notYet);
  mount(listSessions, 'signedIn', notYet);
  mount(downloadOwnData, 'signedIn', notYet);
  mount(requestErasure, 'signedIn', notYet);
  mount(withdrawErasure, 'signedIn', notYet);
  mount(createInvite, 'admin', notYet);
  mount(listInvites, 'admin', notYet);
  mount(revokeInvite, 'admin', notYet);
  mount(listPendingMemberships, 'admin', notYet);
  mount(approveMembership, 'admin', notYet);
  mount(declineMembership, 'admin', notYet);
  mount(listErasureRequests, 'admin', notYet);
  mount(eraseUser, 'admin', notYet);
}
