import type { Deps } from '#server/deps.ts';
import type { Mount } from '#server/http/route-mount.ts';
import {
  getHousehold,
  joinHousehold,
  leaveHousehold,
  makeHousehold,
  makeHouseholdCode,
} from '../contract.ts';
import {
  createOwnHousehold,
  joinHouseholdByCode,
  leaveOwnHousehold,
  ownHousehold,
  renewHouseholdCode,
} from './actions.ts';

export function mountHouseholds(mount: Mount, deps: Deps): void {
  mount(getHousehold, 'signedIn', async ({ viewer, request }) => ({
    household: await ownHousehold(deps.database.db, deps, { viewer, request }),
  }));

  mount(makeHousehold, 'signedIn', ({ viewer, request }) => createOwnHousehold(deps, { viewer, request }));

  mount(makeHouseholdCode, 'signedIn', ({ viewer, request }) =>
    renewHouseholdCode(deps, { viewer, request }),
  );

  mount(joinHousehold, 'signedIn', ({ viewer, request, body }) =>
    joinHouseholdByCode(deps, { viewer, request }, body.code),
  );

  mount(leaveHousehold, 'signedIn', ({ viewer, request }) => leaveOwnHousehold(deps, { viewer, request }));
}
