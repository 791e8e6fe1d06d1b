import type { Deps } from '#server/deps.ts';
import type { Mount } from '#server/http/route-mount.ts';
import * as contract from '../contract.ts';
import { addPasskey, listPasskeys, offerPasskey, removePasskey, renamePasskey } from '../passkey-contract.ts';
import { confirm, offer, ownSecondFactor, remove, renewRecoveryCodes } from './actions.ts';
import * as passkeys from './passkeys.ts';

/** Mounts the routes of the viewer's own second factor. */
export function mountTwoFactor(mount: Mount, deps: Deps): void {
  mount(contract.getSecondFactor, 'signedIn', ({ viewer }) => ownSecondFactor(deps, viewer));

  mount(contract.startTotpSetup, 'signedIn', (call) => offer(deps, call));

  mount(contract.confirmTotp, 'signedIn', (call) => confirm(deps, call, call.body.code));

  mount(contract.removeTotp, 'signedIn', (call) => remove(deps, call));

  mount(contract.newRecoveryCodes, 'signedIn', (call) => renewRecoveryCodes(deps, call));

  mount(listPasskeys, 'signedIn', ({ viewer }) => passkeys.ownPasskeys(deps, viewer));

  mount(offerPasskey, 'signedIn', (call) => passkeys.offer(deps, call));

  mount(addPasskey, 'signedIn', (call) => passkeys.add(deps, call, call.body));

  mount(renamePasskey, 'signedIn', ({ viewer, params, body }) =>
    passkeys.rename(deps, viewer, params.id, body.name),
  );

  mount(removePasskey, 'signedIn', (call) => passkeys.remove(deps, call, call.params.id));
}
