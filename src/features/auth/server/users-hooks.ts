import type { SignInHooks } from '#features/users/server/sign-in-hooks.ts';
import { deleteMagicLinksOf } from '../magic-link/server/store.ts';
import { isApprovedByProvider } from '../oidc/server/provider-account.ts';
import { titleOf } from '../oidc/server/redirects.ts';
import { providerLinksOf } from '../oidc/server/store.ts';
import { endAssignedPasswords } from '../passwords/server/assigned-password.ts';
import { deletePasswordLinksOf } from '../passwords/server/password-link-store.ts';
import { createPasswordLink, queuePasswordChangedEmail } from '../passwords/server/password-reset.ts';
import { startSession } from '../sessions/server/actions.ts';
import { endSessionsOf } from '../sessions/server/store.ts';
import { hasPasskeyHere } from '../two-factor/server/passkeys.ts';
import { startGracePeriod } from '../two-factor/server/store.ts';
import { setPassword } from './credentials.ts';
import {
  findOwnSession,
  markEmailProven,
  queueRemovedSignInsEmail,
  removeAttachedSignIns,
  removeProviderLinks,
} from './email-ownership.ts';
import { rememberDevice, resetAllThrottling } from './login-throttling.ts';

/** Auth's implementation of the hooks that users calls. */
export const signInHooks: SignInHooks = {
  startFirstSession: async (trx, deps, request, userId) => {
    await rememberDevice(trx, deps, request, userId);
    return startSession(trx, userId, request);
  },
  rememberDevice,
  findOwnSession,
  endSessions: endSessionsOf,
  createPasswordLink,
  deletePasswordLinks: deletePasswordLinksOf,
  deleteMagicLinks: deleteMagicLinksOf,
  setPassword,
  resetThrottling: resetAllThrottling,
  queuePasswordChangedEmail,
  endAssignedPasswords,
  markEmailProven,
  queueRemovedSignInsEmail,
  removeAttachedSignIns,
  removeProviderLinks,
  findOnlyProvider: async (trx, deps, userId) => {
    const [link] = await providerLinksOf(trx, userId);
    if (link === undefined || (await hasPasskeyHere(trx, deps, userId))) return undefined;
    return titleOf(deps, link.provider);
  },
  isApprovedByProvider,
  startGracePeriod,
};
