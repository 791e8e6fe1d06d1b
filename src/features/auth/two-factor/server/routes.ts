import type { Deps } from '#server/deps.ts';
import type { Mount } from '#server/http/route-mount.ts';
import * as contract from '../contract.ts';
import { addPasskey, listPasskeys, offerPasskey, removePasskey, renamePasskey } from '../passkey-contract.ts';
import { confirm, offer, ownSecondFactor, remove, renewRecoveryCodes } from './actions.ts';
import * as passkeys from './passkeys.ts';

/** Mounts the routes of the viewer's own second factor. */
export function mountTwoFactor(mount: Mount, deps: Deps): void {
  mount(contract.getSecondFactor, 'signedIn', ({ viewer }) => ownSecondFactor(deps, viewer));

  mount(contract.startTotpSetup, 'signedIn', ({ viewer, request }) => offer({ deps, viewer, request }));

  mount(contract.confirmTotp, 'signedIn', ({ viewer, request, body }) =>
    confirm({ deps, viewer, request }, body.code),
  );

  mount(contract.removeTotp, 'signedIn', ({ viewer, request }) => remove({ deps, viewer, request }));

  mount(contract.newRecoveryCodes, 'signedIn', ({ viewer, request }) =>
    renewRecoveryCodes({ deps, viewer, request }),
  );

  mount(listPasskeys, 'signedIn', ({ viewer }) => passkeys.ownPasskeys(deps, viewer));

  mount(offerPasskey, 'signedIn', ({ viewer, request }) => passkeys.offer({ deps, viewer, request }));

  mount(addPasskey, 'signedIn', ({ viewer, request, body }) => passkeys.add({ deps, viewer, request }, body));

  mount(renamePasskey, 'signedIn', ({ viewer, params, body }) =>
    passkeys.rename(deps, viewer, params.id, body.name),
  );

  mount(removePasskey, 'signedIn', ({ viewer, request, params }) =>
    passkeys.remove({ deps, viewer, request }, params.id),
  );
}
