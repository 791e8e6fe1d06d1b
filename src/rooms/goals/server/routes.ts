import type { Deps } from '#server/deps.ts';
import type { Mount } from '#server/http/serve.ts';
import { getGoal, setGoal } from '../contract.ts';
import { chooseGoal, ownGoal } from './actions.ts';

export function mountGoals(mount: Mount, deps: Deps): void {
  mount(getGoal, 'signedIn', async ({ viewer, request }) => ({ goal: await ownGoal(deps, viewer, request) }));

  mount(setGoal, 'signedIn', ({ viewer, request, body }) => chooseGoal(deps, viewer, request, body.hours));
}
