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
  mount(getHousehold, 'signedIn', async (call) => ({
    household: await ownHousehold(deps.database.db, deps, call),
  }));

  mount(makeHousehold, 'signedIn', (call) => createOwnHousehold(deps, call));

  mount(makeHouseholdCode, 'signedIn', (call) => renewHouseholdCode(deps, call));

  mount(joinHousehold, 'signedIn', (call) => joinHouseholdByCode(deps, call, call.body.code));

  mount(leaveHousehold, 'signedIn', (call) => leaveOwnHousehold(deps, call));
}
