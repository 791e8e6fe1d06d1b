import type { Deps } from '#server/deps.ts';
import type { Mount } from '#server/http/route-mount.ts';
import * as contract from '../contract.ts';
import { confirm, type FindOwner, offer, ownSecondFactor, remove, renewRecoveryCodes } from './actions.ts';

/** Mounts the routes of two-factor authentication. `findOwner` returns the account whose second factor the viewer changes. */
export function mountTwoFactor(mount: Mount, deps: Deps, findOwner: FindOwner): void {
  mount(contract.getSecondFactor, 'signedIn', ({ viewer }) => ownSecondFactor(deps, viewer));

  mount(contract.startTotpSetup, 'signedIn', ({ viewer, request }) =>
    offer({ deps, viewer, request, findOwner }),
  );

  mount(contract.confirmTotp, 'signedIn', ({ viewer, request, body }) =>
    confirm({ deps, viewer, request, findOwner }, body.code),
  );

  mount(contract.removeTotp, 'signedIn', ({ viewer, request }) =>
    remove({ deps, viewer, request, findOwner }),
  );

  mount(contract.newRecoveryCodes, 'signedIn', ({ viewer, request }) =>
    renewRecoveryCodes({ deps, viewer, request, findOwner }),
  );
}
