import type { Deps } from '#server/deps.ts';
import type { Mount } from '#server/http/serve.ts';
import { analyzeActivities, analyzeOverview, analyzeVolunteers } from '../contract.ts';
import { activities, overview, volunteers } from './actions.ts';

export function mountAnalytics(mount: Mount, deps: Deps): void {
  mount(analyzeActivities, 'admin', ({ viewer, query }) => activities(deps, viewer, query));

  mount(analyzeOverview, 'admin', ({ viewer, request, query }) => overview(deps, viewer, request, query));

  mount(analyzeVolunteers, 'admin', ({ viewer, request, query }) => volunteers(deps, viewer, request, query));
}
