import type { Deps } from '#server/deps.ts';
import type { Mount } from '#server/http/route-mount.ts';
import {
  getHousehold,
  joinHousehold,
  leaveHousehold,
  makeHousehold,
  makeHouseholdCode,
} from '../contract.ts';
import { joinByCode, leaveOwn, makeOwnHousehold, ownHousehold, renewCode } from './actions.ts';

export function mountHouseholds(mount: Mount, deps: Deps): void {
  mount(getHousehold, 'signedIn', async ({ viewer, request }) => ({
    household: await ownHousehold(deps.database.db, deps, { viewer, request }),
  }));

  mount(makeHousehold, 'signedIn', ({ viewer, request }) => makeOwnHousehold(deps, { viewer, request }));

  mount(makeHouseholdCode, 'signedIn', ({ viewer, request }) => renewCode(deps, { viewer, request }));

  mount(joinHousehold, 'signedIn', ({ viewer, request, body }) =>
    joinByCode(deps, { viewer, request }, body.code),
  );

  mount(leaveHousehold, 'signedIn', ({ viewer, request }) => leaveOwn(deps, { viewer, request }));
}
