import type { Deps } from '#server/deps.ts';
import type { Mount } from '#server/http/route-mount.ts';
import { addPasskey, listPasskeys, offerPasskey, removePasskey, renamePasskey } from '../passkey-contract.ts';
import { add, type Call, offer, ownPasskeys, remove, rename } from './passkeys.ts';

/** Mounts the routes of passkeys. `findOwner` returns the account whose passkeys the viewer changes. */
export function mountPasskeys(mount: Mount, deps: Deps, findOwner: Call['findOwner']): void {
  mount(listPasskeys, 'signedIn', ({ viewer, request }) => ownPasskeys({ deps, viewer, request, findOwner }));

  mount(offerPasskey, 'signedIn', ({ viewer, request }) => offer({ deps, viewer, request, findOwner }));

  mount(addPasskey, 'signedIn', ({ viewer, request, body }) =>
    add({ deps, viewer, request, findOwner }, body),
  );

  mount(renamePasskey, 'signedIn', ({ viewer, request, params, body }) =>
    rename({ deps, viewer, request, findOwner }, params.id, body.name),
  );

  mount(removePasskey, 'signedIn', ({ viewer, request, params }) =>
    remove({ deps, viewer, request, findOwner }, params.id),
  );
}
