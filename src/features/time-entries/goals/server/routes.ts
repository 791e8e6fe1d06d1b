import type { Deps } from '#server/deps.ts';
import type { Mount } from '#server/http/route-mount.ts';
import { getGoal, setGoal } from '../contract.ts';
import {
  exportReached,
  getMilestones,
  getThanks,
  listReached,
  putThanksAway,
  setMilestones,
} from '../milestone-contract.ts';
import {
  dismissOwnThanks,
  exportReachedMilestone,
  listReachedMilestone,
  readMilestones,
  readOwnGoal,
  readOwnThanks,
  saveMilestones,
  setOwnGoal,
} from './actions.ts';

export function mountGoals(mount: Mount, deps: Deps): void {
  mount(getGoal, 'signedIn', async (call) => ({
    goal: await readOwnGoal(deps, call),
  }));

  mount(setGoal, 'signedIn', (call) => setOwnGoal(deps, call, call.body.hours));

  mount(getThanks, 'signedIn', async ({ viewer, request }) => ({
    thanks: await readOwnThanks(deps, viewer, request),
  }));

  mount(putThanksAway, 'signedIn', (call) => dismissOwnThanks(deps, call, call.body.hours));

  mount(getMilestones, 'run the district', ({ request }) => readMilestones(deps, request));

  mount(setMilestones, 'run the district', (call) => saveMilestones(deps, call, call.body.milestones));

  mount(listReached, 'run the district', ({ request, query }) => listReachedMilestone(deps, request, query));

  mount(exportReached, 'run the district', (call) => exportReachedMilestone(deps, call, call.body.hours));
}
