import { type Deps, withConnectionPool } from '#server/deps.ts';
import type { Mount } from '#server/http/route-mount.ts';
import {
  changePassword,
  forgotPassword,
  login,
  logout,
  logoutElsewhere,
  resetPassword,
  verifyResetToken,
} from '../contract.ts';
import { openSignInLink, requestSignInLink } from '../magic-link/contract.ts';
import { requestMagicLink, signInByMagicLink } from '../magic-link/server/actions.ts';
import {
  exchangeSignIn,
  linkProvider,
  listOwnProviders,
  listProviders,
  unlinkProvider,
} from '../oidc/contract.ts';
import { linkByPassword, ownLinks, providers, unlink } from '../oidc/server/linking.ts';
import { reauthenticateByProvider } from '../oidc/server/re-authentication.ts';
import { exchange } from '../oidc/server/sign-in.ts';
import { signOutWithProvider } from '../oidc/server/sign-out.ts';
import { changeOwnPassword } from '../passwords/server/password-change.ts';
import { requestPasswordReset, setPasswordByLink, verifyLink } from '../passwords/server/password-reset.ts';
import { listReauthenticationMethods, reauthenticate } from '../re-authentication/contract.ts';
import { reauthenticateByPassword, reauthenticationMethodsOf } from '../re-authentication/server/actions.ts';
import { listSessions, signOutOf, signOutOthers } from '../sessions/contract.ts';
import { endOwnSession, ownSessions, signOutElsewhere } from '../sessions/server/actions.ts';
import { getSecondFactorOf, resetSecondFactor } from '../two-factor/admin-reset-contract.ts';
import { readTwoFactorOf, resetSecondFactorOf } from '../two-factor/server/admin-reset.ts';
import {
  passkeyReauthenticationOptions,
  reauthenticateByPasskey,
  signInByPasskey,
} from '../two-factor/server/passkey-sign-in.ts';
import { discoverablePasskeyOptions } from '../two-factor/server/passkeys.ts';
import { secondFactorOptions, signInWithSecondFactor } from '../two-factor/server/sign-in.ts';
import {
  offerPasskeyReauthentication,
  offerPasskeySignIn,
  offerSecondPasskey,
  secondFactor,
  signInWithPasskey,
} from '../two-factor/sign-in-contract.ts';
import { signIn, signOut } from './sign-in.ts';

export function mountAuth(mount: Mount, deps: Deps): void {
  mountSigningIn(mount, withConnectionPool(deps, 'signIn'));
  mountOwnSignIns(mount, deps);
  mountSecondFactorOfOthers(mount, deps);
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

  mount(forgotPassword, 'public', ({ request, body }) => requestPasswordReset(deps, request, body));

  mount(verifyResetToken, 'public', ({ request, params }) => verifyLink(deps, request, params.token));

  mount(resetPassword, 'public', ({ request, body }) => setPasswordByLink(deps, request, body));

  mount(listReauthenticationMethods, 'signedIn', ({ viewer }) => reauthenticationMethodsOf(deps, viewer));

  mount(reauthenticate, 'signedIn', ({ viewer, request, body }) => {
    const { passkey, provider, password } = body;
    if (passkey !== undefined) return reauthenticateByPasskey(deps, { viewer, request }, passkey);
    if (provider !== undefined) return reauthenticateByProvider(deps, { viewer, request }, provider);
    return reauthenticateByPassword(deps, { viewer, request }, password);
  });

  mount(offerPasskeyReauthentication, 'signedIn', (call) => passkeyReauthenticationOptions(deps, call));

  mount(offerPasskeySignIn, 'public', async ({ request }) => ({
    options: await discoverablePasskeyOptions(deps, request),
  }));

  mount(signInWithPasskey, 'public', ({ request, body }) => signInByPasskey(deps, request, body.passkey));

  mount(offerSecondPasskey, 'public', ({ request, body }) =>
    secondFactorOptions(deps, request, body.challenge),
  );

  mount(logout, 'signedIn', (call) => signOut(deps, call));
  mount(logoutElsewhere, 'signedIn', (call) => signOutWithProvider(deps, call));
}

function mountOwnSignIns(mount: Mount, deps: Deps): void {
  mount(changePassword, 'signedIn', (call) => changeOwnPassword(deps, call, call.body));

  mount(listSessions, 'signedIn', async (call) => ({
    sessions: await ownSessions(deps, call),
  }));

  mount(signOutOf, 'signedIn', (call) => endOwnSession(deps, call, call.params.id));

  mount(listOwnProviders, 'signedIn', async ({ viewer }) => ({ providers: await ownLinks(deps, viewer) }));

  mount(unlinkProvider, 'signedIn', (call) => unlink(deps, call, call.params.id));

  mount(signOutOthers, 'signedIn', (call) => signOutElsewhere(deps, call));
}

function mountSecondFactorOfOthers(mount: Mount, deps: Deps): void {
  mount(getSecondFactorOf, 'manage people', ({ viewer, params }) => readTwoFactorOf(deps, viewer, params.id));

  mount(resetSecondFactor, 'manage people', (call) => resetSecondFactorOf(deps, call, call.params.id));
}
